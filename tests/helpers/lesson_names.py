"""Names of lessons and exercises, and functions that inspect their cells and pages."""

import json
import re

from conftest import ROOT

from book.build import fold

LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
EXERCISES = sorted(path.stem for path in (ROOT / "notebooks" / "exercises").glob("[0-9]*.ipynb"))
# lessons that embed the interactive figure `reader`
READ = [name for name in LESSONS if name[:2] in ("00", "02", "08", "09")]


def notebook(name):
    return json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))


def folded(name):
    """Return the cells of a lesson that are collapsed on its page."""
    cells = fold.fold(notebook(name))["cells"]
    return [c for c in cells if {"hide-input", "hide-cell"} & set(c["metadata"].get("tags", ()))]


def speaks_of_controls(page):
    """Return whether a page mentions a control that only JupyterLab has."""
    return re.search("ipywidgets|has controls here", page.read_text(encoding="utf-8"))
