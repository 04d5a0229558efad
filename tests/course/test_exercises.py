"""Each solution passes its check; each stub fails and is told why."""

import importlib.util
import re
import types

import exercise_mutants
import pytest
from conftest import ROOT
from solutions import SOURCES, before_answers, every_notebook, exercises_of, mark

from lstm_course import checks, copies

CHECKS = [name for name in dir(checks) if name.startswith("check_")]
NO_TORCH = importlib.util.find_spec("torch") is None


def skip_without_torch(name):
    if NO_TORCH and name.startswith("14_") or exercise_mutants.missing(name):
        pytest.skip(f"{name} needs PyTorch, which is not installed")


@every_notebook
def test_each_solution_passes_its_check_and_each_stub_does_not(name, monkeypatch, capsys):
    """Not the worked answers, which train for minutes: the soak runs the solutions whole."""
    skip_without_torch(name)
    monkeypatch.chdir(ROOT / "notebooks" / "solutions")
    names, stub = {"__name__": "__main__", "get_ipython": str}, None
    for cell in before_answers(SOURCES[name].cells):
        if cell.cell_type != "code":
            continue
        if mark(cell).get("solution"):
            stub = copies.student_source(cell.source)
        if mark(cell).get("grade"):
            stubbed = dict(names)
            exec(stub, stubbed)
            called = re.search(r"check_\w+", cell.source)[0]
            fake = types.SimpleNamespace(**{called: lambda *_: print(f"{called}: passed")})
            stubbed["checks"] = fake
            with pytest.raises(checks.Wrong) as caught:
                exec(cell.source, stubbed)
            assert "not written yet" in str(caught.value) or is_told(str(caught.value)), (
                caught.value
            )
        capsys.readouterr()
        exec(cell.source, names)
        if mark(cell).get("grade"):
            assert capsys.readouterr().out == cell.outputs[0].text


def is_told(message):
    """Whether a message holds the input, what came, what was expected, and a reason."""
    parts = [
        re.search(rf"(?m)^  {word} +\S", message)
        for word in ("given", "came", "expected", "likely")
    ]
    return all(parts) and "no common mistake" not in message


def test_each_check_has_an_exercise():
    used = [
        name
        for notebook in SOURCES.values()
        for *_, check in exercises_of(notebook)
        for name in re.findall(r"checks\.(check_\w+)", check.source)
    ]
    assert set(used) == set(CHECKS)
