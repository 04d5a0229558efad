"""The pages of `make run`: everybody can read them, and what only says something is folded."""

import runpy
import shutil
import subprocess
import sys

import pytest
import visits
from chromium import needs_chromium
from conftest import ROOT
from lessons import LESSONS, folded, speaks_of_controls

sys.path.insert(0, str(ROOT / "book"))
pytest.importorskip("nbconvert", reason="the extra `notebooks` is not installed (make test does)")
pytest.importorskip("myst_nb", reason="the extra `book` is not installed (make test does)")
from slides import MATHJAX  # noqa: E402

PAGE = runpy.run_path(str(ROOT / "course.py"))["PAGE"]
SOME_OF_RUN = ["00_start_here", "05b_check_the_appendix"]  # of all that is folded, and formulas


@pytest.fixture(scope="module")
def run_pages(of_all, tmp_path_factory):
    """The pages of `make run`, of the notebooks as they are stored."""
    folder = tmp_path_factory.mktemp("run")
    pages = [f"notebooks/{name}.ipynb" for name in (LESSONS if of_all else SOME_OF_RUN)]
    settings = [*PAGE[:-1], f"--output-dir={folder}", "--log-level=ERROR"]
    made = subprocess.run(
        [sys.executable, "-m", "nbconvert", *settings, *pages],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    assert not made.returncode and len([*folder.glob("*.html")]) == len(pages), made.stderr
    return folder


@pytest.mark.waits(2)
@needs_chromium
def test_axe_finds_nothing_on_the_pages_of_run(run_pages, tmp_path):
    shutil.copy(MATHJAX, run_pages)
    shutil.copy(ROOT / "book" / "static" / "scrolls.js", run_pages)
    found = visits.visit(sorted(run_pages.glob("*.html")), tmp_path, ["light"])
    assert {page.name: (len(wrong), wrong[:5]) for page, (_, wrong) in found.items() if wrong} == {}
    for page, (seen, _) in found.items():
        for width, what in seen.items():
            named = "misread", "broken", "nameless", "unreachable", "stops"
            wrong = {name: what[name] for name in named}
            assert not any(wrong.values()), f"{page.name}, {width} pixels: {wrong}"


def test_no_page_of_run_speaks_of_controls_that_it_has_not(run_pages):
    assert not [page for page in run_pages.glob("*.html") if speaks_of_controls(page)]


def test_it_is_folded_in_the_pages_of_run(run_pages):
    for path in run_pages.glob("*.html"):
        page = path.read_text(encoding="utf-8")
        assert page.count('<details class="folded">') == len(folded(path.stem)), path.name
    assert all(folded(name) for name in SOME_OF_RUN)
