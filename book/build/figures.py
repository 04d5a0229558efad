"""Number the figures in the lessons: python -m book.build.figures.

Each picture is followed by a caption, which is a paragraph such as

    **Fig. 8.2** (the paper's Fig. 5). The gate maps of a title. …

for the second figure of lesson 08; in its exercises it would be Fig. E8.2. The paper's figures have
plain numbers, so that "Fig. 5" and "Fig. 8.2" are never confused. A new caption begins with
**Fig. ?**. All captions are numbered in order, and references to them are updated. Remaining
problems are printed, and the exit status is their number.
"""

import json
import re
import sys

from book.build import LESSONS, SOLUTIONS, read, source, write

CAPTION = re.compile(r"\*\*Fig\. (\S+?)\*\*( \(the paper's Figs?\. [^)]+\))?\. (?=\S)")
NAMED = re.compile(r"(?<=\bFig\. )E?\d+[a-z]?\.\d+|(?<=\bFigs\. )E?\d+[a-z]?\.\d+")


def lesson(path):
    """Return the prefix of a notebook's figure numbers, such as 8, 5a, or E8 for exercises."""
    exercises = "E" if path.parent.name == "solutions" else ""
    return exercises + re.match(r"0*(\d+[a-z]?)_", path.name)[1]


def text_of(cell):
    """Return a Markdown cell's text, or "" for any other cell."""
    return source(cell) if cell and cell["cell_type"] == "markdown" else ""


def captions(cell):
    """Return the captions at the beginning of a cell, as matches of `CAPTION`."""
    paragraphs = list(map(CAPTION.match, text_of(cell).split("\n\n")))
    return paragraphs[: [*paragraphs, None].index(None)]


def with_pictures(notebook):
    """Yield, for each cell with pictures, the number of pictures and the next cell."""
    cells = notebook["cells"]
    for cell, after in zip(cells, [*cells[1:], None]):
        n = sum("image/png" in output.get("data", {}) for output in cell.get("outputs", ()))
        if n:
            yield n, after


def number(notebooks):
    """Number all captions in order, and update references to them."""
    new = {}
    for path, notebook in notebooks:
        found = [caption[1] for cell in notebook["cells"] for caption in captions(cell)]
        new |= {old: f"{lesson(path)}.{k}" for k, old in enumerate(found, 1)}
    for path, notebook in notebooks:
        k = 0
        for cell in filter(text_of, notebook["cells"]):
            text = NAMED.sub(lambda name: new.get(name[0], name[0]), text_of(cell))
            for caption in captions(cell):
                k += 1
                if caption[1] == "?":
                    text = text.replace("**Fig. ?**", f"**Fig. {lesson(path)}.{k}**", 1)
            cell["source"] = text


def complaints(notebooks):
    """Yield one message per problem with the figures in notebooks, given as (path, content)."""
    numbers = [
        f"{lesson(path)}.{k}"
        for path, notebook in notebooks
        for k in range(1, 1 + sum(n for n, _ in with_pictures(notebook)))
    ]
    for path, notebook in notebooks:
        found, where = [], f"{path.parent.name}/{path.name}"
        for n, after in with_pictures(notebook):
            found += [caption[1] for caption in captions(after)]
            if n != len(captions(after)):
                yield f"{where}: {n} pictures, {len(captions(after))} captions after {found}"
        every = [caption[1] for cell in notebook["cells"] for caption in captions(cell)]
        if every != [f"{lesson(path)}.{k}" for k in range(1, len(found) + 1)]:
            yield f"{where}: the captions have the numbers {every}"
        for name in NAMED.findall("\n".join(map(text_of, notebook["cells"]))):
            if name not in numbers:
                yield f"{where}: Fig. {name} is mentioned but does not exist"


def notebooks():
    """Return all lessons and solutions as (path, content) pairs."""
    return [(path, json.loads(read(path))) for path in [*LESSONS, *SOLUTIONS]]


def main():
    """Number the figures in all notebooks; return the number of problems left (at most 99)."""
    every = notebooks()
    number(every)
    for path, notebook in every:
        for cell in notebook["cells"]:
            cell["source"] = source(cell).splitlines(keepends=True)
        text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
        if text != read(path):
            write(path, text)
    wrong = list(complaints(every))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return min(len(wrong), 99)


if __name__ == "__main__":
    sys.exit(main())
