"""Functions that find exercises and worked answers in the solution notebooks."""

import pathlib
import re

import nbformat
import pytest

from lstm_course import copies

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "notebooks" / "solutions"
SOURCES = {path.stem: nbformat.read(path, 4) for path in sorted(FOLDER.glob("[0-9]*.ipynb"))}
REGION = r"(?ms)^ *### BEGIN {0}\n(.*?)^ *### END {0}$"
# each cell imports `checks`, so that assigning to it in an earlier cell has no effect
CHECK = "from lstm_course import checks\n\n"
every_notebook = pytest.mark.parametrize("name", SOURCES)


def mark(cell):
    return cell.metadata.get("nbgrader", {})


def exercises_of(notebook):
    """Return (number, task, hint, answer, check) of each exercise; the last four are cells."""
    cells = notebook.cells
    return [
        (k, *cells[at - 2 : at + 2])
        for k, at in enumerate(
            (at for at, cell in enumerate(cells) if mark(cell).get("solution")), start=1
        )
    ]


def regions(notebook):
    pattern = REGION.format("SOLUTION")
    return [region for cell in notebook.cells for region in re.findall(pattern, cell.source)]


def before_answers(cells):
    k = next(k for k, cell in enumerate(cells) if cell.source.startswith(copies.ANSWERS))
    return cells[:k]


def answers_of(cells):
    """Return the cells from the heading of the worked answers to the notebook's end."""
    return cells[len(before_answers(cells)) :]
