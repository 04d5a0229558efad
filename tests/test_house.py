"""The house itself: what is declared in two places agrees, and imports point down.

Notebooks are stored as they ran.
"""

import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata

import pytest
import yaml
from conftest import ROOT, needs
from packaging.specifiers import SpecifierSet

import lstm_edu
from lstm_edu.cells import CELLS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# The rooms from the ground up, and which of them each may use: those named, and what these use.
ROOMS = {
    "files": [],
    "array_files": ["files"],
    "threads": [],
    "arguments": ["files"],
    "interrupts": [],
    "text": ["arguments"],
    "data": ["text"],
    "cells": ["text"],
    "gradients": ["cells", "threads"],
    "model_file": ["gradients", "array_files"],
    "model": ["model_file", "gradients", "data"],
    "torch_module": ["model"],
    "aligned": ["model"],
    "loading": ["aligned"],
    "ranking": ["gradients", "data"],
    "training": ["loading", "ranking"],
    "table_iv": ["training"],
    "inside": ["gradients"],
    "plots": ["inside"],
    "explorers": ["plots"],
    "__init__": ["training", "explorers", "interrupts", "torch_module"],
    "checks": ["table_iv", "plots", "training"],
    "exercises": ["files"],
    "commands": ["training", "table_iv", "plots"],
    "__main__": ["commands", "__init__"],
}
PACKAGE = ROOT / "lstm_edu"
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


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
    assert by_conda == {
        f"python{PROJECT['requires-python']}",
        *PROJECT["dependencies"],
        *extras["notebooks"],
        *extras["lab"],
        *extras["widgets"],
        *(name for name in extras["test"] if name not in by_pip),
    }
    assert by_pip == ["selenium-axe-python>=2.2", *extras["baselines"], "-e ."]


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
    pins = dict(
        line.split("==")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    )
    installed = {
        name: metadata(name) for name, version in pins.items() if is_installed(name, version)
    }
    if len(installed) < len(pins) / 2:
        pytest.skip("set up from other pins")
    assert not [
        name
        for name, facts in installed.items()
        if "3.11.0" not in SpecifierSet(facts.get("Requires-Python") or "")
    ]


def test_ruff_finds_nothing_and_would_format_nothing():
    """As `make lint` has it. Only the pinned ruff is asked: another lays files out in its way."""
    pins = dict(
        line.split("==")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    )
    if not is_installed("ruff", pins["ruff"]):
        pytest.skip(f"ruff {pins['ruff']} is not installed (make test installs it)")
    for command in (["check", "--output-format", "concise"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "."],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
        )
        assert not done.returncode, done.stdout + done.stderr


def is_installed(name, version):
    try:
        return metadata(name)["Version"] == version
    except PackageNotFoundError:
        return False


def uses(room):
    """The rooms that a room may import from: those that it names and what these use."""
    return set(ROOMS[room]).union(*(uses(below) for below in ROOMS[room]))


def test_rooms_import_from_below():
    assert {module.split(".")[0] for module in MODULES} == ROOMS.keys()
    assert all(
        list(ROOMS).index(below) < list(ROOMS).index(room)
        for room in ROOMS
        for below in ROOMS[room]
    )
    for module, used in imports():
        room, other = module.split(".")[0], used.split(".")[0]
        assert other == room or other in uses(room), f"{module} imports {used}"


def test_no_two_modules_import_each_other():
    """Within a room, too: what a module needs is read before it, and nothing is read twice."""
    below = {module: set() for module in MODULES}
    for module, used in imports():
        below[module].add(used)
    while leaves := [module for module in below if not below[module] & below.keys() - {module}]:
        for module in leaves:
            del below[module]
    assert not below


def imports():
    """Every import of one module of the package by another: (module, what it imports)."""
    for module, path in MODULES.items():
        folder = path.relative_to(PACKAGE).parts[:-1]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                start = [*folder[: len(folder) + 1 - node.level], *(node.module or "").split(".")]
                for name in node.names:
                    whole = ".".join(filter(None, [*start, name.name]))
                    yield (
                        module,
                        whole if whole in MODULES else ".".join(filter(None, start)) or "__init__",
                    )


def test_nothing_outside_the_cells_asks_which_cell_it_is():
    """Whoever adds a cell touches no other file: it says of itself what others need to know."""
    kinds = {kind.__name__ for kind in CELLS} | {"Cell", "Recurrent"}
    for module, path in MODULES.items():
        if module.split(".")[0] == "cells":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                "isinstance",
                "issubclass",
            ):
                asked = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)}
                assert not asked & kinds, f"{module}:{node.lineno}"


def test_each_room_says_what_lives_there_and_what_it_uses():
    for room in ROOMS:
        if (PACKAGE / room).is_dir():
            said = ast.get_docstring(
                ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))
            )
            assert re.search(r"^(Lessons? \d\d|All )", said, re.MULTILINE), room
            named = re.search(r"Uses: (.+)\.$", said)[1].split(", ")
            assert named == ["everything"] or set(named) == set(ROOMS[room]) - {"threads"}, room


def test_the_readme_s_map_names_every_file():
    """A row a room, from the ground up, and in it each file that lives there."""
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("## Where things are\n")[1]
    found = re.findall(r"^\| \[`(\w+)(?:/|\.py)`\]\(lstm_edu/(\S+)\) \| (.+) \|", table, re.M)
    assert [room for room, _, _ in found] == list(ROOMS)
    for room, link, said in found:
        assert (PACKAGE / link).exists() and pathlib.PurePath(link).stem == room
        files = {path.name for path in (PACKAGE / room).glob("[a-z]*.py")}
        assert set(re.findall(r"`(\w+\.py)`", said)) == files, room


def test_the_core_imports_nothing_but_what_it_declares():
    extras = PROJECT["optional-dependencies"]
    core, baselines, data, cluster = (
        {
            re.split("[>=]", name)[0].replace("scikit-learn", "sklearn").replace("-", "_")
            for name in names
        }
        for names in (
            PROJECT["dependencies"],
            extras["baselines"],
            extras["data"],
            extras["cluster"],
        )
    )
    for module, path in MODULES.items():
        allowed = (
            core
            | sys.stdlib_module_names
            | (
                baselines
                if module.startswith("table_iv")
                else {
                    "data.datasets": data,
                    "files": {"safetensors"},
                    "plots.figure": {"PIL"},  # matplotlib's own
                    "ranking.mteb": {"mteb"},
                    "torch_module": {"torch"},
                    "checks.pytorch": {"torch"},
                    "checks.trial": {"cloudpickle"},  # joblib's own
                    "training.cluster": cluster,
                    "explorers.controls": {"IPython"},
                    "explorers.widget": {"anywidget", "traitlets"},
                }.get(module, set())
            )
            | ({"psutil"} if module == "table_iv.memory" else set())
        )
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module]
                if (isinstance(node, ast.ImportFrom) and node.level == 0)
                else []
            )
            assert {name.split(".")[0] for name in names} <= allowed, path


def test_import_loads_neither_matplotlib_nor_autograd():
    code = (
        "import lstm_edu, sys; print([m for m in ("
        "'matplotlib', 'autograd', 'IPython', 'ipywidgets', 'anywidget', 'lstm_edu.data.datasets', "
        "'pooch', 'requests', 'distributed', 'dask', 'safetensors', 'torch') if m in sys.modules])"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
        ).stdout
        == "[]\n"
    )


def test_public_functions_are_documented():
    for path in MODULES.values():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in [tree, *ast.walk(tree)]:
            public = (
                isinstance(node, ast.Module)
                or isinstance(node, (ast.FunctionDef, ast.ClassDef))
                and not node.name.startswith("_")
            )
            nested = (
                isinstance(node, ast.FunctionDef)
                and node not in tree.body
                and not any(isinstance(c, ast.ClassDef) and node in c.body for c in tree.body)
            )
            assert not public or nested or ast.get_docstring(node), (
                f"{path.name}: {getattr(node, 'name', 'module')}"
            )


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
    assert len(cells) - len(code) >= len(code)
    outputs = [output for cell in code for output in cell["outputs"]]
    assert not [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"]
    assert not [
        o
        for o in outputs
        if "<Figure" in "".join(o.get("data", {}).get("text/plain", ""))
        and "image/png" not in o["data"]
    ]
    assert any("image/png" in o.get("data", {}) for o in outputs)
    assert not any("".join(cell["source"]).rstrip().endswith(";") for cell in code)
    assert any("NBVAL_CHECK_OUTPUT" in "".join(cell["source"]) and cell["outputs"] for cell in code)
    assert not any(
        "execution" in cell["metadata"] for cell in code
    )  # times, which change with every run
    assert path.stat().st_size < 1_000_000


def test_notebooks_are_there():
    assert [path.stem for path in NOTEBOOKS][0].startswith("00_")


@needs("checkout with git")
def test_no_address_of_a_registry_and_no_path_of_a_machine():
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    ).stdout.split("\n")[:-1]
    for name in tracked:
        content = (ROOT / name).read_bytes().decode("utf-8", "ignore")
        assert (
            not re.search(
                r"--(extra-)?index-url|https?://[^\s\"')]+/simple\b|(?<![\w.])/(home|root|work)/\w",
                content.replace("test_house", ""),
            )
            or name == "tests/test_house.py"
        ), name


def test_no_text_is_read_or_written_in_the_encoding_of_a_machine():
    """Windows' is not UTF-8: each call that opens a text names its encoding."""
    without = []
    paths = [p for room in PYTHON for p in (ROOT / room).rglob("*.py")]
    codes = {path: path.read_text(encoding="utf-8") for path in (*sorted(paths), ROOT / "setup.py")}
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        codes[path] = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    for path, code in codes.items():
        if "exercises" in path.parts:
            continue  # made of the solutions; what a student has still to write is missing there
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Call) and (
                encoding_is_left_open(node)
                or path.relative_to(ROOT).parts[0] != "tests"
                and line_ends_are_left_open(node)
            ):
                without.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}")
    assert not without, "\n".join(without)


PYTHON = "lstm_edu", "book", "benchmarks", "tests"


def line_ends_are_left_open(call):
    """What is kept, and written as text, has the same bytes on every system."""
    given = {keyword.arg for keyword in call.keywords}
    writes = isinstance(call.func, ast.Attribute) and call.func.attr == "write_text"
    opens = isinstance(call.func, ast.Name) and call.func.id == "open" and len(call.args) > 1
    if opens:
        opens = "encoding" in given and "r" not in ast.unparse(call.args[1])
    return (writes or opens) and "encoding" in given and "newline" not in given


def encoding_is_left_open(call):
    owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    name = call.func.attr if owner else getattr(call.func, "id", "")
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if "encoding" in given:
        return False
    # a descriptor, a member of a zip, a picture
    if name == "open" and owner not in ("os", "archive", "Image"):
        places = call.args[:1] if owner else call.args[1:2]
        mode = given.get("mode", *places) if places else given.get("mode")
        return not (isinstance(mode, ast.Constant) and "b" in str(mode.value))
    if name == "read_text" and call.args:  # its first argument
        return False
    if name in ("read_text", "write_text"):
        # ours, of lstm_edu.files, writes UTF-8
        return bool(owner) and owner.split(".")[-1] != "files"
    return bool({"text", "universal_newlines"} & given.keys())


@needs("checkout with git")
def test_line_ends_are_the_same_on_every_system():
    """Windows' git would write CRLF: no text is stored with it, and the sample is never touched."""
    told = subprocess.run(
        ["git", "ls-files", "--eol"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    ).stdout.splitlines()
    attributes = {}
    for line in told:
        facts, name = line.split("\t")
        stored, _, *how = facts.split()
        attributes[name] = " ".join(how)
        assert stored in ("i/lf", "i/none", "i/-text"), line
    sample = [n for n in attributes if re.fullmatch(r"data_samples/.*\.(tsv|txt)", n)]
    assert len(sample) == 8 and {attributes.pop(name) for name in sample} == {"attr/-text"}
    kept = {how for name, how in attributes.items() if not name.endswith(".png")}
    assert kept <= {"attr/text=auto eol=lf", "attr/text eol=lf"}


POSIX = set("resource fcntl pwd grp termios tty pty posix syslog crypt".split())


def test_no_module_that_windows_lacks_is_imported_without_a_guard():
    for path in sorted(p for room in PYTHON for p in (ROOT / room).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        guarded = {
            node
            for attempt in ast.walk(tree)
            if isinstance(attempt, ast.Try) and attempt.handlers
            for statement in attempt.body
            for node in ast.walk(statement)
        }
        for node in set(ast.walk(tree)) - guarded:
            if isinstance(node, ast.Import):
                assert not POSIX & {alias.name for alias in node.names}, path
            if isinstance(node, ast.ImportFrom):
                assert node.module not in POSIX, path


def test_every_process_starts_in_the_one_way_that_all_systems_have():
    """Spawned: what a forked one would inherit, Windows' and macOS' have to import."""
    calls = [
        ast.unparse(node)
        for room in PYTHON
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).split(".")[-1]
        in ("ProcessPoolExecutor", "Pool", "Process", "fork", "get_context", "set_start_method")
        and not ast.unparse(node.func).startswith("psutil")
    ]
    pools = [call for call in calls if call.startswith("ProcessPoolExecutor")]
    assert pools and all("mp_context=" in call for call in pools)
    others = {call for call in set(calls) - set(pools) if not call.startswith("context.Process(")}
    assert others == {"multiprocessing.get_context('spawn')"}


AS_WINDOWS = """
import os, signal, subprocess, sys
sys.path.insert(0, "tests")
import as_windows
as_windows.pretend()
import os, signal
from multiprocessing import get_context
def refused(kind, what, *arguments):
    try:
        what(*arguments)
    except kind:
        return True
def forked(): get_context("fork")
def resource(): import resource
print(
    hasattr(os, "fork"), hasattr(os, "mkfifo"), hasattr(signal, "SIGKILL"), hasattr(os, "kill"),
    refused(ModuleNotFoundError, resource), refused(ValueError, forked),
    refused(OSError, os.symlink, "a", "b"), refused(FileNotFoundError, subprocess.run, ["true"]),
)
with open(sys.argv[1], "w") as file:
    file.write("\\u20ac\\n")
    print(refused(PermissionError, os.replace, "tests/conftest.py", sys.argv[1]))
print(open(sys.argv[1], "rb").read())
os.remove(sys.argv[1])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the simulation of Windows is for Linux")
def test_what_tests_as_windows_has_not(tmp_path):
    said = subprocess.run(
        [sys.executable, "-c", AS_WINDOWS, tmp_path / "a"],
        cwd=ROOT,
        env=os.environ | {"PYTHONUTF8": "0"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout.splitlines()
    assert said == [
        "False False False True True True True True",
        "True",
        r"b'\x80\r\n'",
    ]
