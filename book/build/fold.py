"""The cells that are folded, or left out, in pages without a kernel: the book and `make run`'s.

The code of a cell that only computes a sentence holds up whoever reads on. It is folded where
JupyterLab shows it collapsed, and by the tag `hide-input`; its output stays. An output that speaks
of controls, which only JupyterLab has, is left out.
"""

CONTROLS = "JupyterLab has controls here"  # as lstm_course.explorers.controls says


def fold(notebook):
    """Tag the cells that are folded, and leave out outputs about controls."""
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
