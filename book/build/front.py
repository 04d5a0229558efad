"""What the front page says of the lessons: the way through them, what needs what, and times.

A lesson says in the first sentence of "What you need" which lessons it builds on; the README has
its question, and whether it is of the core.
"""

import html
import json
import re
from typing import NamedTuple

from book.build import ROOT

PATH = "<!-- the lessons -->"  # their place on the front page


class Lesson(NamedTuple):
    """A notebook: its number, its title, which lessons it needs, and how long it takes."""

    number: str
    title: str
    needs: list
    read: str
    run: str
    page: str


def named(sentence):
    """The numbers of lessons in a sentence: notebooks 02, 05a; [01](01_hash_words.ipynb) to 03."""
    text = re.sub(r"\]\([^)]*\)", "]", sentence).replace("[", "").replace("]", "")
    found = re.findall(r"(?<!\()\b[01]\d[ab]?\b(?!\))", text)  # (10) is an equation
    for low, high in re.findall(r"\b([01]\d) to ([01]\d)\b", text):
        found += [f"{k:02}" for k in range(int(low), int(high))]
    return set(found)


def lessons(root=ROOT):
    """All lessons in reading order."""
    paths = sorted((root / "notebooks").glob("[0-9]*.ipynb"))
    numbers, found = [path.stem.split("_")[0] for path in paths], []
    for number, path in zip(numbers, paths):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        need = re.search(r"\*\*What you need\*\*: (.+?)(?:\.\s(?=[A-Z])|\.?$)", text, re.M)
        read, run = re.search(r"\*\*Time\*\*: (\d+) minutes to read; (.+) to run\b", text).groups()
        # "notebook 05" means both of 05a and 05b
        needs = [n for n in numbers if {n, n[:2]} & named(need[1]) and n != number]
        title = re.match("# (.+)", text)[1]
        found.append(Lesson(number, title, needs, read, run, f"notebooks/{path.stem}.html"))
    return found


def direct(of):
    """For each lesson what it needs, without what is needed for that in any case."""
    needs = {lesson.number: set(lesson.needs) for lesson in of}

    def before(number):
        return needs[number].union(*map(before, needs[number]))

    return {n: sorted(needs[n] - set().union(*map(before, needs[n]))) for n in needs}


def groups(readme):
    """The lessons as the README groups them: [(question, [(number, its question, is core)])]."""
    found = []
    for line in readme.split("## The lessons\n")[1].split("\n## ")[0].splitlines():
        if group := re.match(r"\d+\. \*(.+)\*$", line):
            found.append((group[1], []))
        elif lesson := re.match(r"   - (\**)\[(\w+)\]\(\S+\) (.+?)\**$", line):
            found[-1][1].append((lesson[2], lesson[3], bool(lesson[1])))
    return found


def path(of, readme):
    """The way through the course, as HTML: its questions in order, a lesson a card."""
    by_number, needs, stations = {lesson.number: lesson for lesson in of}, direct(of), []
    for question, some in groups(readme):
        cards = []
        for number, asks, is_core in some:
            lesson = by_number[number]
            after = "" if is_core else f"optional; after {' and '.join(needs[number])}; "
            kind = "core" if is_core else "optional"
            cards.append(
                f'<li class="{kind}"><a href="{lesson.page}"><b>{number}</b> {html.escape(asks)}'
                f"</a> <small>{after}{lesson.read} minutes</small></li>"
            )
        stations.append(f"<li><p>{html.escape(question)}</p><ul>{''.join(cards)}</ul></li>")
    total = sum(int(lesson.read) for lesson in of) / 60
    core = sum(
        int(by_number[n].read) for _, some in groups(readme) for n, _, is_core in some if is_core
    )
    return (
        f'<ol class="path">{"".join(stations)}</ol>\n\n'
        f"The core is {core / 60:.0f} hours of reading, all of it {total:.0f}; the exercises take "
        "longer than that.\n"
    )


def in_page(text, root=ROOT):
    """A page of the book's own in Markdown, the way through the course in its place."""
    if PATH not in text:
        return text
    readme = (root / "README.md").read_text(encoding="utf-8")
    return text.replace(PATH, path(lessons(root), readme))
