"""Each row of the exercises' tables is a slip that its check names; each solution is the course's.

And answers that are no row: what a student wrote, and with which words it is told.
"""

import ast
import linecache
import re
import tomllib
from collections import Counter

import exercise_mutants
import pytest
from conftest import HELPERS
from exercise_mutants import likely

from lstm_course import checks
from lstm_course.engine import slips

TABLES = {name: check for name, check in vars(checks).items() if hasattr(check, "solution")}
TESTS = {name: TABLES.pop(name) for name in list(TABLES) if name.startswith("check_test_")}
ROWS = [(name, row) for name, check in TABLES.items() for row in check.slips]
EXERCISES = {re.search(r"check_\w+", e[3])[0]: e for e in exercise_mutants.exercises()}
TABLE = tomllib.loads((HELPERS / "answers.toml").read_text(encoding="utf-8"))
ANSWERS = [(check, *answer) for check, answers in TABLE.items() for answer in answers]


@pytest.mark.parametrize("check, row", ROWS, ids=[f"{name}: {row[0]}"[:70] for name, row in ROWS])
def test_each_slip_is_told_by_name(check, row, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # a check works from any folder
    if lacks := exercise_mutants.missing(check):
        pytest.skip(f"{check} needs {lacks}, which is not installed")
    text, *places = row
    solution = TABLES[check].solution
    source = slips.changed(solution, *places)
    # so that a check can show the line that raised an error
    linecache.cache["a slip"] = (len(source), None, source.splitlines(True), "a slip")
    names = solution.__globals__ | {"__name__": "__main__"}  # as in a notebook
    exec(compile(source, "a slip", "exec"), names)
    with pytest.raises(checks.Wrong) as caught:
        TABLES[check](names[solution.__name__])
    assert likely(str(caught.value)) == text


def test_each_check_has_five_slips_or_more():
    told = Counter([check for check, *_ in ROWS + ANSWERS])
    assert [name for name in TABLES if told[name] < 5] == []


@pytest.mark.parametrize("check", TESTS)
def test_a_test_that_lets_one_kind_by_is_told_which(check, capsys):
    written, rows = TESTS[check].solution, TESTS[check].slips
    assert len(rows) >= 10
    TESTS[check](lambda function: written(function))
    assert f"passed on 1 right function and {len(rows)} wrong ones" in capsys.readouterr().out
    for text, *places in rows:
        one = slips.slipped(TESTS[check].right, *places)

        def lets_one_by(function, one=one):
            if function is not one:
                written(function)

        with pytest.raises(checks.Wrong) as caught:
            TESTS[check](lets_one_by)
        assert likely(str(caught.value)) == f"one that gets by: {text}"
    for nothing in (lambda function: None, lambda function: written(TESTS[check].right)):
        with pytest.raises(checks.Wrong, match=f"{len(rows)} of {len(rows)} wrong functions pass"):
            TESTS[check](nothing)

    def refuses_all(function):
        raise AssertionError

    with pytest.raises(checks.Wrong, match="AssertionError"):
        TESTS[check](refuses_all)


@pytest.mark.parametrize("check", [*TABLES, *TESTS])
def test_the_solution_is_that_of_the_notebook(check):
    solution = (TABLES | TESTS)[check].solution
    here = ast.parse("".join(slips.source(solution))).body[0]
    there = {
        part.name: part
        for part in ast.parse(EXERCISES[check][2]).body
        if isinstance(part, ast.FunctionDef)
    }[solution.__name__]
    assert ast.get_docstring(here)
    for function in (here, there):
        function.body = function.body[bool(ast.get_docstring(function)) :]
    assert ast.dump(here) == ast.dump(there)


def test_a_solution_is_nobodys_answer():
    for name, check in TABLES.items():
        if exercise_mutants.missing(name):
            continue
        with pytest.raises(checks.Wrong, match=f"`{check.solution.__name__}` of the package"):
            check(check.solution)
        with pytest.raises(checks.Wrong, match=f"`{check.solution.__name__}` of the package"):
            check(lambda *given, check=check: check.solution(*given))


@pytest.mark.parametrize(
    "check, told, places",
    [pytest.param(a[0], a[1], a[2:], id=f"{a[0]}: {a[1]}"[:70]) for a in ANSWERS],
)
def test_other_answers_are_told_why(check, told, places, tried):
    exercise = EXERCISES[check]
    if lacks := exercise_mutants.missing(exercise[3]):
        pytest.skip(f"{check} needs {lacks}, which is not installed")
    right = re.sub(r"(?ms)^ *### BEGIN STUB\n.*?^ *### END STUB$", "", exercise[2])
    source = right if len(places) > 1 else places[0]
    for old, new in zip(places[::2], places[1::2]):
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    state, said = tried(exercise, source)
    assert state == "killed" and likely(said).startswith(told), said
