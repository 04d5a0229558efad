"""What is folded, or left out, in pages that stand still: in the book and in those of `make run`.

A cell that only computes a sentence, or only asserts, holds up whoever reads on: its output is a
text or there is none, it trains no model, and nothing that it names is used by a later cell. Its
code is folded, and what it says stays; so is what JupyterLab shows collapsed. Where that is wrong,
a tag of the cell's decides: `hide-input` or `show-input`. What a cell says of controls, which only
JupyterLab has, is left out.
"""

import dis
import re

CONTROLS = "JupyterLab has controls here"  # as lstm_course.explorers.controls says
TRAINS = re.compile(r"\btrain\(|\.step\(\)")


def names(code):
    """The names that code needs from the cells before it, and those that it gives them."""
    needs, gives = set(), set()
    for step in dis.get_instructions(code):
        if step.opname == "STORE_NAME":
            gives.add(step.argval)
        elif step.opname in ("LOAD_NAME", "LOAD_GLOBAL") and step.argval not in gives:
            needs.add(step.argval)
    for inner in code.co_consts:  # functions run later: what is given by then they have
        if hasattr(inner, "co_consts"):
            needs |= names(inner)[0] - gives
    return needs, gives


def says_only(cell, later):
    """Whether a cell only computes prose or asserts; ``later`` are the cells after it."""
    tags = cell["metadata"].get("tags", [])
    if "hide-input" in tags or "show-input" in tags:
        return "hide-input" in tags
    if cell["metadata"].get("jupyter", {}).get("source_hidden"):
        return True
    source, outputs = "".join(cell["source"]), cell["outputs"]
    prose = all("text/markdown" in output.get("data", {}) for output in outputs)
    if not prose or not source.strip() or TRAINS.search(source) or "nbgrader" in cell["metadata"]:
        return False
    given = names(compile(source, "a cell", "exec"))[1]
    for other in later:
        needs, gives = names(compile("".join(other["source"]), "a cell", "exec"))
        if needs & given:
            return False
        given -= gives
    return True


def fold(notebook, resources=None):
    """Tag the cells that are folded; as nbconvert asks, with resources that are handed through."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for k, cell in enumerate(cells):
        cell["outputs"] = [
            output
            for output in cell["outputs"]
            if CONTROLS not in "".join(output.get("data", {}).get("text/plain", ""))
        ]
        whole = {"remove-cell", "hide-cell"} & set(cell["metadata"].get("tags", []))
        if not whole and says_only(cell, cells[k + 1 :]):
            tags = cell["metadata"].setdefault("tags", [])
            tags += ["hide-input"] * ("hide-input" not in tags)
    return notebook, resources
