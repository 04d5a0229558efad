"""The house itself: what is declared in two places agrees, notebooks are stored as they ran."""

import json
import re
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, metadata

import pytest
import yaml
from conftest import ROOT, needs
from packaging.specifiers import SpecifierSet
from processes import python

import lstm_edu

PINS = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_environment_yml_agrees_with_pyproject():
    """conda may not be there, so its file is read as what it is: a list."""
    lines = [
        line.strip()[2:]
        for line in (ROOT / "environment.yml").read_text(encoding="utf-8").splitlines()
        if line.strip().startswith("- ")
    ]
    by_pip = lines[lines.index("pip:") + 1 :]
    by_conda = set(lines[: lines.index("pip:")]) - {"conda-forge", "pip"}
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *extras["notebooks"], *extras["lab"], *extras["widgets"]]
    of_pins = f"python{PROJECT['requires-python']},<3.15"  # which the pins know
    assert by_conda == {of_pins, *wanted}
    assert by_pip == [*extras["baselines"], "-e ."]


def test_the_version_is_one():
    """And its day: the package, its declaration, the citation and the newest entry of the log."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, day = re.search(r"^## (\d\S*) - (\d{4}-\d\d-\d\d)$", log, re.M).groups()
    assert version == lstm_edu.__version__ == PROJECT["version"] == cited["version"]
    assert day == str(cited["date-released"])


def test_constraints_are_versions_alone_and_name_all_that_is_declared():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line) for line in lines)
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in lines}
    declared = [
        *PROJECT["dependencies"],
        *(name for extra in PROJECT["optional-dependencies"].values() for name in extra),
    ]
    assert {re.split("[>=]", name)[0].lower() for name in declared} <= pinned


def test_pins_install_on_the_oldest_python_that_is_promised():
    """Of those versions that are installed here as pinned.

    3.11.0, for a Debian or a lab may be years behind its newest patch.
    """
    pins = dict(line.split("==") for line in PINS)
    installed = {
        name: metadata(name) for name, version in pins.items() if is_installed(name, version)
    }
    if len(installed) < len(pins) / 2:
        pytest.skip("set up from other pins")
    promises = {name: facts.get("Requires-Python") or "" for name, facts in installed.items()}
    assert all("3.11.0" in SpecifierSet(promised) for promised in promises.values()), promises


def test_ruff_finds_nothing_and_would_format_nothing():
    """As `make lint` has it. Only the pinned ruff is asked: another lays files out in its way."""
    pins = dict(line.split("==") for line in PINS)
    if not is_installed("ruff", pins["ruff"]):
        pytest.skip(f"ruff {pins['ruff']} is not installed (make test installs it)")
    for command in (["check", "--output-format", "concise"], ["format", "--check"]):
        done = python("-m", "ruff", *command, ".", cwd=ROOT)
        assert not done.returncode, done.stdout + done.stderr


def is_installed(name, version):
    try:
        return metadata(name)["Version"] == version
    except PackageNotFoundError:
        return False


NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_stored_as_they_ran(path):
    """What nbval lets pass.

    It compares nothing where a count is missing, and shows no sign of an error output.
    """
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [
        cell for cell in cells if cell["cell_type"] == "code" and "".join(cell["source"]).strip()
    ]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    read = [c for c in code if not c["metadata"].get("jupyter", {}).get("source_hidden")]
    assert len(cells) - len(code) >= len(read)
    outputs = [output for cell in code for output in cell["outputs"]]
    assert not [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"]
    drawn = [o for o in outputs if "<Figure" in "".join(o.get("data", {}).get("text/plain", ""))]
    assert all("image/png" in o["data"] for o in drawn)
    assert any("image/png" in o.get("data", {}) for o in outputs)
    assert not any("".join(cell["source"]).rstrip().endswith(";") for cell in code)
    assert any("nbval-check-output" in c["metadata"].get("tags", ()) and c["outputs"] for c in code)
    assert not any(
        "execution" in cell["metadata"] for cell in code
    )  # times, which change with every run
    assert path.stat().st_size < 1_000_000


def test_notebooks_are_there():
    assert [path.stem for path in NOTEBOOKS][0].startswith("00_")


ADDRESS = r"--(extra-)?index-url|https?://[^\s\"')]+/simple\b|(?<![\w.])/(home|root|work)/\w"


@needs("checkout with git")
def test_no_address_of_a_registry_and_no_path_of_a_machine():
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    ).stdout.split("\n")[:-1]
    for name in tracked:
        content = (ROOT / name).read_bytes().decode("utf-8", "ignore").replace("test_house", "")
        assert name == "tests/test_house.py" or not re.search(ADDRESS, content), name
