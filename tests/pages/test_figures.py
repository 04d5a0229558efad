"""Tests that each figure in the lessons has a number, a caption and an alternative text."""

import contextlib
import html
import pathlib

import nbformat
import pytest

from book.build import execute, figures

CELLS = [
    "from lstm_course import plots\nplots.cost_curve({'cost': [3.0, 1.0]})",
    "import numpy as np\nfrom lstm_course import explorers\n"
    "explorers.explore_push(['a <b> \"c\"', 'd & e', 'f'], np.array([0.9, 0.5, 0.1]))",
]


def test_stored_notebook_and_run_page_have_alt_text(tmp_path):
    """Store a small notebook with `course.py pages`, and make its page with `course.py run`."""
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, CELLS)))
    nbformat.write(notebook, tmp_path / "small.ipynb")
    with contextlib.chdir(tmp_path):
        assert not execute.main("pages", "small.ipynb")
    notebook = nbformat.read(tmp_path / "small.ipynb", 4)
    outputs = [output for cell in notebook.cells for output in cell["outputs"]]
    curve, push = (o["metadata"]["image/png"] for o in outputs if "image/png" in o.get("data", {}))
    assert "“training” 3 and 1." in curve["alt"] and '“a <b> "c"”' in push["alt"]
    assert curve["width"] > 400 and outputs[0]["output_type"] == "execute_result"
    page = html.unescape(execute.page(notebook, "small", []))
    for about in curve, push:
        assert about["alt"] in page and f'width="{about["width"]}"' in page


def cell(text="", n_pictures=0):
    made = nbformat.v4.new_code_cell(text) if n_pictures else nbformat.v4.new_markdown_cell(text)
    for _ in range(n_pictures):
        made["outputs"].append({"data": {"image/png": ""}, "metadata": {}})
    return made


def lesson(name, *cells):
    return pathlib.Path("notebooks", name), {"cells": list(cells)}


@pytest.mark.parametrize(
    "cells",
    [
        [cell("x", 1), cell("Text.\n\n**Fig. 2.1**. Late.")],
        [cell("x", 1), cell("**Fig. 2.2**. Wrong.")],
        [cell("x", 1), cell("**Fig. 2.1**. One."), cell("**Fig. 2.2**. Of nothing.")],
        [cell("x", 2), cell("**Fig. 2.1**. One of two.")],
        [cell("x", 1), cell("**Fig. 2.1**. As in Fig. 2.2.")],
    ],
)
def test_faulty_captions_and_references_are_reported(cells):
    assert list(figures.complaints([lesson("02_run.ipynb", *cells)]))


NOTEBOOKS = dict(figures.notebooks())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_figure_has_number_caption_and_alternative_text(path):
    outputs = [o for cell in NOTEBOOKS[path]["cells"] for o in cell.get("outputs", ())]
    pictures = [o for o in outputs if "image/png" in o.get("data", {})]
    where = f"{path.parent.name}/{path.name}: "
    wrong = [said for said in figures.complaints(list(NOTEBOOKS.items())) if said.startswith(where)]
    assert not wrong, "\n".join(wrong)
    for output in pictures:
        about = output["metadata"].get("image/png", {})
        assert len(about.get("alt", "")) > 40 and about["width"] > 300
