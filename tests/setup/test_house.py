"""Tests that versions and dependencies agree between files, and that stored notebooks are clean."""

import itertools
import json
import re
import subprocess
import tomllib

import pytest
import yaml
from conftest import ROOT, needs

import lstm_edu
from book.build import LESSONS, SOLUTIONS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
PINS = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()


def test_environment_yml_agrees_with_pyproject():
    *by_conda, by_pip = yaml.safe_load((ROOT / "environment.yml").read_bytes())["dependencies"]
    declared = [name for extra in ("notebooks", "lab", "widgets") for name in EXTRAS[extra]]
    # packages are pinned for Python up to 3.14
    python = f"python{PROJECT['requires-python']},<3.15"
    expected = {python, *PROJECT["dependencies"], *declared}
    assert {*by_conda, *by_pip["pip"]} - {"pip", "-e ."} == expected


def test_version_and_release_date_agree_in_all_files():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, day = re.search(r"^## (\d\S*) - (\d{4}-\d\d-\d\d)$", log, re.M).groups()
    assert version == lstm_edu.__version__ == PROJECT["version"] == cited["version"]
    assert day == str(cited["date-released"])


def test_constraints_pin_every_dependency_to_a_version():
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line) for line in PINS)
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in PINS}
    declared = [*PROJECT["dependencies"], *itertools.chain(*EXTRAS.values())]
    assert {re.split("[>=]", name)[0].lower() for name in declared} <= pinned


@pytest.mark.parametrize(
    "path", [*LESSONS, *SOLUTIONS], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_notebook_is_stored_from_one_run_without_errors(path):
    """Check execution counts and that there are no errors, because nbval checks neither."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [c for c in cells if c["cell_type"] == "code" and "".join(c["source"]).strip()]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell["outputs"]]
    assert not {"error", "stderr"} & {o.get("name", o["output_type"]) for o in outputs}
    texts = [(o, "".join(o.get("data", {}).get("text/plain", ""))) for o in outputs]
    assert not [o for o, text in texts if "<Figure" in text and "image/png" not in o["data"]]
    assert not any("".join(cell["source"]).rstrip().endswith(";") for cell in code)
    if path in LESSONS:
        assert any("image/png" in o.get("data", {}) for o in outputs)
    # timestamps would change with every run
    assert not any("execution" in cell["metadata"] for cell in code)
    assert path.stat().st_size < 1_000_000


@needs("checkout with git")
def test_repository_contains_no_index_url_option_or_absolute_local_path():
    pattern = r"--(extra-)?index-url|(^|[^.[:alnum:]_])/(home|root|work)/\w"
    command = ["git", "grep", "-InE", pattern, "--", ".", ":!tests/setup/test_house.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert not done.stdout
