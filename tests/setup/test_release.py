"""Tests that the copy for students contains no solutions, and that its checks work."""

import json
import re
import shutil

import pytest
from conftest import ROOT
from processes import python

from book.build import LINK, release

RIGHT = """
from lstm_course import checks
from lstm_edu.cells.lstm import sigmoid
import numpy as np

def let_in(i, yg):
    return np.abs(i * yg).mean(axis=1)

checks.check_let_in(let_in)
try:
    checks.check_let_in(lambda i, yg: (i * yg).mean(axis=1))
except checks.Wrong as wrong:
    print(wrong)
print(hasattr(checks, "variant"), checks.__file__)
"""


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """Make the copy; return its folder, and the folder of its unpacked wheel."""
    pytest.importorskip("setuptools", "77", reason="setuptools is too old, or not installed")
    folder = tmp_path_factory.mktemp("students") / "course"
    done = python("-m", "book.build.release", str(folder), "--no-solutions", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    (wheel,) = (folder / "dist").iterdir()
    shutil.unpack_archive(wheel, folder.parent / "wheel", "zip")
    return folder, folder.parent / "wheel"


def texts(folder):
    """Yield (path, text) of each page and notebook."""
    for path in sorted(folder.rglob("*.md")):
        yield path, path.read_text(encoding="utf-8")
    for path in sorted(folder.rglob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        prose = [cell["source"] for cell in cells if cell["cell_type"] == "markdown"]
        yield path, "\n\n".join(map("".join, prose))


def test_copy_and_wheel_contain_no_solutions_or_exams(copied):
    for folder in copied:
        names = [path.relative_to(folder).as_posix() for path in folder.rglob("*")]
        assert len(names) > 150
        found = [name for name in names if re.search("solution|exam/|variant|bank|^tests", name)]
        assert not found
    exercises = sorted((copied[0] / "notebooks" / "exercises").glob("*.ipynb"))
    assert len(exercises) == len(list((ROOT / "notebooks" / "exercises").glob("[0-9]*.ipynb")))


def test_every_link_in_copy_leads_to_a_file(copied):
    n = 0
    for path, text in texts(copied[0]):
        for target, _ in LINK.findall(text):
            assert (path.parent / target).exists(), (path, target)
            n += 1
    assert n > 500


def test_copy_mentions_no_removed_files_or_commands(copied):
    said = re.compile(
        r"\bthe solutions\b|solutions/|worked answers|course\.py (test|book|exercises|exam|soak)"
        r"|Compare with|teacher's page|tests/|`make`"
    )
    for path, text in texts(copied[0]):
        assert not said.search(text), (path, said.search(text)[0])
        assert "exercises" not in path.parts or "<summary>Answer" not in text
    lessons = [text for path, text in texts(copied[0]) if path.parent.name == "notebooks"]
    assert sum("**To think about**, without a check:" in text for text in lessons) >= 15


def test_checks_in_wheel_pass_right_answer_and_explain_mistake(copied):
    done = python("-c", RIGHT, cwd=copied[1], PYTHONPATH=str(copied[1]))
    assert done.returncode == 0, done.stderr
    said = done.stdout
    assert "check_let_in: passed on" in said and "take the absolute value before the mean" in said
    assert said.strip().endswith(f"False {copied[1] / 'lstm_course' / 'checks.py'}")


def test_help_of_copy_lists_only_its_commands(copied):
    done = python("course.py", "--help", cwd=copied[0])
    assert done.returncode == 0 and "fetch" in done.stdout
    assert not re.search(
        r"^(test|book|exercises|exam|release|class|soak|pages) ", done.stdout, re.M
    )


def test_refuses_folder_that_is_not_empty(tmp_path):
    (tmp_path / "mine").write_text("kept", encoding="utf-8")
    with pytest.raises(release.InputError, match="not empty"):
        release.copied(tmp_path)
