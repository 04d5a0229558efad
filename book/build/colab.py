"""Bring the cell that fetches the course on Colab up to date: python -m book.build.colab.

The address is `Repository` under [project.urls] in pyproject.toml, and nowhere else; while there is
none, the cell asks for it. Run it again when the address or the cell has changed, and in a new
lesson whose title has a cell of its own; then `make exercises AGAIN=1`.
"""

import json
import tomllib

from book.build import LESSONS, ROOT, SOLUTIONS, read, write

CELL = """\
if "google.colab" in str(shell := get_ipython()):  # fetch the course there
    shell.system(f"git clone -q {address} /c; sh /c/book/colab.sh"){noqa}"""
HIDDEN = {"cellView": "form", "jupyter": {"source_hidden": True}, "tags": ["remove-cell"]}


def cell():
    """Return the cell; it asks for the address while pyproject.toml has none."""
    urls = tomllib.loads(read(ROOT / "pyproject.toml"))["project"].get("urls", {})
    address = urls.get("Repository", "{input('Address: ')}")
    noqa = "  # noqa: E501" if len(address) > 20 else ""
    source = CELL.format(address=address, noqa=noqa).splitlines(keepends=True)
    about = {"cell_type": "code", "execution_count": 1, "id": "colab", "metadata": HIDDEN}
    return about | {"outputs": [], "source": source}


def with_cell(notebook):
    """Return a notebook with the cell after its title, and the executed cells counted anew."""
    title, *cells = (own for own in notebook["cells"] if own["id"] != "colab")
    cells = [title, cell(), *cells]
    for count, own in enumerate((own for own in cells if own["cell_type"] == "code"), 1):
        own["execution_count"] = count
        for output in own["outputs"]:
            if "execution_count" in output:
                output["execution_count"] = count
    return {**notebook, "cells": cells}


if __name__ == "__main__":
    for path in [*LESSONS, *SOLUTIONS]:
        notebook = with_cell(json.loads(read(path)))
        write(path, json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
