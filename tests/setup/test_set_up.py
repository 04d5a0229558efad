"""A whole set-up, with a pip that only plays it: once, added to, anew, stopped, from a folder."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import pytest
from conftest import PATIENCE, ROOT, until
from course_module import NO_NAME, course, load
from processes import python

NOW = {"declared": "a", "python": "3.12", "folder": "here"}
DONE = dict(NOW, extras=["notebooks", "test"])


@pytest.mark.parametrize(
    "stamp, wanted, version, unfinished, expected",
    [
        (DONE, "test", "3.12", False, ("nothing", "notebooks test")),
        (DONE, "lab", "3.12", False, ("add", "lab notebooks test")),
        (dict(DONE, folder="there"), "test", "3.12", False, ("add", "notebooks test")),
        (DONE, "test", "3.12", True, ("anew", "test")),  # killed
        (DONE, "test", None, False, ("anew", "test")),  # its Python has gone
        (dict(DONE, python="3.11"), "test", "3.11", False, ("anew", "test")),
        (DONE, "test", "3.12 without pip", False, ("anew", "test")),
        (None, "test", "3.12", False, ("add", "test")),  # someone's own
        (None, "test", "3.12 without pip", False, ("theirs", "test")),
    ],
)
def test_plans_from_stamp(stamp, wanted, version, unfinished, expected):
    todo, extras = course.plan(stamp, NOW, [wanted], version, unfinished)
    assert (todo, " ".join(sorted(extras))) == expected


NO_PIN = (
    "ERROR: Ignored the following versions that require a different python version: 2.4.6 "
    "Requires-Python >=3.11,<3.15\nERROR: Could not find a version that satisfies the requirement "
    "numpy==2.4.6 (from versions: 1.26.4)\nERROR: No matching distribution found for numpy==2.4.6\n"
)


@pytest.mark.parametrize(
    "said, folder, expected",
    [
        (NO_NAME, None, r"network did not answer.*HTTPS_PROXY.*fetch FOLDER"),
        ("SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]", None, "PIP_CERT"),
        (NO_PIN, None, r"another Python than .*3\.11 to 3\.14"),
        (NO_PIN, "stick", "stick does not hold what this Python .*fetch stick"),
        ("ERROR: OSError: [Errno 28] No space left on device", None, "disk is full"),
        ("OSError: [WinError 112] There is not enough space on the disk", None, "disk is full"),
        ("ERROR: Failed building wheel for gensim", None, r"no ready-made file .*3\.11 to 3\.14"),
        ("PermissionError: [WinError 5] Access is denied: 'python.exe'", None, "another program"),
        ("[Errno 30] Read-only file system: 'course/.venv'", None, "yours to write"),
    ],
)
def test_advises_by_what_pip_says(said, folder, expected):
    told = course.advice(said, folder)
    assert re.search(expected, told) and "\n" not in told
    assert course.advice("ERROR: something else") is None


def test_damaged_stamp_counts_as_none(tmp_path):
    for broken in ("", "{", "[]", '{"extras": 1}'):
        (tmp_path / "ready.json").write_text(broken, encoding="utf-8")
        assert course.read_stamp(tmp_path) is None


PLAYED = """\
import json, os, sys, time
said = json.load(open({script!r}, encoding="utf-8"))
with open({calls!r}, "a", encoding="utf-8") as file:
    print(*sys.argv[1:], file=file)
if said.get("writes"):
    os.makedirs(os.path.join(os.path.dirname(os.path.dirname(__file__)), "half"), exist_ok=True)
print(said.get("error", ""), end="", file=sys.stderr, flush=True)
time.sleep(said.get("sleep", 0))
sys.exit("error" in said)
"""


@pytest.fixture
def played(tmp_path):
    """A course folder whose .venv has a pip that says what it is told to, and installs nothing."""
    folder = tmp_path / "course"
    folder.mkdir()
    for name in ("pyproject.toml", "constraints.txt", "course.py"):
        shutil.copy(ROOT / name, folder)
    module = load(folder / "course.py")
    calls, script = tmp_path / "calls", tmp_path / "script.json"

    def make_venv(venv):
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
        pip = pathlib.Path(module.site_packages(venv), "pip")
        pip.mkdir()  # a lone pip.py would leave a __pycache__ beside it, as if it had installed
        source = PLAYED.format(script=str(script), calls=str(calls))
        (pip / "__main__.py").write_text(source, encoding="utf-8")

    def says(**said):
        script.write_text(json.dumps(said), encoding="utf-8")

    says()
    module.make_venv, module.says = make_venv, says
    module.constraints = str(folder / "constraints.txt")
    module.sets_up = lambda *extras, stick=None: module.set_up(
        extras, module.constraints, stick, module.VENV
    )
    calls.touch()
    module.calls = lambda: calls.read_text(encoding="utf-8").splitlines()
    return module


def test_sets_up_once_and_adds(played, capsys):
    played.sets_up(*played.NEEDS["about"])
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("Setting up .venv, once. ") and last == "Set up."
    (call,) = played.calls()
    assert call.startswith("install ") and call.endswith("--editable .")
    assert f"--constraint {played.constraints}" in call and "--no-index" not in call
    assert not os.path.exists(os.path.join(played.VENV, "unfinished"))

    played.sets_up(*played.NEEDS["about"])
    assert len(played.calls()) == 1 and capsys.readouterr().out == ""

    played.sets_up(*played.NEEDS["run"])  # with MathJax, without Sphinx
    first, second = played.calls()[1:]
    assert first.endswith("--editable .[baselines,notebooks]")
    assert "--no-deps sphinx-mathjax-offline>=" in second

    played.sets_up(*played.NEEDS["book"])  # which brings MathJax itself
    assert played.calls()[3:] == [first.replace("baselines,", "baselines,book,")]

    for name in ("pyproject.toml", "constraints.txt"):  # what is declared has changed
        with open(os.path.join(played.ROOT, name), "a", encoding="utf-8") as file:
            file.write("\n")
        played.sets_up(*played.NEEDS["about"])
    assert played.calls()[4:] == played.calls()[3:4] * 2


@pytest.mark.parametrize(
    "error, advice, writes",
    [
        (NO_NAME, "The network did not answer", False),
        ("[Errno 28] No space left", "The disk is full", True),
    ],
)
def test_failure_is_explained_and_half_written_venv_made_anew(error, advice, writes, played, capfd):
    played.says(error=error, writes=writes)
    with pytest.raises(played.Stop, match=f"^Set-up failed, see above. {advice}") as stop:
        played.sets_up("notebooks")
    assert "\n" not in str(stop.value) and error in capfd.readouterr().err
    made = os.path.join(played.site_packages(played.VENV), "of this set-up")
    os.mkdir(made)
    played.says()
    played.sets_up("notebooks")
    assert os.path.exists(made) != writes
    assert played.read_stamp(played.VENV)["extras"] == ["notebooks"]


def test_environment_of_someone_else_is_not_removed(played):
    played.make_venv(played.VENV)
    played.version_of = lambda python: "3.9"
    with pytest.raises(played.Stop, match="not of this file's making"):
        played.sets_up("notebooks")
    assert os.path.exists(played.venv_python(played.VENV)) and not played.calls()


@pytest.mark.waits
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="Windows has no such signals")
@pytest.mark.parametrize("name, status", [("SIGINT", 130), ("SIGTERM", 143), ("SIGKILL", -9)])
def test_stopped_set_up_ends_pip_and_says_a_line_at_most(played, name, status):
    """A terminal sends Ctrl-C to pip, too."""
    played.make_venv(played.VENV)
    played.says(sleep=2 * PATIENCE, writes=True)
    command = [sys.executable, os.path.join(played.ROOT, "course.py"), "setup"]
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    process = subprocess.Popen(command, start_new_session=True, **how)
    half = os.path.join(played.site_packages(played.VENV), "half")
    until(lambda: os.path.exists(half), "what pip writes")
    (os.killpg if name == "SIGINT" else os.kill)(process.pid, getattr(signal, name))
    # pip writes to the same pipe, which ends with both
    out, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, (out, error)
    expected = "Stopped. The same command goes on from here." if status == 130 else ""
    assert error.strip() == expected
    assert os.path.exists(os.path.join(played.VENV, "unfinished"))
    played.alone().close()  # the lock has gone with its process


@pytest.mark.waits
def test_second_set_up_waits_and_says_so(played):
    played.make_venv(played.VENV)
    command = [sys.executable, os.path.join(played.ROOT, "course.py"), "setup"]
    with played.alone():
        second = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
        assert second.stdout.readline().startswith("Another set-up is at work here.")
        assert second.poll() is None and not played.calls()
    assert second.communicate(timeout=PATIENCE)[0].endswith("Set up.\n")


def test_fetches_and_sets_up_from_there_alone(played, tmp_path, capsys):
    stick = str(tmp_path / "stick")
    played.fetch(stick, played.constraints)
    played.sets_up("notebooks", stick=stick)
    fetched, installed = played.calls()
    assert fetched.startswith("download ")
    assert f"--dest {stick} --only-binary :all:" in fetched
    assert "jupyterlab>=" in fetched and "torch" not in fetched
    assert f"--no-index --find-links {stick}" in installed
    assert f"course.py run --from {stick}" in capsys.readouterr().out
    played.this_kind = lambda: "cpython-399-beos-vax"
    said = f"fetched for {course.this_kind()}, and this is cpython-"
    with pytest.raises(played.Stop, match=said):
        played.check_folder(stick, played.state(played.constraints))


@pytest.mark.parametrize(
    "arguments, said",
    [
        ("setup --constraints {folder}", "--constraints {folder}: there is no such file."),
        ("setup --from {file}", "--from {file}: there is no such folder."),
        ("fetch {file}", "fetch {file}: that is a file; a folder is needed."),
        ("fetch {file}/folder", "{file}"),  # of the system
    ],
)
def test_what_cannot_be_is_one_line(arguments, said, played, tmp_path):
    named = {"folder": tmp_path, "file": tmp_path / "file"}
    named["file"].touch()
    given = [word.format(**named) for word in arguments.split()]
    done = python(os.path.join(played.ROOT, "course.py"), *given)
    (line,) = done.stderr.splitlines()
    assert done.returncode == 1 and said.format(**named) in line.replace("\\\\", "\\")
