"""Tests of the claims that lessons make about the models that they train.

A file `tests/lessons/test_NN_*.py` has the lesson's ``CLAIMS`` and imports the tests from here.
Training is chaotic, so a bound follows from a measured spread: 25 trainings of the lesson, five
seeds by five nudges of the initial weights (`python -m benchmarks.spread NN_NAME`).
"""

import configparser
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import pytest
from conftest import ROOT, lacks
from executed import cells_of, execute, notebooks_in, stored

CHECKED = "nbval-check-output"
MASKS = configparser.RawConfigParser()
MASKS.read(ROOT / "tests" / "lessons" / "masks.cfg", encoding="utf-8")


@dataclass(frozen=True)
class Claim:
    """A lesson's claim about its trained models.

    Attributes
    ----------
    says : str
    value : function
        Computes a number from the names that the lesson's cells define.
    mean, sd : float
        Mean and standard deviation of the value over these trainings.
    broken : tuple of (cell's id, old, new)
        Changes of the lesson that move the value out of its bounds.
    above, below : float
        The bounds; 6 sd from the mean, or further.
    """

    says: str
    value: Callable
    mean: float
    sd: float
    broken: tuple
    above: float = -math.inf
    below: float = math.inf

    def holds(self, lesson):
        return bool(self.above < self.value(lesson.names) < self.below)


def masked(outputs):
    """Mask the numbers in a cell's outputs that belong to a live training."""
    found = {}
    for kind, text in outputs.items():
        for section in MASKS.sections():
            text = re.sub(MASKS[section]["regex"], MASKS[section]["replace"], text)
        found[kind] = text
    return found


@lru_cache(
    maxsize=1
)  # only one, because a lesson is large; claims with the same change are tested in a row
def broken_lesson(name, changed, folder):
    return execute(name, notebooks_in(folder), changed)


def pytest_generate_tests(metafunc):
    """Run each test that takes a claim with every claim of the lesson's file."""
    if "claim" in metafunc.fixturenames:
        claims = sorted(metafunc.module.CLAIMS, key=lambda claim: claim.broken)
        metafunc.parametrize("claim", claims, ids=[claim.says for claim in claims])


@pytest.fixture(scope="module")
def lesson_name(request):
    """Return the name of the lesson that this file of tests/lessons covers."""
    return request.path.stem.removeprefix("test_")


@pytest.fixture(scope="module")
def lesson(lesson_name, lesson_folder):
    """Execute the lesson once for all tests of the file."""
    if reason := lacks(lesson_name):
        pytest.skip(reason)
    return execute(lesson_name, lesson_folder)


def test_claim_holds(lesson, claim):
    assert claim.above < claim.value(lesson.names) < claim.below, claim.says


def test_bounds_lie_six_deviations_from_the_mean(claim):
    assert claim.above + 6 * claim.sd <= claim.mean <= claim.below - 6 * claim.sd


def test_lesson_shows_stored_outputs(lesson):
    cells = [c for c in cells_of(lesson.name) if CHECKED in c["metadata"].get("tags", ())]
    assert cells
    for cell in cells:
        assert masked(lesson.outputs[cell["id"]]) == masked(stored(cell)), cell["id"]


@pytest.mark.soak
def test_broken_lesson_breaks_claim(lesson_name, claim, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp() / f"broken_{hash((lesson_name, claim.broken))}"
    assert not claim.holds(broken_lesson(lesson_name, claim.broken, folder)), claim.says
