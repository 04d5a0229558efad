"""A course graded by nbgrader: assignment, a partly wrong notebook handed in, its points."""

import csv
import os
import pathlib
import shutil
import subprocess
import sys

import nbformat
import pytest
from conftest import ROOT
from solutions import SOURCES, mark

# nbgrader calls alembic, of the same environment
PATH = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
NBGRADER = shutil.which("nbgrader", path=PATH)
NAME = "02_run_rnn_and_lstm"
CONFIG = """from nbgrader import preprocessors as p
chosen = [p.LockCells, p.ClearOutput, p.CheckCellMetadata, p.ComputeChecksums, p.SaveCells]
get_config().GenerateAssignment.preprocessors = chosen
"""


def nbgrader(course, *arguments):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PATH": PATH, "OPENBLAS_NUM_THREADS": "1"}
    how = {"cwd": course, "env": environment, "capture_output": True, "encoding": "utf-8"}
    run = subprocess.run([NBGRADER, *arguments], **how)
    assert run.returncode == 0, run.stderr


@pytest.mark.soak
@pytest.mark.ci
@pytest.mark.skipif(NBGRADER is None, reason="nbgrader is not installed: pip install nbgrader")
def test_nbgrader_grades_a_students_copy(tmp_path):
    source, handed_in = (tmp_path / place / NAME for place in ("source", "submitted/ann"))
    source.mkdir(parents=True)
    handed_in.mkdir(parents=True)
    (tmp_path / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")  # no stubs: it has them
    shutil.copy(ROOT / "notebooks" / "exercises" / f"{NAME}.ipynb", source)
    nbgrader(tmp_path, "generate_assignment", NAME)
    notebook = nbformat.read(tmp_path / "release" / NAME / f"{NAME}.ipynb", 4)
    right = {mark(cell).get("grade_id"): cell.source for cell in SOURCES[NAME].cells}
    right["02-1-memory"] = right["02-1-memory"].replace("c = f * c + i * yg", "c = c + i * yg")
    total = 0
    for cell in notebook.cells:
        name = mark(cell).get("grade_id")
        if mark(cell).get("solution") and name != "02-4-many-sentences":  # left unwritten
            cell.source = right[name]
        if mark(cell).get("grade") and name not in ("02-1-check", "02-4-check"):
            total += mark(cell)["points"]
    nbformat.write(notebook, handed_in / f"{NAME}.ipynb")
    nbgrader(tmp_path, "autograde", NAME)
    nbgrader(tmp_path, "export")
    with open(tmp_path / "grades.csv", encoding="utf-8", newline="") as grades:
        assert [float(row["score"]) for row in csv.DictReader(grades)] == [total]
