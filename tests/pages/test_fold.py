"""Which cells are folded in pages that stand still, and what is left out of them."""

import fold
import pytest


@pytest.mark.parametrize(
    "collapsed, tags, folded",
    [
        (True, [], ["hide-input"]),
        (True, ["x"], ["x", "hide-input"]),
        (True, ["remove-cell"], ["remove-cell"]),
        (False, ["hide-input"], ["hide-input"]),
        (False, [], []),
    ],
)
def test_folds_what_jupyterlab_shows_collapsed(collapsed, tags, folded):
    said = {"data": {"text/plain": ["With anywidget JupyterLab has controls here: query."]}}
    shown = {"data": {"text/plain": ["a table"]}}
    about = {"tags": tags, "jupyter": {"source_hidden": collapsed}}
    cell = {"cell_type": "code", "source": "x", "outputs": [said, shown], "metadata": about}
    fold.fold({"cells": [{"cell_type": "markdown"}, cell]})
    assert cell["metadata"]["tags"] == folded and cell["outputs"] == [shown]
