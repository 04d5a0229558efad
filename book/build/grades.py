"""Grading of exam submissions: points, mistakes, and the answers that a person has to grade.

Submitted functions run in another process: see `lstm_course.engine.sandbox.submission`. Answers to
multiple-choice questions are parsed, not run. If a submission can't be graded, its remark says why.
"""

import ast
import contextlib
import csv
import io
import json
import pathlib
import re
from typing import NamedTuple
from unittest.mock import patch

from lstm_course.engine.report import Wrong
from lstm_course.engine.sandbox import client
from lstm_course.engine.sandbox.submission import replayed
from lstm_course.engine.shown import LIKELY
from lstm_course.exam.questions import LETTERS, POINTS, stub
from lstm_course.plots.tables import table
from lstm_edu._util.files import InputError

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Exam</title><style>
body { font: 16px sans-serif } td { white-space: pre-line; vertical-align: top }</style>
"""
# the maximum size of a notebook in bytes, and the mistake reported for an unanswered question
LARGEST, MISSING = 10_000_000, "no answer"
DAMAGED = ValueError, TypeError, AttributeError, LookupError, RecursionError
MAGIC = re.compile(r"^\s*[%!].*$", re.MULTILINE)  # IPython's magics and shell commands
CHOSEN = re.compile(r"^answer\s*=\s*['\"]?\(?([a-d])\)?['\"]?\s*(#.*)?$", re.MULTILINE | re.I)


class Graded(NamedTuple):
    """A submission's points, mistakes and answers in words, each keyed by question number."""

    student: str
    remark: str
    points: dict = {}
    slips: dict = {}
    words: dict = {}


def grade(folder, asked, begin):
    """Grade every submission in a folder.

    Parameters
    ----------
    folder : str or path
        Contains ``STUDENT/exam/exam.ipynb`` (as nbgrader collects it) or ``STUDENT.ipynb``.
    asked : dict
        Questions, keyed by number.
    begin : str
        The exam's `mark`, with which the ids of its answer cells begin.

    Returns
    -------
    list of Graded

    Raises
    ------
    InputError
        The folder doesn't exist, or no submission in it belongs to this exam.
    """
    found = {student: read(paths, begin) for student, paths in submissions(folder).items()}
    if not any(answers for answers, _ in found.values()):
        raise InputError(f"{folder}: no submission of this exam; is it the right phrase?")
    alike = {}
    for student, (answers, _) in found.items():
        same = tuple(without_layout(answers.get(k, "")) for k in asked)
        alike.setdefault(same, []).append(student)
    twins = {
        student: [s for s in same if s != student] for same in alike.values() for student in same
    }
    return [graded(student, *found[student], asked, twins[student]) for student in found]


def submissions(folder):
    """Map each student's name to the paths of the submitted notebooks."""
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder")
    found = {}
    for path in sorted(folder.glob("[!.]*")):
        inner = [p for p in path.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts]
        if path.is_dir() or path.suffix == ".ipynb":
            found[path.stem] = inner if path.is_dir() else [path]
    return found


def read(paths, begin):
    """Return a submission's answers by question number, and its code; or {} and a message."""
    if len(paths) != 1:
        return {}, f"{len(paths)} notebooks, and one is expected" if paths else "no notebook"
    if paths[0].is_symlink() or paths[0].stat().st_size > LARGEST:
        return {}, "a link, or larger than 10 MB: not read"
    answers, code = {}, []
    try:
        for cell in json.loads(paths[0].read_text(encoding="utf-8"))["cells"]:
            source = "".join(cell["source"])
            name = cell["metadata"].get("nbgrader", {}).get("grade_id") or cell.get("id")
            if number := re.fullmatch(rf"{begin}-(\d+)", str(name)):
                answers[int(number[1])] = source
            if cell["cell_type"] == "code":
                code.append(MAGIC.sub("", source))
    except DAMAGED as error:
        return {}, f"damaged: this is no notebook ({type(error).__name__})"
    return answers, code if answers else "no answer of this exam is in it"


def without_layout(source):
    """Return code without comments and layout, to find identical answers."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return " ".join(source.split())


def graded(student, answers, code, asked, twins):
    """Grade one submission; ``twins`` are the students who submitted the same answers.

    If there are no answers, ``code`` is the message of `read`, which becomes the remark.
    """
    if not answers:
        return Graded(student, code)
    found = {k: slip(question, answers.get(k, "").strip(), code) for k, question in asked.items()}
    slips = {k: text for k, text in found.items() if text}
    points = {k: 0 if text else POINTS for k, text in found.items() if text is not None}
    words = {k: answers[k] for k, text in found.items() if text is None}
    remark = f"the same answers as {', '.join(twins)}" if twins else ""
    if set(found.values()) == {MISSING}:
        return Graded(student, "empty: no answer is written", points)
    return Graded(student, remark, points, slips, words)


def slip(question, answer, code):
    """Describe an answer's mistake; return "" if it is right, None if a person must grade it."""
    if answer in ("", stub(question)):
        return MISSING
    if not question.is_code:
        return None
    return of_formula(question, code) if question.check else of_choice(question, answer)


def of_formula(question, code):
    """Check a submitted function; return a description of its mistake, or "" if it is right."""
    no_worker = patch.object(client, "ending", lambda *_: None)
    with no_worker, contextlib.redirect_stdout(io.StringIO()):
        try:
            question.check(replayed(code, question.name, question.check.inputs()))
        except Wrong as wrong:
            said, _, reason = str(wrong).partition(LIKELY)
            came = re.findall(r"\n  came +(.+)", said)
            return " ".join([said.splitlines()[0], *([reason] if reason else came)])
    return ""


def of_choice(question, source):
    """Return the chosen answer and the evidence that would support it, or "" if it is right."""
    if not (chosen := CHOSEN.findall(source)):
        return "no letter is chosen"
    k = LETTERS.index(chosen[-1][0].lower())
    text, evidence = question.concept["choices"][k]
    return "" if k == question.concept["right"] else f"{text}: this would show as {evidence}"


def write(every, asked, folder):
    """Write ``grades.csv``, with empty cells for answers graded by hand, and ``grades.html``.

    Parameters
    ----------
    every : list of Graded
    asked : dict
    folder : str or path

    Returns
    -------
    list of path
    """
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    names = {k: f"{k} {q.name}{'' if q.is_code else ' (by hand)'}" for k, q in asked.items()}
    head = ["student", "points", *names.values(), "remark", "slips"]
    rows = [
        [g.student, sum(g.points.values()), *(g.points.get(k, "") for k in asked), g.remark]
        + ["\n".join(f"{k}: {slip}" for k, slip in g.slips.items())]
        for g in every
    ]
    with open(folder / "grades.csv", "w", encoding="utf-8", newline="") as file:
        # escape cells that spreadsheets would read as formulas
        safe = [[re.sub(r"^(?=[=+@-])", "'", str(part)) for part in row] for row in [head, *rows]]
        csv.writer(file).writerows(safe)
    words = [
        [g.student, names[k], asked[k].concept["model"], asked[k].concept["rubric"], text]
        for g in every
        for k, text in g.words.items()
    ]
    by_hand = table(words, "student", "question", "model answer", "rubric", "answer")
    page = PAGE + table(rows, *head)._repr_html_() + by_hand._repr_html_()
    (folder / "grades.html").write_text(page, encoding="utf-8", newline="\n")
    return [folder / "grades.csv", folder / "grades.html"]
