"""The checks cannot be fooled: no solution with one place changed passes, unless it is equal.

`python benchmarks/mutants.py` shows the same as a table.
"""

import ast

import exercise_mutants
import mutations
import pytest

EXERCISES = {exercise[0]: exercise for exercise in exercise_mutants.to_be_refused()}
SOURCE = '''def f(x, n):
    """Doc."""
    total = 0
    for k in range(n):
        total += x[k] * 2
    return max(total, 0)
'''
EXPECTED = """
total = 0 -> total = 1
total = 0 -> pass
for k in range(n): -> for k in range(n - 1):
for k in range(n): -> for k in range(1, n):
for k in range(n): -> for k in reversed(list(range(n))):
total += x[k] * 2 -> total += x[k] / 2
total += x[k] * 2 -> total += x[k] * 1
total += x[k] * 2 -> total = x[k] * 2
total += x[k] * 2 -> total += x[k + 1] * 2
total += x[k] * 2 -> total += n[k] * 2
return max(total, 0) -> return min(total, 0)
return max(total, 0) -> return total
-> return max(total, 0)
"""


def test_slips_of_many_kinds_are_made_and_none_twice():
    made = dict(mutations.mutants(SOURCE, range(3, 7)))
    assert set(EXPECTED.strip().split("\n")) <= {label.strip() for label in made}
    assert len(set(made.values())) == len(made) and SOURCE not in made.values()
    assert all(ast.parse(source) and "Doc" in source for source in made.values())
    only = mutations.mutants(SOURCE, {3})
    assert {label.split(" ->")[0] for label, _ in only} == {"total = 0"}


def test_only_what_a_student_writes_is_changed():
    answer = EXERCISES["02.1"][2]
    honest = ast.unparse(ast.parse(answer)).split("\n")
    made = exercise_mutants.mutants(answer)
    assert len(made) > 20
    for _, source in made:
        gone = [line for line in honest if line not in source.split("\n")]
        assert gone in ([], ["    c = f * c + i * yg"])  # one is doubled or moved


def test_a_mutant_that_does_not_end_is_killed_and_the_next_goes_on(tried):
    exercise = EXERCISES["02.2"]
    honest = exercise[2]
    endless = "def sigma(x):\n    while True:\n        pass\n"
    assert tried(exercise, honest) == ("alive", "")
    assert tried(exercise, endless)[0] == "killed"
    state, said = tried(exercise, honest.replace("0.5 * x", "x"))
    assert state == "killed" and "sigma(2x)" in said


def skip_what_is_missing(number):
    lacks = exercise_mutants.missing(EXERCISES[number][3])
    if lacks:
        pytest.skip(f"the check of {number} needs {lacks}, which is not installed")


@pytest.mark.parametrize("number", EXERCISES)
def test_a_sample_of_the_mutants_is_refused(number, tried):
    skip_what_is_missing(number)
    exercise, known = EXERCISES[number], exercise_mutants.equal().get(number, {})
    for label, source in exercise_mutants.sample(exercise, 2):
        if label not in known:
            state, said = tried(exercise, source)
            assert state == "killed", f"{label}: {state} {said}"


@pytest.mark.soak
@pytest.mark.parametrize("number", EXERCISES)
def test_no_mutant_passes_that_is_not_equal(number, tried, tally):
    skip_what_is_missing(number)
    row = exercise_mutants.row(EXERCISES[number], tried)
    lost = [*row["alive"], *row["crashed"], *row["not equal"]]
    assert row["mutants"] > 0  # of none, none would be lost
    tally(f"mutants of exercise {number} given to its check", row["mutants"], lost)


def test_what_is_listed_as_equal_belongs_to_an_exercise_and_has_a_reason():
    for number, mutants in exercise_mutants.equal().items():
        assert number in EXERCISES
        for mutant, reason in mutants.items():
            assert len(reason.split()) > 3 and ("-> " in mutant or "moved: " in mutant)
