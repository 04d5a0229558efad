"""Draw an exam, or grade its submissions: python -m book.build.exam --out FOLDER.

An exam consists of three notebooks: the students' exam, its solutions, and the grader's.
"""

import argparse
import base64
import pathlib

from book.build import grades, one_line
from lstm_course.copies import FORMAT, KERNEL, code_cell, dumped, markdown_cell, write_all
from lstm_course.exam import secret
from lstm_course.exam.questions import LETTERS, POINTS, mark, questions, stub
from lstm_course.plots.figure import png
from lstm_course.questions import bank

IMPORTS = """from collections import Counter

import numpy as np

from lstm_edu import letter_trigrams
from lstm_edu.cells.lstm import sigmoid"""
TITLE = """# Exam

{n} questions, {points} points each. Write each answer into the cell below its question, and hand in
this notebook. Your functions are called with inputs that aren't here, so try them with some of your
own. They may use NumPy, the names that the next cell imports, and cells that you add. Where there
are choices, write the letter between the quotes."""
GRADER = """from book.build import grades
from lstm_course.exam import questions, secret

key = secret.key(secret.ask())
asked = questions.questions(key)  # with questions of your own: (key, bank.read("FILE"))
every = grades.grade("submitted", asked, questions.mark(key))  # the submissions' folder
grades.table([[g.student, sum(g.points.values()), g.remark] for g in every])"""


def make(asked, begin, folder):
    """Write the exam's notebooks.

    Parameters
    ----------
    asked : dict
        Questions, keyed by number.
    begin : str
        The exam's `mark`, with which the ids of its answer cells begin.
    folder : str or path
        Where to write ``students/exam.ipynb``, to be handed out, and two notebooks in ``teacher``.

    Returns
    -------
    list of path
    """
    folder = pathlib.Path(folder)
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


def _task(k, question):
    """Make the Markdown cell that states a question, with its figure as an attachment."""
    figure = question.concept.get("figure")
    picture, about = png(figure) if figure else (b"", {})
    shown = f"![{about['alt']}](attachment:figure.png)\n\n" if figure else ""
    title = f"`{question.name}`" if question.check else question.concept["kind"].capitalize()
    cell = markdown_cell(f"task-{k}", f"## {k}. {title}\n\n{shown}{question.task}")
    encoded = {"image/png": base64.b64encode(picture).decode("ascii")}
    return cell | ({"attachments": {"figure.png": encoded}} if figure else {})


def _cell(name, question, source):
    """Make the cell for an answer; answers in words are marked for manual grading."""
    if question.is_code:
        return code_cell(name, source, solution=True)
    by_hand = {"grade": True, "grade_id": name, "locked": False, "points": POINTS}
    by_hand |= {"schema_version": 3, "solution": True, "task": False}
    return markdown_cell(name, source) | {"metadata": {"nbgrader": by_hand}}


def _key(k, question):
    """Make a cell of the answer key: a function's known mistakes, or a right answer and rubric."""
    if question.check:
        named = dict.fromkeys(text for text, *_ in question.check.slips)
        lines = ["Mistakes that the check recognises:", *(f"- {text}" for text in named)]
    else:
        concept = question.concept
        lines = [f"Right: {concept['model']}", f"*{concept['rubric']}*"]
        lines += [f"- ({a}) {b}: {c}" for a, (b, c) in zip(LETTERS, concept["choices"])]
    return markdown_cell(f"key-{k}", "\n\n".join([f"## {k}. {question.name}", *lines]))


parser = argparse.ArgumentParser(
    prog="course.py exam", description=__doc__.partition(":")[0], allow_abbrev=False
)
parser.add_argument("--out", required=True, metavar="FOLDER", help="folder for notebooks or grades")
parser.add_argument("--grade", metavar="FOLDER", help="the submissions: STUDENT/exam/exam.ipynb")
text = "a file with the secret phrase (default: ask for it); keep it out of reach of students"
parser.add_argument("--secret-file", metavar="FILE", help=text)
text = "your own questions, in the form of lstm_course/questions/bank.toml; also needed to grade"
parser.add_argument("--questions", metavar="FILE", help=text)

if __name__ == "__main__":
    given = parser.parse_args()
    with one_line():
        key = secret.key(secret.ask(given.secret_file, twice=not given.grade))
        asked = questions(key, given.questions and bank.read(given.questions))
        if given.grade:
            written = grades.write(grades.grade(given.grade, asked, mark(key)), asked, given.out)
        else:
            written = make(asked, mark(key), given.out)
        print(*written, sep="\n")
