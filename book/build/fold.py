"""What is folded, or left out, in pages that stand still: in the book and in those of `make run`.

The code of a cell that only computes a sentence holds up whoever reads on. It is folded where
JupyterLab shows it collapsed, and by the tag `hide-input`; what the cell says stays. What a cell
says of controls, which only JupyterLab has, is left out.
"""

CONTROLS = "JupyterLab has controls here"  # as lstm_course.explorers.controls says


def fold(notebook, resources=None):
    """Tag the cells that are folded; as nbconvert asks, with resources that are handed through."""
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
    return notebook, resources
