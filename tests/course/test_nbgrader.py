"""A course graded by nbgrader, for real.

The assignment is made, a right and a partly wrong notebook come back, and the points are counted.
"""

import csv
import os
import pathlib
import shutil
import subprocess
import sys

import nbformat
import pytest
from conftest import ROOT

NBGRADER = shutil.which(
    "nbgrader", path=os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
)
NAME = "02_run_rnn_and_lstm"
CONFIG = """from nbgrader import preprocessors as p
chosen = [p.LockCells, p.ClearOutput, p.CheckCellMetadata, p.ComputeChecksums, p.SaveCells]
get_config().GenerateAssignment.preprocessors = chosen
"""
SOLUTION = ROOT / "notebooks" / "solutions" / f"{NAME}.ipynb"


def nbgrader(course, *arguments):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    # as where its environment is active: it calls alembic
    environment["PATH"] = os.pathsep.join([os.path.dirname(NBGRADER), os.environ["PATH"]])
    run = subprocess.run(
        [NBGRADER, *arguments], cwd=course, env=environment, capture_output=True, encoding="utf-8"
    )
    assert run.returncode == 0, run.stderr


def answers(path):
    cells = cells_of(nbformat.read(path, 4), "solution")
    return {name: cell.source for name, cell in cells.items()}


def cells_of(notebook, mark):
    """The cells that nbgrader knows as answers ("solution") or checks ("grade"), by their names."""
    marks = [(cell.metadata.get("nbgrader", {}), cell) for cell in notebook.cells]
    return {about.grade_id: cell for about, cell in marks if about.get(mark)}


@pytest.mark.soak
@pytest.mark.ci
@pytest.mark.skipif(NBGRADER is None, reason="nbgrader is not installed: pip install nbgrader")
def test_the_students_copies_are_graded(tmp_path):
    course = tmp_path
    (course / "source" / NAME).mkdir(parents=True)
    # the copies have stubs already
    (course / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    copy = ROOT / "notebooks" / "exercises" / f"{NAME}.ipynb"
    shutil.copy(copy, course / "source" / NAME)
    nbgrader(course, "generate_assignment", NAME)
    released = nbformat.read(course / "release" / NAME / f"{NAME}.ipynb", 4)
    right, stubs = answers(SOLUTION), answers(copy)
    forgets = right["02-1-memory"].replace("c = f * c + i * yg", "c = c + i * yg")
    wrong = right | {"02-1-memory": forgets}  # one wrong, one not written
    wrong["02-4-many-sentences"] = stubs["02-4-many-sentences"]
    for student, given in ("ann", right), ("bob", wrong):
        for name, cell in cells_of(released, "solution").items():
            cell.source = given[name]
        folder = course / "submitted" / student / NAME
        folder.mkdir(parents=True)
        nbformat.write(released, folder / f"{NAME}.ipynb")
    nbgrader(course, "autograde", NAME)
    nbgrader(course, "export")
    checks = cells_of(released, "grade").items()
    points = {name: cell.metadata.nbgrader.points for name, cell in checks}
    lines = (course / "grades.csv").read_text(encoding="utf-8").splitlines()
    scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(lines)}
    lost = sum(points[f"02-{k}-check"] for k in (1, 4))
    assert scores == {"ann": sum(points.values()), "bob": sum(points.values()) - lost}
