"""The pages of `course.py run` as one piece: where their links go, and the page that lists them.

    python -m book.build.pages build notebooks/02_run_rnn_and_lstm.ipynb ...

writes the list, `build/index.html`, and puts beside it the scripts that the pages need. A lesson is
listed with a link if its page is there or if its notebook is named, since it is made next.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import sys

from book.build import ROOT, front

NOTEBOOKS, BUILD = ROOT / "notebooks", ROOT / "build"
LINK = re.compile(r"\[([^][]*)\]\(([^()#\s]+)\)")
ABOVE = """\
# A course that runs

The lessons as they ran on this machine. To change and run them yourself, and for the exercises, say
`python course.py lab`.

| lesson | to read | to run |
|---|---|---|
"""


def link(notebook, resources=None):
    """Let links of a lesson go to the other lessons' pages, and to files as seen from `build`.

    There are no pages of the exercises: what was a link to them is plain text.
    """
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = LINK.sub(target, cell["source"])
    return notebook, resources


def target(found):
    """A link in Markdown, as the pages of `run` have it."""
    words, name = found.groups()
    path = NOTEBOOKS / name
    if path.suffix == ".ipynb":
        return f"[{words}]({path.stem}.html)" if path.parent == NOTEBOOKS else words
    if not path.exists():
        return found[0]
    return f"[{words}]({pathlib.Path(os.path.relpath(path, BUILD)).as_posix()})"


def contents(folder, made):
    """The list of the lessons as a page; `made` are those that come to be there."""
    from nbformat.v4 import new_markdown_cell, new_notebook

    rows = ""
    for lesson in front.lessons():
        name, title = pathlib.PurePosixPath(lesson.page), f"{lesson.number} {lesson.title}"
        if name.stem in made or (folder / name.name).exists():
            title = f"[{title}]({name.name})"
        rows += f"| {title} | {lesson.read} minutes | {lesson.run} |\n"
    page = new_notebook(
        cells=[new_markdown_cell(ABOVE + rows)], metadata={"title": "A course that runs"}
    )
    return exporter().from_notebook_node(page)[0]


def exporter():
    """What makes pages of notebooks, with the look of `book/static/page`."""
    from nbconvert import HTMLExporter

    return HTMLExporter(
        template_name="page", extra_template_basedirs=[str(ROOT / "book" / "static")]
    )


def main(folder, *notebooks):
    """Make the list, and bring the scripts."""
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    offline = pathlib.Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent
    shutil.copy(offline / "static" / "mathjax" / "tex-svg-full.js", folder)
    shutil.copy(ROOT / "book" / "static" / "site" / "scrolls.js", folder)
    made = {pathlib.Path(name).stem for name in notebooks}
    page = contents(folder, made)
    (folder / "index.html").write_text(page, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
