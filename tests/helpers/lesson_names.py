"""The lessons by name, those in which the reader stands, and what pages make of them."""

import json
import re

import fold
from conftest import ROOT

LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
READ = "00", "02", "08", "09"  # the lessons in which the reader stands


def folded(name):
    """A lesson's cells that are folded."""
    path = ROOT / "notebooks" / f"{name}.ipynb"
    cells, _ = fold.fold(json.loads(path.read_text(encoding="utf-8")))
    tags = [set(cell["metadata"].get("tags", ())) for cell in cells["cells"]]
    return [c for c, of in zip(cells["cells"], tags) if of & {"hide-input", "hide-cell"}]


def speaks_of_controls(page):
    """Whether a page says what only JupyterLab's says: it has none of the controls."""
    return re.search("ipywidgets|has controls here", page.read_text(encoding="utf-8"))
