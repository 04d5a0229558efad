"""Tests that the commands in course.py, the Makefile and the pages exist and work.

`make soak` runs the package's commands in the order and form in which the pages print them.
"""

import ast
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

from lstm_tools.cli.main import parser

SOURCE = (ROOT / "course.py").read_text(encoding="utf-8")
COMMANDS = "run lab test book slides lite exercises exam questions soak pages about lint".split()
COMMANDS += ["setup", "release", "class", "fetch", "clean"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_commands_agree_with_makefile_and_pages():
    actions = [action for action in course.parser()._actions if action.dest == "command"]
    assert sorted(actions[0].choices) == sorted(COMMANDS)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    known = re.search(r"^\.PHONY: (.+)$", makefile, re.M)[1]
    assert set(known.split()) == set(COMMANDS)
    page = (ROOT / "book" / "pages" / "set_up.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z]+)` \|", page, re.M) == COMMANDS
    assert [*course.COMMANDS, "fetch", "clean"] == COMMANDS
    assert re.findall(r"^(\w+)  +\S", course.parser().description, re.M) == COMMANDS


@pytest.mark.parametrize(
    "said, expected",
    [
        ("pages NOTEBOOKS= SOLUTIONS=s", "course.py pages --constraints constraints.txt s"),
        ("lab FROM=a PYTHON=py", "py course.py lab --constraints constraints.txt --from a"),
        ("fetch FOLDER=a CONSTRAINTS=/dev/null", "course.py fetch --constraints /dev/null a"),
    ],
)
def test_make_passes_its_variables_to_course_py(said, expected):
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    command = ["make", "--dry-run", *said.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    assert expected in " ".join(done.stdout.split())


def test_extras_agree_with_pyproject():
    assert {*course.ALL, "bench", "torch"} == set(PROJECT["optional-dependencies"])
    needs = {name: set(extras) for name, (extras, _) in course.COMMANDS.items()}
    assert set().union(*needs.values()) <= {course.MATHJAX, *course.ALL}
    for command in ("run", "lab"):  # these commands need no large packages
        assert not {"baselines", "test", "data", "cluster", "book"} & needs[command]
    # `fetch` also downloads the build backend
    assert any(name.startswith("setuptools") for name in PROJECT["optional-dependencies"]["test"])


@pytest.mark.parametrize(
    "asked, expected",
    [
        ("run a.ipynb", ["-m", "book.build.execute", "run", str(ROOT / "a.ipynb")]),
        ("pages", ["-m", "book.build.execute", "pages"]),
        ("lab", ["-P", "-m", "jupyterlab", "notebooks"]),
        ("soak --ci 3fa2c1", [*course.PYTEST, "-m", "soak", "--ci", "3fa2c1", "tests"]),
        ("lite --pyodide p", ["-m", "book.build.lite", "build/lite", "--pyodide", "p"]),
        ("class --out b", ["-m", "book.build.class_page", "--out", str(ROOT / "b")]),
        ("exercises", ["-m", "lstm_course.copies"]),
        ("exercises --variant 7", ["-m", "lstm_course.copies", "--variant", "7"]),
        ("lab --allow-root", ["-P", "-m", "jupyterlab", "notebooks", "--allow-root"]),
    ],
)
def test_each_command_starts_its_program(asked, expected, monkeypatch):
    started = []
    monkeypatch.setattr(course, "start", lambda command, **_: started.append(command))
    monkeypatch.setattr(course, "set_up", lambda *_: course.venv_python(course.VENV))
    monkeypatch.chdir(ROOT)
    course.main(asked.split())
    _, *command = started[0]
    assert command == expected


def test_start_exits_with_advice_or_status_of_failed_program():
    failing = [sys.executable, "-c", "import sys; sys.exit(3)"]
    with pytest.raises(SystemExit, match="^do this$"):
        course.start(failing, todo="do this")
    with pytest.raises(SystemExit) as end:
        course.start(failing)
    assert end.value.code == 3


def test_course_py_refuses_old_python_before_using_newer_syntax():
    old = SOURCE.replace("sys.version_info", "(3, 10, 4)")
    with pytest.raises(SystemExit, match="needs Python 3.11 or newer, and this is 3.10"):
        exec(compile(old, "course.py", "exec"), {"__name__": "course"})
    body = ast.parse(SOURCE).body
    check = next(k for k, node in enumerate(body) if isinstance(node, ast.If))
    before = {type(node) for node in body[:check]}
    assert before == {ast.Expr, ast.ImportFrom, ast.Import, ast.Assign}
    assert SOURCE.isascii()  # Python 2 refuses non-ASCII source without a declared encoding
    assert ">={}.{}".format(*course.OLDEST) == PROJECT["requires-python"]


PAGES = "README.md", "book/pages/set_up.md", "book/pages/command_line.md", "book/pages/teacher.md"
OURS = re.compile(r"\S*lstm-edu (?=train|evaluate|rank|encode|compare)")


def commands(page):
    """Return the shell commands in a page's code blocks, without comments."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)
    lines = [line for kind, block in blocks if not kind for line in block.splitlines()]
    return [re.sub(r"\s+#\s.*", "", line) for line in lines if line.strip()]


@pytest.mark.parametrize("page", PAGES)
def test_parsers_accept_commands_printed_on_pages(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for line in commands(page):
        if OURS.match(line):
            parser().parse_args(shlex.split(line)[1:])
        elif line.startswith("python course.py "):
            course.parser().parse_known_args(shlex.split(line)[2:])
    assert set(re.findall(r"course\.py ([a-z]+)", text)) <= set(COMMANDS)
    for extras in re.findall(r"pip install .*?\[([\w,]+)\]", text):
        assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    for file in re.findall(r"(?:pip install -c|conda env create -f) (\S+)", text):
        assert (ROOT / file).exists()


@pytest.mark.soak
def test_package_commands_work_as_printed(tmp_path):
    shutil.copytree(ROOT / "data_samples", tmp_path / "data_samples")
    said = {}
    for line in filter(OURS.match, commands("book/pages/command_line.md")):
        program, command, *words = shlex.split(line)
        assert program == ".venv/bin/lstm-edu"  # on Windows: .venv\\Scripts\\lstm-edu
        paths = {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        done = python("-m", "lstm_edu", command, *words, cwd=tmp_path, **paths)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        said[command] = done.stdout
    assert len(said["rank"].splitlines()) == 10 and said["evaluate"].startswith("nDCG@1 ")
    assert "\nlstm_32 " in said["compare"]
    left = {path.name for path in tmp_path.iterdir()} - {"data_samples", "cache"}
    assert left == {"model.npz", "vectors.npy"}
