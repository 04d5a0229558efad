"""The commands of course.py and of the pages: what is told is there, and starts what it says.

`make soak` runs those of the package, in their order, as the pages print them.
"""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib

import pytest
from conftest import ROOT
from course_module import course
from processes import python

from lstm_edu.__main__ import parser

SOURCE = (ROOT / "course.py").read_text(encoding="utf-8")
COMMANDS = "run lab test book slides exercises soak pages about lint setup fetch clean".split()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_commands_are_those_of_makefile_and_pages():
    actions = [action for action in course.parser()._actions if action.dest == "command"]
    assert sorted(actions[0].choices) == sorted(COMMANDS)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert set(re.search(r"^\.PHONY: (.+)$", makefile, re.M)[1].split()) == set(COMMANDS)
    told = (ROOT / "book" / "set_up.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z]+)` \|", told, re.M) == COMMANDS
    assert set(course.NEEDS) == set(COMMANDS) - {"fetch", "clean"}


@pytest.mark.parametrize(
    "said, expected",
    [
        ("pages NOTEBOOKS= SOLUTIONS=s", "course.py pages --constraints constraints.txt s"),
        ("lab FROM=stick PYTHON=py", "py course.py lab --constraints constraints.txt --from stick"),
        ("test CONSTRAINTS=build/oldest.txt", "course.py test --constraints build/oldest.txt"),
        ("fetch FOLDER=stick", "course.py fetch --constraints constraints.txt stick"),
    ],
)
def test_make_calls_course_py(said, expected):
    if not shutil.which("make"):
        pytest.skip("make is not here")
    command = ["make", "--dry-run", *said.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    assert expected in " ".join(done.stdout.split())


def test_extras_are_those_of_pyproject():
    assert {*course.ALL, "bench", "torch"} == set(PROJECT["optional-dependencies"])
    assert all(set(needs) <= {course.MATHJAX, *course.ALL} for needs in course.NEEDS.values())
    assert not {"lab", "test", "data", "cluster", "book"} & set(course.NEEDS["run"])
    declared = course.pyproject()
    assert [re.split("[>=]", name)[0] for name in course.mathjax(declared)] == [course.MATHJAX]
    asked = course.requirements(course.ALL, declared)
    assert len(asked) == len(set(asked)) and "torch" not in " ".join(asked)
    assert set(PROJECT["dependencies"]) < set(asked) and any("setuptools" in a for a in asked)


def test_paths_on_windows():
    assert course.venv_python("v", "nt").replace(os.sep, "/") == "v/Scripts/python.exe"
    assert course.site_packages("v", "nt").replace("\\", "/") == "v/Lib/site-packages"


NOTEBOOKS, SOLUTIONS = (
    [os.path.relpath(path, ROOT) for path in sorted((ROOT / folder).glob("[0-9]*.ipynb"))]
    for folder in ("notebooks", "notebooks/solutions")
)


@pytest.mark.parametrize(
    "asked, expected",
    [
        ("run a.ipynb", ["-m", "book.execute", "run", "a.ipynb"]),
        ("run", ["-m", "book.execute", "run", *NOTEBOOKS]),
        ("pages a.ipynb", ["-m", "book.execute", "pages", "a.ipynb"]),
        ("pages", ["-m", "book.execute", "pages", *NOTEBOOKS, *SOLUTIONS]),
        ("lab", ["-m", "jupyterlab", "notebooks"]),
        ("exercises", ["-m", "lstm_course.copies"]),
        ("exercises --again --variant 7", "-m lstm_course.copies --again --variant 7".split()),
    ],
)
def test_commands_start_what_they_are_asked(asked, expected, monkeypatch):
    started = []
    monkeypatch.setattr(course, "start", lambda *command, todo="": started.append((*command, todo)))
    monkeypatch.setattr(course, "set_up", lambda *_: course.venv_python(course.VENV))
    monkeypatch.setattr(course.os, "geteuid", lambda: 0, raising=False)
    monkeypatch.chdir(ROOT)
    course.main(asked.split())
    (((_, *command), todo),) = started
    assert command == expected and ("--allow-root notebooks" in todo) == (asked == "lab")


def test_failing_command_says_its_advice_and_passes_on_its_status(capsys):
    failing = [sys.executable, "-c", "import sys; sys.exit(3)"]
    with pytest.raises(course.Stop, match="^do this$"):
        course.start(failing, todo="do this")
    with pytest.raises(SystemExit) as end:
        course.start(failing)
    assert end.value.code == 3
    full = [sys.executable, "-c", "raise OSError(28, 'No space left on device')"]
    with pytest.raises(course.Stop, match="^The disk is full"):
        course.start(full, quiet=True)
    assert capsys.readouterr() == ("", "")


NEW = (
    *(ast.JoinedStr, ast.NamedExpr, ast.AnnAssign, ast.Nonlocal, ast.AsyncFunctionDef),
    *(ast.Match, ast.TryStar, ast.YieldFrom, ast.Await, ast.MatMult),
)


def test_python_2_can_read_the_file():
    """To say that it is too old: no newer syntax in the places where it is likely."""
    assert SOURCE.isascii()
    nodes = list(ast.walk(ast.parse(SOURCE)))
    in_calls = [argument for node in nodes if isinstance(node, ast.Call) for argument in node.args]
    for node in nodes:
        found = isinstance(node, NEW) or isinstance(node, ast.Starred) and node not in in_calls
        found = found or isinstance(node, ast.arguments) and node.kwonlyargs + node.posonlyargs
        found = found or getattr(node, "cause", None) or None in getattr(node, "keys", ())
        assert not found, ast.unparse(node)


def test_older_python_is_told_before_anything_new():
    old = SOURCE.replace("sys.version_info", "(3, 10, 4)")
    with pytest.raises(SystemExit, match="needs Python 3.11 or newer, and this is 3.10"):
        exec(compile(old, "course.py", "exec"), {"__name__": "course"})
    body = ast.parse(SOURCE).body
    check = next(k for k, node in enumerate(body) if isinstance(node, ast.If))
    before = {type(node) for node in body[:check]}
    assert before == {ast.Expr, ast.ImportFrom, ast.Import, ast.Assign}
    assert ">={}.{}".format(*course.OLDEST) == PROJECT["requires-python"]


PAGES = "README.md", "book/set_up.md", "book/command_line.md", "book/teacher.md"
OURS = re.compile(r"\S*lstm-edu (?=train|evaluate|rank|encode|compare)")
OTHERS = re.compile(
    r"((\.venv/bin/python -m )?pip install|conda env create|python -m venv|uv venv"
    r"|nbgrader|mkdir|cp|ln|cd) "
)


def commands(page):
    """The lines of a page's blocks of commands, without what is said of them."""
    told = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", told, re.M | re.S)
    lines = [line for kind, block in blocks if not kind for line in block.splitlines()]
    return [re.sub(r"\s+#\s.*", "", line) for line in lines if line.strip()]


@pytest.mark.parametrize("page", PAGES)
def test_printed_commands_are_understood(page):
    told = (ROOT / page).read_text(encoding="utf-8")
    for line in commands(page):
        if OURS.match(line):
            parser().parse_args(shlex.split(line)[1:])
        elif line.startswith("python course.py "):
            course.parser().parse_args(shlex.split(line)[2:])
        else:
            assert OTHERS.match(line), line
    named = re.findall(r"course\.py ([a-z]+)", told)
    assert set(named) <= {function.__name__ for function in course.COMMANDS}
    for extras in re.findall(r"pip install .*?\[([\w,]+)\]", told):
        assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    for file in re.findall(r"(?:pip install -c|conda env create -f) (\S+)", told):
        assert (ROOT / file).exists()


@pytest.mark.soak
def test_commands_of_the_package_work_as_printed(tmp_path):
    shutil.copytree(ROOT / "data_samples", tmp_path / "data_samples")
    said = {}
    for line in filter(OURS.match, commands("book/command_line.md")):
        program, command, *words = shlex.split(line)
        assert program == ".venv/bin/lstm-edu"  # on Windows .venv\\Scripts\\lstm-edu
        paths = {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        done = python("-m", "lstm_edu", command, *words, cwd=tmp_path, **paths)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        said[command] = done.stdout
    assert len(said["rank"].splitlines()) == 10 and said["evaluate"].startswith("nDCG@1 ")
    assert "\nlstm_32 " in said["compare"]
    left = {path.name for path in tmp_path.iterdir()} - {"data_samples", "cache"}
    assert left == {"model.npz", "vectors.npy"}
