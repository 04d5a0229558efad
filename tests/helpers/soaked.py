"""Fixtures for the soak (the long tests): numbers of trials, and records of trials and failures."""

import datetime
import json
import pathlib
import re

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "build" / "soak"


@pytest.fixture
def share(request):
    """Return a function that multiplies a number of trials by ``--share``, but not below 2."""
    part = request.config.getoption("--share")
    return lambda n: max(2, round(part * n))


@pytest.fixture
def check_tally(request):
    """Return a function that records the number of a test's trials, and asserts that none failed.

    `benchmarks/soak.py` reads the records.
    """
    is_soak = request.node.get_closest_marker("soak")

    def note(label, tried, lost):
        if is_soak:
            FOLDER.mkdir(parents=True, exist_ok=True)
            day = str(datetime.date.today())
            row = {"what": label, "tried": tried, "lost": len(lost), "date": day}
            name = re.sub(r"\W+", "_", label)
            (FOLDER / f"{name}.json").write_text(json.dumps(row) + "\n", encoding="utf-8")
        assert not lost, f"{len(lost)} of {tried}: {lost[:9]}"

    return note
