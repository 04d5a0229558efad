"""Nothing that only one system has: encodings, line ends, modules, ways to start a process."""

import ast
import functools
import json
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT, needs

PYTHON = "lstm_edu", "lstm_course", "book", "benchmarks", "tests"
SCRIPTS = sorted(path for room in PYTHON for path in (ROOT / room).rglob("*.py"))


@functools.cache
def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def test_no_text_is_read_or_written_in_the_encoding_of_a_machine():
    """Windows' is not UTF-8: each call that opens a text names its encoding."""
    trees = {path: tree(path) for path in (*SCRIPTS, ROOT / "setup.py")}
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        if ROOT / "notebooks" / "exercises" not in path.parents:
            # made of the solutions; what a student has still to write is missing there
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            code = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
            trees[path] = ast.parse(code)
    without = []
    for path, own in trees.items():
        is_test = ROOT / "tests" in path.parents
        calls = [node for node in ast.walk(own) if isinstance(node, ast.Call)]
        for call in calls:
            if encoding_is_left_open(call) or line_ends_are_left_open(call) and not is_test:
                without.append(f"{path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(call)}")
    assert not without, "\n".join(without)


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
    command = ["git", "ls-files", "--eol"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    attributes = {}
    for line in done.stdout.splitlines():
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
    for path in SCRIPTS:
        guarded = {
            node
            for attempt in ast.walk(tree(path))
            if isinstance(attempt, ast.Try) and attempt.handlers
            for statement in attempt.body
            for node in ast.walk(statement)
        }
        for node in set(ast.walk(tree(path))) - guarded:
            if isinstance(node, ast.Import):
                assert not POSIX & {alias.name for alias in node.names}, path
            if isinstance(node, ast.ImportFrom):
                assert node.module not in POSIX, path


def test_every_process_starts_in_the_one_way_that_all_systems_have():
    """Spawned: what a forked one would inherit, Windows' and macOS' have to import."""
    starts = "ProcessPoolExecutor Pool Process fork get_context set_start_method".split()
    nodes = (node for path in SCRIPTS for node in ast.walk(tree(path)))
    named = [(ast.unparse(node.func), node) for node in nodes if isinstance(node, ast.Call)]
    ours = [(name, node) for name, node in named if not name.startswith("psutil")]
    calls = [ast.unparse(node) for name, node in ours if name.split(".")[-1] in starts]
    pools = [call for call in calls if call.startswith("ProcessPoolExecutor")]
    assert pools and all("mp_context=" in call for call in pools)
    others = {call for call in set(calls) - set(pools) if not call.startswith("context.Process(")}
    assert others == {"multiprocessing.get_context('spawn')"}


AS_WINDOWS = """
import os, signal, subprocess, sys
sys.path[:0] = "tests", "tests/helpers"
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
    command = [sys.executable, "-c", AS_WINDOWS, tmp_path / "a"]
    how = {"cwd": ROOT, "env": os.environ | {"PYTHONUTF8": "0"}, "encoding": "utf-8"}
    said = subprocess.run(command, capture_output=True, check=True, **how).stdout
    expected = "False False False True True True True True", "True", r"b'\x80\r\n'"
    assert said.splitlines() == list(expected)
