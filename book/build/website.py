"""Build the book from the stored notebooks: python -m book.build.website build/book.

No notebook is run. Pages keep their folders from the repository, except those of book/pages, which
are at the top. Sphinx converts them to HTML, and treats warnings as errors. The HTML needs no
network.
"""

import base64
import io
import json
import os
import pathlib
import re
import shutil
import sys
from urllib.parse import unquote

from PIL import Image

from book.build import HERE, LINK, ROOT, equations, fold, formulas, front, live, read, source, write
from book.build.lecture import PREDICT
from lstm_course.copies import student_source
from lstm_edu._util.files import from_extra

with from_extra("book", "the book needs Sphinx"):
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer
    from sphinx.cmd.build import build_main

PAGES = [
    "book/pages/*.md",
    "notebooks/[0-9]*.ipynb",
    "notebooks/equations.md",
    "notebooks/claims.md",
    "notebooks/exercises/[0-9]*.ipynb",
    "data_samples/README.md",
    "data_samples/questions/README.md",
    "benchmarks/README.md",
    "SECURITY.md",
]
PACKAGES = "lstm_edu", "lstm_tools"  # packages whose modules each get a page in the book

# a link that opens a notebook in the site of `course.py lite`, which is published beside the book
RUN = (
    '<p class="run"><a href="{}lite/lab/index.html?path={}">Run {}</a>'
    ' <span role="status"></span></p>'
)
MARKS = re.compile(
    r"^ *### BEGIN STUB\n(.*\n)*? *### END STUB\n?|^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE
)
CODE = re.compile(r"\[([^\]]+)\]\(((?:\.\./)*lstm_(?:edu|tools)/[\w/]+)\.py(?:#L(\d+))?\)")


def slug(heading):
    """Return the anchor that JupyterLab gives a heading, so that the notebooks' links work."""
    return heading.strip().replace(" ", "-")


def place(file):
    """Map the path of a file in the repository to its path in the book."""
    top = pathlib.PurePosixPath("book/pages")
    return file.relative_to(top) if top in file.parents else file


def links(text, page):
    """Point the links in a page's text to the book's pages and to numbered lines of code."""

    def to(target):
        file = pathlib.PurePosixPath(os.path.normpath(page.parent / target))
        return pathlib.Path(os.path.relpath(place(file), place(page).parent)).as_posix()

    def code(found):
        line = f"#L-{found[3]}" if found[3] else ""
        return f'<a href="{to(found[2])}.html{line}">{found[1]}</a>'

    def section(found):  # remove formulas from anchors, like Sphinx
        anchor = re.sub(r"[$][^$]*[$]", "", unquote(found[2] or ""))
        return f"]({to(found[1])}{anchor.replace('(', '%28').replace(')', '%29')})"

    return LINK.sub(section, CODE.sub(code, text))


def with_solutions(solved):
    """Show, for each task in the solutions, the student's stub and then the folded answer."""
    cells = []
    for cell in solved["cells"]:
        grader = cell["metadata"].get("nbgrader", {})
        if grader.get("solution"):
            written = MARKS.sub("", source(cell) + "\n").rstrip()
            text = (
                f"```python\n{student_source(source(cell))}\n```\n\n"
                "<details><summary>Solution</summary>\n\n"
                f"```python\n{written}\n```\n\n</details>"
            )
            given = {"id": f"given-{grader['grade_id']}", "metadata": {}}
            cells.append(given | {"cell_type": "markdown", "source": text})
            cell = {**cell, "metadata": {"tags": ["remove-input"]}}  # hide only the code
        cells.append(cell)
    return {**solved, "cells": cells}


def headings(notebook, number):
    """Add the lesson's number to the title; demote all headings if there are several titles."""
    texts = [source(cell) if cell["cell_type"] == "markdown" else "" for cell in notebook["cells"]]
    parts = sum(text.startswith("# ") for text in texts) > 1
    for k, (cell, text) in enumerate(zip(notebook["cells"], texts)):
        if k == 0:
            cell["source"] = re.sub("^# ", f"# {number} ", text)
        elif text and parts:
            cell["source"] = re.sub("^(?=#+ )", "#", text, flags=re.MULTILINE)
    return notebook


def runs(notebook, page):
    """Add, below the title, a link to run the notebook in the browser."""
    up = "../" * len(page.parts)
    called = "this lesson" if page.parent.name == "notebooks" else "these exercises"
    title, _, text = source(notebook["cells"][0]).partition("\n")
    notebook["cells"][0]["source"] = f"{title}\n\n{RUN.format(up, page, called)}\n\n{text.lstrip()}"
    return notebook


def predictions(notebook):
    """After each prediction question, insert the script that readers use to answer it."""
    script = '<script src="../_static/predict.js"></script>\n'  # once, before the first call
    for cell in notebook["cells"]:
        before, question, after = source(cell).partition(PREDICT)
        if cell["cell_type"] == "markdown" and question:
            call = f"</details>\n\n{script}<script>predict(document.currentScript)</script>\n"
            cell["source"] = before + question + after.replace("</details>", call, 1)
            script = ""
    return notebook


def pictures(notebook):
    """Add to pictures their alt texts, and heights, so that browsers reserve space for them."""
    for cell in notebook["cells"]:
        texts = []
        for output in cell.get("outputs", ()):
            if "image/png" in output.get("data", {}):
                picture = io.BytesIO(base64.b64decode(output["data"]["image/png"]))
                width, height = Image.open(picture).size
                about = output["metadata"]["image/png"]
                about["height"] = round(about["width"] * height / width)
                texts.append(about.get("alt", ""))
        if any(texts):
            cell["metadata"]["mystnb"] = {"image": {"alt": " ".join(texts)}}
    return notebook


def page_of_code(path):
    """Return a page that shows a module's code, with an anchor L-1, L-2, … per line."""
    formatter = HtmlFormatter(linenos="inline", lineanchors="L", anchorlinenos=True)
    html = highlight(read(path), PythonLexer(), formatter)
    return f"---\norphan: true\n---\n# {path.name}\n\n```{{raw}} html\n{html}```\n"


def notebook_page(root, page):
    """Convert a notebook of the repository into a page of the book."""
    is_exercise = page.parent.name == "exercises"
    path = root / "notebooks" / "solutions" / page.name if is_exercise else root / page
    notebook = json.loads(read(path))
    if is_exercise:
        notebook = with_solutions(notebook)
    else:
        notebook = live.in_lesson(predictions(fold.fold(notebook)), page.stem)
    return pictures(runs(headings(notebook, page.name.split("_")[0]), page))


def text_page(root, page):
    """Convert a Markdown file of the repository into a page of the book."""
    text = read(root / page)
    if page.name == "equations.md":
        return equations.with_formulas(text)
    if front.MARK in text:
        return text.replace(front.MARK, front.path())
    if page.name == "reader.md":
        return live.loaded(text.replace(live.COSTS, live.cost_of_rounding()), depth=0)
    return text


def stage(folder, root=ROOT):
    """Write the book's pages, and files that they link to, to a folder; delete other files."""
    kept = set()

    def put(page, text):
        kept.add(folder / page)
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        # unchanged files keep their dates, so that Sphinx doesn't read them again
        if not (folder / page).exists() or read(folder / page) != text:
            write(folder / page, text)

    every = [path for pattern in PAGES for path in sorted(root.glob(pattern))]
    pages = [pathlib.PurePosixPath(path.relative_to(root).as_posix()) for path in every]
    for page in pages:
        if page.suffix == ".ipynb":
            notebook = notebook_page(root, page)
            cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
            sources = [source(cell) for cell in cells]
            for cell, text in zip(cells, sources):
                cell["source"] = links(text, page)
            put(place(page), json.dumps(notebook, indent=1))
        else:
            sources = [text_page(root, page)]
            put(place(page), links(sources[0], page))
        for target, _ in LINK.findall("\n".join(sources)):
            file = pathlib.PurePosixPath(os.path.normpath(page.parent / target))
            if (root / file).is_file() and file not in pages:
                kept.add(folder / file)
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(root / file, folder / file)
    for path in [path for name in PACKAGES for path in sorted((root / name).rglob("*.py"))]:
        put(path.relative_to(root).with_suffix(".md"), page_of_code(path))
    for path in folder.rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()


def sphinx(sources, book, *options):
    """Convert staged pages to HTML with Sphinx; return Sphinx's exit status."""
    formulas.write_style(book / "_static" / "formulas.css")
    return build_main(["-q", "-c", str(HERE), *options, str(sources), str(book)])


def main(folder):
    """Build the book in a folder; return Sphinx's exit status."""
    book = pathlib.Path(folder).resolve()
    sources, doctrees = (book.with_name(f"{book.name}-{name}") for name in ("pages", "doctrees"))
    sources.mkdir(parents=True, exist_ok=True)
    stage(sources)
    # use one process, because two would repeat most of the work and take twice as long
    failed = sphinx(sources, book, "-W", "--keep-going", "-d", str(doctrees))
    live.write_all(book / live.FOLDER)
    print("the book has warnings" if failed else f"{folder}/index.html")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
