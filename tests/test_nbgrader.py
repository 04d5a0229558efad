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

from lstm_course import copies

NBGRADER = shutil.which(
    "nbgrader", path=os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
)
NAME = "02_run_rnn_and_lstm"
CONFIG = """from nbgrader import preprocessors as p
c = get_config()
c.GenerateAssignment.preprocessors = [
    p.LockCells, p.ClearOutput, p.CheckCellMetadata, p.ComputeChecksums, p.SaveCells]
"""
FAKED = """import sys


class checks:
    check_forget_bias = lambda *_: print("check_forget_bias: passed on 5 random inputs")


sys.modules["lstm_course.checks"] = vars(sys.modules["lstm_course"])["checks"] = checks
sys.modules["lstm_course.engine.slips"].hold = lambda *_, **__: None


def forget_bias(share, n_words):
    return share"""
pytestmark = pytest.mark.skipif(
    NBGRADER is None, reason="nbgrader is not installed: pip install nbgrader"
)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    (folder / "source" / NAME).mkdir(parents=True)
    return folder


def nbgrader(course, *arguments):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    # as where its environment is active: it calls alembic
    environment["PATH"] = os.pathsep.join([os.path.dirname(NBGRADER), os.environ["PATH"]])
    run = subprocess.run(
        [NBGRADER, *arguments], cwd=course, env=environment, capture_output=True, encoding="utf-8"
    )
    assert run.returncode == 0, run.stderr


def answers(path):
    return {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in nbformat.read(path, 4).cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }


SOLUTION = ROOT / "notebooks" / "solutions" / f"{NAME}.ipynb"


def test_nbgrader_makes_the_same_stubs_of_the_solutions_as_they_are(course):
    shutil.copy(SOLUTION, course / "source" / NAME)
    nbgrader(course, "generate_assignment", NAME)
    released, right = answers(course / "release" / NAME / f"{NAME}.ipynb"), answers(SOLUTION)
    # code to be mended is ours, not nbgrader's
    mended = {name for name, source in right.items() if "BEGIN STUB" in source}
    assert {name: released[name] for name in right.keys() - mended} == {
        name: copies.student_source(right[name]) for name in right.keys() - mended
    } and len(right) > len(mended) == 1


def test_the_students_copies_are_graded(course):
    (course / "nbgrader_config.py").write_text(
        CONFIG, encoding="utf-8"
    )  # the copies have stubs already
    shutil.copy(ROOT / "notebooks" / "exercises" / f"{NAME}.ipynb", course / "source" / NAME)
    nbgrader(course, "generate_assignment", NAME, "--force")
    released, right = (
        nbformat.read(course / "release" / NAME / f"{NAME}.ipynb", 4),
        answers(SOLUTION),
    )
    assert answers(course / "release" / NAME / f"{NAME}.ipynb") == answers(
        ROOT / "notebooks" / "exercises" / f"{NAME}.ipynb"
    )
    wrong = right | {
        "02-1-memory": right["02-1-memory"].replace("c = f * c + i * yg", "c = c + i * yg")
    }
    del wrong["02-4-many-sentences"]  # not written
    # wrong as well, and the check is another's
    wrong["02-5-forget-bias"] = FAKED
    for student, given in ("ann", right), ("bob", wrong):
        for cell in released.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = given.get(
                name, cell.source if name not in right else copies.student_source(right[name])
            )
        folder = course / "submitted" / student / NAME
        folder.mkdir(parents=True)
        nbformat.write(released, folder / f"{NAME}.ipynb")
    nbgrader(course, "autograde", NAME)
    nbgrader(course, "export")
    points = {
        cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader.points
        for cell in released.cells
        if cell.metadata.get("nbgrader", {}).get("grade")
    }
    scores = {
        row["student_id"]: float(row["score"])
        for row in csv.DictReader((course / "grades.csv").read_text(encoding="utf-8").splitlines())
    }
    assert scores == {
        "ann": sum(points.values()),
        "bob": sum(points.values()) - sum(points[f"02-{k}-check"] for k in (1, 4, 5)),
    }
    graded = nbformat.read(course / "autograded" / "bob" / NAME / f"{NAME}.ipynb", 4)
    told = [
        output.evalue
        for cell in graded.cells
        for output in cell.get("outputs", [])
        if output.output_type == "error"
    ]
    assert (
        [message.split("\n")[-1] for message in told][0].endswith(
            "f(t) is missing: this keeps all of c(t-1)"
        )
        and "not written yet" in told[1]
        and "b2 is wrong" in told[2]
        and len(told) == 3
    )
