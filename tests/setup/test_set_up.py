"""A whole set-up, with a pip that only plays it: once, added to, anew, stopped, from a folder."""

import errno
import json
import os
import pathlib
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
    "stamp, wanted, python, unfinished, expected",
    [
        (DONE, "test", "3.12", False, ("nothing", "notebooks test")),
        (DONE, "lab", "3.12", False, ("add", "lab notebooks test")),
        (dict(DONE, folder="there"), "test", "3.12", False, ("add", "notebooks test")),
        (DONE, "test", "3.12", True, ("anew", "test")),  # killed
        (None, "test", "3.12", True, ("anew", "test")),
        (DONE, "test", None, False, ("anew", "test")),  # its Python has gone
        (dict(DONE, python="3.11"), "test", "3.11", False, ("anew", "test")),
        (DONE, "test", "3.12 without pip", False, ("anew", "test")),
        (None, "test", "3.12", False, ("add", "test")),  # someone's own
        (None, "test", "3.12 without pip", False, ("theirs", "test")),
    ],
)
def test_what_is_to_be_done(stamp, wanted, python, unfinished, expected):
    todo, extras = course.plan(stamp, NOW, [wanted], python, unfinished)
    assert (todo, " ".join(sorted(extras))) == expected


def test_the_stamp_is_read_as_it_was_written(tmp_path):
    assert course.read_stamp(tmp_path) is None
    course.write_json(str(tmp_path / "ready.json"), DONE)
    assert course.read_stamp(tmp_path) == DONE and os.listdir(tmp_path) == ["ready.json"]
    for broken in ("", "{", "[]", '{"extras": 1}'):
        (tmp_path / "ready.json").write_text(broken, encoding="utf-8")
        assert course.read_stamp(tmp_path) is None


def test_the_stamp_changes_with_both_files_and_the_folder(tmp_path, monkeypatch):
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    monkeypatch.setattr(course, "ROOT", str(tmp_path))
    constraints = tmp_path / "constraints.txt"
    seen = [course.state(constraints)["declared"]]
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes() + b"\n")
        seen.append(course.state(constraints)["declared"])
    os.utime(constraints, (0, 0))  # a time alone changes nothing
    assert len(set(seen)) == 3 and course.state(constraints)["declared"] == seen[2]
    assert course.state(constraints)["python"] == "{}.{}".format(*sys.version_info)


PLAYED = """\
import json, os, sys, time
said = json.load(open({script!r}, encoding="utf-8"))
with open({calls!r}, "a", encoding="utf-8") as file:
    print(*sys.argv[1:], file=file)
with open({calls!r} + ".pid", "w", encoding="utf-8") as file:
    print(os.getpid(), file=file)
if said["writes"]:
    os.makedirs(os.path.join(os.path.dirname(os.path.dirname(__file__)), "half"), exist_ok=True)
print("Collecting a")
print(said["error"], end="", file=sys.stderr, flush=True)
time.sleep(said["sleep"])
sys.exit(said["status"])
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
        made = [sys.executable, "-m", "venv", "--without-pip", venv]
        subprocess.run(made, check=True)
        pip = pathlib.Path(module.site_packages(venv), "pip")
        pip.mkdir(parents=True)
        source = PLAYED.format(script=str(script), calls=str(calls))
        (pip / "__main__.py").write_text(source, encoding="utf-8")
        (pip / "__init__.py").touch()

    def says(error="", status=0, sleep=0, writes=False):
        said = {"error": error, "status": status, "sleep": sleep, "writes": writes}
        script.write_text(json.dumps(said), encoding="utf-8")

    says()
    module.make_venv, module.says = make_venv, says
    module.sets_up = lambda *extras, stick=None: module.set_up(
        extras, str(folder / "constraints.txt"), stick, module.VENV
    )
    module.calls = lambda: calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []
    module.constraints = str(folder / "constraints.txt")
    return module


def test_set_up_happens_once_and_adds(played, capsys):
    played.sets_up("notebooks")
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("Setting up .venv, once. ") and last == "Set up."
    (call,) = played.calls()
    assert call.startswith("install ") and call.endswith("--editable .[notebooks]")
    assert f"--constraint {played.constraints}" in call and "--no-index" not in call
    assert not os.path.exists(os.path.join(played.VENV, "unfinished"))

    played.sets_up("notebooks")
    assert len(played.calls()) == 1 and capsys.readouterr().out == ""

    played.sets_up("widgets")
    assert played.calls()[-1].endswith("--editable .[notebooks,widgets]")

    with open(played.constraints, "a", encoding="utf-8") as file:
        file.write("\n")
    played.sets_up("notebooks")
    assert played.calls()[-1].endswith("--editable .[notebooks,widgets]")
    assert len(played.calls()) == 3


def test_about_needs_no_extra(played):
    played.sets_up(*played.NEEDS["about"])
    assert played.calls()[-1].endswith("--editable .")


def test_run_has_mathjax_without_sphinx(played):
    played.sets_up(*played.NEEDS["run"])
    first, second = played.calls()
    assert first.endswith("--editable .[baselines,notebooks]")
    assert "--no-deps sphinx-mathjax-offline>=" in second
    played.sets_up(*played.NEEDS["test"])
    assert len(played.calls()) == 3  # which the book brings


def test_a_failure_says_what_pip_says_and_what_to_do(played, capfd):
    played.says(NO_NAME, status=1)
    with pytest.raises(played.Stop) as stop:
        played.sets_up("notebooks")
    assert "No matching distribution found for numpy>=2" in capfd.readouterr().err
    assert str(stop.value).startswith("Set-up failed, see above. The network did not answer.")
    assert "\n" not in str(stop.value)
    # nothing had been written: what is there is kept, and set-up goes on from it
    made = os.stat(os.path.join(played.VENV, "pyvenv.cfg")).st_mtime_ns
    played.says()
    played.sets_up("notebooks")
    assert os.stat(os.path.join(played.VENV, "pyvenv.cfg")).st_mtime_ns == made


def test_a_set_up_that_ended_while_it_wrote_begins_anew(played):
    full = "ERROR: [Errno 28] No space left on device"
    played.says(full, status=1, writes=True)
    with pytest.raises(played.Stop, match="disk is full") as stop:
        played.sets_up("notebooks")
    assert "Try again" not in str(stop.value)
    half = os.path.join(played.site_packages(played.VENV), "half")
    assert os.path.exists(half)
    played.says()
    played.sets_up("notebooks")
    assert not os.path.exists(half) and played.read_stamp(played.VENV)["extras"] == ["notebooks"]


def test_an_environment_of_someone_else_is_not_removed(played):
    played.make_venv(played.VENV)
    played.version_of = lambda python: "3.9"
    with pytest.raises(played.Stop, match="not of this file's making"):
        played.sets_up("notebooks")
    assert os.path.exists(os.path.join(played.VENV, "pyvenv.cfg")) and not played.calls()


@pytest.mark.waits
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="Windows has no such signals")
@pytest.mark.parametrize("name, status", [("SIGINT", 130), ("SIGTERM", 143), ("SIGKILL", -9)])
def test_ctrl_c_and_a_kill_end_with_a_line_at_most(played, tmp_path, name, status):
    """And pip ends, too."""
    number = getattr(signal, name)
    played.make_venv(played.VENV)
    played.says(sleep=600, writes=True)
    command = [sys.executable, os.path.join(played.ROOT, "course.py"), "setup"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    # a shell has what it starts in the background ignore Ctrl-C, and what that starts, too
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command, start_new_session=True, **streams)
    signal.signal(signal.SIGINT, before)
    half = os.path.join(played.site_packages(played.VENV), "half")
    until(lambda: os.path.exists(half), "what pip writes")
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does
    else:
        process.send_signal(number)
    out, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, (out, error)
    expected = ["Stopped. The same command goes on from here."] if status == 130 else []
    assert [line for line in error.split("\n") if line] == expected
    assert os.path.exists(os.path.join(played.VENV, "unfinished"))
    pip = int((tmp_path / "calls.pid").read_text(encoding="utf-8"))
    until(lambda: not is_running(pip), "pip's end")


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    if not shutil.which("ps"):
        return True
    ps = ["ps", "-o", "stat=", "-p", str(pid)]
    state = subprocess.run(ps, capture_output=True, encoding="utf-8").stdout
    return not state.startswith("Z")  # a zombie has ended


def test_set_up_from_a_folder_asks_no_index(played, tmp_path):
    stick = str(tmp_path / "stick")
    with pytest.raises(played.Stop, match="there is no such folder"):
        played.sets_up("notebooks", stick=stick)
    os.makedirs(stick)
    played.sets_up("notebooks", stick=stick)
    assert f"--no-index --find-links {stick}" in played.calls()[0]


def test_fetch_brings_all_but_torch_and_says_for_what(played, tmp_path, capsys):
    stick = str(tmp_path / "stick")
    played.fetch(stick, played.constraints)
    (call,) = played.calls()
    assert call.startswith("download ") and f"--dest {stick} --only-binary :all:" in call
    assert "jupyterlab>=" in call and "setuptools>=" in call and "torch" not in call
    assert f"course.py run --from {stick}" in capsys.readouterr().out
    now = played.state(played.constraints)
    played.check_folder(stick, now)
    assert capsys.readouterr().out == ""
    played.check_folder(stick, dict(now, declared="other"))
    assert "was fetched for another pyproject.toml or constraints" in capsys.readouterr().out
    for odd in (b"", b'"', b"[" * 100_000, b"\xff\xfe", b"{}"):
        pathlib.Path(played.fetched_for(stick, course.this_kind())).write_bytes(odd)
        played.check_folder(stick, now)
        assert "was fetched for another" in capsys.readouterr().out
    played.this_kind = lambda: "cpython-399-beos-vax"
    said = f"fetched for {course.this_kind()}, and this is cpython-"
    with pytest.raises(played.Stop, match=said):
        played.check_folder(stick, now)


def course_py(played, *arguments, **how):
    """Its exit status, and the line on stderr."""
    done = python(os.path.join(played.ROOT, "course.py"), *arguments, **how)
    return done.returncode, done.stderr.strip()


def test_what_cannot_be_is_one_line(played, tmp_path):
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    for arguments, said in (
        (["setup", "--constraints", str(tmp_path)], f"--constraints {tmp_path}: there is no such"),
        (["fetch", str(file)], f"fetch {file}: that is a file; a folder is needed."),
        (["fetch", str(file / "folder")], str(file / "folder").replace("\\", "\\\\")),
        (["setup", "--from", str(file)], f"--from {file}: there is no such folder."),
    ):
        status, line = course_py(played, *arguments)
        assert status == 1 and said in line and "\n" not in line, line


@pytest.mark.parametrize(
    "number, said", [(errno.EROFS, "yours to write"), (errno.ENOSPC, "The disk is full.")]
)
def test_a_folder_that_cannot_be_written_is_one_line(played, number, said):
    """A read-only checkout, a full disk: here where the first folder is made."""
    site = pathlib.Path(played.ROOT, "sitecustomize.py")
    fails = f"raise OSError({number}, os.strerror({number}), name)"
    site.write_text(
        f"import os\ndef mkdir(name, *_): {fails}\nos.mkdir = mkdir\n", encoding="utf-8"
    )
    status, line = course_py(played, "setup", PYTHONPATH=played.ROOT)
    assert status == 1 and said in line and ".venv" in line and "Try again" not in line
    assert "\n" not in line


def test_what_fails_later_on_a_full_disk_is_one_line(played, capsys):
    code = "raise OSError(28, 'No space left on device')"
    with pytest.raises(played.Stop, match="^The disk is full"):
        played.start([sys.executable, "-c", code], quiet=True)
    assert capsys.readouterr() == ("", "")


@pytest.mark.waits
def test_of_two_set_ups_at_once_the_second_waits_and_says_so(played):
    played.make_venv(played.VENV)
    command = [sys.executable, os.path.join(played.ROOT, "course.py"), "setup"]
    with played.alone():
        second = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
        assert second.stdout.readline().startswith("Another set-up is at work here.")
        assert second.poll() is None and not played.calls()
    assert second.communicate(timeout=PATIENCE)[0].endswith("Set up.\n")


@pytest.mark.waits
def test_a_set_up_that_was_killed_keeps_no_other_waiting(played, capsys):
    code = "import sys; sys.path.insert(0, sys.argv[1]); import course; file = course.alone()"
    code += "; print('alone', flush=True); sys.stdin.read()"
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    first = subprocess.Popen([sys.executable, "-c", code, played.ROOT], **streams)
    assert first.stdout.readline() == "alone\n"
    first.kill()
    first.communicate(timeout=PATIENCE)
    played.alone().close()
    assert capsys.readouterr().out == ""
