"""course.py: what sets up and starts everything. Nothing here needs a network."""

import ast
import importlib.util
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import tomllib
import zipfile

import pytest
from conftest import PATIENCE, ROOT, pytest_collection_modifyitems, until

SOURCE = (ROOT / "course.py").read_text(encoding="utf-8")
COMMANDS = "setup run lab test book slides exercises soak pages lint fetch clean".split()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def load(path=ROOT / "course.py"):
    spec = importlib.util.spec_from_file_location("course", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


course = load()

# Commands -----------------------------------------------------------------------------------------


def test_the_commands_are_those_of_the_makefile_and_the_readme():
    """And each sets up what it needs."""
    actions = [action for action in course.parser()._actions if action.dest == "command"]
    assert sorted(actions[0].choices) == sorted(COMMANDS)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert set(re.search(r"^\.PHONY: (.+)$", makefile, re.M)[1].split()) == set(COMMANDS)
    told = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "python course.py run     # or make run" in told
    section = told.split("## Ten lines")[0]
    assert set(COMMANDS) <= set(re.findall(r"[a-z]+", section))
    assert set(course.NEEDS) == set(COMMANDS) - {"fetch", "clean"}
    assert not [name for name in re.findall(r"course\.py ([a-z]+)", told) if name not in COMMANDS]


@pytest.mark.parametrize("page", ["book/teacher.md", "book/index.md", "CONTRIBUTING.md"])
def test_the_pages_name_commands_that_are_there(page):
    told = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"(?:course\.py|\bmake) ([a-z]+)\b(?=[` ]| +#|$)", told, re.M)
    assert set(re.findall(r"course\.py ([a-z]+)", told)) & set(COMMANDS)
    assert set(re.findall(r"python course\.py ([a-z]+)", told)) <= set(COMMANDS), named


@pytest.mark.parametrize(
    "said, expected",
    [
        ("run", "course.py run --constraints constraints.txt"),
        (
            "pages NOTEBOOKS= SOLUTIONS=notebooks/solutions/02_run_rnn_and_lstm.ipynb",
            "course.py pages --constraints constraints.txt "
            "notebooks/solutions/02_run_rnn_and_lstm.ipynb",
        ),
        ("lab FROM=stick", "course.py lab --constraints constraints.txt --from stick"),
        ("test CONSTRAINTS=build/oldest.txt", "course.py test --constraints build/oldest.txt"),
        ("fetch FOLDER=stick", "course.py fetch --constraints constraints.txt stick"),
        ("clean PYTHON=python3.12", "python3.12 course.py clean"),
    ],
)
def test_make_calls_course_py(said, expected):
    if not shutil.which("make"):
        pytest.skip("make is not here")
    command = ["make", "--dry-run", *said.split()]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert expected in " ".join(done.stdout.split())


def test_extras_are_those_of_pyproject():
    extras = set(PROJECT["optional-dependencies"])
    assert {*course.ALL, "bench", "torch"} == extras
    assert set(course.ADDS) == {"", course.MATHJAX, *course.ALL}
    assert all(set(needs) <= set(course.ADDS) for needs in course.NEEDS.values())
    declared = course.pyproject()
    assert [re.split("[>=]", name)[0] for name in course.mathjax(declared)] == [course.MATHJAX]
    asked = course.requirements(course.ALL, declared)
    assert len(asked) == len(set(asked)) and "torch" not in " ".join(asked)
    assert set(PROJECT["dependencies"]) < set(asked) and any("setuptools" in a for a in asked)


def test_run_installs_neither_jupyterlab_nor_what_tests_need():
    assert not {"lab", "test", "data", "cluster", "book"} & set(course.NEEDS["run"])
    packages, megabytes, _ = course.estimate(["", *course.NEEDS["run"]])
    everything = course.estimate(["", *course.ALL])
    assert course.estimate(["", "book"])[0] > 80  # Sphinx with nearly all of `notebooks`
    assert packages < everything[0] / 2 and megabytes < everything[1] * 2 / 3
    told = re.search(
        r"for `run` about (\d+) MB to fetch and (\d+) MB on disk",
        (ROOT / "README.md").read_text(encoding="utf-8"),
    )
    assert abs(int(told[1]) - megabytes) < 10 and abs(int(told[2]) - megabytes * 3 - 30) < 20


# An older Python ----------------------------------------------------------------------------------


def test_any_python_can_read_the_file():
    """No node that Python 2.7 does not know, and no sign but ASCII's."""
    assert SOURCE.isascii()
    new = (
        *(ast.JoinedStr, ast.NamedExpr, ast.AnnAssign, ast.Nonlocal, ast.AsyncFunctionDef),
        *(ast.Match, ast.TryStar, ast.YieldFrom, ast.Await, ast.MatMult),
    )
    for node in ast.walk(ast.parse(SOURCE)):
        where = f"line {getattr(node, 'lineno', '?')}"
        assert not isinstance(node, new), where
        if isinstance(node, ast.arguments):
            assert not node.kwonlyargs and not node.posonlyargs, where
            assert not any(a.annotation for a in node.args), where
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            assert not any(isinstance(e, ast.Starred) for e in node.elts), where
        if isinstance(node, ast.Dict):
            assert None not in node.keys, where
        if isinstance(node, ast.Call):
            stars = [a for a in node.args if isinstance(a, ast.Starred)]
            assert len(stars) + sum(k.arg is None for k in node.keywords) <= 2, where
            assert not stars or node.args[-1] is stars[0], where
        if isinstance(node, ast.Raise):
            assert node.cause is None, where


@pytest.mark.parametrize("name", ["python2.7", "python3.6", "python3.8", "python3.10"])
def test_an_older_python_says_one_line(name):
    python = shutil.which(name)
    version = name.removeprefix("python")
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    if not python or version not in run_quietly([python, "-c", code]):
        pytest.skip(f"{name} is not here")
    done = subprocess.run(
        [python, str(ROOT / "course.py"), "run"], capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 1 and not done.stdout
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"The course needs Python 3.11 or newer, and this is {version}.")


def run_quietly(command):
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8").stdout


def test_the_line_for_an_older_python_stands_before_anything_new(monkeypatch):
    """Where none is there: this Python says that it is an older one."""
    old = SOURCE.replace("sys.version_info", "(3, 10, 4)")
    with pytest.raises(SystemExit, match="needs Python 3.11 or newer, and this is 3.10"):
        exec(compile(old, "course.py", "exec"), {"__name__": "course"})
    body = ast.parse(SOURCE).body
    check = next(k for k, node in enumerate(body) if isinstance(node, ast.If))
    before = {type(node) for node in body[:check]}
    assert before == {ast.Expr, ast.ImportFrom, ast.Import, ast.Assign}
    assert f">={course.OLDEST[0]}.{course.OLDEST[1]}" == PROJECT["requires-python"]


# Paths --------------------------------------------------------------------------------------------


def test_paths_on_windows_and_elsewhere():
    assert course.venv_python("v", "nt").replace(os.sep, "/") == "v/Scripts/python.exe"
    assert course.venv_python("v", "posix").replace(os.sep, "/") == "v/bin/python"
    assert course.site_packages("v", "nt").replace("\\", "/") == "v/Lib/site-packages"
    version = "python{}.{}".format(*sys.version_info)
    assert course.site_packages("v", "posix").replace("\\", "/") == f"v/lib/{version}/site-packages"


def test_what_is_started_has_one_blas_thread_and_utf_8():
    assert course.surroundings()["OPENBLAS_NUM_THREADS"] == "1"
    assert course.surroundings()["PYTHONUTF8"] == "1"


def test_notebooks_are_found_in_order():
    found = course.notebooks()
    numbers = [os.path.basename(name).split("_")[0] for name in found]
    assert numbers == sorted(set(numbers))
    # a long one is parted: 05a, 05b
    on_the_paper = dict.fromkeys(number[:2] for number in numbers if number < "12")
    assert list(on_the_paper) == [f"{k:02}" for k in range(12)]
    assert len(course.notebooks(os.path.join("notebooks", "solutions"))) == len(found) - 1


PAGE = os.path.join("notebooks", "14_from_here_to_pytorch.ipynb")


@pytest.mark.parametrize("there", [False, True])
def test_a_page_without_what_it_wants_is_shown_as_stored_and_said_by_name(
    there, tmp_path, monkeypatch, capsys
):
    """PyTorch is a large download, which set-up leaves out."""
    started = []
    monkeypatch.setattr(course, "VENV", str(tmp_path / "venv"))
    monkeypatch.setattr(course, "ROOT", str(tmp_path))
    monkeypatch.setattr(course, "start", lambda command, quiet=False: started.append(command))
    monkeypatch.setattr(course.shutil, "copy", lambda *_: None)
    packages = course.site_packages(course.VENV)
    os.makedirs(os.path.join(packages, "torch") if there else packages)
    assert os.path.exists(os.path.join(str(ROOT), PAGE)) and list(course.WANTS) == [
        os.path.basename(PAGE).split(".")[0]
    ]
    python = course.venv_python(course.VENV)
    course.run(python, [PAGE])
    course.pages(python, [PAGE])
    said = capsys.readouterr().out
    assert started[0][-1] == PAGE and ("--execute" in started[0]) == there
    assert len(started) == 1 + there
    assert said.count("not run, as it needs torch") == 2 * (not there)
    assert there or f"{PAGE}  not run" in said and "install -c constraints.txt torch" in said


@pytest.mark.parametrize("there", [False, True])
def test_nbval_skips_such_a_page_by_name(there, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: there or None)

    class Item:
        def __init__(self, name):
            self.path, self.marks = ROOT / "notebooks" / name, []

        def add_marker(self, mark):
            self.marks.append(mark.kwargs["reason"])

    items = [Item(os.path.basename(PAGE)), Item("02_run_rnn_and_lstm.ipynb")]
    pytest_collection_modifyitems(items)
    assert not items[1].marks and len(items[0].marks) == (not there)
    assert there or "14_from_here_to_pytorch.ipynb needs torch" in items[0].marks[0]


# pip's lines, as they were recorded ---------------------------------------------------------------

PIP_23 = """\
Obtaining file:///course
  Installing build dependencies: started
  Installing build dependencies: finished with status 'done'
  Preparing editable metadata (pyproject.toml): started
Processing /stick/numpy-2.4.6-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl
Collecting threadpoolctl>=3.5
  Downloading threadpoolctl-3.8.0-py3-none-any.whl (32 kB)
Collecting nbconvert>=7.16
  Using cached nbconvert-7.17.2-py3-none-any.whl (262 kB)
     ---------------------------------------- 262.1/262.1 kB 78.8 MB/s eta 0:00:00
Requirement already satisfied: tqdm>=4.66 in .venv/lib/python3.11/site-packages (from lstm_edu)
Building wheels for collected packages: lstm_edu
Installing collected packages: pure-eval, threadpoolctl, numpy, nbconvert, lstm_edu
Successfully installed lstm_edu-0.1.0 nbconvert-7.17.2 numpy-2.4.6 threadpoolctl-3.8.0
"""
PIP_24 = """\
Collecting numpy>=2 (from lstm_edu==0.1.0)
  Downloading numpy-2.4.6-cp313-cp313-win_amd64.whl.metadata (62 kB)
Collecting typing_extensions>=4 (from beautifulsoup4->nbconvert)
  Using cached typing_extensions-4.16.0-py3-none-any.whl.metadata (3.0 kB)
Downloading numpy-2.4.6-cp313-cp313-win_amd64.whl (12.6 MB)
Using cached typing_extensions-4.16.0-py3-none-any.whl (45 kB)
Installing collected packages: typing_extensions, numpy
"""


def texts(output, expected):
    progress = course.Progress(expected)
    for line in output.splitlines(keepends=True):
        before = progress.text
        progress.read(line)
        if progress.text != before:
            yield progress.text


def test_progress_of_a_pip_that_fetches_what_it_finds():
    assert list(texts(PIP_23, 4)) == [
        "finding what pip builds with",
        "fetching 1 of about 4: numpy",
        "finding 2 of about 4: threadpoolctl",
        "fetching 2 of about 4: threadpoolctl (32 kB)",
        "finding 3 of about 4: nbconvert",
        "fetching 3 of about 4: nbconvert (262 kB)",
        "finding 4 of about 4: tqdm",
        "installing",
    ]


def test_progress_of_a_pip_that_fetches_in_the_end():
    assert list(texts(PIP_24, 1)) == [
        "finding 1 of about 1: numpy",
        "finding 2 of about 2: typing_extensions",  # more than were foreseen
        "fetching 1 of about 2: numpy (12.6 MB)",
        "fetching 2 of about 2: typing_extensions (45 kB)",
        "installing",
    ]


def test_progress_counts_what_has_arrived(tmp_path):
    progress = course.Progress(2)
    for line in PIP_24.splitlines():
        progress.read(line)
    progress.installed(tmp_path / "nowhere")
    assert progress.text == "installing 0 of 2"
    for name in ("Typing.Extensions-4.16.0.dist-info", "other-1.dist-info", "numpy"):
        (tmp_path / name).mkdir()
    progress.installed(tmp_path)
    assert progress.text == "installing 1 of 2"


def test_progress_says_that_the_network_does_not_answer():
    line = "WARNING: Retrying (Retry(total=4, connect=None)) after connection broken by 'New...'\n"
    assert list(texts(line, 9)) == ["no answer from the network, pip tries again"]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_line_moves_on_a_terminal_and_is_rare_elsewhere(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    terminal, file = Terminal(), io.StringIO()
    for out in (terminal, file):
        line = course.Line(out)
        line.show("finding 1 of about 70: a-package-with-a-long-name")
        line.show("fetching")
        line.clear()
    lines = terminal.getvalue().split("\r")
    assert [len(shown) for shown in lines[1:4]] == [29, 29, 29] and not lines[3].strip()
    assert "finding 1 of" in lines[1] and lines[2].strip().endswith("fetching")
    assert not file.getvalue()
    line.last -= 20
    line.show("fetching")
    assert file.getvalue().endswith("  fetching\n")


NO_NAME = (
    "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after "
    "connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection "
    "object>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution"
    "')': /numpy/\nERROR: Could not find a version that satisfies the requirement numpy>=2 (from "
    "versions: none)\nERROR: No matching distribution found for numpy>=2\n"
)
NO_PIN = (
    "ERROR: Ignored the following versions that require a different python version: 2.4.6 "
    "Requires-Python >=3.11,<3.15\nERROR: Could not find a version that satisfies the requirement "
    "numpy==2.4.6 (from versions: 1.26.4)\nERROR: No matching distribution found for numpy==2.4.6\n"
)


@pytest.mark.parametrize(
    "said, folder, expected",
    [
        (NO_NAME, None, r"network did not answer.*HTTPS_PROXY.*fetch FOLDER"),
        ("ReadTimeoutError: Read timed out.", None, "network did not answer"),
        ("ProxyError('Cannot connect to proxy.')", None, "HTTPS_PROXY"),
        (
            "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]",
            None,
            "PIP_CERT",
        ),
        (NO_PIN, None, r"another Python than .*3\.11 to 3\.14"),
        (NO_PIN, "stick", "stick does not hold what this Python .*fetch stick"),
        (
            "ERROR: Could not install packages: OSError: [Errno 28] No space left on device",
            None,
            "disk is full",
        ),
        ("OSError: [WinError 112] There is not enough space on the disk", None, "disk is full"),
        (
            "ensurepip is not\navailable. apt install python3.11-venv",
            None,
            "apt install python3-venv",
        ),
        ("No module named venv", None, "apt install python3-venv"),
        ("ERROR: Failed building wheel for gensim", None, r"no ready-made file .*3\.11 to 3\.14"),
        ("PermissionError: [WinError 5] Access is denied: 'python.exe'", None, "another program"),
        ("ERROR: something else", None, "Try again"),
    ],
)
def test_what_to_do_when_pip_fails(said, folder, expected):
    told = course.advice(said, folder)
    assert re.search(expected, told) and "\n" not in told


# The stamp ----------------------------------------------------------------------------------------

NOW = {"declared": "a", "python": "3.12", "folder": "here"}
DONE = dict(NOW, extras=["notebooks", "test"])


@pytest.mark.parametrize(
    "stamp, wanted, python, unfinished, expected",
    [
        (DONE, "notebooks", "3.12", False, ("nothing", "notebooks test")),
        (DONE, "test", "3.12", False, ("nothing", "notebooks test")),
        (DONE, "lab", "3.12", False, ("add", "lab notebooks test")),
        (dict(DONE, declared="b"), "test", "3.12", False, ("add", "notebooks test")),
        (dict(DONE, folder="there"), "test", "3.12", False, ("add", "notebooks test")),
        (DONE, "test", "3.12", True, ("anew", "test")),  # killed
        (None, "test", "3.12", True, ("anew", "test")),
        (None, "test", None, False, ("anew", "test")),  # nothing there
        (DONE, "test", None, False, ("anew", "test")),  # its Python has gone
        (dict(DONE, python="3.11"), "test", "3.11", False, ("anew", "test")),
        (DONE, "test", "3.12 without pip", False, ("anew", "test")),
        (None, "test", "3.12", False, ("add", "test")),  # someone's own
        (None, "test", "3.11", False, ("theirs", "test")),
        (None, "test", "3.12 without pip", False, ("theirs", "test")),
    ],
)
def test_what_is_to_be_done(stamp, wanted, python, unfinished, expected):
    todo, extras = course.plan(stamp, NOW, [wanted], python, unfinished)
    assert (todo, " ".join(sorted(extras))) == expected


def test_the_stamp_is_read_as_it_was_written(tmp_path):
    assert course.read_stamp(tmp_path) is None
    course.write_stamp(tmp_path, NOW, {"test", "notebooks"})
    assert course.read_stamp(tmp_path) == DONE and os.listdir(tmp_path) == ["ready.json"]
    for broken in ("", "{", "[]", '{"extras": 1}'):
        (tmp_path / "ready.json").write_text(broken, encoding="utf-8")
        assert course.read_stamp(tmp_path) is None


def test_the_stamp_changes_with_both_files_and_the_folder(tmp_path, monkeypatch):
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    monkeypatch.setattr(course, "ROOT", str(tmp_path))
    constraints, seen = tmp_path / "constraints.txt", []
    for name in (None, "pyproject.toml", "constraints.txt"):
        if name:
            with open(tmp_path / name, "a", encoding="utf-8") as file:
                file.write("\n")
        seen.append(course.state(constraints)["declared"])
    os.utime(constraints, (0, 0))  # a time alone changes nothing
    seen.append(course.state(constraints)["declared"])
    assert len(set(seen)) == 3 and seen[2] == seen[3]
    assert course.state(constraints)["python"] == "{}.{}".format(*sys.version_info)


def test_what_a_python_is():
    assert course.version_of(sys.executable).split()[0] == "{}.{}".format(*sys.version_info)
    assert course.version_of("/nowhere/python") is None


# A whole set-up, with a pip that only plays it ----------------------------------------------------

PLAYED = """\
import json, os, sys, time
said = json.load(open({script!r}, encoding="utf-8"))
with open({calls!r}, "a", encoding="utf-8") as file:
    print(*sys.argv[1:], file=file)
with open({calls!r} + ".pid", "w", encoding="utf-8") as file:
    print(os.getpid(), file=file)
for line in said["lines"]:
    print(line, flush=True)
time.sleep(said["sleep"])
sys.exit(said["status"])
"""


@pytest.fixture
def played(tmp_path, monkeypatch):
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
        pip = module.site_packages(venv)
        os.makedirs(os.path.join(pip, "pip"))
        with open(os.path.join(pip, "pip", "__main__.py"), "w", encoding="utf-8") as file:
            file.write(PLAYED.format(script=str(script), calls=str(calls)))
        with open(os.path.join(pip, "pip", "__init__.py"), "w", encoding="utf-8"):
            pass

    def says(text, status=0, sleep=0):
        said = {"lines": text.splitlines(), "status": status, "sleep": sleep}
        script.write_text(json.dumps(said), encoding="utf-8")

    says(PIP_23)
    module.make_venv, module.says = make_venv, says
    module.calls = lambda: calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []
    module.constraints = str(folder / "constraints.txt")
    return module


def test_set_up_happens_once_and_adds(played, capsys):
    played.set_up(["notebooks"], played.constraints, venv=played.VENV)
    said = capsys.readouterr().out
    assert re.match(
        r"Setting up \.venv, once: about 63 packages, 94 MB to fetch .* takes about \d minutes\.\n"
        r"Set up\.\n$",
        said,
    )
    (call,) = played.calls()
    assert call.startswith("install ") and call.endswith("--editable .[notebooks]")
    assert f"--constraint {played.constraints}" in call and "--no-index" not in call
    assert not os.path.exists(os.path.join(played.VENV, "unfinished"))

    played.set_up(["notebooks"], played.constraints, venv=played.VENV)
    assert len(played.calls()) == 1 and capsys.readouterr().out == ""

    played.set_up(["widgets"], played.constraints, venv=played.VENV)
    assert "about 5 packages, 4 MB" in capsys.readouterr().out
    assert played.calls()[-1].endswith("--editable .[notebooks,widgets]")

    with open(played.constraints, "a", encoding="utf-8") as file:
        file.write("\n")
    played.set_up(["notebooks"], played.constraints, venv=played.VENV)
    assert played.calls()[-1].endswith("--editable .[notebooks,widgets]")
    assert len(played.calls()) == 3


def test_run_has_mathjax_without_sphinx(played):
    played.set_up(played.NEEDS["run"], played.constraints, venv=played.VENV)
    first, second = played.calls()
    assert first.endswith("--editable .[baselines,notebooks]")
    assert "--no-deps sphinx-mathjax-offline>=" in second
    played.set_up(played.NEEDS["test"], played.constraints, venv=played.VENV)
    assert len(played.calls()) == 3  # which the book brings


def test_a_failure_says_pip_s_last_lines_and_what_to_do(played, capsys):
    played.says("Collecting a\n" * 30 + NO_NAME, status=1)
    with pytest.raises(played.Stop) as stop:
        played.set_up(["notebooks"], played.constraints, venv=played.VENV)
    told = str(stop.value)
    assert "No matching distribution found for numpy>=2" in told and "install.log" in told
    assert told.splitlines()[-1].startswith("The network did not answer.")
    assert len(told.splitlines()) < 16
    # nothing had been written: what is there is kept, and set-up goes on from it
    made = os.stat(os.path.join(played.VENV, "pyvenv.cfg")).st_mtime_ns
    played.says(PIP_23)
    played.set_up(["notebooks"], played.constraints, venv=played.VENV)
    assert os.stat(os.path.join(played.VENV, "pyvenv.cfg")).st_mtime_ns == made


def test_a_set_up_that_ended_while_it_wrote_begins_anew(played):
    full = "ERROR: [Errno 28] No space left on device"
    played.says(PIP_23 + full, status=1)
    with pytest.raises(played.Stop, match="disk is full"):
        played.set_up(["notebooks"], played.constraints, venv=played.VENV)
    half = os.path.join(played.VENV, "half")
    open(half, "w", encoding="utf-8").close()
    played.says(PIP_23)
    played.set_up(["notebooks"], played.constraints, venv=played.VENV)
    assert not os.path.exists(half) and played.read_stamp(played.VENV)["extras"] == ["notebooks"]


def test_an_environment_of_someone_else_is_not_removed(played):
    played.make_venv(played.VENV)
    played.version_of = lambda python: "3.9"
    with pytest.raises(played.Stop, match="not of this file's making"):
        played.set_up(["notebooks"], played.constraints, venv=played.VENV)
    assert os.path.exists(os.path.join(played.VENV, "pyvenv.cfg")) and not played.calls()


@pytest.mark.waits
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="Windows has no such signals")
@pytest.mark.parametrize("name, status", [("SIGINT", 130), ("SIGTERM", 143), ("SIGKILL", -9)])
def test_ctrl_c_and_a_kill_end_with_a_line_at_most(played, tmp_path, name, status):
    """And pip ends, too."""
    number = getattr(signal, name)
    played.make_venv(played.VENV)
    played.says(PIP_23, sleep=600)
    command = [sys.executable, os.path.join(played.ROOT, "course.py"), "setup"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    # a shell has what it starts in the background ignore Ctrl-C, and what that starts, too
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command, start_new_session=True, **streams)
    signal.signal(signal.SIGINT, before)
    log = os.path.join(played.VENV, "install.log")
    last = PIP_23.splitlines()[-1].strip()
    until(lambda: os.path.exists(log) and last in read_text(log), "all that pip says")
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does
    else:
        process.send_signal(number)
    out, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, (out, error)
    expected = ["Stopped. The same command goes on from here."] if status == 130 else []
    assert error.split("\n") == ["", *expected, ""] or error.split() == expected
    assert os.path.exists(os.path.join(played.VENV, "unfinished"))
    pip = int((tmp_path / "calls.pid").read_text(encoding="utf-8"))
    until(lambda: not is_running(pip), "pip's end")


def read_text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = run_quietly(["ps", "-o", "stat=", "-p", str(pid)]) if shutil.which("ps") else ""
    return not state.startswith("Z")  # a zombie has ended


# Without a network --------------------------------------------------------------------------------


def test_set_up_from_a_folder_asks_no_index(played, tmp_path, capsys):
    stick = str(tmp_path / "stick")
    with pytest.raises(played.Stop, match="there is no such folder"):
        played.set_up(["notebooks"], played.constraints, stick, played.VENV)
    os.makedirs(stick)
    played.set_up(["notebooks"], played.constraints, stick, played.VENV)
    assert f"--no-index --find-links {stick}" in played.calls()[0]
    said = capsys.readouterr().out
    assert f"94 MB from {stick}" in said and "Mbit/s" not in said


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
    assert "have changed since" in capsys.readouterr().out
    played.this_kind = lambda: "cpython-399-beos-vax"
    with pytest.raises(
        played.Stop, match=f"fetched for {course.this_kind()}, and this is cpython-"
    ):
        played.check_folder(stick, now)


def wheel(folder, name, requires=()):
    """A wheel of a package with one empty module."""
    info = f"{name}-1.0.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
    metadata += "".join(f"Requires-Dist: {other}\n" for other in requires)
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as file:
        file.writestr(f"{name}.py", "")
        file.writestr(f"{info}/METADATA", metadata)
        file.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        file.writestr(f"{info}/RECORD", f"{name}.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n")


BACKEND = """
import pathlib, zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    name, info = "lstm_edu-1.0-py3-none-any.whl", "lstm_edu-1.0.dist-info"
    metadata = "Metadata-Version: 2.1\\nName: lstm_edu\\nVersion: 1.0\\nRequires-Dist: tiny_a\\n"
    metadata += "Provides-Extra: notebooks\\nRequires-Dist: tiny_b; extra == 'notebooks'\\n"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w") as file:
        file.writestr("lstm_edu.py", "")
        file.writestr(f"{info}/METADATA", metadata)
        file.writestr(f"{info}/WHEEL",
                      "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        file.writestr(f"{info}/RECORD", f"lstm_edu.py,,\\n{info}/METADATA,,\\n{info}/WHEEL,,\\n")
    return name
"""


def test_a_real_pip_sets_up_from_a_folder_of_wheels(tmp_path, monkeypatch, capsys):
    """A course of two packages, by the pip that Python brings."""
    if not importlib.util.find_spec("ensurepip"):
        pytest.skip("Python has no ensurepip")
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    folder, stick = tmp_path / "course", tmp_path / "stick"
    folder.mkdir()
    stick.mkdir()
    shutil.copy(ROOT / "course.py", folder)
    (folder / "constraints.txt").write_text("tiny_a==1.0\ntiny_b==1.0\n", encoding="utf-8")
    (folder / "backend.py").write_text(BACKEND, encoding="utf-8")
    (folder / "pyproject.toml").write_text(
        textwrap.dedent("""
        [build-system]
        requires = []
        build-backend = "backend"
        backend-path = ["."]
        """),
        encoding="utf-8",
    )
    wheel(stick, "tiny_a", ["tiny_b"])
    module = load(folder / "course.py")
    constraints = str(folder / "constraints.txt")
    with pytest.raises(module.Stop) as stop:
        module.set_up(["notebooks"], constraints, str(stick), module.VENV)
    assert "tiny_b" in str(stop.value)
    assert str(stop.value).splitlines()[-1].startswith(f"{stick} does not hold what this Python")

    wheel(stick, "tiny_b")
    python = module.set_up(["notebooks"], constraints, str(stick), module.VENV)
    code = "import lstm_edu, tiny_a, tiny_b"
    subprocess.run([python, "-I", "-c", code], cwd=tmp_path, check=True)
    assert capsys.readouterr().out.endswith("Set up.\n")
    assert "Successfully installed" in (folder / ".venv" / "install.log").read_text(
        encoding="utf-8"
    )
