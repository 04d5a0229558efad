"""The house itself: what is declared in two places agrees, notebooks are stored as they ran."""

import itertools
import json
import re
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, metadata

import pytest
import yaml
from conftest import ROOT, needs
from packaging.specifiers import SpecifierSet

import lstm_edu

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_environment_yml_agrees_with_pyproject():
    """conda may not be there, so its file is read as what it is: a list."""
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    lines = [line.strip()[2:] for line in text.splitlines() if line.strip().startswith("- ")]
    by_pip = lines[lines.index("pip:") + 1 :]
    by_conda = set(lines[: lines.index("pip:")]) - {"conda-forge", "pip"}
    extras = PROJECT["optional-dependencies"]
    declared = [name for extra in ("notebooks", "lab", "widgets") for name in extras[extra]]
    python = f"python{PROJECT['requires-python']},<3.15"  # which the pins know
    assert by_conda == {python, *PROJECT["dependencies"], *declared}
    assert by_pip == [*extras["baselines"], "-e ."]


def test_the_version_is_one():
    """And its day: the package, its declaration, the citation and the newest entry of the log."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, day = re.search(r"^## (\d\S*) - (\d{4}-\d\d-\d\d)$", log, re.M).groups()
    assert version == lstm_edu.__version__ == PROJECT["version"] == cited["version"]
    assert day == str(cited["date-released"])


PINS = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()


def test_constraints_are_versions_alone_and_name_all_that_is_declared():
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line) for line in PINS)
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in PINS}
    extras = PROJECT["optional-dependencies"].values()
    declared = [*PROJECT["dependencies"], *itertools.chain(*extras)]
    assert {re.split("[>=]", name)[0].lower() for name in declared} <= pinned


def test_pins_install_on_the_oldest_python_that_is_promised():
    """Of those versions that are installed here as pinned.

    3.11.0, for a Debian or a lab may be years behind its newest patch.
    """
    pins = [line.split("==") for line in PINS]
    here = {name: metadata(name) for name, version in pins if is_installed(name, version)}
    if len(here) < len(pins) / 2:
        pytest.skip("set up from other pins")
    wants = {name: facts.get("Requires-Python") or "" for name, facts in here.items()}
    assert not [name for name, python in wants.items() if "3.11.0" not in SpecifierSet(python)]


def is_installed(name, version):
    try:
        return metadata(name)["Version"] == version
    except PackageNotFoundError:
        return False


LESSONS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
SOLUTIONS = sorted((ROOT / "notebooks" / "solutions").glob("[0-9]*.ipynb"))


@pytest.mark.parametrize(
    "path", [*LESSONS, *SOLUTIONS], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_notebooks_are_stored_as_they_ran(path):
    """What nbval lets pass.

    It compares nothing where a count is missing, and shows no sign of an error output.
    """
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [c for c in cells if c["cell_type"] == "code" and "".join(c["source"]).strip()]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    read = [c for c in code if not c["metadata"].get("jupyter", {}).get("source_hidden")]
    assert len(cells) - len(code) >= len(read)
    outputs = [output for cell in code for output in cell["outputs"]]
    assert not [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"]
    texts = [(o, "".join(o.get("data", {}).get("text/plain", ""))) for o in outputs]
    assert not [o for o, text in texts if "<Figure" in text and "image/png" not in o["data"]]
    assert not any("".join(cell["source"]).rstrip().endswith(";") for cell in code)
    assert not [cell["id"] for cell in code if len("".join(cell["source"]).split("\n")) > 25]
    told = [c for c in code if "nbval-check-output" in c["metadata"].get("tags", ())]
    if path in LESSONS:
        assert any("image/png" in o.get("data", {}) for o in outputs)
        assert any(cell["outputs"] for cell in told)
    # times, which change with every run
    assert not any("execution" in cell["metadata"] for cell in code)
    assert path.stat().st_size < 1_000_000


@needs("checkout with git")
def test_no_address_of_a_registry_and_no_path_of_a_machine():
    command = ["git", "ls-files"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    told = r"--(extra-)?index-url|https?://[^\s\"')]+/simple\b|(?<![\w.])/(home|root|work)/\w"
    for name in set(listed.stdout.split("\n")[:-1]) - {"tests/setup/test_house.py"}:
        content = (ROOT / name).read_bytes().decode("utf-8", "ignore")
        assert not re.search(told, content.replace("test_house", "")), name
