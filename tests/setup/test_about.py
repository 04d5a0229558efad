"""`course.py about`: what it says of this machine, and of numbers that are out of their range."""

import json

import pytest
from conftest import ROOT

import lstm_edu


@pytest.fixture
def about(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import about

    return about


@pytest.fixture
def means(about):
    """The stored means by name."""
    stored = json.loads((ROOT / "benchmarks" / "about.json").read_text(encoding="utf-8"))
    return {name: about.stored_range(stored["trainings"], name)[0] for name in about.NUMBERS}


@pytest.mark.parametrize(
    "name, factor, status",
    [("cost", 1, 0), ("seconds", 99, 0), ("cost", 1.01, 0), ("ndcg", 0.9, 0), ("gradient", 1e4, 1)],
)
def test_names_number_outside_its_range_and_fails_for_gradient_alone(
    name, factor, status, about, means, monkeypatch, capsys
):
    means[name] *= factor
    monkeypatch.setattr("sys.argv", ["about.py"])
    monkeypatch.setattr(about, "measure", lambda: means)
    assert about.main() == status
    said = capsys.readouterr().out
    assert "\nBLAS " in said and "\nprocessor " in said
    is_within = factor == 1 or name == "seconds"
    last = "All are" if is_within else f"Outside of its range: {about.NUMBERS[name][0]}"
    assert said.splitlines()[-1].startswith(last)


def test_measures_the_untrained_model_that_is_stored(about, means, monkeypatch):
    monkeypatch.setattr(lstm_edu, "train", lambda *_, **__: {"cost": [1.5]})
    found = about.measure()
    assert found["gradient"] < about.TOLERANCE["complex"] and found["cost"] == 1.5
    assert found["ndcg"] == found["untrained"] == pytest.approx(means["untrained"], abs=0.005)
