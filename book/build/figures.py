"""Number the lessons' figures: python -m book.build.figures.

After each picture stands a paragraph such as

    **Fig. 8.2** (Fig. 5 of the paper). The gate maps of a title. …

the second figure of lesson 08; one of its exercises would be Fig. E8.2. The paper's own figures
have plain numbers, so that "Fig. 5" and "Fig. 8.2" are never mistaken for each other. A paragraph
that is missing is drafted, of what the function says of itself that drew the figure, and printed:
look at it. Then all are numbered as they stand, and texts that name one follow. What is still wrong
is said; the exit code is how much that is.
"""

import inspect
import json
import re
import sys

from book.build import ROOT
from lstm_course import explorers, plots

NOTEBOOKS = ["notebooks/[0-9]*.ipynb", "notebooks/solutions/[0-9]*.ipynb"]
CAPTION = re.compile(r"\*\*Fig\. (\S+?)\*\*( \(Figs?\. [^)]+ of the paper\))?\. (?=\S)")
NAMED = re.compile(r"(?<=\bFig\. )E?\d+[a-z]?\.\d+|(?<=\bFigs\. )E?\d+[a-z]?\.\d+")
OF_PAPER = re.compile(r"\bFigs\. \d+ and \d+|\bFig\. \d+\b(?!\.\d)")
ITALICS = re.compile(r"\*(?![*\s])(.+)\*(?:\n\n|$)")  # a paragraph
DRAWN = re.compile(r"\b(?:plots|explorers|lstm_edu)\.((?!table|subplots)\w+)\(")


def lesson(path):
    """What a notebook's figures are numbered by: 8 for 08_…, 5a for 05a_…, E8 for exercises."""
    exercises = "E" if path.parent.name == "solutions" else ""
    return exercises + re.match(r"0*(\d+[a-z]?)_", path.name)[1]


def text_of(cell):
    """What is written in a cell of text."""
    return "".join(cell["source"]) if cell and cell["cell_type"] == "markdown" else ""


def captions(cell):
    """The captions that a cell begins with."""
    paragraphs = list(map(CAPTION.match, text_of(cell).split("\n\n")))
    return paragraphs[: [*paragraphs, None].index(None)]


def with_pictures(notebook):
    """Every cell that left pictures: it, how many, the one after it, and the text before it."""
    cells, before = notebook["cells"], ""
    for cell, after in zip(cells, [*cells[1:], None]):
        n = sum("image/png" in output.get("data", {}) for output in cell.get("outputs", ()))
        before += text_of(cell)
        if n:
            yield cell, n, after, before
            before = ""


def draft(cell, after, before):
    """A caption for what a cell drew; a paragraph in italics ``after`` it becomes its text."""
    of_paper = OF_PAPER.search(before)
    said = ITALICS.match(text_of(after))
    if said:
        after["source"] = text_of(after)[said.end() :]
        text = said[1].replace("*", "")
    else:
        functions = {**vars(explorers), **vars(plots)}
        drew = [name for name in DRAWN.findall("".join(cell["source"])) if name in functions]
        told = inspect.getdoc(functions[drew[-1]]) if drew else "What the cell above draws."
        told = re.sub(r"\s\((Fig|Table|section|appendix)[^)]*\)", "", told)
        text = re.split(r"(?<=\.)(?<!Eq\.)\s", told)[0]
    return f"**Fig. ?**{f' ({of_paper[0]} of the paper)' if of_paper else ''}. " + text.replace(
        "\n", " "
    )


def add_captions(notebook):
    """Draft what is missing, in cells of their own; what was drafted."""
    drafts = []
    for cell, n, after, before in list(with_pictures(notebook)):
        if not captions(after):
            texts = [draft(cell, after, before) for _ in range(n)]
            own = {"cell_type": "markdown", "id": f"fig-{cell['id']}"[:64], "metadata": {}}
            at = notebook["cells"].index(cell) + 1
            notebook["cells"].insert(at, own | {"source": "\n\n".join(texts)})
            drafts += texts
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["source"]]
    return drafts


def number(notebooks):
    """Number all captions as they stand, by path; what names one by its old number follows."""
    old = {path: [c[1] for cell in nb["cells"] for c in captions(cell)] for path, nb in notebooks}
    new = {
        number: f"{lesson(path)}.{k}"
        for path, numbers in old.items()
        for k, number in enumerate(numbers, 1)
    }
    for path, notebook in notebooks:
        k = 0
        for cell in filter(text_of, notebook["cells"]):
            there = captions(cell)
            paragraphs = text_of(cell).split("\n\n")
            for j, paragraph in enumerate(paragraphs):
                begins = there[j].end(1) if j < len(there) else 0
                rest = NAMED.sub(lambda name: new.get(name[0], name[0]), paragraph[begins:])
                k += j < len(there)
                paragraphs[j] = (f"**Fig. {lesson(path)}.{k}" if begins else "") + rest
            cell["source"] = "\n\n".join(paragraphs)


def complaints(notebooks):
    """What is wrong with the figures of notebooks, given as pairs of path and content."""
    there = [
        f"{lesson(path)}.{k}"
        for path, notebook in notebooks
        for k in range(1, 1 + sum(n for _, n, _, _ in with_pictures(notebook)))
    ]
    for path, notebook in notebooks:
        found, where = [], f"{path.parent.name}/{path.name}"
        for _, n, after, _ in with_pictures(notebook):
            found += [caption[1] for caption in captions(after)]
            if n != len(captions(after)):
                yield f"{where}: {n} pictures, {len(captions(after))} captions after {found}"
        every = [caption[1] for cell in notebook["cells"] for caption in captions(cell)]
        if every != [f"{lesson(path)}.{k}" for k in range(1, len(found) + 1)]:
            yield f"{where}: the captions have the numbers {every}"
        for name in NAMED.findall("\n".join(map(text_of, notebook["cells"]))):
            if name not in there:
                yield f"{where}: Fig. {name} is named, and is not there"


def read(paths):
    """Notebooks as pairs of path and content."""
    return [(path, json.loads(path.read_text(encoding="utf-8"))) for path in paths]


def main():
    """Number the figures; the exit code is the number of complaints."""
    notebooks = read(path for pattern in NOTEBOOKS for path in sorted(ROOT.glob(pattern)))
    for path, notebook in notebooks:
        for text in add_captions(notebook):
            print(f"{path.name}: drafted {text}")
    number(notebooks)
    for path, notebook in notebooks:
        for cell in notebook["cells"]:
            cell["source"] = "".join(cell["source"]).splitlines(keepends=True)
        stored = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
        if stored != path.read_text(encoding="utf-8"):
            path.write_text(stored, encoding="utf-8", newline="\n")
    wrong = list(complaints(notebooks))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return min(len(wrong), 99)


if __name__ == "__main__":
    sys.exit(main())
