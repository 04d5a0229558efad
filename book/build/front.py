"""The list of lessons on the book's front page and in the pages of `course.py run`.

The first sentence of a lesson's "What you need" names the lessons that it builds on. The README has
each lesson's question, and marks the core lessons.
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
    """A lesson's number, title, required lessons, minutes to read, time to run, and page."""

    number: str
    title: str
    needs: list
    read: str
    run: str
    page: str


def named(sentence):
    """Return the numbers of the lessons that a sentence mentions, such as 05a or [01](…) to 03."""
    text = re.sub(r"\]\([^)]*\)|\[", "", sentence)
    found = re.findall(r"(?<!\()\b[01]\d[ab]?\b(?!\))", text)  # except equations such as (10)
    for low, high in re.findall(r"\b([01]\d) to ([01]\d)\b", text):
        found += [f"{k:02}" for k in range(int(low), int(high))]
    return set(found)


def lessons():
    """Return all lessons in reading order."""
    numbers, found = [path.stem.split("_")[0] for path in LESSONS], []
    for number, path in zip(numbers, LESSONS):
        text = prose(path)
        need = re.search(r"\*\*What you need\*\*: (.+?)(?:\.\s(?=[A-Z])|\.?$)", text, re.M)
        # "lesson 05" means both 05a and 05b
        needs = [n for n in numbers if {n, n[:2]} & named(need[1]) and n != number]
        title, times = re.match("# (.+)", text)[1], TIME.search(text).groups()
        found.append(Lesson(number, title, needs, *times, f"notebooks/{path.stem}.html"))
    return found


def exercises():
    """Map each exercise's number to (minutes, level, "core" or "optional", title)."""
    return {
        f"{path.stem.split('_')[0]}.{k}": (int(minutes), int(level), mark, title)
        for path in SOLUTIONS
        for k, title, minutes, level, mark in EXERCISE.findall(prose(path))
    }


def direct(needs):
    """Remove, for each lesson, the requirements that its other requirements already imply."""

    def before(number):
        return set(needs[number]).union(*map(before, needs[number]))

    return {n: sorted(set(of_n) - set().union(*map(before, of_n))) for n, of_n in needs.items()}


def path():
    """Convert the README's list of lessons to HTML: one card per lesson, grouped by question.

    A sentence at the end states how many hours the core and the whole course take.
    """
    by_number = {lesson.number: lesson for lesson in lessons()}
    needs = direct({number: lesson.needs for number, lesson in by_number.items()})
    minutes, text = {"core": 0, "optional": 0}, ""
    listed = read(ROOT / "README.md").split("## The lessons\n")[1].split("\n## ")[0]
    for group in re.split(r"^\d+\. ", listed, flags=re.M)[1:]:
        question, cards = re.match(r"\*(.+)\*$", group, re.M)[1], ""
        for bold, number, asks in re.findall(r"- (\**)\[(\w+)\]\(\S+\) (.+?)\**$", group, re.M):
            lesson, kind = by_number[number], "core" if bold else "optional"
            after = "" if bold else f"optional; after {' and '.join(needs[number])}; "
            minutes[kind] += int(lesson.read)
            cards += (
                f'<li class="{kind}"><a href="{lesson.page}"><b>{number}</b> {html.escape(asks)}'
                f"</a> <small>{after}{lesson.read} minutes</small></li>"
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
