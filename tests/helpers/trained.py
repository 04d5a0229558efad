"""Tests of the claims that lessons make about the models that they train.

A file `tests/lessons/test_NN_*.py` defines the lesson's ``CLAIMS`` and imports these tests. Because
training is chaotic, bounds are chosen from the spread over 25 training runs of the lesson, with
five seeds and five nudges of the initial weights. `python -m benchmarks.spread NN_NAME` measures
the spread and stores it in benchmarks/results/spread.json, keyed by the claim's text.
"""

import configparser
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import pytest
from conftest import ROOT, lacks
from executed import cells_of, execute, notebooks_in, stored
from quoted import results

CHECKED = "nbval-check-output"
MASKS = configparser.RawConfigParser()
MASKS.read(ROOT / "tests" / "lessons" / "masks.cfg", encoding="utf-8")


@dataclass(frozen=True)
class Claim:
    """A claim that a lesson makes about its trained models.

    Attributes
    ----------
    value : function
        Computes a number from the variables that the lesson's cells define.
    above, below : float
        The bounds, at least six standard deviations from the mean.
    broken : tuple of (cell id, old, new)
        Changes to the lesson that move the value out of its bounds; by default the file's
        ``BROKEN``.
    says : str
        The claim's text, its key in ``CLAIMS``.
    """

    value: Callable
    above: float = -math.inf
    below: float = math.inf
    broken: tuple = ()
    says: str = ""

    def holds(self, lesson):
        """Return whether an executed lesson's value is within the claim's bounds."""
        return bool(self.above < self.value(lesson.names) < self.below)


def masked(outputs):
    """Mask the numbers in a cell's outputs that depend on the training run."""
    found = {}
    for kind, text in outputs.items():
        for section in MASKS.sections():
            text = re.sub(MASKS[section]["regex"], MASKS[section]["replace"], text)
        found[kind] = text
    return found


# keep only the last lesson, because lessons are large, and tests with equal changes are adjacent
@lru_cache(maxsize=1)
def broken_lesson(name, changed, folder):
    """Execute a lesson with changes that break it."""
    return execute(name, notebooks_in(folder), changed)


def pytest_generate_tests(metafunc):
    """Parametrize each test that takes a claim over all claims in the lesson's file."""
    if "claim" in metafunc.fixturenames:
        file = metafunc.module
        claims = [
            replace(claim, says=says, broken=claim.broken or file.BROKEN)
            for says, claim in file.CLAIMS.items()
        ]
        claims.sort(key=lambda claim: claim.broken)
        metafunc.parametrize("claim", claims, ids=[claim.says for claim in claims])


@pytest.fixture(scope="module")
def lesson_name(request):
    """Return the name of the lesson that this file tests; skip if a package is missing."""
    name = request.path.stem.removeprefix("test_")
    if reason := lacks(name):
        pytest.skip(reason)
    return name


@pytest.fixture(scope="module")
def lesson(lesson_name, lesson_folder):
    """Execute the lesson once for all tests of the file."""
    return execute(lesson_name, lesson_folder)


def test_claim_holds(lesson, claim):
    assert claim.holds(lesson), claim.value(lesson.names)


def test_bounds_are_at_least_six_standard_deviations_from_mean(request, claim):
    name = request.path.stem.removeprefix("test_")
    spread = results("spread").get(name, {"claims": {}})["claims"].get(claim.says)
    assert spread, f"no stored spread for {claim.says!r}: run python -m benchmarks.spread {name}"
    assert claim.above + 6 * spread["sd"] <= spread["mean"] <= claim.below - 6 * spread["sd"]


def test_executed_lesson_shows_stored_outputs(lesson):
    cells = [c for c in cells_of(lesson.name) if CHECKED in c["metadata"].get("tags", ())]
    assert cells
    for cell in cells:
        assert masked(lesson.outputs[cell["id"]]) == masked(stored(cell)), cell["id"]


@pytest.mark.soak
def test_claim_fails_in_broken_lesson(lesson_name, claim, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp() / f"broken_{hash((lesson_name, claim.broken))}"
    assert not claim.holds(broken_lesson(lesson_name, claim.broken, folder)), claim.says
