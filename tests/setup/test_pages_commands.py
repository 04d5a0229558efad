"""Every command that the README and the book's pages on set-up and use print works as printed.

They are run in a copy of the course, as in a fresh clone, with short trainings on a part of the
log; `make soak` runs them as they stand. Commands that set up an environment are held against what
they name, for that needs a network.
"""

import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tomllib

import pytest
from conftest import ROOT
from course_module import course as course_py

PAGES = "README.md", "book/set_up.md", "book/command_line.md", "book/teacher.md"
# what makes a training so short that a test can wait for it
SHORT = {
    "train": ["--epochs", "1", "--cells", "8"],
    "compare": ["--epochs", "1", "--search-pairs", "400"],
}
LINES = 4000  # and as many of a log are enough
NOT_COPIED = ".git", ".venv*", "build", "__pycache__", ".ipynb_checkpoints", ".pytest_cache"
SHELL = pytest.mark.skipif(not hasattr(os, "fork"), reason="what is printed is for a POSIX shell")


def blocks(text):
    """The blocks of code of a page: of each its language and its lines."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)


def commands(page):
    """The lines of a page's blocks of commands, without what is said of them."""
    told = blocks((ROOT / page).read_text(encoding="utf-8"))
    lines = [line for kind, block in told if not kind for line in block.splitlines()]
    return [re.sub(r"\s+#\s.*", "", line) for line in lines if line.strip()]


def ours():
    """The commands of the package."""
    page = "book/command_line.md"
    return [line for line in commands(page) if re.match(r"\S*lstm-edu ", line)]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A copy of the course with a .venv whose programs are those of this environment."""
    folder = tmp_path_factory.mktemp("clone") / "course"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*NOT_COPIED))
    programs(folder / ".venv" / "bin")
    return folder


def programs(folder, nbgrader=None):
    folder.mkdir(parents=True)
    body = {
        "python": f'exec {shlex.quote(sys.executable)} "$@"',
        "lstm-edu": f'exec {shlex.quote(sys.executable)} -m lstm_edu "$@"',
    }
    if nbgrader:  # which calls alembic
        for name in ("nbgrader", "alembic"):
            body[name] = f'exec {shlex.quote(os.path.join(os.path.dirname(nbgrader), name))} "$@"'
        body["activate"] = f"PATH={shlex.quote(str(folder))}:$PATH"
    for name, line in body.items():
        path = folder / name
        path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)


def shell(line, folder, package):
    return run(["sh", "-c", line], folder, package)


# without an environment's programs, as in a shell in which none is active
PLACES = os.environ["PATH"].split(os.pathsep)
BIN = os.path.dirname(sys.executable)
PATH = os.pathsep.join(p for p in PLACES if sys.prefix == sys.base_prefix or p != BIN)


def run(command, folder, package):
    paths = {
        "PATH": PATH,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH")])),
        "XDG_CACHE_HOME": str(package / "cache"),
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        command, cwd=folder, env=os.environ | paths, capture_output=True, encoding="utf-8"
    )
    assert not done.returncode, f"{command}\n{done.stderr}"
    return done.stdout


def as_printed(clone, more):
    """Run the commands of the package in their order, in the course's folder."""
    before = set(os.listdir(clone))
    made = {"model.npz", "vectors.npy"}
    for name in made:
        (clone / name).unlink(missing_ok=True)  # of the time before
    log = "data_samples/train_pairs.tsv"
    lines = (ROOT / log).read_bytes().splitlines(keepends=True)
    (clone / log).write_bytes(b"".join(lines[:LINES] if more else lines))
    said = {}
    for line in ours():
        program, command, *words = shlex.split(line)
        assert program == ".venv/bin/lstm-edu"  # on Windows .venv\\Scripts\\lstm-edu
        words += more.get(command, [])
        said[command] = run([sys.executable, "-m", "lstm_edu", command, *words], clone, clone)
    left = set(os.listdir(clone)) - before - made - {"cache"}
    shutil.copy(ROOT / log, clone / log)
    assert not left, "these commands leave something in the course's folder"
    return said


def check(said):
    assert len(said["rank"].splitlines()) == 10 and said["evaluate"].startswith("nDCG@1 ")
    assert "\nlstm_32 " in said["compare"]


def test_the_commands_of_the_package_work_as_printed(clone):
    check(as_printed(clone, SHORT))


@pytest.mark.soak
def test_and_with_the_trainings_as_long_as_they_say(clone):
    check(as_printed(clone, {}))


@pytest.mark.parametrize("page", PAGES)
def test_no_command_of_a_page_is_left_out(page):
    known = (
        r"\S*lstm-edu (train|evaluate|rank|encode|compare) ",
        r"python course\.py \w+",  # tests/setup/test_course.py
        r"(\.venv/bin/python -m )?pip install |conda env create |python -m venv |uv venv ",
        r"(nbgrader|mkdir|cp|ln|cd) ",
    )
    assert commands(page)
    assert not [line for line in commands(page) if not any(re.match(p, line) for p in known)]


@pytest.mark.parametrize("page", PAGES)
def test_what_sets_up_an_environment_names_what_there_is(page):
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = (ROOT / page).read_text(encoding="utf-8")
    for found in re.findall(r"pip install .*?\[([\w,]+)\]", told):
        assert set(found.split(",")) <= set(extras["optional-dependencies"])
    for file in re.findall(r"(?:pip install -c|conda env create -f) (\S+)", told):
        assert (ROOT / file).exists()
    for line in commands(page):
        if line.startswith("python course.py"):
            args = course_py.parser().parse_args(shlex.split(line)[2:])
            assert args.command


NBGRADER = shutil.which("nbgrader", path=os.pathsep.join([BIN, *PLACES]))


@SHELL
@pytest.mark.skipif(not NBGRADER, reason="nbgrader is not installed: pip install nbgrader")
def test_nbgrader_as_the_teachers_page_has_it(clone, tmp_path):
    """From the first of its commands to the last, by copy and paste."""
    told = (ROOT / "book/teacher.md").read_text(encoding="utf-8").split("## Grade with nbgrader")[1]
    (_, make), (_, config), (_, grade) = blocks(told.split("\n## ")[0])
    programs(tmp_path / "grading" / "bin", NBGRADER)
    first, *rest = (line.replace("…", str(clone)) for line in make.splitlines())
    venv, active, pip = first.split(" && ")
    assert venv == "python -m venv grading" and re.fullmatch(r"pip install nbgrader -e \S+", pip)
    shell("\n".join(["set -e", active, *rest]), tmp_path, clone)
    assert rest.pop() == "cd course"
    folder = tmp_path / "course"
    (folder / "nbgrader_config.py").write_text(config, encoding="utf-8")
    name = re.search(r"generate_assignment (\S+)", grade)[1]
    for line in grade.splitlines():
        shell(f"cd .. && {active} && cd course && {line}", folder, clone)
        if "generate_assignment" in line:
            shutil.copytree(folder / "release" / name, folder / "submitted" / "ann" / name)
    assert (folder / "grades.csv").exists() and (folder / "feedback" / "ann" / name).exists()
