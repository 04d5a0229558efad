"""Nothing that only one system has: encodings, line ends, modules, ways to start a process."""

import ast
import json
import re
import subprocess
import sys

import pytest
from conftest import ROOT, needs
from processes import python


def test_no_text_is_read_or_written_in_the_encoding_of_a_machine():
    """Windows' is not UTF-8: each call that opens a text names its encoding."""
    without = []
    paths = [p for room in PYTHON for p in (ROOT / room).rglob("*.py")]
    codes = {path: path.read_text(encoding="utf-8") for path in (*sorted(paths), ROOT / "setup.py")}
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        codes[path] = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    for path, code in codes.items():
        if ROOT / "notebooks" / "exercises" in path.parents:
            continue  # made of the solutions; what a student has still to write is missing there
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Call) and (
                encoding_is_left_open(node)
                or path.relative_to(ROOT).parts[0] != "tests"
                and line_ends_are_left_open(node)
            ):
                without.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}")
    assert not without, "\n".join(without)


PYTHON = "lstm_edu", "lstm_course", "book", "benchmarks", "tests"


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
        # ours, of lstm_edu._util.files, writes UTF-8
        return bool(owner) and owner.split(".")[-1] != "files"
    asked = [given[k] for k in ("text", "universal_newlines") if k in given]
    return any(not isinstance(getattr(value, "value", None), str) for value in asked)


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
    done = python("-c", AS_WINDOWS, tmp_path / "a", cwd=ROOT, PYTHONUTF8="0")
    said = done.stdout.splitlines()
    assert said == ["False False False True True True True True", "True", r"b'\x80\r\n'"]
