"""The exam's questions, drawn with its key: formulas, and conceptual questions from the bank.

The formulas are exercises of a practice variant, whose code is public. The conceptual questions
give more than half of the points. Their right answers aren't stored, but derived from the key.
"""

import random
from typing import NamedTuple

import numpy as np

from .. import checks
from ..copies import student_source
from ..engine import slips
from ..questions import bank
from .secret import number

FORMULAS, CONCEPTS, POINTS = 5, 6, 2
LETTERS = "abcd"
CHOICE = """### BEGIN SOLUTION
answer = "{}"
### END SOLUTION
### BEGIN STUB
# answer = ""
### END STUB"""
WORDS = "*Your answer, in at most four sentences*"


class Question(NamedTuple):
    """An exam question: a formula with its check, or a conceptual question from `bank.drawn`."""

    name: str
    task: str
    answer: str
    check: object = None
    concept: dict = {}

    @property
    def is_code(self):
        """Return whether the answer is a function or a letter, not text that a person grades."""
        return bool(self.check or self.concept["choices"])


def questions(key, own=None):
    """Draw the exam's questions.

    Parameters
    ----------
    key : bytes
        The result of `secret.key`.
    own : dict, optional
        A lecturer's own questions, as `bank.read` returns them; they are drawn before the bank's.

    Returns
    -------
    dict
        The `Question` objects, keyed by number, from 1.
    """
    draws = random.Random(number(key, "which questions"))
    every = checks.exercises.variants.exercises(number(key, "formulas"), "this exam")
    # leave out exercises with a function as argument, which can't be sent to a submission's process
    every = [check for check in every if not any(map(callable, check.inputs()[0].values()))]
    formulas = [every[k] for k in sorted(draws.sample(range(len(every)), FORMULAS))]
    names, others = sorted(own or {}), sorted(bank.BANK)
    chosen = draws.sample(names, min(CONCEPTS, len(names)))
    chosen += draws.sample([name for name in others if name not in names], CONCEPTS - len(chosen))
    concepts = [_concept(key, name, bank.BANK | (own or {})) for name in chosen]
    return dict(enumerate([*map(_formula, formulas), *concepts], start=1))


def _formula(check):
    head, body = slips.source(check.solution)
    source = f"{head}    ### BEGIN SOLUTION\n{body}    ### END SOLUTION"
    return Question(check.solution.__name__, check.task, source, check)


def _concept(key, name, of):
    right = number(key, name, "answer") % len(of[name]["answers"])
    concept = bank.drawn(name, right, np.random.default_rng(number(key, name, "data")), of)
    table = f"\n\n```text\n{concept['table']}\n```" if concept["table"] else ""
    listed = zip(LETTERS, concept["choices"])
    choices = "".join(f"\n- ({letter}) {text}" for letter, (text, _) in listed)
    answer = CHOICE.format(LETTERS[concept["right"]]) if choices else concept["model"]
    text = f"{concept['text']}{table}" + (f"\n{choices}" if choices else "")
    return Question(name, text, answer, concept=concept)


def mark(key):
    """Return the prefix of the names of the exam's cells, which differs from exam to exam."""
    return f"exam-{number(key, 'mark') % 16**8:08x}"


def stub(question):
    """Return the initial content of the cell for a question's answer."""
    return student_source(question.answer) if question.is_code else WORDS
