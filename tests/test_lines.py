"""The benchmark of how dense the code is: what it counts."""

import json
import subprocess
import sys

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


def test_width_and_length(lines, tmp_path):
    (tmp_path / "b.py").write_text(
        "x = 1\n" * 17 + "y = '" + "é" * 95 + "'\n" + "y = '" + "é" * 94 + "'\n" + "z = 2\n",
        encoding="utf-8",
    )
    found = lines.measure(lines.files_of(tmp_path / "b.py"))
    assert found["lines"] == 20 and found["wide"] == 1 / 20  # 101 columns, and 100
    assert found["width"] == 100 and found["longest"]["lines"] == 0
    for n, listed in ((30, 0), (31, 1)):
        (tmp_path / "b.py").write_text(
            "def f():\n    'Said.'\n" + "    x = 1\n" * n, encoding="utf-8"
        )
        found = lines.measure(lines.files_of(tmp_path / "b.py"))
        assert found["longest"]["lines"] == n and len(found["long"]) == listed


def test_on_the_command_line(tmp_path):
    (tmp_path / "a.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "empty.py").write_text('"""Nothing."""\n', encoding="utf-8")

    def run(*arguments):
        command = [sys.executable, ROOT / "benchmarks" / "lines.py", *arguments]
        return subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT)

    done = run("--json", tmp_path / "lines.json")
    rows = json.loads((tmp_path / "lines.json").read_text(encoding="utf-8"))["rows"]
    assert not done.returncode and "together" in done.stdout and "lstm_edu/cells" in done.stdout
    assert sum(row["lines"] for row in rows.values()) == 2 * rows["together"]["lines"]
    twice = run(tmp_path / "a.py", tmp_path)  # what is named twice counts once
    assert len({line.split()[1] for line in twice.stdout.splitlines()[1:4]}) == 1
    for name, said in (("empty.py", "no code"), ("missing", "no such file")):
        done = run(tmp_path / name)
        assert done.returncode and said in done.stderr and "Traceback" not in done.stderr
