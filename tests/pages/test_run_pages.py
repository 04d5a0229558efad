"""Tests that pages of `make run` are accessible and have folded cells and working links."""

import re

import pytest
from chromium import needs_chromium
from conftest import ROOT
from lesson_names import LESSONS, folded, speaks_of_controls
from visits import all_faults

pytest.importorskip("nbconvert", reason="the extra `notebooks` is not installed (make test does)")
import nbformat

from book.build import execute, pages

NAMES = ["00_start_here", "05a_bptt_lstm"]  # with formulas and every kind of folded cell


@pytest.fixture(scope="module")
def run_pages(tmp_path_factory):
    """Build the pages and the index of `make run` from stored notebooks."""
    folder = tmp_path_factory.mktemp("run")
    for name in NAMES:
        page = execute.page(nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4), name, [])
        (folder / f"{name}.html").write_text(page, encoding="utf-8", newline="\n")
    pages.main(folder, ["notebooks/06_train.ipynb"])
    return folder


@pytest.mark.soak
@pytest.mark.ci
@pytest.mark.waits(2)
@needs_chromium
def test_pages_built_by_make_run_pass_browser_checks(run_pages, tmp_path):
    assert all_faults(sorted(run_pages.glob("*.html")), tmp_path, ["light"]) == {}


def links(page):
    """Return the links of a page to other files."""
    found = re.findall(r'<a href="([^"#][^"]*)"', page.read_text(encoding="utf-8"))
    return {name for name in found if not name.startswith("https:")}


def test_pages_of_run_are_folded_and_links_resolve(run_pages):
    lessons = {f"{name}.html" for name in LESSONS}
    for name in NAMES:
        page = run_pages / f"{name}.html"
        text = page.read_text(encoding="utf-8")
        assert text.count('<details class="folded">') == len(folded(name)) > 0
        assert not speaks_of_controls(page)
        for link in links(page) - lessons:
            assert (ROOT / "build" / link).resolve().is_file(), f"{name}: {link}"
    assert lessons & links(run_pages / "05a_bptt_lstm.html")

    index = run_pages / "index.html"
    assert links(index) == {f"{name}.html" for name in (*NAMES, "06_train")}
    text = index.read_text(encoding="utf-8")
    assert all(f"{name.split('_')[0]} " in text for name in LESSONS) and "35 minutes" in text
