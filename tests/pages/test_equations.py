"""Tests that the index of equations links each number to a section and to a line of code."""

import json
import re
from urllib.parse import quote

import pytest
from conftest import ROOT

from book.build import equations

INDEX = ROOT / "notebooks" / "equations.md"
ROW = re.compile(r"^\| (?P<numbers>\(\d.*?) \| (?P<name>.+?) \| (?P<shown>.+?) \| (?P<code>.+) \|$")
SECTION = re.compile(
    r"\[[^\]]+\]\((?P<page>\d\d[a-z]?_\w+\.ipynb|\.\./book/pages/\w+\.md)#(?P<anchor>[^)]+)\)"
)
LINE = re.compile(
    r"\[`[\w.]+`\]\(\.\./lstm_edu/(?P<file>[\w/]+\.py)#L(?P<line>\d+)\) "
    r"`` (?P<code>.+?) ``"
)
ROWS = [match for match in map(ROW.match, INDEX.read_text(encoding="utf-8").splitlines()) if match]


def numbers(text):
    """Return the equation numbers in a text, written as (3), (16)-(20) or \\tag{9, 60}."""
    groups = re.findall(r"(?:\(|tag\{)(\d+(?:, \d+)*)[)}]", text)
    found = {int(n) for group in groups for n in group.split(", ")}
    for low, high in re.findall(r"\((\d+)\)\s*(?:-|–|to)\s*\((\d+)\)", text):
        found |= set(range(int(low), int(high) + 1))
    return found


def slug(heading):
    return quote(heading.strip().replace(" ", "-"), safe="-.,")


def section(page, anchor):
    """Return the text under a heading of a notebook or page, up to the next heading."""
    text = (ROOT / "notebooks" / page).read_text(encoding="utf-8")
    if page.endswith(".ipynb"):
        cells = json.loads(text)["cells"]
        indent = {"markdown": "", "code": "    "}  # in code, # begins a comment
        sources = [(indent[cell["cell_type"]], "".join(cell["source"])) for cell in cells]
        text = "\n".join(space + line for space, source in sources for line in source.splitlines())
    parts = re.split(r"^(#+ .+)$", text, flags=re.MULTILINE)
    pairs = zip(parts[1::2], parts[2::2])
    under = {slug(heading.lstrip("#")): heading + body for heading, body in pairs}
    assert anchor in under, f"{page} has no heading {anchor}"
    return under[anchor]


def test_every_equation_is_in_the_index_once():
    named = [n for row in ROWS for n in sorted(numbers(row["numbers"]))]
    assert sorted(named) == list(range(1, 113))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["numbers"])
def test_linked_section_shows_equation_and_linked_line_contains_code(row):
    sections, lines = list(SECTION.finditer(row["shown"])), list(LINE.finditer(row["code"]))
    assert len(sections) == row["shown"].count("](") > 0
    assert len(lines) == row["code"].count("](") > 0
    for link in sections:
        shown = numbers(section(link["page"], link["anchor"]))
        assert numbers(row["numbers"]) <= shown, f"{link[0]} does not show all of them"
    for link in lines:
        source = (ROOT / "lstm_edu" / link["file"]).read_text(encoding="utf-8")
        at = [k for k, line in enumerate(source.splitlines(), 1) if link["code"] in line]
        assert int(link["line"]) in at, f"{link['file']}: {link['code']} is at {at}"


def test_index_updates_line_numbers_and_reports_missing_lines(monkeypatch, tmp_path, capsys):
    page, lost = tmp_path / "equations.md", "`` a line that is gone ``"
    expected = INDEX.read_text(encoding="utf-8").replace("`` c = f * c + i * yg ``", lost)
    page.write_text(expected.replace("rnn.py#L", "rnn.py#L9"), encoding="utf-8")
    monkeypatch.setattr(equations, "INDEX", page)
    assert equations.main() == expected.count(lost) > 0
    assert page.read_text(encoding="utf-8") == expected
    assert capsys.readouterr().out.count("a line that is gone") == 1
