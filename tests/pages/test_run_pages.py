"""The pages of `make run`: everybody can read them, and what only says something is folded."""

import os
import re
import subprocess
import sys

import pytest
import visits
from chromium import needs_chromium
from conftest import ROOT
from lesson_names import LESSONS, folded, speaks_of_controls

pytest.importorskip("nbconvert", reason="the extra `notebooks` is not installed (make test does)")
import nbformat

from book import execute

SOME_OF_RUN = ["00_start_here", "05b_check_the_appendix"]  # of all that is folded, and formulas


@pytest.fixture(scope="module")
def run_pages(of_all, tmp_path_factory):
    """The pages of `make run`, of the notebooks as they are stored."""
    folder = tmp_path_factory.mktemp("run")
    for name in LESSONS if of_all else SOME_OF_RUN:
        page = execute.page(nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4), name, [])
        (folder / f"{name}.html").write_text(page, encoding="utf-8", newline="\n")
    return folder


@pytest.mark.waits(2)
@needs_chromium
def test_axe_finds_nothing_on_the_pages_of_run(run_pages, tmp_path):
    made = [sys.executable, "-m", "book.pages", run_pages]
    subprocess.run(made, cwd=ROOT, check=True)
    found = visits.visit(sorted(run_pages.glob("*.html")), tmp_path, ["light"])
    assert {page.name: (len(wrong), wrong[:5]) for page, (_, wrong) in found.items() if wrong} == {}
    for page, (seen, _) in found.items():
        for width, what in seen.items():
            named = "misread", "broken", "nameless", "unreachable", "stops"
            wrong = {name: what[name] for name in named}
            assert not any(wrong.values()), f"{page.name}, {width} pixels: {wrong}"


def links(page):
    """The places that a page links to, but for those within it."""
    found = re.findall(r'<a href="([^"#][^"]*)"', page.read_text(encoding="utf-8"))
    return {name for name in found if not name.startswith("https:")}


def test_every_link_of_the_pages_of_run_goes_to_what_is_there(run_pages):
    seen = set()
    for page in run_pages.glob("*.html"):
        for name in links(page):
            lesson = name.endswith(".html") and name[: -len(".html")] in LESSONS
            assert lesson or (ROOT / "build" / name).resolve().is_file(), f"{page.name}: {name}"
            seen.add(lesson)
    assert True in seen


def test_the_list_of_the_pages_links_to_those_that_are_there_or_come(tmp_path):
    (tmp_path / "04_bptt_rnn.html").write_text("", encoding="utf-8")
    command = ["-m", "book.pages", tmp_path, os.path.join("notebooks", "06_train.ipynb")]
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True)
    assert {"index.html", "tex-svg-full.js", "scrolls.js"} < set(os.listdir(tmp_path))
    assert links(tmp_path / "index.html") == {"04_bptt_rnn.html", "06_train.html"}
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "<title>A course that runs</title>" in text
    assert all(f"{name.split('_')[0]} " in text for name in LESSONS) and "35 minutes" in text


def test_no_page_of_run_speaks_of_controls_that_it_has_not(run_pages):
    assert not [page for page in run_pages.glob("*.html") if speaks_of_controls(page)]


def test_it_is_folded_in_the_pages_of_run(run_pages):
    for path in run_pages.glob("[0-9]*.html"):
        page = path.read_text(encoding="utf-8")
        assert page.count('<details class="folded">') == len(folded(path.stem)), path.name
    assert all(folded(name) for name in SOME_OF_RUN)
