"""course.py: its commands are those that are told, and what each of them starts."""

import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
from conftest import ROOT
from course_module import course

COMMANDS = "run lab test book slides exercises soak pages about lint setup fetch clean".split()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_commands_are_those_of_the_makefile_and_the_pages():
    """And each sets up what it needs."""
    actions = [action for action in course.parser()._actions if action.dest == "command"]
    assert sorted(actions[0].choices) == sorted(COMMANDS)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert set(re.search(r"^\.PHONY: (.+)$", makefile, re.M)[1].split()) == set(COMMANDS)
    for page in ("README.md", "book/set_up.md"):
        told = (ROOT / page).read_text(encoding="utf-8")
        assert "python course.py run     # or make run" in told
    assert re.findall(r"^\| `([a-z]+)` \|", told, re.M) == COMMANDS
    assert set(course.NEEDS) == set(COMMANDS) - {"fetch", "clean"}


@pytest.mark.parametrize(
    "page", ["README.md", "book/set_up.md", "book/teacher.md", "book/index.md", "CONTRIBUTING.md"]
)
def test_the_pages_name_commands_that_are_there(page):
    told = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"course\.py ([a-z]+)", told))
    assert named and named <= set(COMMANDS)


def test_exercises_passes_on_what_it_is_asked(monkeypatch):
    started = []
    monkeypatch.setattr(course, "start", started.append)
    for asked in (["--again", "--variant", "7"], []):
        given = course.parser().parse_args(["exercises", *asked])
        given.function("python", given.variant)
    assert started[0][3:] == ["--again", "--variant", "7"] and not started[1][3:]


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
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert expected in " ".join(done.stdout.split())


def test_extras_are_those_of_pyproject():
    extras = set(PROJECT["optional-dependencies"])
    assert {*course.ALL, "bench", "torch"} == extras
    assert all(set(needs) <= {course.MATHJAX, *course.ALL} for needs in course.NEEDS.values())
    declared = course.pyproject()
    assert [re.split("[>=]", name)[0] for name in course.mathjax(declared)] == [course.MATHJAX]
    asked = course.requirements(course.ALL, declared)
    assert len(asked) == len(set(asked)) and "torch" not in " ".join(asked)
    assert set(PROJECT["dependencies"]) < set(asked) and any("setuptools" in a for a in asked)


def test_run_installs_neither_jupyterlab_nor_what_tests_need():
    assert not {"lab", "test", "data", "cluster", "book"} & set(course.NEEDS["run"])
    page = (ROOT / "book" / "set_up.md").read_text(encoding="utf-8")
    said = r"for `run` about (\d+) MB to fetch and (\d+) MB on disk"
    told = re.search(said, " ".join(page.split()))
    source = (ROOT / "course.py").read_text(encoding="utf-8")
    assert "`run` needs {} MB of packages, and {} MB on disk".format(*told.groups()) in source


def test_paths_on_windows_and_elsewhere():
    assert course.venv_python("v", "nt").replace(os.sep, "/") == "v/Scripts/python.exe"
    assert course.venv_python("v", "posix").replace(os.sep, "/") == "v/bin/python"
    assert course.site_packages("v", "nt").replace("\\", "/") == "v/Lib/site-packages"
    version = "python{}.{}".format(*sys.version_info)
    assert course.site_packages("v", "posix").replace("\\", "/") == f"v/lib/{version}/site-packages"


def test_notebooks_are_found_in_order():
    found = course.notebooks()
    numbers = [os.path.basename(name).split("_")[0] for name in found]
    assert numbers == sorted(set(numbers))
    # a long one is parted: 05a, 05b
    on_the_paper = dict.fromkeys(number[:2] for number in numbers if number < "12")
    assert list(on_the_paper) == [f"{k:02}" for k in range(12)]
    assert len(course.notebooks(os.path.join("notebooks", "solutions"))) == len(found) - 1


def test_run_and_pages_take_what_is_named_or_every_notebook(monkeypatch):
    started = []
    monkeypatch.setattr(course, "start", lambda command: started.append(command[1:]))
    for command in (course.run, course.pages):
        command("python", ["a.ipynb"])
        command("python", [])
    each = course.notebooks()
    solutions = course.notebooks(os.path.join("notebooks", "solutions"))
    assert started == [
        ["-m", "book.execute", *rest]
        for rest in (
            ["run", "a.ipynb"],
            ["run", *each],
            ["pages", "a.ipynb"],
            ["pages", *each, *solutions],
        )
    ]


@pytest.mark.parametrize("user", [0, 1000])
def test_jupyterlab_as_root_has_its_advice(user, monkeypatch):
    todos = []
    monkeypatch.setattr(course.os, "geteuid", lambda: user, raising=False)
    monkeypatch.setattr(course, "start", lambda command, todo=None: todos.append(todo))
    course.lab(course.venv_python(course.VENV), [])
    (todo,) = todos
    assert (todo is None) == bool(user) and (user or "--allow-root notebooks" in todo)


def test_what_fails_says_its_advice_in_the_end():
    failing = [sys.executable, "-c", "import sys; sys.exit(3)"]
    with pytest.raises(course.Stop, match="^do this$"):
        course.start(failing, todo="do this")
    with pytest.raises(SystemExit) as end:
        course.start(failing)
    assert end.value.code == 3
