"""course.py: its commands are those that are told, what each starts, and which Pythons read it."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
from conftest import ROOT
from course_module import course

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
        ("run", "course.py run --constraints constraints.txt"),
        ("pages NOTEBOOKS= SOLUTIONS=s", "course.py pages --constraints constraints.txt s"),
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


def test_megabytes_to_fetch_are_those_of_the_page():
    page = (ROOT / "book" / "set_up.md").read_text(encoding="utf-8")
    said = r"for `run` about (\d+) MB to fetch and (\d+) MB on disk"
    told = re.search(said, " ".join(page.split())).groups()
    assert "`run` needs {} MB of packages, and {} MB on disk".format(*told) in SOURCE


def test_paths_on_windows_and_elsewhere():
    version = "python{}.{}".format(*sys.version_info)
    for system, python, packages in (
        ("nt", "v/Scripts/python.exe", "v/Lib/site-packages"),
        ("posix", "v/bin/python", f"v/lib/{version}/site-packages"),
    ):
        assert course.venv_python("v", system).replace(os.sep, "/") == python
        assert course.site_packages("v", system).replace("\\", "/") == packages


def test_notebooks_are_found_in_order():
    numbers = [os.path.basename(name).split("_")[0] for name in course.notebooks()]
    assert numbers == sorted(set(numbers)) and numbers[0] == "00" and numbers[-1] > "12"
    assert len(course.notebooks(os.path.join("notebooks", "solutions"))) == len(numbers) - 1


NOTEBOOKS = course.notebooks()
SOLUTIONS = course.notebooks(os.path.join("notebooks", "solutions"))


@pytest.mark.parametrize(
    "asked, expected",
    [
        ("run a.ipynb", ["-m", "book.execute", "run", "a.ipynb"]),
        ("run", ["-m", "book.execute", "run", *NOTEBOOKS]),
        ("pages a.ipynb", ["-m", "book.execute", "pages", "a.ipynb"]),
        ("pages", ["-m", "book.execute", "pages", *NOTEBOOKS, *SOLUTIONS]),
        ("exercises", ["-m", "lstm_course.copies"]),
        ("exercises --again --variant 7", "-m lstm_course.copies --again --variant 7".split()),
    ],
)
def test_commands_start_what_they_are_asked(asked, expected, monkeypatch):
    started = []
    monkeypatch.setattr(course, "start", started.append)
    monkeypatch.setattr(course, "set_up", lambda *_: "python")
    monkeypatch.chdir(ROOT)
    course.main(asked.split())
    assert started == [["python", *expected]]


@pytest.mark.parametrize("user", [0, 1000])
def test_jupyterlab_as_root_has_its_advice(user, monkeypatch):
    todos = []
    monkeypatch.setattr(course.os, "geteuid", lambda: user, raising=False)
    monkeypatch.setattr(course, "start", lambda command, todo=None: todos.append(todo))
    course.lab(course.venv_python(course.VENV), [])
    (todo,) = todos
    assert (todo is None) == bool(user) and (user or "--allow-root notebooks" in todo)


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
    for node in ast.walk(ast.parse(SOURCE)):
        where = f"line {getattr(node, 'lineno', '?')}"
        assert not isinstance(node, NEW), where
        if isinstance(node, ast.arguments):
            assert not node.kwonlyargs and not node.posonlyargs, where
            assert not any(a.annotation for a in node.args), where
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            assert not any(isinstance(e, ast.Starred) for e in node.elts), where
        if isinstance(node, ast.Dict):
            assert None not in node.keys, where
        if isinstance(node, ast.Call):
            stars = [a for a in node.args if isinstance(a, ast.Starred)]
            assert not stars or node.args[-1] is stars[0], where
        if isinstance(node, ast.Raise):
            assert node.cause is None, where


def test_older_python_is_told_before_anything_new():
    old = SOURCE.replace("sys.version_info", "(3, 10, 4)")
    with pytest.raises(SystemExit, match="needs Python 3.11 or newer, and this is 3.10"):
        exec(compile(old, "course.py", "exec"), {"__name__": "course"})
    body = ast.parse(SOURCE).body
    check = next(k for k, node in enumerate(body) if isinstance(node, ast.If))
    before = {type(node) for node in body[:check]}
    assert before == {ast.Expr, ast.ImportFrom, ast.Import, ast.Assign}
    assert ">={}.{}".format(*course.OLDEST) == PROJECT["requires-python"]
