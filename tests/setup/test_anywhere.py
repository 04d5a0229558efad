"""Tests of CI workflows, Colab cells, lists of lessons and exercises, and stated minutes."""

import copy
import json
import re
import subprocess

import pytest
import yaml
from conftest import ROOT

from book.build import colab, front, reading_time

TEACHER = (ROOT / "book" / "pages" / "teacher.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def by_number(folder):
    """Map lesson numbers such as "05a" to the notebooks of a folder."""
    return {path.stem.split("_")[0]: path for path in sorted(folder.glob("[0-9]*.ipynb"))}


def sources(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells)


LESSONS = by_number(ROOT / "notebooks")
SOLUTIONS = by_number(ROOT / "notebooks" / "solutions")
EXERCISES = front.exercises()
READING = {number: reading_time.stated(path) for number, path in LESSONS.items()}


def lesson_of(exercise):
    return exercise.split(".")[0]


def rows(section):
    """Return the table rows under a heading of the teacher's page, as lists of cells."""
    table = TEACHER.split(f"## {section}\n")[1].split("\n## ")[0]
    lines = re.findall(r"^\| +(\d.*) \|$", table, re.M)
    return [[cell.strip() for cell in line.split(" | ")] for line in lines]


def test_teachers_page_lists_every_exercise():
    named = {}
    for exercise, minutes, level, mark, _ in rows("What each exercise trains"):
        link = r"((\w+)\.\d+) \[(.+)\]\(\.\./\.\./notebooks/exercises/(.+)\)"
        number, lesson, title, page = re.fullmatch(link, exercise).groups()
        named[number] = int(minutes), int(level), mark, title
        assert page == SOLUTIONS[lesson].name
    assert named == EXERCISES


LISTED = re.findall(r"^   - (\**)\[(\w+)\]\(notebooks/(\S+)\) .+\?\**$", README, re.M)
CORE = [number for bold, number, _ in LISTED if bold]


def test_readme_lists_every_lesson():
    pages = {number: page for _, number, page in LISTED}
    assert pages == {number: path.name for number, path in LESSONS.items()}


def test_pages_state_time_of_core_and_of_whole_course():
    """The core is the README's lessons in bold, and their exercises in the plan of six sessions."""
    plan = " ".join(map(" ".join, rows("A plan of 6 sessions")))
    for name, (*_, mark, _) in EXERCISES.items():
        is_core = lesson_of(name) in CORE and re.search(rf"\b{name}\b", plan)
        assert mark == ("core" if is_core else "optional"), name
    core = (
        sum(READING[n] for n in CORE),
        sum(m for m, _, mark, _ in EXERCISES.values() if mark == "core"),
    )
    whole = sum(READING.values()), sum(minutes for minutes, *_ in EXERCISES.values())
    said = "{} hours to read and {} for its exercises; all lessons take {} and {}."
    assert said.format(*(round(n / 60) for n in core + whole)) in " ".join(README.split())
    hours = "{:.0f} hours of reading and {:.0f} of exercises, all of it {:.0f} and {:.0f}."
    assert hours.format(*(n / 60 for n in core + whole)) in front.path()
    text = TEACHER.split("## Core\n")[1].split("\n## ")[0]
    assert [int(n.replace(",", "")) for n in re.findall(r"\b[\d,]{3,}\b", text)] == [*core, *whole]


PLANS = "A plan of 6 sessions", "A plan of 12 sessions", "A third term, past the paper"


@pytest.mark.parametrize("plan", PLANS)
def test_plan_states_minutes_and_fits_its_sessions(plan):
    """Check the stated minutes, and that reading and work in class fit into each session."""
    text = TEACHER.split(f"## {plan}\n")[1]
    limit = int(re.search(r"For sessions of (\d+) minutes", text)[1])
    for k, (number, lessons, read, *work) in enumerate(rows(plan), 1):
        in_class, home = ([EXERCISES[name][0] for name in cell.split(", ")] for cell in work[::2])
        minutes = [
            sum(READING[n] for n in re.findall(r"\[(\w+)\]", lessons)),
            sum(in_class),
            sum(home),
        ]
        assert [int(number), int(read), *map(int, work[1::2])] == [k, *minutes]
        assert minutes[0] + minutes[1] <= limit


def test_long_plans_cover_course_once_and_short_plan_covers_paper():
    short, *long = map(rows, PLANS)
    lessons = [re.findall(r"\[(\w+)\]", row[1]) for row in [*long[0], *long[1]]]
    assert sum(lessons, []) == list(LESSONS)
    names = [
        name for row in [*long[0], *long[1]] for cell in row[3::2] for name in cell.split(", ")
    ]
    assert sorted(names) == sorted(EXERCISES)
    paper = [number for number in LESSONS if number < "12"]
    assert [n for row in short for n in re.findall(r"\[(\w+)\]", row[1])] == paper


@pytest.mark.parametrize("number", LESSONS)
def test_lesson_states_reading_time_and_lists_exercises(number):
    assert abs(READING[number] - reading_time.minutes(LESSONS[number])) <= 3
    text = sources(LESSONS[number])
    item = r"^- \*\*(\d\d[a-z]?\.\d)\*\* (.+) \*\((\d+) minutes\)\*$"
    listed = {(name, title, int(n)) for name, title, n in re.findall(item, text, re.M)}
    known = {(k, title, n) for k, (n, _, _, title) in EXERCISES.items() if lesson_of(k) == number}
    assert listed == known
    text += sources(SOLUTIONS.get(number, LESSONS[number]))
    named = re.findall(r"\b[Ee]xercise (\d+[a-z]?\.\d+|\d)", text)
    assert set(named) <= set(EXERCISES)


@pytest.mark.parametrize("folder", ["notebooks", "notebooks/solutions"])
def test_colab_cell_is_up_to_date(folder):
    """If this fails, run `python -m book.build.colab`."""
    for path in by_number(ROOT / folder).values():
        notebook = json.loads(path.read_text(encoding="utf-8"))
        bare = [cell for cell in copy.deepcopy(notebook["cells"]) if cell["id"] != "colab"]
        assert colab.with_cell(notebook | {"cells": bare}) == notebook, path


RECIPES = [
    (ROOT / ".github" / "workflows" / "push.yml").read_text(encoding="utf-8"),
    (ROOT / ".github" / "workflows" / "weekly.yml").read_text(encoding="utf-8"),
    (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"),
]


def test_ci_covers_every_system_and_calls_existing_make_targets():
    push, weekly = (yaml.safe_load(text)["jobs"]["test"]["strategy"] for text in RECIPES[:2])
    assert push["matrix"]["system"] == ["ubuntu", "windows", "macos"]
    assert push["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert [row["python"] for row in weekly["matrix"]["include"]] == ["3.11", "3.13"]
    commands = re.findall(r"(?:run: |\")(make [^\"\n]+)", "\n".join(RECIPES))
    for command in commands:
        filled = re.sub(r"\$\{\{.+?\}\}", "build/oldest.txt", command).split()
        subprocess.run([*filled, "-nB"], cwd=ROOT, check=True, capture_output=True)
