"""Update the cell that fetches the course on Colab: python -m book.build.colab.

The address is `Repository` under [project.urls] in pyproject.toml; while that is missing, the cell
asks for it. Run this module again when the address or the cell has changed, and for a new lesson,
whose first cell has only the title; then run `make exercises AGAIN=1`.
"""

import json
import tomllib

from book.build import LESSONS, ROOT, SOLUTIONS, read, write

CELL = """\
if "google.colab" in str(shell := get_ipython()):  # fetch the course there
    shell.system(f"git clone -q {address} /c; sh /c/book/colab.sh"){noqa}"""
HIDDEN = {"cellView": "form", "jupyter": {"source_hidden": True}, "tags": ["remove-cell"]}


def cell():
    """Return the cell, which asks for the address if pyproject.toml has none."""
    urls = tomllib.loads(read(ROOT / "pyproject.toml"))["project"].get("urls", {})
    address = urls.get("Repository", "{input('Address: ')}")
    noqa = "  # noqa: E501" if len(address) > 20 else ""
    source = CELL.format(address=address, noqa=noqa).splitlines(keepends=True)
    made = {"cell_type": "code", "execution_count": 1, "id": "colab", "metadata": HIDDEN}
    return made | {"outputs": [], "source": source}


def with_cell(notebook):
    """Insert the cell after a notebook's title, and number the executed cells again."""
    title, *others = (each for each in notebook["cells"] if each["id"] != "colab")
    cells = [title, cell(), *others]
    for count, code in enumerate((each for each in cells if each["cell_type"] == "code"), 1):
        code["execution_count"] = count
        for output in code["outputs"]:
            if "execution_count" in output:
                output["execution_count"] = count
    return {**notebook, "cells": cells}


if __name__ == "__main__":
    for path in [*LESSONS, *SOLUTIONS]:
        notebook = with_cell(json.loads(read(path)))
        write(path, json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
