"""Template, links and index of the pages made by `course.py run`.

The index links to a lesson if its page exists or is about to be made.
"""

import os
import pathlib
import re
import shutil

from nbconvert import HTMLExporter
from nbformat.v4 import new_markdown_cell, new_notebook

from book.build import ROOT, STATIC, front, mathjax, write

NOTEBOOKS, BUILD = ROOT / "notebooks", ROOT / "build"
LINK = re.compile(r"\[([^][]*)\]\(([^()#\s]+)\)")
TITLE = "A course that runs"
ABOVE = """\
# A course that runs

The lessons as they ran on this machine. To change and run them yourself, and for the exercises, run
`python course.py lab`.

| lesson | to read | to run |
|---|---|---|
"""


def link(notebook):
    """Point a lesson's links to the pages of other lessons, and to files relative to `build`.

    Links to exercises, which have no pages, become plain text.
    """
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = LINK.sub(target, cell["source"])
    return notebook


def target(found):
    """Return the replacement for a Markdown link (match of `LINK`) on pages of `course.py run`."""
    words, name = found.groups()
    path = NOTEBOOKS / name
    if path.suffix == ".ipynb":
        return f"[{words}]({path.stem}.html)" if path.parent == NOTEBOOKS else words
    if not path.exists():
        return found[0]
    return f"[{words}]({pathlib.Path(os.path.relpath(path, BUILD)).as_posix()})"


def html(notebook, name):
    """Convert a notebook to HTML with the template in `book/static/page`."""
    exporter = HTMLExporter(template_name="page", extra_template_basedirs=[str(STATIC)])
    return exporter.from_notebook_node(notebook, {"metadata": {"name": name}})[0]


def main(folder, notebooks):
    """Write `index.html`, which lists the lessons, and the scripts that all pages load."""
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    shutil.copy(mathjax(), folder)
    shutil.copy(STATIC / "site" / "scrolls.js", folder)
    made, rows = {pathlib.Path(name).stem for name in notebooks}, ""
    for lesson in front.lessons():
        name, title = pathlib.PurePosixPath(lesson.page), f"{lesson.number} {lesson.title}"
        if name.stem in made or (folder / name.name).exists():
            title = f"[{title}]({name.name})"
        rows += f"| {title} | {lesson.read} minutes | {lesson.run} |\n"
    page = new_notebook(cells=[new_markdown_cell(ABOVE + rows)], metadata={"title": TITLE})
    write(folder / "index.html", html(page, TITLE))
