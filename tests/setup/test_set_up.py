"""Tests of first, repeated, interrupted and offline `course.py setup`, with a fake pip."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest
from conftest import PATIENCE, ROOT, until
from course_module import course, load
from processes import python

PLAYED = """\
import json, os, sys, time
said = json.load(open({script!r}, encoding="utf-8"))
if "list" in sys.argv:
    sys.exit(print(said.get("settings", "")))
with open({calls!r}, "a", encoding="utf-8") as file:
    print(*sys.argv[1:], file=file)
with open({variables!r}, "w", encoding="utf-8") as file:
    json.dump(dict(os.environ), file)
if said.get("writes"):
    os.makedirs(os.path.join(os.path.dirname(os.path.dirname(__file__)), "half"), exist_ok=True)
print(said.get("error", ""), end="", file=sys.stderr, flush=True)
try:
    time.sleep(said.get("sleep", 0))
except KeyboardInterrupt:
    sys.exit("ERROR: Operation cancelled by user")
sys.exit("error" in said)
"""


@pytest.fixture
def played(tmp_path):
    """Load course.py in a folder whose .venv has a fake pip that tests can script."""
    folder = tmp_path / "course"
    folder.mkdir()
    for name in ("pyproject.toml", "constraints.txt", "course.py"):
        shutil.copy(ROOT / name, folder)
    module = load(folder / "course.py")
    calls, script, variables = (tmp_path / name for name in ("calls", "script", "variables"))
    files = {path.name: str(path) for path in (calls, script, variables)}

    def make_venv(venv):
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
        pip = pathlib.Path(module.path_in(venv, "purelib"), "pip")
        pip.mkdir()  # a package, since a module pip.py would leave a __pycache__ in site-packages
        (pip / "__main__.py").write_text(PLAYED.format(**files), encoding="utf-8")

    def says(**said):
        script.write_text(json.dumps(said), encoding="utf-8")

    says()
    module.make_venv, module.says = make_venv, says
    module.constraints = str(folder / "constraints.txt")
    module.sets_up = lambda *extras, stick=None: module.set_up(extras, module.constraints, stick)
    calls.touch()
    module.calls = lambda: calls.read_text(encoding="utf-8").splitlines()
    module.variables = lambda: json.loads(variables.read_text(encoding="utf-8"))
    return module


def test_set_up_runs_once_adds_missing_extras_and_reruns_after_changes(played, capsys):
    played.sets_up(*played.COMMANDS["about"][0])
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("Setting up .venv, once: ") and last == "Set up."
    (call,) = played.calls()
    assert " install " in call and call.endswith("--editable .")
    assert f"--constraint {played.constraints}" in call and "--no-index" not in call

    played.sets_up(*played.COMMANDS["about"][0])
    assert len(played.calls()) == 1 and capsys.readouterr().out == ""

    played.sets_up(*played.COMMANDS["run"][0])  # `run` needs MathJax but not Sphinx
    first, second = played.calls()[1:]
    assert first.endswith("--editable .[notebooks]")
    assert second.endswith("--no-deps sphinx-mathjax-offline")

    played.sets_up(*played.COMMANDS["lab"][0])
    assert played.calls()[3:] == [first.replace("[", "[lab,").replace("]", ",widgets]"), second]

    for name in ("pyproject.toml", "constraints.txt"):  # after a change, set-up runs again
        with open(os.path.join(played.ROOT, name), "a", encoding="utf-8") as file:
            file.write("\n")
        played.sets_up(*played.COMMANDS["about"][0])
    assert played.calls()[5:] == played.calls()[3:5] * 2


def test_pip_keeps_only_network_settings_of_user(played, monkeypatch):
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    given = {"PIP_USER": "1", "PIP_TARGET": "t", "PIP_NO_INDEX": "1", "PIP_PROXY": "http://p:1"}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    listed = ["global.index-url='https://a'", "global.proxy='http://q:1'", "global.target='t'"]
    listed += [r"global.extra-index-url='\nhttps://c\nhttps://d'", r"global.cert='C:\\a.pem'"]
    listed += ["install.index-url='https://b'", "install.require-hashes='true'"]
    played.says(settings="\n".join(listed))
    played.sets_up()
    found = {name: s for name, s in played.variables().items() if name.startswith("PIP_")}
    network = {"PIP_PROXY": "http://p:1", "PIP_INDEX_URL": "https://b", "PIP_CERT": r"C:\a.pem"}
    network["PIP_EXTRA_INDEX_URL"] = "\nhttps://c\nhttps://d"
    assert found == network | {"PIP_CONFIG_FILE": os.devnull}


@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONOPTIMIZE": "2", "PYTHONWARNINGS": "error", "PYTHONPATH": "."},
        {"PYTHONSAFEPATH": "1", "PYTHONUTF8": "0", "LC_ALL": "C", "IPYTHONDIR": "startup"},
    ],
    ids=["optimized, with warnings as errors", "safe path in the C locale"],
)
def test_set_up_and_programs_ignore_shadowing_files_and_variables(played, variables):
    shadows = "random", "json", "tempfile", "pip", "venv", "site_package"
    for name in shadows:
        pathlib.Path(played.ROOT, name + ".py").write_text("raise SystemExit(4)", encoding="utf-8")
    pathlib.Path(played.ROOT, "book.py").touch()
    played.make_venv(played.VENV)
    packages = pathlib.Path(played.path_in(played.VENV, "purelib"))
    (packages / "site_package.py").touch()
    done = python(os.path.join(played.ROOT, "course.py"), "setup", cwd=played.ROOT, **variables)
    assert (done.returncode, done.stderr) == (0, "") and len(played.calls()) == 1
    passed = {name for name in variables if played.variables().get(name) == variables[name]}
    assert passed <= {"PYTHONSAFEPATH", "LC_ALL"}
    imports = f"import {', '.join(shadows[:3])}, site_package, book"
    played.start([played.venv_python(played.VENV), "-c", imports])


@pytest.mark.parametrize("version, kept", [(course.VERSION, True), ("3.9", False), (None, False)])
def test_venv_is_kept_only_if_its_python_and_folder_are_right(version, kept, played):
    played.sets_up("notebooks")
    made = pathlib.Path(played.path_in(played.VENV, "purelib"), "of the first set-up")
    made.touch()
    played.version_of = lambda python: version
    played.sets_up("notebooks")
    assert made.exists() == kept
    assert len(played.calls()) == (1 if kept else 2)
    played.version_of = lambda python: played.VERSION
    stamp = played.read_stamp()
    for changed in (dict(stamp, folder="moved"), {}):  # {}: the first set-up was killed
        made.touch()
        played.write_stamp(changed)
        played.sets_up("notebooks")
        assert not made.exists() and played.read_stamp() == stamp


def test_damaged_stamp_counts_as_interrupted_set_up(played):
    os.mkdir(played.VENV)
    for broken in ("", "{", '{"folder": "he'):
        pathlib.Path(played.STAMP).write_text(broken, encoding="utf-8")
        assert played.read_stamp() == {}


@pytest.mark.parametrize("writes", [False, True])
def test_failed_install_keeps_old_set_up(writes, played, capfd):
    played.sets_up("notebooks")
    before = played.read_stamp()
    made = os.path.join(played.path_in(played.VENV, "purelib"), "of the first set-up")
    os.mkdir(made)
    played.says(error="pip's reason", writes=writes)
    with pytest.raises(SystemExit, match=r"^Set-up failed, .*book/pages/set_up\.md") as stop:
        played.sets_up("lab")
    assert "\n" not in str(stop.value) and "pip's reason" in capfd.readouterr().err
    assert played.read_stamp() == before
    text = (ROOT / "book" / "pages" / "set_up.md").read_text(encoding="utf-8")
    assert "\n## If set-up fails\n" in text
    played.says()
    played.sets_up("notebooks")
    assert os.path.exists(made) and played.read_stamp() == before


def test_set_up_keeps_venv_that_it_did_not_make(played):
    played.make_venv(played.VENV)
    played.version_of = lambda python: "3.9"
    with pytest.raises(SystemExit, match="was not made by course.py"):
        played.sets_up("notebooks")
    assert os.path.exists(played.venv_python(played.VENV)) and not played.calls()


@pytest.mark.waits
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="Windows has no such signals")
@pytest.mark.parametrize("name, status", [("SIGINT", 130), ("SIGTERM", 143)])
def test_interrupted_set_up_ends_pip_and_prints_at_most_one_line(played, name, status):
    """Send SIGINT also to pip, because Ctrl-C in a terminal reaches all processes of a command."""
    played.make_venv(played.VENV)
    played.says(sleep=2 * PATIENCE, writes=True)
    command = [sys.executable, os.path.join(played.ROOT, "course.py"), "setup"]
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    process = subprocess.Popen(command, start_new_session=True, **how)
    half = os.path.join(played.path_in(played.VENV, "purelib"), "half")
    until(lambda: os.path.exists(half), "a file of pip")
    (os.killpg if name == "SIGINT" else os.kill)(process.pid, getattr(signal, name))
    # the pipe closes only when both processes have ended
    out, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, (out, error)
    of_pip = "ERROR: Operation cancelled by user"
    expected = [of_pip, "", "Stopped. The same command goes on from here."]
    assert error.splitlines() == (expected if status == 130 else [])
    assert played.read_stamp() == {}
    played.alone().close()  # the lock was released when its process ended


@pytest.mark.waits
def test_second_set_up_waits_with_a_message(played):
    played.make_venv(played.VENV)
    command = [sys.executable, os.path.join(played.ROOT, "course.py"), "setup"]
    with played.alone():
        second = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
        assert second.stdout.readline().startswith("Another set-up is at work here.")
        assert second.poll() is None and not played.calls()
    assert second.communicate(timeout=PATIENCE)[0].endswith("Set up.\n")


def test_fetch_downloads_wheels_and_set_up_installs_from_them_offline(played, tmp_path, capsys):
    stick = str(tmp_path / "stick")
    played.fetch(stick, played.constraints)
    played.sets_up("notebooks", stick=stick)
    fetched, installed = played.calls()
    assert " download " in fetched and f"--dest {stick} --only-binary :all:" in fetched
    assert fetched.endswith(f".[{','.join(played.ALL)}]")
    assert f"--no-index --find-links {stick}" in installed
    assert f"course.py run --from {stick}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments, said",
    [
        ("setup --constraints {folder}", "{folder}"),  # error message of the operating system
        ("fetch {file}/folder", "{file}"),
        ("fetch", "fetch needs one folder"),
        ("setup more", "unrecognized arguments: more"),
    ],
)
def test_course_py_refuses_bad_arguments_in_one_line(arguments, said, played, tmp_path):
    named = {"folder": tmp_path, "file": tmp_path / "file"}
    named["file"].touch()
    given = [word.format(**named) for word in arguments.split()]
    done = python(os.path.join(played.ROOT, "course.py"), *given)
    line = done.stderr.splitlines()[-1]
    assert done.returncode in (1, 2) and "Traceback" not in done.stderr
    assert said.format(**named) in line.replace("\\\\", "\\")
