"""Tests that the book builds without warnings, is complete, and can be read offline.

`make test` builds a book of two lessons, `make soak` the whole book.
"""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from chromium import needs_chromium
from conftest import ROOT, until
from lesson_names import EXERCISES, LESSONS, folded, notebook, speaks_of_controls
from selenium.webdriver.common.keys import Keys
from visits import all_faults

from book.build import equations, live, read, reading_time
from book.build.lecture import ANSWER, PREDICT

pytest.importorskip("myst_nb", reason="the extra `book` is not installed (make test installs it)")
from book.build import website

pytestmark = pytest.mark.filterwarnings("ignore:.*MystReferenceResolver.app")
SMALL = ["01_hash_words", "04_bptt_rnn"]
INDEX = "# A book\n\n```{toctree}\n" + "\n".join(f"notebooks/{name}" for name in SMALL) + "\n```\n"
# pages with many formulas, figures or tables, the reader, an exercise, and source code
KINDS = (
    "index search reader notation api benchmarks/README lstm_edu/cells/lstm notebooks/claims "
    "appendix notebooks/05b_check_the_appendix notebooks/08_watch_the_gates "
    "notebooks/exercises/06_train"
).split()
SOAK, CI = [pytest.mark.soak], [pytest.mark.soak, pytest.mark.ci]


@pytest.fixture(scope="module")
def small_book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    for name in ("root/book/pages", "root/notebooks", "pages"):
        (folder / name).mkdir(parents=True)
    (folder / "root" / "book" / "pages" / "index.md").write_text(INDEX, encoding="utf-8")
    for name in SMALL:
        shutil.copy(ROOT / "notebooks" / f"{name}.ipynb", folder / "root" / "notebooks")
    website.stage(folder / "pages", folder / "root")
    assert not website.sphinx(folder / "pages", folder / "book")
    live.write_instruments(folder / "book" / live.FOLDER)
    return folder / "book"


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book") / "book"
    how = {"cwd": ROOT, "capture_output": True, "encoding": "utf-8"}
    built = subprocess.run([sys.executable, "-m", "book.build.website", folder], **how)
    assert not built.returncode, built.stdout + built.stderr
    return folder


# ---- tests on a book of two lessons
@needs_chromium
def test_two_lesson_book_passes_browser_checks(small_book, tmp_path):
    assert all_faults([small_book / "notebooks" / "04_bptt_rnn.html"], tmp_path) == {}


@pytest.mark.parametrize("name", SMALL)
def test_book_has_folded_cells_captioned_figures_and_mathml(small_book, name):
    page = read(small_book / "notebooks" / f"{name}.html")
    assert page.count('<details class="admonition hide above-input">') == len(folded(name))
    written = [c for c in notebook(name)["cells"] if "".join(c["source"]).startswith("**Fig. ")]
    assert page.count("<figcaption>") == len(written) > 0
    assert not re.findall(r"<p><strong>Fig\.\s\w+\.", page)

    page = read(small_book / "notebooks" / "04_bptt_rnn.html")
    assert page.count("<math") == page.count('class="math"') > 100 and "MathJax" not in page


@needs_chromium
def test_question_shows_answer_only_after_a_guess(browser, small_book):
    """Answer by keyboard; check that the guess appears above the answer and survives a reload."""
    all_of = lambda selector: browser.find_elements("css selector", selector)
    choices = lambda: all_of("ul.predict:first-of-type button")[:3]
    opened = lambda: [e for e in all_of("article details:has(> .guess)") if e.is_displayed()]
    browser.get((small_book / "notebooks" / "04_bptt_rnn.html").as_uri())
    assert not opened()
    choices()[0].send_keys(Keys.ENTER)
    for _ in "answered", "loaded again":
        (answer,) = until(opened, "the answer")
        assert "You said (a). It is (b).\n(b).\n" in answer.text
        assert [choice.get_attribute("class") for choice in choices()] == ["wrong", "right", ""]
        browser.refresh()
    (answer,) = opened()
    answer.find_element("css selector", "summary ~ button").send_keys(Keys.SPACE)
    assert not opened() and browser.switch_to.active_element == choices()[0]

    browser.get((small_book / "notebooks" / "01_hash_words.html").as_uri())
    all_of("div.predict input")[0].send_keys("one in six", Keys.ENTER)
    assert "You said: one in six.\nAbout one in six." in opened()[0].text


@pytest.mark.parametrize("name", LESSONS)
def test_folded_answer_begins_with_letter_of_right_choice(name):
    """static/predict.js reads the right choice from the beginning of the answer."""
    for cell in notebook(name)["cells"]:
        _, _, asked = "".join(cell["source"]).partition(PREDICT)
        question, _, answer = asked.partition(ANSWER)
        choices = re.findall(r"^- \(([a-d])\)", question, re.MULTILINE)
        if choices:
            assert re.match(r"\s*(Here )?\(([a-d])\)", answer)[2] in choices, cell["id"]


# ---- tests on the whole book
@pytest.mark.waits(50)  # seconds allowed per page, which is laid out at several widths
@needs_chromium
@pytest.mark.parametrize("every", [pytest.param(False, marks=CI), pytest.param(True, marks=SOAK)])
def test_pages_of_book_pass_browser_checks(book, every, tmp_path):
    """Visit the pages in KINDS and, if `every`, all others except those with source code."""
    pages = {book / f"{name}.html" for name in KINDS}
    if every:
        pages |= {page for page in book.rglob("*.html") if book / "lstm_edu" not in page.parents}
    assert all_faults(sorted(pages), tmp_path) == {}


@pytest.mark.soak
def test_book_lists_every_lesson_and_exercise(book):
    listed = [*LESSONS, "equations", "claims", *(f"exercises/{name}" for name in EXERCISES)]
    index = read(book / "index.html")
    for name in listed:
        assert f'href="notebooks/{name}.html"' in index
        assert (book / f"notebooks/{name}.html").exists()
    cards = re.findall(r'<li class="(core|optional)"><a href="(\S+?)">(.+?)</li>', index)
    assert [name for _, name, _ in cards] == [f"notebooks/{name}.html" for name in LESSONS]
    for (kind, _, said), name in zip(cards, LESSONS):
        stated = reading_time.stated(ROOT / "notebooks" / f"{name}.ipynb")
        assert f"{stated} minutes" in said and ("optional" in said) == (kind == "optional")
    assert not [page for page in (book / "notebooks").glob("*.html") if speaks_of_controls(page)]


class Addresses(HTMLParser):
    """Parser that collects a page's loaded resources, links and anchors."""

    def __init__(self, page):
        super().__init__()
        self.loads, self.links, self.places = [], [], set()
        self.feed(read(page))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.places |= {attributes.get("id"), attributes.get("name") if tag == "a" else None}
        if "src" in attributes or tag == "link" and attributes.get("rel") != "canonical":
            self.loads.append(attributes.get("src") or attributes.get("href"))
        elif tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])


@pytest.mark.soak
def test_pages_are_small_and_offline_and_links_resolve(book):
    found = {page: Addresses(page) for page in book.rglob("*.html")}
    for page, addresses in found.items():
        assert not [address for address in addresses.loads if urlsplit(address).netloc], page
        loaded = {(page.parent / unquote(urlsplit(a).path)).resolve() for a in addresses.loads}
        weighs = sum(file.stat().st_size for file in loaded if file.suffix != ".html")
        assert weighs + page.stat().st_size <= 3_500_000, (page, weighs)
        for address in [*addresses.loads, *addresses.links]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
            # run.js checks that this page exists
            if target == book.resolve().parent / "lite" / "lab" / "index.html":
                assert (ROOT / parts.query.removeprefix("path=")).exists(), page
                continue
            exists = target.is_file()
            if exists and parts.fragment and target in found:
                exists = unquote(parts.fragment) in found[target].places
            assert exists, f"{page.relative_to(book)}: {address}"
    for sheet in book.rglob("*.css"):
        assert not re.search(r"@import|url\([\"']?(https?:)?//", read(sheet)), sheet


@pytest.mark.soak
def test_index_shows_every_equation(book):
    known = equations.formulas()
    # (81) has no formula, because the paper prints its number next to the end of (80)
    assert set(range(1, 113)) - set(known) == {81}
    index = read(book / "notebooks" / "equations.html")
    sections = [part for part in index.split("<h2>") if part.startswith("(")]
    assert not [part[:60] for part in sections if 'class="math' not in part.split("Shown in")[0]]
    step = next(section for section in sections if section.startswith("(2)"))
    assert "𝐨(t)=σ" in re.sub("<[^>]*>", "", step)
