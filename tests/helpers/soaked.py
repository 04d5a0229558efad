"""How often the soak tries something, and the tally of what was tried and lost."""

import datetime
import json
import pathlib
import re

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "build" / "soak"


@pytest.fixture
def share(request):
    """A function of how often the soak tries something: how often it does so this time."""
    part = request.config.getoption("--share")
    return lambda n: max(2, round(part * n))


@pytest.fixture
def tally(request):
    """A function of what was tried, how often, and a list of what was lost, which has to be empty.

    Of the soak it is noted, for `benchmarks/soak.py`.
    """
    is_soak = request.node.get_closest_marker("soak")

    def note(what, tried, lost):
        if is_soak:
            FOLDER.mkdir(parents=True, exist_ok=True)
            day = str(datetime.date.today())
            row = {"what": what, "tried": tried, "lost": len(lost), "date": day}
            name = re.sub(r"\W+", "_", what)
            (FOLDER / f"{name}.json").write_text(json.dumps(row) + "\n", encoding="utf-8")
        assert not lost, f"{len(lost)} of {tried}: {lost[:3]}"

    return note
