"""Test of grading with nbgrader: generate an assignment, submit wrong answers, count points."""

import copy
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from conftest import ROOT
from solutions import SOURCES, mark

# let nbgrader find the command alembic of this environment
PATH = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
NBGRADER = shutil.which("nbgrader", path=PATH)
NAME = "02_run_rnn_and_lstm"
TEACHER = (ROOT / "book" / "pages" / "teacher.md").read_text(encoding="utf-8")
CONFIG = re.search(r"```python\n(from nbgrader .+?)```", TEACHER, re.S)[1]

# keyed by the answer's grade_id: (code to replace, replacement, part of the message)
WRONG = {
    "02-1-memory": ("c = f * c + i * yg", "c = c + i * yg", "likely    f(t) is missing"),
    "02-2-sigmoid": ("return ", "exit()\n    return ", "sigma(x): your function calls `exit`"),
    "02-3-peepholes": ("    p = params", "    p = input()", "your function calls `input`"),
    "02-5-forget-bias": ("f = share", "import time; time.sleep(99); f = share", "on the clock"),
    "02-6-step-gru": ("def step", "exit()\ndef step", "exit is refused, so that the cells below"),
}


def nbgrader(course, *arguments):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PATH": PATH, "OPENBLAS_NUM_THREADS": "1"}
    how = {"cwd": course, "env": environment, "capture_output": True, "encoding": "utf-8"}
    run = subprocess.run([NBGRADER, *arguments], **how)
    assert run.returncode == 0, run.stderr


@pytest.mark.soak
@pytest.mark.ci
@pytest.mark.skipif(NBGRADER is None, reason="nbgrader is not installed: pip install nbgrader")
def test_nbgrader_gives_points_only_for_right_answers(tmp_path):
    source, handed_in = (tmp_path / place / NAME for place in ("source", "submitted/ann"))
    source.mkdir(parents=True)
    handed_in.mkdir(parents=True)
    (tmp_path / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    shutil.copy(ROOT / "notebooks" / "exercises" / f"{NAME}.ipynb", source)
    nbgrader(tmp_path, "generate_assignment", NAME)
    notebook = nbformat.read(tmp_path / "release" / NAME / f"{NAME}.ipynb", 4)
    right = {mark(cell).get("grade_id"): cell.source for cell in SOURCES[NAME].cells}
    for name, (old, new, _) in WRONG.items():
        assert old in right[name]
        right[name] = right[name].replace(old, new)
    total = 0
    for cell in notebook.cells:
        name = mark(cell).get("grade_id")
        if mark(cell).get("solution") and name != "02-4-many-sentences":  # left unanswered
            cell.source = right[name]
        if mark(cell).get("grade") and name[:4] not in [*(wrong[:4] for wrong in WRONG), "02-4"]:
            total += mark(cell)["points"]
    first = next(k for k, cell in enumerate(notebook.cells) if mark(cell).get("solution"))
    copied = copy.deepcopy(notebook.cells[first])  # if a cell occurs twice, the last copy counts
    copied.update(id="copied", source="")
    notebook.cells.insert(first, copied)
    nbformat.write(notebook, handed_in / f"{NAME}.ipynb")
    nbgrader(tmp_path, "autograde", NAME)
    nbgrader(tmp_path, "export")
    with open(tmp_path / "grades.csv", encoding="utf-8", newline="") as grades:
        assert [float(row["score"]) for row in csv.DictReader(grades)] == [total]
    graded = (tmp_path / "autograded" / "ann" / NAME / f"{NAME}.ipynb").read_text("utf-8")
    assert all(said in graded for _, _, said in WRONG.values())
