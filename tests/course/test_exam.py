"""Tests of the exam: what its notebooks contain, and the grades of generated submissions."""

import copy
import csv
import json
import random

import pytest

from book.build import exam as paper
from book.build import grades
from lstm_course.engine import slips
from lstm_course.exam import questions, secret
from lstm_course.questions import bank

KEY = b"a key that no phrase makes"
STEALING = '''
import os, pathlib, socket, subprocess

def {name}(*arguments):
    """Look for the key, and say what was found."""
    tries = [
        lambda: pathlib.Path({file!r}).read_text(),
        lambda: os.open({file!r}, os.O_RDONLY),
        lambda: os.listdir(os.path.dirname({file!r})),
        lambda: pathlib.Path(f"/proc/{{os.getppid()}}/environ").read_bytes(),
        lambda: pathlib.Path({file!r}).write_text("mine"),
        lambda: socket.create_connection(("127.0.0.1", {port})),
        lambda: subprocess.run(["cat", {file!r}]),
        lambda: os.kill(os.getppid(), 15),
        lambda: os.environ["THE_PHRASE"],
    ]
    for k, steal in enumerate(tries):
        try:
            steal()
        except (OSError, KeyError):
            continue
        return f"try {{k}} succeeded"
    raise ValueError("nothing found")
'''


@pytest.fixture(scope="module")
def exam(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exam")
    paths = paper.make(questions.questions(KEY), questions.mark(KEY), folder)
    read = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}
    return questions.questions(KEY), read


def fill(exam, answers):
    """Copy the students' notebook, and insert the answers, which are keyed by question number."""
    asked, notebook = exam[0], copy.deepcopy(exam[1]["exam"])
    names = {f"{questions.mark(KEY)}-{k}": k for k in asked}
    for cell in notebook["cells"]:
        if names.get(cell["id"]) in answers:
            cell["source"] = answers[names[cell["id"]]]
    return notebook


def hand_in(folder, student, notebook):
    """Write a submission, a dict or str, to nbgrader's path, FOLDER/STUDENT/exam/exam.ipynb."""
    (folder / student / "exam").mkdir(parents=True)
    text = notebook if isinstance(notebook, str) else json.dumps(notebook)
    (folder / student / "exam" / "exam.ipynb").write_text(text, encoding="utf-8")


def draw(asked, rng):
    """Answer each question rightly, wrongly or not at all, at random.

    Return the answers, their total points, and the descriptions of the mistakes. Answers and
    mistakes are keyed by question number.
    """
    answers, points, named = {}, 0, {}
    for k, question in asked.items():
        kind = rng.choice(["right", "right", "slip", "missing"])
        if kind == "right":
            answers[k] = question.answer
            points += 2 * question.is_code
        elif kind == "slip" and question.check:
            text, *places = rng.choice(question.check.slips)
            answers[k], named[k] = slips.changed(question.check.solution, *places), text
        elif kind == "slip" and question.is_code:
            wrong = rng.choice([n for n in range(4) if n != question.concept["right"]])
            answers[k] = f'answer = "{"ABCD"[wrong]}"  # sure'
            named[k] = question.concept["choices"][wrong][1]
    return answers, points, named


def generate(exam, folder, n):
    """Write n random submissions, and return each student's expected points and mistakes."""
    asked, expected = exam[0], {}
    for k in range(n):
        answers, points, named = draw(asked, random.Random(k))
        answers[len(asked)] = answers.get(len(asked), f"words of student {k}")
        hand_in(folder, f"drawn{k}", fill(exam, answers))
        expected[f"drawn{k}"] = points, named
    return expected


def test_students_notebook_reveals_no_answers_and_depends_on_key(exam):
    text = json.dumps(exam[1]["exam"])
    assert "SOLUTION" not in text and "checks" not in text
    for question in exam[0].values():
        if question.check:
            assert slips.source(question.check.solution)[1].strip() not in text
        else:
            assert question.concept["choices"] or question.concept["model"] not in text
    numbers = [secret.number(KEY, "formulas"), secret.number(KEY, "which questions")]
    assert not any(str(number)[:12] in text for number in numbers)
    assert secret.number(KEY, "q", "answer") != secret.number(KEY, "q", "data")
    other = questions.questions(b"another key")
    assert [q.task for q in exam[0].values()] != [q.task for q in other.values()]


def test_at_most_half_the_questions_ask_for_formulas_whose_code_is_public(exam):
    formulas = [question for question in exam[0].values() if question.check]
    assert 2 * len(formulas) <= len(exam[0])


def test_lecturers_own_questions_are_drawn_before_the_banks_questions():
    own = {f"mine_{name}": asked for name, asked in list(bank.BANK.items())[:4]}
    drawn = [q.name for q in questions.questions(KEY, own).values() if not q.check]
    assert sum(name in own for name in drawn) == 4 and len(drawn) == 6


def test_right_answers_are_spread_evenly_over_rows_and_letters():
    """Check the right answer's row in the bank, and its letter in the exam, over 200 keys."""
    keys = [bytes([k]) for k in range(200)]
    for name in ("needless", "six_claims"):
        drawn = [questions._concept(key, name, bank.BANK).concept for key in keys]
        for right in ([d["right"] for d in drawn], [d["model"] for d in drawn]):
            assert all(25 < right.count(one) < 80 for one in set(right))
            assert len(set(right)) == 4


def test_grades_equal_expected_points_mistakes_and_remarks(exam, tmp_path, monkeypatch):
    check_grades(exam, tmp_path, monkeypatch, 1)


@pytest.mark.soak
def test_thirty_grades_equal_expected_points_mistakes_and_remarks(exam, tmp_path, monkeypatch):
    check_grades(exam, tmp_path, monkeypatch, 22)


def check_grades(exam, tmp_path, monkeypatch, n):
    """Grade n random submissions and eight unusual ones, one of which looks for the key."""
    asked, folder = exam[0], tmp_path / "submitted"
    phrase = tmp_path / "phrase"
    phrase.write_text("the phrase itself", encoding="utf-8")
    monkeypatch.setenv("THE_PHRASE", "the phrase itself")
    expected = generate(exam, folder, n)
    right = {k: question.answer for k, question in asked.items()}
    hand_in(folder, "empty", exam[1]["exam"])
    hand_in(folder, "damaged", json.dumps(exam[1]["exam"])[:-40])
    hand_in(folder, "list", "[" * 100_000)
    hand_in(folder, "other", {"cells": []})
    (folder / "nothing").mkdir()
    few = {k: right[k] for k in (2, len(asked))}
    hand_in(folder, "ann", fill(exam, few))
    hand_in(folder, "bob", fill(exam, few | {2: "# mine\n" + right[2]}))
    bad = {1: f"def {asked[1].name}(*a):\n    while True:\n        pass"}
    bad[2] = f"import os\n\ndef {asked[2].name}(*a):\n    os._exit(0)"
    bad[3] = STEALING.format(name=asked[3].name, file=str(phrase), port=9)
    bad[4] = f"def {asked[4].name}(:"
    bad[5] = f"%matplotlib inline\n{right[5]}"
    hand_in(folder, "eve", fill(exam, bad))
    every = {graded.student: graded for graded in grades.grade(folder, asked, questions.mark(KEY))}
    for student, (points, named) in expected.items():
        assert sum(every[student].points.values()) == points
        assert not every[student].remark
        for k, text in named.items():
            assert text in every[student].slips[k]
    for student, other in ("ann", "bob"), ("bob", "ann"):
        assert every[student].remark == f"the same answers as {other}"
        assert sum(every[student].points.values()) == 2 * (1 + asked[len(asked)].is_code)
    for student, said in {
        "empty": "empty: no answer is written",
        "damaged": "damaged: this is no notebook (JSONDecodeError)",
        "list": "damaged: this is no notebook (RecursionError)",
        "other": "no answer of this exam is in it",
        "nothing": "no notebook",
    }.items():
        assert every[student].remark == said
    eve = every["eve"]
    assert sum(eve.points.values()) == 2 and eve.points[5] == 2
    assert "your function was stopped" in eve.slips[1] and "stopped" in eve.slips[2]
    assert eve.slips[3].endswith("your code raised an error. ValueError: nothing found")
    assert "SyntaxError" in eve.slips[4]
    assert phrase.read_text(encoding="utf-8") == "the phrase itself"
    paths = grades.write(every.values(), asked, tmp_path / "grades")
    with open(paths[0], encoding="utf-8", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows["ann"]["remark"] == "the same answers as bob" and rows.keys() == every.keys()
