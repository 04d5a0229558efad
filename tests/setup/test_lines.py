"""The benchmark of how dense the code is: what it counts."""

import pytest
from conftest import ROOT

SOURCE = '''"""A docstring
of two lines."""

import os  # counted, the comment with it

# not counted
TEXT = """a text
over three lines,
no docstring"""


def outer(x: list[int]):
    """Not counted."""

    def inner():
        "Nor this."
        return -x[0] + len(x)

    return [
        inner() if a < b < c and a else b
        for a, b, c in x
    ]
'''


@pytest.fixture
def lines(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import lines

    return lines


def test_what_counts(lines, tmp_path):
    (tmp_path / "a.py").write_text(SOURCE, encoding="utf-8")
    found = lines.measure(lines.files_of(tmp_path))
    # import; TEXT, 3; outer; inner; its return; outer's return, 4
    assert found["lines"] == 11
    # list[int] · minus, x[0], plus, len(x) · inner(), the chain of <, and, the comprehension
    assert found["operations"] * 11 == pytest.approx(9)
    assert found["longest"]["lines"] == 6 and found["longest"]["name"] == "outer"
    assert found["width"] == len("        inner() if a < b < c and a else b") and not found["wide"]
