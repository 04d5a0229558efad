"""Make the book, the slides and the pages of `course.py run`, and keep the stored pages up to date.

Run a module in the repository's folder: `python -m book.build.website build/book`.
"""

import importlib.util
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "book" / "build"
STATIC = ROOT / "book" / "static"
RESULTS = ROOT / "benchmarks" / "results"
LESSONS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
SOLUTIONS = sorted((ROOT / "notebooks" / "solutions").glob("[0-9]*.ipynb"))


def read(path):
    """Return a text file's content."""
    return path.read_text(encoding="utf-8")


def write(path, text):
    """Write a text file with the same line ends on every system."""
    path.write_text(text, encoding="utf-8", newline="\n")


def stored(name):
    """Return the content of a JSON file of benchmarks/results/."""
    return json.loads(read(RESULTS / f"{name}.json"))


def source(cell):
    """Return the source of a notebook's cell."""
    return "".join(cell["source"])


def prose(path):
    """Return the Markdown of a notebook."""
    cells = json.loads(read(path))["cells"]
    return "\n\n".join(source(cell) for cell in cells if cell["cell_type"] == "markdown")


def mathjax():
    """Return the path of MathJax's script, which draws letters and needs no fonts."""
    package = pathlib.Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent
    return package / "static" / "mathjax" / "tex-svg-full.js"
