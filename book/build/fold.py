"""Folding of code cells on pages without a kernel: the book's, and those of `course.py run`.

Code that only computes a sentence distracts readers. A cell's code is folded if JupyterLab shows it
collapsed, or if the cell has the tag `hide-input`; the cell's output is still shown. Outputs that
mention JupyterLab's controls are removed.
"""

CONTROLS = "JupyterLab has controls here"  # as in lstm_course.explorers.controls


def fold(notebook):
    """Tag a notebook's cells to fold, and remove outputs that mention JupyterLab's controls."""
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        cell["outputs"] = [
            output
            for output in cell["outputs"]
            if CONTROLS not in "".join(output.get("data", {}).get("text/plain", ""))
        ]
        tags = cell["metadata"].get("tags", [])
        collapsed = cell["metadata"].get("jupyter", {}).get("source_hidden")
        if collapsed and not {"remove-cell", "hide-cell", "hide-input"} & set(tags):
            cell["metadata"]["tags"] = [*tags, "hide-input"]
    return notebook
