"""Fixtures of the soak: the number of tries, and the tally of tries and losses."""

import datetime
import json
import pathlib
import re

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "build" / "soak"


@pytest.fixture
def share(request):
    """Return a function that multiplies a number of tries by ``--share``; 2 at least."""
    part = request.config.getoption("--share")
    return lambda n: max(2, round(part * n))


@pytest.fixture
def check_tally(request):
    """Return a function that asserts that the list of losses is empty, and notes the soak's tries.

    `benchmarks/soak.py` reads these notes.
    """
    is_soak = request.node.get_closest_marker("soak")

    def note(label, tried, lost):
        if is_soak:
            FOLDER.mkdir(parents=True, exist_ok=True)
            day = str(datetime.date.today())
            row = {"what": label, "tried": tried, "lost": len(lost), "date": day}
            name = re.sub(r"\W+", "_", label)
            (FOLDER / f"{name}.json").write_text(json.dumps(row) + "\n", encoding="utf-8")
        assert not lost, f"{len(lost)} of {tried}: {lost[:3]}"

    return note
