"""Insert the cell that fetches the course on Colab: python -m book.build.colab.

The cell clones the repository from `Repository` under [project.urls] in pyproject.toml, or asks for
the address if that entry is missing. Run this module after the address or the cell has changed, and
after adding a lesson, whose first cell must contain only the title. Then run the new lesson with
`python course.py pages`, and make the exercises again with `python course.py exercises --again`.
"""

import json
import tomllib

from book.build import LESSONS, ROOT, SOLUTIONS, read, write

CELL = """\
if "google.colab" in str(shell := get_ipython()):  # fetch the course there
    shell.system(f"git clone -q {address} /c; sh /c/book/colab.sh"){noqa}"""
HIDDEN = {"cellView": "form", "jupyter": {"source_hidden": True}, "tags": ["remove-cell"]}


def cell():
    """Return the Colab cell, which asks for the repository's URL if pyproject.toml gives none."""
    urls = tomllib.loads(read(ROOT / "pyproject.toml"))["project"].get("urls", {})
    address = urls.get("Repository", "{input('Address: ')}")
    noqa = "  # noqa: E501" if len(address) > 20 else ""
    source = CELL.format(address=address, noqa=noqa).splitlines(keepends=True)
    made = {"cell_type": "code", "execution_count": 1, "id": "colab", "metadata": HIDDEN}
    return made | {"outputs": [], "source": source}


def with_cell(notebook):
    """Insert or replace the Colab cell after a notebook's title."""
    title, *others = (each for each in notebook["cells"] if each["id"] != "colab")
    return {**notebook, "cells": [title, cell(), *others]}


if __name__ == "__main__":
    for path in [*LESSONS, *SOLUTIONS]:
        notebook = with_cell(json.loads(read(path)))
        write(path, json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
