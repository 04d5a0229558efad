"""What the front page says of the lessons, read from them: a map of what needs what, and times.

A lesson says in the first sentence of "What you need" which lessons it builds on.
"""

import html
import json
import pathlib
import re
import textwrap
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAP, TABLE = "<!-- the map -->", "<!-- the lessons -->"  # places on the front page
BOX, ROW, PLACE = (
    (168, 62),
    104,
    176,
)  # of a lesson in the map, from one row to the next, to the side
LINE = 0.3  # what a line that passes takes, in places


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


def table(of):
    """The lessons with their minutes and what they need, as HTML."""
    page = {lesson.number: lesson.page for lesson in of}
    rows = []
    for lesson in of:
        needs = ", ".join(f'<a href="{page[n]}">{n}</a>' for n in lesson.needs) or "–"
        rows.append(
            f'<tr><td><a href="{lesson.page}">{lesson.number} {html.escape(lesson.title)}'
            f"</a></td><td>{needs}</td><td>{lesson.read} minutes</td><td>{lesson.run}</td></tr>"
        )
    total = sum(int(lesson.read) for lesson in of)
    return (
        '<div class="table-wrapper"><table class="docutils lessons"><thead><tr>'
        "<th>lesson</th><th>needs</th><th>to read</th><th>to run</th>"
        f"</tr></thead><tbody>\n{chr(10).join(rows)}\n</tbody></table></div>\n\n"
        f"All of them are {total / 60:.0f} hours of reading; the exercises take longer than that.\n"
    )


def direct(of):
    """For each lesson what it needs, without what is needed for that in any case."""
    needs = {lesson.number: set(lesson.needs) for lesson in of}

    def before(number):
        return needs[number].union(*map(before, needs[number]))

    return {n: sorted(needs[n] - set().union(*map(before, needs[n]))) for n in needs}


def rows(needs):
    """The lessons' numbers in rows: each as far down as the longest way to it.

    Where a line passes a row by, a pair of numbers keeps its place there.
    """
    depth = {}
    for number in needs:  # in reading order, so that what is needed comes first
        depth[number] = 1 + max((depth[n] for n in needs[number]), default=-1)
    found = [[n for n in needs if depth[n] == k] for k in range(1 + max(depth.values()))]
    for number in needs:
        for other in needs[number]:
            for k in range(depth[other] + 1, depth[number]):
                found[k].append((other, number))
    return found


def places(needs):
    """Where the map has each lesson, and each place that a line passes: its middle and its top.

    And how wide the map is.
    """
    at, last = {}, {}  # last: where a line has passed the row above
    all_rows = rows(needs)
    width = max(PLACE * sum(1 if isinstance(n, str) else LINE for n in row) for row in all_rows)
    for k, row in enumerate(all_rows):
        # near what is needed: a line where it comes from
        near = {
            n: [last.get((m, n), at[m][0]) for m in needs[n]]
            if isinstance(n, str)
            else [last.get(n, at[n[0]][0])]
            for n in row
        }
        row = sorted(row, key=lambda n: sum(near[n]) / max(1, len(near[n])))
        wide = [1 if isinstance(n, str) else LINE for n in row]
        for j, number in enumerate(row):
            middle = (sum(wide[:j]) + wide[j] / 2) / sum(wide) * width
            if isinstance(number, str):
                at[number] = middle, k * ROW
            else:
                at[number, k], last[number] = (middle, k * ROW), middle
    return at, width


def drawn(of):
    """The map, as SVG in which each lesson is a link."""
    needs, (wide, high) = direct(of), BOX
    (at, width), lines, boxes = places(needs), [], []
    for lesson in of:
        x, y = at[lesson.number]
        for other in needs[lesson.number]:
            passes = [at[n] for n in at if n[0] == (other, lesson.number)]
            x0, y0 = at[other][0], at[other][1] + high
            path = f"M{x0:.0f},{y0:.0f}"
            for x1, y1 in [*passes, (x, y)]:
                middle = (y0 + y1) / 2
                path += f"C{x0:.0f},{middle:.0f} {x1:.0f},{middle:.0f} {x1:.0f},{y1:.0f}"
                if (x1, y1) != (x, y):
                    path += f"v{high}"
                x0, y0 = x1, y1 + high
            lines.append(path)
        words = textwrap.wrap(f"{lesson.number} {lesson.title}", 20, max_lines=3, placeholder=" …")
        said = "".join(
            f'<tspan x="{x:.0f}" y="{y + high / 2 + 5 + 16 * (j - (len(words) - 1) / 2):.0f}">'
            f"{html.escape(line)}</tspan>"
            for j, line in enumerate(words)
        )
        boxes.append(
            f'<a href="{lesson.page}"><rect x="{x - wide / 2:.0f}" y="{y}" width="{wide}" '
            f'height="{high}" rx="6"/><text>{said}</text></a>'
        )
    tall = max(y for _, y in at.values()) + high + 2
    return (
        f'<div class="map"><svg viewBox="0 -1 {width:.0f} {tall}" '
        f'width="{width:.0f}" height="{tall}" '
        'role="group" aria-label="A map of the lessons; the table below says the same">'
        f'<path d="{"".join(lines)}"/>{"".join(boxes)}</svg></div>\n'
    )


def in_page(text):
    """A page of the book's own in Markdown, the map and the table in their places."""
    if MAP not in text:
        return text
    of = lessons()
    return text.replace(MAP, drawn(of)).replace(TABLE, table(of))
