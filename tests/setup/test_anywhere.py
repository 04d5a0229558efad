"""Where else the course runs, and what a teacher reads.

The recipes hold to the Makefile, the tables to the notebooks.
"""

import copy
import itertools
import json
import re
import subprocess
import tomllib

import colab
import pytest
import reading_time
import yaml
from conftest import ROOT

TEACHER = (ROOT / "book" / "teacher.md").read_text(encoding="utf-8")


def by_number(folder):
    """The notebooks of a folder: "03", "05a", …"""
    return {path.stem.split("_")[0]: path for path in sorted(folder.glob("[0-9]*.ipynb"))}


def cells_of(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def source(cell):
    return "".join(cell["source"])


LESSONS = by_number(ROOT / "notebooks")
SOLUTIONS = by_number(ROOT / "notebooks" / "solutions")
# "04.2": minutes, level, whether it is core, title
HEAD = re.compile(r"(?m)^## (\d+)\. (.+)\n\n\*(\d+) minutes · level (\d) of 3 · (core|optional)\*$")
EXERCISES = {
    f"{number}.{k}": (int(minutes), int(level), mark, title)
    for number, path in SOLUTIONS.items()
    for cell in cells_of(path)
    for k, title, minutes, level, mark in HEAD.findall(source(cell))
}
NUMBERED = sorted(LESSONS)


def minutes_to_read(number):
    text = "\n".join(map(source, cells_of(LESSONS[number])[:3]))
    return int(re.search(r"\*\*Time\*\*:? ?(\d+) minutes to read", text)[1])


def rows(section):
    """The cells of the table under a heading of the teacher's page."""
    table = TEACHER.split(f"## {section}\n")[1].split("\n## ")[0]
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in table.splitlines()
        if re.match(r"\| +\d", line)
    ]


def test_the_teacher_s_page_names_each_exercise_as_it_is():
    named = {}
    for exercise, minutes, level, mark, trains in rows("What each exercise trains"):
        number, lesson, title, page = re.fullmatch(
            r"((\w+)\.\d+) \[(.+)\]\(\.\./notebooks/exercises/(.+)\)", exercise
        ).groups()
        named[number] = int(minutes), int(level), mark, title
        assert page == SOLUTIONS[lesson].name and trains
    assert named == EXERCISES


README = (ROOT / "README.md").read_text(encoding="utf-8")


def listed_lessons():
    return re.findall(r"^   - (\**)\[(\w+)\]\(notebooks/(\S+)\) .+\?(\**)$", README, re.M)


def core_lessons():
    return [number for bold, number, _, end in listed_lessons() if bold == end == "**"]


def test_the_readme_names_each_lesson_once_and_states_the_hours():
    """Those of the core, which stands in bold, and those of all lessons."""
    listed = listed_lessons()
    assert [(number, page) for _, number, page, _ in listed] == [
        (number, path.name) for number, path in LESSONS.items()
    ]
    core = core_lessons()
    stated = []
    for numbers in (core, list(LESSONS)):
        minutes = sum(n for name, (n, *_) in EXERCISES.items() if name.split(".")[0] in numbers)
        stated += [round(sum(map(minutes_to_read, numbers)) / 60), round(minutes / 60)]
    said = r"(\d+) hours to read and (\d+) for its exercises; all lessons take (\d+) and (\d+)\."
    assert [int(n) for n in re.search(said, " ".join(README.split())).groups()] == stated


def test_core_are_the_core_lessons_exercises_that_the_short_plan_has():
    plan = " ".join(map(" ".join, rows("A plan of 6 lessons")))
    for name, (*_, mark, _) in EXERCISES.items():
        is_core = name.split(".")[0] in core_lessons() and re.search(rf"\b{name}\b", plan)
        assert mark == ("core" if is_core else "optional"), name


LAST = "11"  # lesson on the paper


@pytest.mark.parametrize(
    "section, longest, leaves_some_out",
    [
        ("A plan of 6 lessons", 90, True),
        ("A plan of 12 lessons", 75, False),
        ("Past the paper", 75, False),
    ],
)
def test_the_plans_add_up(section, longest, leaves_some_out):
    past = section == "Past the paper"
    lessons = [number for number in LESSONS if (number > LAST) == past]
    exercises_of = [name for name in EXERCISES if (name.split(".")[0] > LAST) == past]
    read, used, plan = {}, [], rows(section)
    assert [row[0] for row in plan] == [str(k) for k in range(1, len(plan) + 1)]
    assert past or section == f"A plan of {len(plan)} lessons"
    for _, notebooks, minutes, in_class, in_class_minutes, at_home, at_home_minutes in plan:
        numbers = re.findall(r"\[(\d\d[a-z]?)\]", notebooks)
        if "half" not in notebooks:
            assert int(minutes) == sum(map(minutes_to_read, numbers)), notebooks
        read["+".join(numbers)] = read.get("+".join(numbers), 0) + int(minutes)
        for exercises, total in ((in_class, in_class_minutes), (at_home, at_home_minutes)):
            named = re.findall(r"\d\d[a-z]?\.\d+", exercises)
            of_these = sum(EXERCISES[name][0] for name in named)
            assert int(total) == of_these, f"{section}: {exercises} take {of_these} minutes"
            assert {name.split(".")[0] for name in named} <= set(numbers), exercises
            used += named
        assert int(minutes) + int(in_class_minutes) <= longest
    assert len(used) == len(set(used)) and sorted("+".join(read).split("+")) == lessons
    assert sum(read.values()) == sum(map(minutes_to_read, lessons))
    left_out = sorted(set(exercises_of) - set(used))
    assert leaves_some_out or not left_out, f"{section}: no row has {left_out}"
    assert set(used) <= set(exercises_of)


@pytest.mark.parametrize("number", NUMBERED)
def test_a_lesson_takes_the_minutes_that_it_states(number):
    assert abs(minutes_to_read(number) - reading_time.minutes(LESSONS[number])) <= 3


@pytest.mark.parametrize("number", NUMBERED)
def test_three_questions_come_before_their_results(number):
    cells = cells_of(LESSONS[number])
    asks = [k for k, cell in enumerate(cells) if "**Predict first.**" in source(cell)]
    assert len(asks) >= 3 and all(cells[k + 1]["cell_type"] == "code" for k in asks)
    assert all("<summary>Answer</summary>\n\n" in source(cells[k]) for k in asks)


@pytest.mark.parametrize("number", NUMBERED)
def test_exercises_have_the_numbers_of_their_notebook_everywhere(number):
    lesson, solutions = (
        "\n".join(source(cell) for cell in cells_of(path) if cell["cell_type"] == "markdown")
        for path in (LESSONS[number], SOLUTIONS.get(number, LESSONS[number]))
    )
    item = r"^- \*\*(\d\d[a-z]?\.\d)\*\* (.+) \*\((\d+) minutes\)\*$"
    listed = {name: (int(n), title) for name, title, n in re.findall(item, lesson, re.MULTILINE)}
    own = {name: of for name, of in EXERCISES.items() if name.split(".")[0] == number}
    assert listed == {name: (minutes, title) for name, (minutes, _, _, title) in own.items()}
    named = re.findall(r"\b[Ee]xercise (\d+[a-z]?\.\d+|\d)", f"{lesson}\n{solutions}")
    assert set(named) <= set(EXERCISES)


@pytest.mark.parametrize(
    "path",
    [*LESSONS.values(), *SOLUTIONS.values()],
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_colab_s_cell_goes_in_once_and_the_rest_stays(path):
    """As it is stored, and where it is not in it: else, say python book/colab.py."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    is_lesson = path.parent.name == "notebooks"
    assert colab.with_cell(copy.deepcopy(notebook), is_lesson) == notebook
    bare = [cell for cell in copy.deepcopy(notebook["cells"]) if cell["id"] != "colab"]
    if is_lesson:
        title = bare.pop(0)
        bare[0]["source"] = [*title["source"], "\n\n", *bare[0]["source"]]
    title, *rest = colab.with_cell({**notebook, "cells": bare}, is_lesson)["cells"]
    assert title["source"] == notebook["cells"][0]["source"] and rest == notebook["cells"][1:]


def test_colab_s_cell_fetches_the_course_on_colab_alone():
    did = []

    class Shell:
        system = did.append

    code = colab.CELL.format(address="https://example.org/course", noqa="")
    exec(code, {"get_ipython": Shell})
    assert not did
    Shell.__module__ = "google.colab._shell"  # as Colab's own is called
    exec(code, {"get_ipython": Shell})
    assert did == ["git clone -q https://example.org/course /c; sh /c/book/colab.sh"]


def test_colab_links_each_folder_that_a_notebook_reads():
    script = (ROOT / "book" / "colab.sh").read_text(encoding="utf-8")
    code = [c for p in [*LESSONS.values(), *SOLUTIONS.values()] for c in cells_of(p)]
    read = re.findall(r"\"(?:\.\./)+(\w+)/", "\n".join(map(source, code)))
    assert {f"/c/{folder}" for folder in read} <= set(script.split()) and len(read) > 30


def recipe(name):
    """A workflow: what starts it, and each row of its matrix with the make commands it runs."""
    workflow = ROOT / ".github" / "workflows" / f"{name}.yml"
    told = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    job = told["jobs"]["test"]
    steps = [step["run"] for step in job["steps"] if step.get("run", "").startswith("make ")]
    matrix = job["strategy"]["matrix"]
    each = [dict(zip(matrix, row)) for row in itertools.product(*matrix.values())]
    filled = "${{ matrix.constraints }}"
    return told[True], [  # YAML 1.1 reads `on` as true
        (row, [step.replace(filled, row.get("constraints", filled)) for step in steps])
        for row in matrix.get("include") or each
    ]


def make_knows(command, *flags):
    done = [*command.split(), "--dry-run", *flags]
    subprocess.run(done, cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize(
    "name, n_rows, n_commands, starts",
    [("weekly", 2, 2, "schedule"), ("push", 12, 2, "pull_request")],
)
def test_the_recipes_say_what_the_makefile_knows(name, n_rows, n_commands, starts):
    when, rows = recipe(name)
    assert starts in when and len(rows) == n_rows
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == f">={rows[0][0]['python']}"  # the oldest is tested
    for _, commands in rows:
        assert len(commands) == n_commands and "$" not in "".join(commands)
        for command in commands:
            make_knows(command, "--always-make")


def test_what_is_pushed_is_tested_on_every_system_and_every_python():
    told = [(row["system"], row["python"]) for row, _ in recipe("push")[1]]
    pythons = [f"3.{minor}" for minor in range(11, 15)]
    assert told == list(itertools.product(("ubuntu", "windows", "macos"), pythons))


def test_the_devcontainer_says_what_the_makefile_knows():
    path = ROOT / ".devcontainer" / "devcontainer.json"
    container = json.loads(path.read_text(encoding="utf-8"))
    assert container["forwardPorts"] == [8888]
    for command in (container["postCreateCommand"], container["postAttachCommand"]):
        make_knows(command)
