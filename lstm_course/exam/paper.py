"""The exam's questions and its three notebooks: for students, for the grader, and solved.

Formulas are the practice variants' exercises, whose rules and their code are public. Conceptual
questions are drawn from the bank, with a right answer that is written nowhere: together they have
more than half of the points.
"""

import base64
import pathlib
import random
from typing import NamedTuple

import numpy as np

from .. import checks
from ..copies import FORMAT, KERNEL, code_cell, dumped, markdown_cell, student_source, write_all
from ..engine import slips
from ..plots.figure import png
from ..questions import bank
from .secret import number

FORMULAS, CONCEPTS, POINTS = 5, 6, 2
LETTERS = "abcd"
IMPORTS = """from collections import Counter

import numpy as np

from lstm_edu import letter_trigrams
from lstm_edu.cells.lstm import sigmoid"""
TITLE = """# Exam

{n} questions, {points} points each. Write each answer into the cell below its question, and hand in
this notebook. Your functions are called with inputs that aren't here, so try them with some of your
own. They may use NumPy, the names that the next cell imports, and cells that you add. Where there
are choices, write the letter between the quotes."""
CHOICE = """### BEGIN SOLUTION
answer = "{}"
### END SOLUTION
### BEGIN STUB
# answer = ""
### END STUB"""
WORDS = "*Your answer, in at most four sentences*"
GRADER = """from lstm_course.exam import grading, secret

key = secret.key(secret.ask())
graded = grading.grade("submitted", key)  # the folder with what came back
grading.table(graded)"""


class Question(NamedTuple):
    """A question: a formula with its check, or a conceptual one as `bank.drawn` returns it."""

    name: str
    task: str
    answer: str
    check: object = None
    concept: dict = {}

    @property
    def is_code(self):
        """Return whether the answer is a function or a letter, not words for a person to read."""
        return bool(self.check or self.concept["choices"])


def questions(key):
    """Draw the exam's questions.

    Parameters
    ----------
    key : bytes
        As `secret.key` derives it.

    Returns
    -------
    dict
        A `Question` by its number, from 1.
    """
    draws = random.Random(number(key, "which questions"))
    every = checks.exercises.variants.exercises(number(key, "formulas"), "this exam")
    # functions can't be sent to a submission's process
    every = [check for check in every if not any(map(callable, check.inputs()[0].values()))]
    formulas = [every[k] for k in sorted(draws.sample(range(len(every)), FORMULAS))]
    concepts = [_concept(key, name) for name in draws.sample(sorted(bank.BANK), CONCEPTS)]
    return dict(enumerate([*map(_formula, formulas), *concepts], start=1))


def _formula(check):
    head, body = slips.source(check.solution)
    source = f"{head}    ### BEGIN SOLUTION\n{body}    ### END SOLUTION"
    return Question(check.solution.__name__, check.task, source, check)


def _concept(key, name):
    right = number(key, name, "answer") % len(bank.BANK[name]["answers"])
    concept = bank.drawn(name, right, np.random.default_rng(number(key, name, "data")))
    table = f"\n\n```text\n{concept['table']}\n```" if concept["table"] else ""
    listed = zip(LETTERS, concept["choices"])
    choices = "".join(f"\n- ({letter}) {text}" for letter, (text, _) in listed)
    answer = CHOICE.format(LETTERS[concept["right"]]) if choices else concept["model"]
    text = f"{concept['text']}{table}" + (f"\n{choices}" if choices else "")
    return Question(name, text, answer, concept=concept)


def mark(key):
    """Return what the names of the exam's cells begin with; it tells this exam from others."""
    return f"exam-{number(key, 'mark') % 16**8:08x}"


def make(key, folder):
    """Write the exam's notebooks.

    Parameters
    ----------
    key : bytes
    folder : str or path
        ``students/exam.ipynb`` is to be handed out, the two in ``teacher`` are not.

    Returns
    -------
    list of path
    """
    asked, folder, begin = questions(key), pathlib.Path(folder), mark(key)
    title = markdown_cell("title", TITLE.format(n=len(asked), points=POINTS))
    start, tasks = code_cell("imports", IMPORTS), {k: _task(k, q) for k, q in asked.items()}
    exam, solved = [title, start], [title, start]
    for k, question in asked.items():
        exam += [tasks[k], _cell(f"{begin}-{k}", question, stub(question))]
        solved += [tasks[k], _cell(f"{begin}-{k}", question, question.answer)]
    keys = [title, code_cell("grade", GRADER), *(_key(k, q) for k, q in asked.items())]
    texts = {"students/exam": exam, "teacher/solutions": solved, "teacher/grader": keys}
    written = {}
    for name, cells in texts.items():
        path = folder / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        written[path] = dumped({"cells": cells, "metadata": KERNEL} | FORMAT)
    return write_all(written, False, [])


def stub(question):
    """Return what an answer's cell has before it is answered."""
    return student_source(question.answer) if question.is_code else WORDS


def _task(k, question):
    """Make the cell that asks, with its figure as an attachment."""
    figure = question.concept.get("figure")
    picture, about = png(figure) if figure else (b"", {})
    shown = f"![{about['alt']}](attachment:figure.png)\n\n" if figure else ""
    cell = markdown_cell(f"task-{k}", f"## {k}. {question.name}\n\n{shown}{question.task}")
    encoded = {"image/png": base64.b64encode(picture).decode("ascii")}
    return cell | ({"attachments": {"figure.png": encoded}} if figure else {})


def _cell(name, question, source):
    """Make an answer's cell; nbgrader gives one in words to a person."""
    if question.is_code:
        return code_cell(name, source, solution=True)
    by_hand = {"grade": True, "grade_id": name, "locked": False, "points": POINTS}
    by_hand |= {"schema_version": 3, "solution": True, "task": False}
    return markdown_cell(name, source) | {"metadata": {"nbgrader": by_hand}}


def _key(k, question):
    """Describe the right answer and the mistakes that the grader names."""
    if question.check:
        named = dict.fromkeys(text for text, *_ in question.check.slips)
        lines = ["Slips that are named:", *(f"- {text}" for text in named)]
    else:
        concept = question.concept
        lines = [f"Right: {concept['model']}", f"*{concept['rubric']}*"]
        lines += [f"- ({a}) {b}: {c}" for a, (b, c) in zip(LETTERS, concept["choices"])]
    return markdown_cell(f"key-{k}", "\n\n".join([f"## {k}. {question.name}", *lines]))
