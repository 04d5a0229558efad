"""Build the book from the stored notebooks: python -m book.build.website build/book.

Nothing is run. The pages are laid out as in the repository, so that links between them hold in
both, and then Sphinx makes HTML of them; a warning is an error. The HTML needs no network.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import struct
import sys
from urllib.parse import unquote

from book.build import ROOT, equations, fold, formulas, front, live
from book.build.lecture import PREDICT
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
MARKS = re.compile(
    r"^ *### BEGIN STUB\n(.*\n)*? *### END STUB\n?|^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE
)
CODE = re.compile(
    r"\[(?P<text>[^\]]+)\]\((?P<up>(?:\.\./)*)lstm_edu/(?P<module>[\w/]+)\.py(?:#L(?P<line>\d+))?\)"
)
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]+)?\)")


def slug(heading):
    """The name of a heading in a link, as JupyterLab has it,
    so that the notebooks' links hold in the book; Sphinx leaves formulas out.
    """
    return heading.strip().replace(" ", "-")


def links(text):
    """A page's Markdown with its links turned to the book's pages:
    lines of code to the pages of code, sections to Sphinx's names.
    """

    def code(found):
        line = f"#L-{found['line']}" if found["line"] else ""
        return f'<a href="{found["up"]}lstm_edu/{found["module"]}.html{line}">{found["text"]}</a>'

    def section(found):
        target, anchor = found[1], unquote(found[2] or "")
        anchor = re.sub(r"[$][^$]*[$]", "", anchor).replace("(", "%28").replace(")", "%29")
        return f"]({target}{anchor})"

    return LINK.sub(section, CODE.sub(code, text))


def with_solutions(student, solved):
    """An exercise as the book shows it: the solved notebook with its outputs,
    before each answer what the student is given, and the answer folded.
    """
    given = {
        cell["metadata"]["nbgrader"]["grade_id"]: "".join(cell["source"])
        for cell in student["cells"]
        if cell["metadata"].get("nbgrader")
    }
    cells = []
    for k, cell in enumerate(solved["cells"]):
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            stub = given[cell["metadata"]["nbgrader"]["grade_id"]]
            written = MARKS.sub("", "".join(cell["source"]) + "\n").rstrip()
            cells.append(
                {
                    "cell_type": "markdown",
                    "id": f"given-{k}",
                    "metadata": {},
                    "source": f"```python\n{stub}\n```\n\n<details><summary>Solution</summary>\n\n"
                    f"```python\n{written}\n```\n\n</details>",
                }
            )
            cell = {**cell, "metadata": {"tags": ["remove-input"]}}  # what it printed stays
        cells.append(cell)
    return {**solved, "cells": cells}


def headings(notebook, number):
    """The title with the lesson's number; a notebook of several parts becomes one page."""
    text = [
        ("".join(cell["source"]) if cell["cell_type"] == "markdown" else "")
        for cell in notebook["cells"]
    ]
    parts = sum(bool(re.match("# ", t)) for t in text) > 1
    for k, cell in enumerate(notebook["cells"]):
        if k == 0:
            cell["source"] = re.sub("^# ", f"# {number} ", text[0])
        elif text[k] and parts:
            cell["source"] = re.sub("^(?=#+ )", "#", text[k], flags=re.MULTILINE)
    return notebook


def predictions(notebook):
    """Each question to predict ends with a call of static/predict.js, which lets one answer it."""
    script = '<script src="../_static/predict.js"></script>\n'  # before the first of them
    for cell in notebook["cells"]:
        before, question, after = "".join(cell["source"]).partition(PREDICT)
        if cell["cell_type"] == "markdown" and question:
            call = f"</details>\n\n{script}<script>predict(document.currentScript)</script>\n"
            cell["source"] = before + question + after.replace("</details>", call, 1)
            script = ""
    return notebook


def pictures(notebook):
    """Each cell's pictures get the text that stands beside them in the notebook, and their height:
    a browser leaves room for what it knows the size of.
    """
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            if "image/png" in output.get("data", {}):
                start = base64.b64decode(output["data"]["image/png"][:32])  # a PNG's first 24 bytes
                width, height = struct.unpack(">II", start[16:24])
                size = output["metadata"]["image/png"]
                size["height"] = round(size["width"] * height / width)
        about = [output.get("metadata", {}) for output in cell.get("outputs", ())]
        said = " ".join(some["image/png"].get("alt", "") for some in about if "image/png" in some)
        if said:
            cell["metadata"]["mystnb"] = {"image": {"alt": said}}
    return notebook


def page_of_code(path):
    """A module with numbered lines, each with an anchor L-1, L-2, … for the links to it."""
    html = highlight(
        path.read_text(encoding="utf-8"),
        PythonLexer(),
        HtmlFormatter(linenos="inline", lineanchors="L", anchorlinenos=True),
    )
    return f"---\norphan: true\n---\n# {path.name}\n\n```{{raw}} html\n{html}```\n"


def stage(folder, root=ROOT):
    """Write the book's pages into a folder, and what they link to."""
    kept = set()

    def write(page, text):
        kept.add(folder / page)
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        # Sphinx reads only what has changed
        if not (folder / page).exists() or (folder / page).read_text(encoding="utf-8") != text:
            (folder / page).write_text(text, encoding="utf-8", newline="\n")

    for path in (path for pattern in PAGES for path in sorted(root.glob(pattern))):
        page = path.relative_to(root)
        text = path.read_text(encoding="utf-8")
        if page.parent.name == "notebooks":  # the book's own pages are its top
            text = text.replace("](../book/pages/", "](../")
        if page.suffix == ".ipynb":
            notebook = json.loads(text)
            if page.parent.name == "exercises":
                notebook = with_solutions(
                    notebook,
                    json.loads(
                        (root / "notebooks" / "solutions" / page.name).read_text(encoding="utf-8")
                    ),
                )
            sources = [
                "".join(cell["source"])
                for cell in notebook["cells"]
                if cell["cell_type"] == "markdown"
            ]
            if page.parent.name == "notebooks":
                notebook = live.in_lesson(predictions(fold.fold(notebook)[0]), page.stem)
            for cell in pictures(headings(notebook, page.name.split("_")[0]))["cells"]:
                if cell["cell_type"] == "markdown":
                    cell["source"] = links("".join(cell["source"]))
            text = json.dumps(notebook, indent=1)
        else:
            if page.parent.name == "pages":
                page, text = pathlib.Path(page.name), text.replace("](../../", "](")
                text = text.replace("](../static/", "](book/static/")
                text = front.in_page(live.in_page(text))
            elif page.name == "equations.md":
                text = equations.with_formulas(text, root)
            sources = [text]
            text = links(text)
        write(page, text)
        for target, _ in (link for source in sources for link in LINK.findall(source)):
            file = pathlib.Path(os.path.normpath(page.parent / target))
            if (root / file).is_file() and not any(file.match(pattern) for pattern in PAGES):
                kept.add(folder / file)
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(root / file, folder / file)
    for path in sorted((root / "lstm_edu").rglob("*.py")):
        write(path.relative_to(root).with_suffix(".md"), page_of_code(path))
    for path in folder.rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()


if __name__ == "__main__":
    book = pathlib.Path(sys.argv[1]).resolve()
    sources = book.with_name(f"{book.name}-pages")
    sources.mkdir(parents=True, exist_ok=True)
    stage(sources)
    doctrees = sources.with_name(f"{book.name}-doctrees")
    formulas.write_style(book / "_static" / "formulas.css")
    # in one process: two share so much that together they take twice the time
    settings = ["-q", "-W", "--keep-going"]
    folders = ["-c", str(ROOT / "book" / "build"), "-d", str(doctrees), str(sources), str(book)]
    failed = build_main([*settings, *folders])
    live.write(book / live.FOLDER)
    print("the book has warnings" if failed else f"{sys.argv[1]}/index.html")
    sys.exit(failed)
