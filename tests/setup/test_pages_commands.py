"""Every command that the README and the book's pages on set-up and use print is one that there is.

`make soak` runs those of the package, in their order, as they stand.
"""

import re
import shlex
import shutil
import tomllib

import pytest
from conftest import ROOT
from course_module import course
from processes import python

from lstm_edu.__main__ import parser

PAGES = "README.md", "book/set_up.md", "book/command_line.md", "book/teacher.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
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
