"""Tests that each name on the page elsewhere.md first occurs in the lesson linked beside it."""

import re

import pytest

from book.build import LESSONS, ROOT, prose, read

PAGE = read(ROOT / "book" / "pages" / "elsewhere.md")
ROW = re.compile(r"^\|[^|]+\| ([^|]+) \|[^|]*\| \[(\w+)\]\(\.\./\.\./notebooks/(\S+)\) \|$", re.M)
ROWS = ROW.findall(PAGE)
NAMES = [(name, page) for names, _, page in ROWS for name in names.split(", ")]
PROSE = {path.name: " ".join(prose(path).replace("*", "").split()) for path in LESSONS}


def test_every_table_row_is_parsed_and_rows_follow_lesson_order():
    assert len(ROWS) == len(re.findall(r"^\| ", PAGE, re.M)) - 1 > 20  # one row is the header
    assert all(page.startswith(f"{number}_") for _, number, page in ROWS)
    assert ROWS == sorted(ROWS, key=lambda row: row[1])


@pytest.mark.parametrize("name, page", NAMES, ids=[name for name, _ in NAMES])
def test_name_first_occurs_in_listed_lesson(name, page):
    """Search the lessons in order for the name or its plural, as a whole word."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?:s|es)?(?!\w)", re.IGNORECASE)
    assert next((at for at, text in PROSE.items() if word.search(text)), None) == page


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_recap_links_to_the_page_of_other_names(path):
    recap = prose(path).split("## Recap\n")[1].split("\n## ")[0]
    assert "[What it is called elsewhere](../book/pages/elsewhere.md)" in recap
