"""Tests of the page about a class, made from thirty generated records or an exam's grades."""

import base64
import html
import io
import json
import random
import re
import statistics

import pytest
from conftest import ROOT
from PIL import Image
from processes import python

from book.build import class_page, grades
from lstm_course import checks
from lstm_course.engine import record
from lstm_course.exam import questions
from lstm_edu._util.files import InputError

# for each check: the probability that a try is right, and how many of 30 students get that far
CHANCES = {
    "letter_trigrams": (0.9, 30),
    "hashing_operator": (0.6, 30),
    "step_lstm": (0.7, 29),
    "sigmoid": (0.8, 28),
    "peepholes": (0.4, 27),
    "send_back": (0.5, 22),
    "weights_gradient": (0.15, 20),
    "error_of_c": (0.6, 11),
    "three_bugs": (0.3, 9),
}
N, TITLES = 30, class_page.exercises()


def line(exercise, k, minutes, slip):
    return json.dumps(dict(zip(record.FIELDS, (exercise, k, minutes, slip))))


def a_class(folder):
    """Write thirty students' records; return each student's tries (mistake or None) by check."""
    rng, students = random.Random(7), []
    for student in range(N):
        lines, tried = [], {}
        for name, (chance, so_far) in CHANCES.items():
            if student >= so_far:
                break
            rows, tries = [text for text, *_ in getattr(checks, f"check_{name}").slips], []
            while (not tries or tries[-1]) and len(tries) < 7:
                slip = rng.choice([rows[0], rows[0], *rows])
                tries.append(None if rng.random() < chance else slip)
                lines.append(line(name, len(tries), 1.5 * len(tries), tries[-1]))
            if tries[-1] is None:  # tries after the right one don't count
                lines += [
                    line(name, len(tries) + k, 99, slip) for k, slip in ((1, rows[-1]), (2, None))
                ]
            tried[name] = tries
        path = folder / f"student {student}" / "01" / record.FILE
        path.parent.mkdir(parents=True)
        path.write_text("\n".join(["", *lines, ""]), encoding="utf-8")
        students.append(tried)
    return students


def cells(page, n):
    """Return the rows of the page's n-th table."""
    table = re.findall(r"<tbody>(.*?)</tbody>", page, re.S)[n]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in table.split("</tr>")[:-1]]
    return [[html.unescape(re.sub("<.*?>", "", cell)) for cell in row] for row in rows]


def test_page_shows_statistics_of_thirty_students_but_no_names(tmp_path):
    students = a_class(tmp_path / "class")
    for path in list((tmp_path / "class").glob("*/01/*")):  # an earlier submission
        again = path.parent.with_name("00") / record.FILE
        again.parent.mkdir()
        first = [row for row in path.read_text(encoding="utf-8").split("\n") if '"try": 1,' in row]
        again.write_text("\n".join(first), encoding="utf-8")
    page = class_page.make([tmp_path / "class"], tmp_path).read_text(encoding="utf-8")
    assert f"{N} students and {len(CHANCES)} exercises" in page and "student 0" not in page

    rows = {row[0]: row[1:] for row in cells(page, 0)}
    assert list(rows) == [title for title in dict.fromkeys(TITLES.values()) if title in rows]
    for name in CHANCES:
        tries = [student[name] for student in students if name in student]
        first, never = sum(t == [None] for t in tries), sum(t[-1] is not None for t in tries)
        n, share, median, minutes, failed = rows[TITLES[name]]
        assert (int(n), int(failed)) == (len(tries), never)
        solved = [len(t) for t in tries if t[-1] is None]
        assert float(median) == statistics.median(solved)
        assert float(minutes) == statistics.median(round(1.5 * k) for k in solved)
        assert share.startswith(f"{round(100 * first / len(tries))} % (")

    told = {}
    for student in students:
        for name, tries in student.items():
            for slip in set(tries) - {None}:
                told[slip, TITLES[name]] = told.get((slip, TITLES[name]), 0) + 1
    found = {(slip, title): int(n) for slip, title, n in cells(page, 1)}
    assert found == {key: told[key] for key in found} and len(found) == 15
    assert min(found.values()) >= max(n for key, n in told.items() if key not in found) > 1

    figures = re.findall(r'<img src="data:image/png;base64,(\S+)" width="\d+" alt="(.+?)">', page)
    lost = sum(None not in s["weights_gradient"] for s in students if "weights_gradient" in s)
    stuck = [s for s in students if list(s)[-1] == "weights_gradient"]
    gave_up = sum(None not in s["weights_gradient"] for s in stuck)
    assert len(figures) == 2 and lost and "not right" in figures[0][1]
    assert f"04.2 ({lost})" in figures[0][1] and f"04.2 ({len(stuck) - gave_up})" in figures[1][1]
    for data, _ in figures:
        assert Image.open(io.BytesIO(base64.b64decode(data))).width > 800
    assert not re.search(r"(src|href)=\"(?!data:)", page) and "<script" not in page


def test_page_can_be_made_from_grades_of_an_exam(tmp_path):
    asked = questions.questions(b"a key")
    right = {k: questions.POINTS for k, q in asked.items() if q.is_code}
    slips = {1: "y(t) is wrong. f(t) is missing", 2: grades.MISSING}
    every = [
        grades.Graded("=ann", "", right),
        grades.Graded("bob", "", right | {1: 0, 2: 0}, slips),
    ]
    grades.write([*every, grades.Graded("eve", "damaged")], asked, tmp_path / "grades")
    made = class_page.make([tmp_path / "grades"], tmp_path).read_text(encoding="utf-8")
    assert "2 students" in made and "an exam" in made and "bob" not in made
    rows = cells(made, 0)
    assert [row[1:3] for row in rows[:2]] == [["2", "50 % (9 to 91)"], ["1", "100 % (21 to 100)"]]


def test_page_skips_damaged_lines_and_escapes_hostile_ones(tmp_path):
    hostile = "<script>alert(1)</script> $about ${tries} $x$"
    for name in "ab":
        path = tmp_path / name / record.FILE
        path.parent.mkdir()
        lines = [line("let_in", 1, 0, hostile), line("let_in", 2, 1e308, None), "[" * 9999]
        lines += [line("nothing", 1, 0, None), line("let_in", 1, float("nan"), None), '"\ud83d"']
        path.write_text("\n".join(lines), encoding="utf-8", errors="replace")
    page = class_page.make([tmp_path], tmp_path).read_text(encoding="utf-8")
    assert cells(page, 1) == [[hostile, TITLES["let_in"], "2"]] and "<script" not in page
    assert cells(page, 0)[0][1:] == ["2", "0 % (0 to 66)", "–", "–", "2"]


def test_class_without_records_is_refused_with_one_line_message(tmp_path):
    done = python("-m", "book.build.class_page", str(tmp_path), cwd=ROOT)
    assert done.returncode == 2 and "no record of a check" in done.stderr.splitlines()[0]
    (tmp_path / "grades.csv").write_text("assignment,student_id,score\n", encoding="utf-8")
    with pytest.raises(InputError, match="not the grades of an exam"):
        class_page.make([tmp_path], tmp_path)
