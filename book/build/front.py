"""The list of lessons on the book's front page and in the pages of `run`.

The README has each lesson's question, and marks the core lessons.
"""

import html
import re
from typing import NamedTuple

from book.build import LESSONS, ROOT, SOLUTIONS, prose, read

MARK = "<!-- the lessons -->"  # placeholder for the list of lessons on the front page
TIME = re.compile(r"\*\*Time\*\*: (\d+) minutes to read; (.+) to run\b")


# heading of an exercise: number, title, minutes, level, core or optional
EXERCISE = re.compile(
    r"^## (\d+)\. (.+)\n\n\*(\d+) minutes · level (\d) of 3 · (core|optional)\*$", re.M
)


class Lesson(NamedTuple):
    """A lesson's number, title, minutes to read, time to run, and page."""

    number: str
    title: str
    read: str
    run: str
    page: str


def lessons():
    """Return all lessons in reading order."""
    found = []
    for path in LESSONS:
        text, number = prose(path), path.stem.split("_")[0]
        title, times = re.match("# (.+)", text)[1], TIME.search(text).groups()
        found.append(Lesson(number, title, *times, f"notebooks/{path.stem}.html"))
    return found


def exercises():
    """Map an exercise's number to its minutes, level, "core" or "optional", and title."""
    return {
        f"{path.stem.split('_')[0]}.{k}": (int(minutes), int(level), mark, title)
        for path in SOLUTIONS
        for k, title, minutes, level, mark in EXERCISE.findall(prose(path))
    }


def path():
    """Convert the README's list of lessons to HTML: one card per lesson, grouped by question."""
    by_number = {lesson.number: lesson for lesson in lessons()}
    minutes, text = {"core": 0, "optional": 0}, ""
    listed = read(ROOT / "README.md").split("## The lessons\n")[1].split("\n## ")[0]
    for group in re.split(r"^\d+\. ", listed, flags=re.M)[1:]:
        question, cards = re.match(r"\*(.+)\*$", group, re.M)[1], ""
        for bold, number, asks in re.findall(r"- (\**)\[(\w+)\]\(\S+\) (.+?)\**$", group, re.M):
            lesson, kind = by_number[number], "core" if bold else "optional"
            mark = "" if bold else "optional; "
            minutes[kind] += int(lesson.read)
            cards += (
                f'<li class="{kind}"><a href="{lesson.page}"><b>{number}</b> {html.escape(asks)}'
                f"</a> <small>{mark}{lesson.read} minutes</small></li>"
            )
        text += f"<li><p>{html.escape(question)}</p><ul>{cards}</ul></li>"
    every = [(mark, length) for length, _, mark, _ in exercises().values()]
    core = minutes["core"], sum(length for mark, length in every if mark == "core")
    whole = sum(minutes.values()), sum(length for _, length in every)
    return (
        f'<ol class="path">{text}</ol>\n\n'
        f"The core is {core[0] / 60:.0f} hours of reading and {core[1] / 60:.0f} of exercises, "
        f"all of it {whole[0] / 60:.0f} and {whole[1] / 60:.0f}.\n"
    )
