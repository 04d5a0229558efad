"""Modules that build the book, slides, and pages of `course.py run`, and update stored pages.

Run a module from the repository's folder: `python -m book.build.website build/book`.
"""

import contextlib
import importlib.util
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "book" / "build"
STATIC = ROOT / "book" / "static"
RESULTS = ROOT / "benchmarks" / "results"
LESSONS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]+)?\)")  # a relative link in Markdown
SOLUTIONS = sorted((ROOT / "notebooks" / "solutions").glob("[0-9]*.ipynb"))


def read(path):
    """Return a text file's content."""
    return path.read_text(encoding="utf-8")


def write(path, text):
    """Write a text file, with the same line endings on every system."""
    path.write_text(text, encoding="utf-8", newline="\n")


def with_part(text, name, part):
    """Return the text with new content between `<!-- name -->` and `<!-- end of name -->`."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    before, rest = text.split(begin)
    return before + begin + part + end + rest.split(end)[1]


def replace_part(path, name, part):
    """Replace a text file's content between `<!-- name -->` and `<!-- end of name -->`."""
    write(path, with_part(read(path), name, part))


def stored(name):
    """Return the parsed content of benchmarks/results/NAME.json."""
    return json.loads(read(RESULTS / f"{name}.json"))


def source(cell):
    """Return a notebook cell's source as one string."""
    return "".join(cell["source"])


def prose(path):
    """Return the text of all Markdown cells in a notebook."""
    cells = json.loads(read(path))["cells"]
    return "\n\n".join(source(cell) for cell in cells if cell["cell_type"] == "markdown")


@contextlib.contextmanager
def one_line():
    """Print an expected error as one line instead of a traceback, and exit with status 2."""
    try:
        yield
    except (OSError, ValueError) as error:  # an InputError is a ValueError
        print(error, file=sys.stderr)
        sys.exit(2)


def mathjax():
    """Return the path of the MathJax script that draws letters as SVG, and so needs no fonts."""
    package = pathlib.Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent
    return package / "static" / "mathjax" / "tex-svg-full.js"
