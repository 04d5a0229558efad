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


def means(about):
    stored = json.loads((ROOT / "benchmarks" / "about.json").read_text(encoding="utf-8"))
    names = about.NUMBERS
    return {name: about.stored_range(stored["trainings"], name)[0] for name in names}


def said(about, found, monkeypatch, capsys):
    """Its exit status and last lines, where these are the numbers."""
    monkeypatch.setattr("sys.argv", ["about.py"])
    monkeypatch.setattr(about, "measure", lambda: found)
    status = about.main()
    above, _, below = capsys.readouterr().out.partition("\n\n")
    for name in ("Python", "numpy", "scipy", "autograd", "lstm_edu", "system", "processor", "BLAS"):
        assert f"\n{name} " in f"\n{above}"
    *rows, last = below.splitlines()[-6:]
    return status, rows, last


def test_stored_means_are_within_their_range(about, monkeypatch, capsys):
    status, rows, last = said(about, means(about), monkeypatch, capsys)
    assert (status, last) == (0, "All are within their range.")
    assert [row[:50].strip() for row in rows] == [what for what, _ in about.NUMBERS.values()]


@pytest.mark.parametrize(
    "name, factor, status", [("cost", 1.01, 0), ("ndcg", 0.9, 0), ("gradient", 1e4, 1)]
)
def test_number_outside_is_said_and_only_gradient_is_an_error(
    about, name, factor, status, monkeypatch, capsys
):
    found = means(about)
    found[name] *= factor
    ended, _, last = said(about, found, monkeypatch, capsys)
    assert ended == status and last.startswith(f"Outside of its range: {about.NUMBERS[name][0]}")


def test_slow_machine_is_no_finding(about, monkeypatch, capsys):
    found = means(about) | {"seconds": 9999}
    assert said(about, found, monkeypatch, capsys)[2] == "All are within their range."


def test_measures_gradient_and_untrained_model_here(about, monkeypatch):
    """The two that no training touches; were the stored numbers of another model, this is red."""
    monkeypatch.setattr(lstm_edu, "train", lambda *_, **__: {"cost": [1.5]})
    found, expected = about.measure(), means(about)
    assert found["gradient"] < about.TOLERANCE["complex"] and found["cost"] == 1.5
    assert found["ndcg"] == found["untrained"] == pytest.approx(expected["untrained"], abs=0.005)


def test_store_measures_by_each_kernel_and_nudge_and_goes_on(about, monkeypatch, tmp_path):
    asked = []

    def check_output(command, env):
        asked.append((env["OPENBLAS_CORETYPE"], env["LSTM_EDU_NUDGE"]))
        if len(asked) == 3:
            raise KeyboardInterrupt
        return json.dumps({"kernel": "any"})

    monkeypatch.setattr(about.subprocess, "check_output", check_output)
    path = str(tmp_path / "about.json")
    with pytest.raises(KeyboardInterrupt):
        about.store(path)
    assert len(json.loads((tmp_path / "about.json").read_text(encoding="utf-8"))["trainings"]) == 2
    about.store(path)
    assert asked[2] == asked[3] and len(set(asked)) == about.NUDGES * len(about.KERNELS)
    assert {kernel for kernel, _ in asked} == set(about.KERNELS)
