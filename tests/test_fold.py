"""Which cells are folded in pages that stand still, and which are not."""

import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "book"))
import fold


def cell(source, *outputs, tags=()):
    data = [{"output_type": "display_data", "data": {kind: ["x"]}} for kind in outputs]
    about = {"tags": list(tags)} if tags else {}
    return {"cell_type": "code", "source": source, "outputs": data, "metadata": about}


@pytest.mark.parametrize(
    "first, later, folded",
    [
        (cell("x = 1\nMarkdown(f'{x}')", "text/markdown"), "", True),
        (cell("assert y < 1"), "y", True),
        (cell("x = 1\nMarkdown(f'{x}')", "text/markdown"), "print(x)", False),
        (cell("x = 1\nMarkdown(f'{x}')", "text/markdown"), "x = 2; print(x)", True),
        (cell("x = 1\nMarkdown(f'{x}')", "text/markdown"), "def f(): return x", False),
        (cell("draw()\nMarkdown('x')", "image/png", "text/markdown"), "", False),
        (cell("m = train(n)\nMarkdown('x')", "text/markdown"), "", False),
        (cell("Markdown('x')", "text/markdown", tags=["show-input"]), "", False),
        (cell("x = 1", tags=["hide-input"]), "print(x)", True),
        (cell("from a import b"), "b()", False),
    ],
)
def test_which_cells_are_folded(first, later, folded):
    fold.fold({"cells": [first, cell(later)]})
    assert ("hide-input" in first["metadata"].get("tags", [])) == folded
