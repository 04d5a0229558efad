"""Tests that encodings, line endings, imports and processes work on every operating system."""

import ast
import json
import re
import subprocess

import pytest
from conftest import ROOT, needs

FOLDERS = "lstm_edu lstm_course book benchmarks tests notebooks notebooks/solutions".split()
POSIX = set("resource fcntl pwd grp termios tty pty posix syslog crypt".split())
STARTS = "ProcessPoolExecutor Pool Process fork get_context set_start_method".split()
# Windows and macOS start processes by spawning, so code must not rely on fork.
SPAWNED = re.compile(
    r"ProcessPoolExecutor\(.*mp_context=|context\.Process\(|multiprocessing\.get_context\('spawn'\)"
    r"|psutil\."
)


def faults(source, is_test):
    """Return the line number and code of each import and call that isn't portable."""
    guarded, found = [], []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Try) and node.handlers:
            guarded += node.body
        elif isinstance(node, (ast.Import, ast.ImportFrom)) and node not in guarded:
            names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
            found += [node] if names & POSIX and not is_test else []
        elif isinstance(node, ast.Call):
            found += [node] if is_call_of_one_system(node, is_test) else []
    return [f"{node.lineno}: {ast.unparse(node)}" for node in found]


def is_call_of_one_system(call, is_test):
    """Return whether a call relies on the system's encoding, line endings or process start method.

    Tests may use the system's line endings, because they write only temporary files.
    """
    owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    name = call.func.attr if owner else getattr(call.func, "id", "")
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if is_test and name == "fork":
        return False  # tests that fork are marked with `needs`
    if name in STARTS:
        return not SPAWNED.match(ast.unparse(call))
    places = call.args[:1] if owner else call.args[1:2]
    mode = given.get("mode", *places) if places else given.get("mode")
    if "encoding" in given:
        writes = name == "write_text" or name == "open" and mode and "r" not in ast.unparse(mode)
        return writes and not is_test and "newline" not in given
    # file descriptors, zip members, images and web requests have no text encoding
    if name == "open" and owner not in ("os", "archive", "Image", "request"):
        return not (isinstance(mode, ast.Constant) and "b" in str(mode.value))
    if name == "write_text" or name == "read_text" and not call.args:
        # lstm_edu._util.files.write_text always writes UTF-8
        return bool(owner) and owner.split(".")[-1] != "files"
    # text=True of subprocess decodes in the system's encoding
    return getattr(given.get("text"), "value", None) is True


def source(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return text
    cells = json.loads(text)["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return "\n".join(code)


@pytest.mark.parametrize("folder", FOLDERS)
def test_code_makes_only_portable_imports_and_calls(folder):
    scripts = {*(ROOT / folder).rglob("*.py"), *(ROOT / folder).glob("*.ipynb")}
    found = {path: faults(source(path), folder == "tests") for path in scripts}
    assert scripts and not {path: said for path, said in found.items() if said}


@needs("checkout with git")
def test_git_keeps_line_endings_on_every_system():
    """Check that Git stores and checks out text with LF, and never converts the sample data."""
    command = ["git", "ls-files", "--eol"]
    for line in subprocess.check_output(command, cwd=ROOT, encoding="utf-8").splitlines():
        facts, name = line.split("\t")
        stored, _, *how = facts.split()
        assert stored in ("i/lf", "i/none", "i/-text"), line
        if re.fullmatch(r"data_samples/.*\.(tsv|txt)", name):
            assert how == ["attr/-text"], line
        elif not name.endswith(".png"):
            assert how[0] in ("attr/text=auto", "attr/text") and how[1:] == ["eol=lf"], line
