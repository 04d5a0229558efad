"""Put the cell that fetches the course on Colab into every notebook: python -m book.build.colab.

The address is `Repository` under [project.urls] in pyproject.toml, and nowhere else; while there is
none, the cell asks for it. Run it again when the address or the cell has changed, and then
`make exercises AGAIN=1`.
"""

import json
import tomllib

# the students' copies are made from the solutions
from book.build import ROOT

NOTEBOOKS = ["notebooks/[0-9]*.ipynb", "notebooks/solutions/[0-9]*.ipynb"]
CELL = """\
if "google.colab" in str(shell := get_ipython()):  # fetch the course there
    shell.system(f"git clone -q {address} /c; sh /c/book/colab.sh"){noqa}"""


def source():
    """The cell's source; it asks for the address while pyproject.toml has none."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"].get(
        "urls", {}
    )
    address = urls.get("Repository", "{input('Address: ')}")
    return CELL.format(address=address, noqa="  # noqa: E501" if len(address) > 20 else "")


def with_cell(notebook, parted=True):
    """A notebook with the cell after its title, hidden, and the cells that ran counted anew.
    A lesson's first cell is ``parted`` for it.
    """
    cells = list(notebook["cells"])
    if "colab" not in [cell["id"] for cell in cells]:
        if parted:
            title, _, rest = "".join(cells[0]["source"]).partition("\n\n")
            cells[:1] = [
                {**cells[0], "id": "title", "source": [title]},
                {**cells[0], "source": rest.splitlines(keepends=True)},
            ]
        cells.insert(
            1,
            {
                "cell_type": "code",
                "execution_count": None,
                "id": "colab",
                "outputs": [],
                "metadata": {
                    "cellView": "form",
                    "jupyter": {"source_hidden": True},
                    "tags": ["remove-cell"],
                },
            },
        )
    next(cell for cell in cells if cell["id"] == "colab")["source"] = source().splitlines(True)
    ran = [cell for cell in cells if cell["cell_type"] == "code"]
    for count, cell in enumerate(ran, 1):
        cell["execution_count"] = count
        for output in cell["outputs"]:
            if "execution_count" in output:
                output["execution_count"] = count
    return {**notebook, "cells": cells}


if __name__ == "__main__":
    for path in (path for pattern in NOTEBOOKS for path in sorted(ROOT.glob(pattern))):
        is_lesson = path.parent.name == "notebooks"
        notebook = with_cell(json.loads(path.read_text(encoding="utf-8")), is_lesson)
        text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)
        path.write_text(text + "\n", encoding="utf-8", newline="\n")
