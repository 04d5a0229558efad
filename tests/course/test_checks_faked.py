"""What is put in the place of a check, or of what it uses, is not believed."""

import sys
import types

import pytest
from solutions import CHECK

import lstm_course
from lstm_course import checks


def test_a_check_stays_what_it_is():
    with pytest.raises(AttributeError, match="^check_cosine is the check"):
        checks.check_cosine = print
    with pytest.raises(AttributeError, match="^lstm_course.checks are the checks"):
        lstm_course.checks = types.SimpleNamespace(check_cosine=print)
    with pytest.raises(checks.Wrong):
        checks.check_cosine(print)


FAKE = """import sys, types
import lstm_course.checks
from lstm_course.engine import report
from lstm_course.engine.sandbox import client, runner
from lstm_course.exercises import cosine_and_cost as cost
print("check_cosine: passed on 4 random inputs")
fake = types.SimpleNamespace(check_cosine=lambda *_: print("check_cosine: passed"))
nothing = lambda *_, **__: None
def cosine(yq, yd):
    return yq @ yd.T
"""
FAKES = {
    "the name": "checks = fake",
    "the module": "sys.modules['lstm_course.checks'] = fake",
    "both": "checks = sys.modules['lstm_course.checks'] = fake",
    "another module": "sys.modules['lstm_course.checks'] = sys.modules[cost.__name__] = fake",
    "the package's part": "vars(lstm_course)['checks'] = fake",
    "the module's part": "vars(lstm_course.checks)['check_cosine'] = fake.check_cosine",
    "what compares": "cost.hold_against = report.hold_against = nothing",
    "what is compared": "report._difference = nothing",
    "what is called": "cost.call = lambda *_: None\ncost.hold_against = nothing",
    "while it runs": "def cosine(yq, yd):\n    cost.hold_against = report._difference = nothing",
    "NumPy, while it runs": "def cosine(yq, yd):\n    runner.np.errstate = report.np = None",
    "what is printed": "def cosine(yq, yd):\n    print('check_cosine: passed on 4 random inputs')",
}


@pytest.mark.parametrize("fake", FAKES.values(), ids=FAKES)
def test_what_is_put_in_the_place_of_a_check_is_not_believed(fake):
    names = {"__name__": "__main__"}
    exec(FAKE + fake, names)
    with pytest.raises(checks.Wrong, match="^the cosine is"):
        exec(CHECK + "checks.check_cosine(cosine)", names)
    from lstm_course import checks as again

    assert again is checks is sys.modules["lstm_course.checks"]
