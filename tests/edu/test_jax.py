"""The worked answer of lesson 14's exercise in JAX, which is no part of the course."""

import re

import nbformat
import pytest
from conftest import ROOT


def test_the_worked_answer_has_our_gradient(capsys):
    pytest.importorskip("jax", reason="JAX is not installed: pip install jax")
    path = ROOT / "notebooks" / "solutions" / "14_from_here_to_pytorch.ipynb"
    text = next(c.source for c in nbformat.read(path, 4).cells if c.id == "14-jax")
    exec(re.search(r"```python\n(.+?)```", text, re.DOTALL)[1], {})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 18 and all("equal    to 1e-10" in line for line in lines)
