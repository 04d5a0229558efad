"""Tests of the code cells of every lesson."""

import inspect
import re

import pytest
from conftest import ROOT
from executed import cells_of
from lesson_names import LESSONS
from trained import CHECKED

import lstm_edu


def sources(name):
    """Yield the source of each code cell, and whether nbval compares its output."""
    for cell in cells_of(name):
        yield "".join(cell["source"]), CHECKED in cell["metadata"].get("tags", ())


@pytest.mark.parametrize("name", LESSONS)
def test_lesson_contains_no_assert(name):
    assert not [source for source, _ in sources(name) if re.search(r"^\s*assert\b", source, re.M)]


@pytest.mark.parametrize("name", LESSONS)
def test_output_of_every_comparison_is_checked_by_nbval(name):
    compares = re.compile(r"^(?!def).*\b(agree|compare)\(", re.M)
    assert not [
        source for source, is_seen in sources(name) if compares.search(source) and not is_seen
    ]


def test_code_lines_in_table_of_lesson_05a_are_in_lstm_edu():
    (cell,) = (cell for cell in cells_of("05a_bptt_lstm") if cell["id"] == "05-17l")
    names = {}
    exec("".join(cell["source"]).partition("plots.table")[0], names)
    source = inspect.getsource(lstm_edu.LSTM.errors)
    assert [line for _, line in names["lines"] if line not in source] == []


def test_nbval_does_not_run_lessons_that_have_a_test_file(request):
    cells = {i.path for i in request.session.items if i.path.suffix == ".ipynb"}
    trained = {path.stem.removeprefix("test_") for path in (ROOT / "tests/lessons").glob("test_*")}
    assert not {path.stem for path in cells if path.parent == ROOT / "notebooks"} & trained
