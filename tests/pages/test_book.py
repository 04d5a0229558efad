"""The book: built without a warning, all there, and readable with the network off."""

import base64
import html
import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import equations
import front
import pytest
import reading_time
import visits
from chromium import NO_NETWORK, at_width, chromium, needs_chromium
from conftest import ROOT, until
from lecture import ANSWER, PREDICT
from lesson_names import LESSONS, READ, folded, speaks_of_controls
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import lstm_edu
from lstm_course.explorers import weights

pytest.importorskip("myst_nb", reason="the extra `book` is not installed (make test installs it)")
EXERCISES = sorted(path.stem for path in (ROOT / "notebooks" / "exercises").glob("[0-9]*.ipynb"))
# Pages of every kind: those with most formulas, figures and tables, a reader, an exercise, code.
# `make test` opens these in the browser, `make soak` all of them.
SOME = (
    "index search reader notation api benchmarks/README lstm_edu/cells/lstm notebooks/claims "
    "notebooks/05b_check_the_appendix notebooks/08_watch_the_gates notebooks/exercises/06_train"
).split()


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book") / "book"
    built = subprocess.run(
        [sys.executable, ROOT / "book" / "build.py", folder], capture_output=True, encoding="utf-8"
    )
    assert not built.returncode, built.stdout + built.stderr
    return folder


@pytest.fixture(scope="module")
def visited(book, of_all, tmp_path_factory):
    """What is seen on each page, and what axe finds; of the pages of code one stands for all."""
    pages = {book / f"{name}.html" for name in SOME}
    if of_all:
        pages |= {page for page in book.rglob("*.html") if book / "lstm_edu" not in page.parents}
    pages = sorted(pages)
    found = visits.visit(pages, tmp_path_factory.mktemp("profile"), ["light", "dark"])
    return {page.relative_to(book).as_posix(): what for page, what in found.items()}


class Addresses(HTMLParser):
    """What a page loads, what it links to, and which places it has."""

    def __init__(self, page):
        super().__init__()
        self.loads, self.links, self.places = [], [], set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.places |= {attributes.get("id"), attributes.get("name") if tag == "a" else None}
        if "src" in attributes or tag == "link" and attributes.get("rel") != "canonical":
            self.loads.append(attributes.get("src") or attributes.get("href"))
        elif tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])


def test_all_is_in_it(book):
    pages = {path.relative_to(book).as_posix() for path in book.rglob("*.html")}
    named = (
        "index search teacher set_up command_line proofs SECURITY api notebooks/equations "
        "notebooks/claims data_samples/README data_samples/questions/README"
    ).split()
    listed = [*LESSONS, "equations", "claims", *(f"exercises/{name}" for name in EXERCISES)]
    assert {f"{name}.html" for name in (*named, *(f"notebooks/{n}" for n in listed))} <= pages
    contents = (book / "index.html").read_text(encoding="utf-8")
    assert [name for name in listed if f'href="notebooks/{name}.html"' not in contents] == []
    numbers = [name.split("_")[0] for name in LESSONS]
    assert [number for number in numbers if f">{number} " not in contents] == []


def test_pages_load_nothing_from_the_network_and_links_lead_somewhere(book):
    read = {page: Addresses(page) for page in book.rglob("*.html")}
    for page, found in read.items():
        assert not [address for address in found.loads if urlsplit(address).netloc], page
        loaded = {(page.parent / unquote(urlsplit(a).path)).resolve() for a in found.loads}
        weighs = sum(file.stat().st_size for file in loaded if file.suffix != ".html")
        assert weighs + page.stat().st_size <= 3_500_000, (page, weighs)
        for address in [*found.loads, *found.links]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
            there = target.is_file()
            if there and parts.fragment and target in read:
                there = unquote(parts.fragment) in read[target].places
            assert there, f"{page.relative_to(book)}: {address}"
    for sheet in book.rglob("*.css"):
        afar = r"@import|url\([\"']?(https?:)?//"
        assert not re.search(afar, sheet.read_text(encoding="utf-8")), sheet


def test_formulas_are_there_without_javascript(book):
    page = (book / "notebooks" / "05b_check_the_appendix.html").read_text(encoding="utf-8")
    assert page.count("<math") == page.count('class="math"') > 100
    assert not [path for path in book.rglob("*") if "tex-svg" in path.name]
    style = (book / "_static" / "formulas.css").read_text(encoding="utf-8")
    assert "MathJax" not in page and "data:font/woff" in style


def test_pictures_are_figures_and_their_captions_belong_to_them(book):
    n_figures = 0
    for page in sorted((book / "notebooks").rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        n_figures += text.count("<figcaption>")
        assert not re.findall(r"<p><strong>Fig\.\s\w+\.", text), page
    lessons = (ROOT / "notebooks").rglob("[0-9]*.ipynb")
    written = [path.read_text(encoding="utf-8").count('"**Fig. ') for path in lessons]
    assert n_figures > 50 and n_figures <= sum(written)


def test_the_index_of_equations_leads_to_lines_of_code(book):
    index = (book / "notebooks" / "equations.html").read_text(encoding="utf-8")
    written = (ROOT / "notebooks" / "equations.md").read_text(encoding="utf-8")
    links = re.findall(r'href="\.\./(lstm_edu/[\w/]+)\.html#L-(\d+)"', index)
    assert links == re.findall(r"\]\(\.\./(lstm_edu/[\w/]+)\.py#L(\d+)\)", written)
    module, line = links[0]
    page = (book / f"{module}.html").read_text(encoding="utf-8")
    shown = re.search(rf'id="L-{line}".*', page)[0].split(">", 1)[1]
    code = (ROOT / f"{module}.py").read_text(encoding="utf-8").splitlines()[int(line) - 1]
    # after its number
    assert html.unescape(re.sub("<[^>]*>", "", shown)).split(maxsplit=1)[1] == code.strip()


@pytest.mark.parametrize("name", EXERCISES)
def test_solutions_are_folded(book, name):
    path = ROOT / "notebooks" / "solutions" / f"{name}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    solved = [c for c in cells if c["metadata"].get("nbgrader", {}).get("solution")]
    page = (book / "notebooks" / "exercises" / f"{name}.html").read_text(encoding="utf-8")
    open_text = re.sub(r"<details>.*?</details>", "", page, flags=re.DOTALL)
    assert page.count("<summary>Solution</summary>") == len(solved) > 0
    assert "### " not in page and "YOUR CODE HERE" in open_text


@pytest.mark.waits(50)  # in `visited`: of eleven pages, each until it is drawn and as wide
@needs_chromium
def test_pages_can_be_read_with_the_network_off(visited):
    for page, (seen, _) in visited.items():
        for width, what in seen.items():
            wrong = {name: of for name, of in what.items() if name not in ("formulas", "figures")}
            assert not any(wrong.values()), f"{page}, {width} pixels: {wrong}"
    lessons = visited.keys() & {f"notebooks/{name}.html" for name in LESSONS}
    assert lessons and all(visited[page][0][1280]["figures"] for page in lessons)
    assert visited["notebooks/05b_check_the_appendix.html"][0][1280]["formulas"] > 100


@pytest.mark.waits(2)
@needs_chromium
def test_the_reader_works_from_another_folder_with_the_network_off(browser, book, of_all, tmp_path):
    """As from a memory stick: a query is typed, and its gates are Python's."""
    read = READ if of_all else READ[1:2]
    shutil.copytree(book, tmp_path / "stick")
    model = weights.rounded(lstm_edu.load(ROOT / "notebooks" / "lstm_32.npz"))
    trace = model.trace("cheap flights to paris")
    pages = ["reader", *(f"notebooks/{name}" for name in LESSONS if name[:2] in read)]
    for page in pages:
        browser.get((tmp_path / "stick" / f"{page}.html").as_uri())
        found = lambda selector: browser.find_elements("css selector", f".reader {selector}")
        until(lambda: found(".reader-maps svg"), "the first picture")
        found("select[id$=-compare]")[0].send_keys(Keys.HOME)  # nothing beside it, in 09 too
        (query,) = found("input[id$=-query]")
        query.send_keys(Keys.CONTROL, "a")
        query.send_keys("cheap flights to paris")
        maps = found(".reader-maps")[0]
        for t in (3, 2):
            for cell in range(3):
                maps.send_keys(Keys.ARROW_DOWN)
                numbers = (f"{name} = {getattr(trace, name)[t, cell]:.3f}" for name in "iocy")
                said = ", ".join(numbers).replace("-", "−")
                assert found(".reader-values")[0].text.endswith(said)
            maps.send_keys(Keys.ESCAPE, Keys.ARROW_LEFT)
        assert len(found(".reader-best tr")) == 11  # a head, and the ten best
    assert len(pages) == 1 + len(read)


@needs_chromium
def test_a_question_takes_an_answer_before_it_opens(browser, book):
    """By keys alone; the guess stands above the answer, and is still there when one comes back."""
    first = lambda selector: browser.find_element("css selector", selector)
    browser.get((book / "notebooks" / "05a_bptt_lstm.html").as_uri())
    choices = lambda: first("ul.predict").find_elements("css selector", "button")
    answers = lambda: browser.find_elements("css selector", "article details:has(> .guess)")
    assert len(answers()) == 4 and not any(answer.is_displayed() for answer in answers())
    choices()[1].send_keys(Keys.ENTER)
    for _ in "there", "and when one comes back":
        answer, *others = answers()
        assert answer.is_displayed() and not any(one.is_displayed() for one in others)
        assert "You said (b). It is (c).\n(c). Nothing multiplies" in answer.text
        assert [one.get_attribute("class") for one in choices()] == ["", "wrong", "right"]
        browser.refresh()
    answer = answers()[0]
    answer.find_element("css selector", "summary ~ button").send_keys(Keys.SPACE)
    assert not answer.is_displayed() and browser.switch_to.active_element == choices()[0]
    choices()[2].send_keys(Keys.SPACE)
    assert "You said (c). So it is." in answer.text

    browser.get((book / "notebooks" / "01_hash_words.html").as_uri())
    first("div.predict input").send_keys("one in six", Keys.ENTER)
    answer = answers()[0]
    assert "You said: one in six.\nAbout one in six." in answer.text


@pytest.mark.parametrize(
    "path", sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")), ids=lambda path: path.stem[:3]
)
def test_an_answer_begins_with_the_choice_that_is_right(path):
    """As static/predict.js reads it."""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        _, _, asked = "".join(cell["source"]).partition(PREDICT)
        question, _, answer = asked.partition(ANSWER)
        choices = re.findall(r"^- \(([a-d])\)", question, re.MULTILINE)
        if choices:
            assert re.match(r"\s*(Here )?\(([a-d])\)", answer)[2] in choices, cell["id"]


@pytest.mark.waits
@needs_chromium
def test_a_link_leads_to_its_place_and_nothing_moves(browser, book, of_all):
    """Below a reader, which has its room at once."""
    read = READ if of_all else READ[2:3]
    for name in (name for name in LESSONS if name[:2] in read):
        page = book / "notebooks" / f"{name}.html"
        below = page.read_text(encoding="utf-8").split('<div class="reader"')[1]
        place = re.search('<section id="([^"]+)"', below)[1]
        for width in 390, 1024, 1440:
            with at_width(browser, width):
                missed, moved = visits.follow(browser, page, place, width)
            # browsers call .1 good; a busy one draws a page before it is whole: .02 then
            assert abs(missed) < 2 and moved < 0.05, (name, place, width, missed, moved)


@pytest.mark.waits
@needs_chromium
def test_search_finds_a_word_and_shows_it_with_the_network_off(browser, book):
    """From a folder, where a page may not read another."""
    browser.get((book / "search.html").as_uri() + "?q=peepholes")
    found = lambda: browser.find_elements("css selector", "#search-results li")
    told = lambda: browser.find_element("css selector", ".search-summary").text
    until(lambda: told().startswith("Search finished"), "the end of the search")
    pages = {li.find_element("css selector", "a").get_attribute("href") for li in found()}
    assert any("/notebooks/02_run_rnn_and_lstm.html" in page for page in pages)
    assert not any("/notebooks/01_hash_words.html" in page for page in pages)
    excerpts = browser.find_elements("css selector", "#search-results p.context")
    assert len(excerpts) > 0.8 * len(found())
    assert all("peephole" in excerpt.text.lower() for excerpt in excerpts[:5])


# What has the focus; whether that is behind the header that a narrow page keeps in sight.
FOCUSED = """
const now = document.activeElement, header = document.querySelector(".mobile-header");
const bottom = (e) => e.getBoundingClientRect().bottom;
return now.closest("article") && [now.outerHTML.slice(0, 80), bottom(now) <= bottom(header) + 1]
"""


@needs_chromium
def test_going_back_by_keys_the_focus_is_never_behind_the_header(browser, book):
    """WCAG 2.4.11, on a phone: a browser scrolls until what has the focus is at the top."""
    seen = []
    with at_width(browser, 390):
        browser.get((book / "notebooks" / "02_run_rnn_and_lstm.html").as_uri())
        browser.execute_script("document.querySelector('footer a').focus()")
        while not seen or seen[-1]:
            shift = ActionChains(browser).key_down(Keys.SHIFT)
            shift.send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
            seen.append(browser.execute_script(FOCUSED))
    assert len(seen) > 80 and [what for what, is_behind in seen[:-1] if is_behind] == []


@needs_chromium
def test_axe_finds_nothing_on_any_page(visited):
    wrong = {page: (len(found), found[:5]) for page, (_, found) in visited.items() if found}
    assert wrong == {}


def test_no_page_speaks_of_controls_that_it_has_not(book):
    assert not [page for page in (book / "notebooks").glob("*.html") if speaks_of_controls(page)]


@pytest.mark.parametrize("name", LESSONS)
def test_what_only_says_something_is_folded(book, name):
    page = (book / "notebooks" / f"{name}.html").read_text(encoding="utf-8")
    assert page.count('<details class="admonition hide above-input">') == len(folded(name))


def test_the_front_page_has_the_lessons_needs_and_times(book):
    page = (book / "index.html").read_text(encoding="utf-8")
    cards = re.findall(r'<li class="(core|optional)"><a href="(\S+?)">(.+?)</li>', page)
    assert [name for _, name, _ in cards] == [f"notebooks/{name}.html" for name in LESSONS]
    for (kind, _, said), name in zip(cards, LESSONS):
        stated = reading_time.stated(ROOT / "notebooks" / f"{name}.ipynb")
        assert f"{stated} minutes" in said and ("optional" in said) == (kind == "optional")
    assert 5 < sum(kind == "core" for kind, *_ in cards) < len(LESSONS)
    of = front.lessons()
    numbers = [lesson.number for lesson in of]
    assert {name[:2] for name in of[numbers.index("08")].needs} == {"00", "02"}
    for lesson in of:  # each needs only what comes before it
        assert all(numbers.index(n) < numbers.index(lesson.number) for n in lesson.needs)
        takes = r"(under |about |some |a few |\d|half a|a )+ ?(seconds|minutes?)"
        assert re.fullmatch(takes, lesson.run)


def test_what_a_lesson_needs_is_read_from_its_words():
    said = "Eq. (2), from [notebook 02](02_run.ipynb) to 04, not (10)"
    assert front.named(said) == {"02", "03", "04"}
    assert front.named("notebooks 05a and 10b") == {"05a", "10b"}


def test_the_index_shows_every_equation(book):
    known = equations.formulas()
    # (81) is no formula: its number is printed beside the end of (80)
    assert set(range(1, 113)) - set(known) == {81}
    page = (book / "notebooks" / "equations.html").read_text(encoding="utf-8")
    sections = [part for part in page.split("<h2>") if part.startswith("(")]
    index = (ROOT / "notebooks" / "equations.md").read_text(encoding="utf-8")
    assert len(sections) == len(equations.ROW.findall(index)) > 50
    assert not [part[:60] for part in sections if 'class="math' not in part.split("Shown in")[0]]
    step = next(section for section in sections if section.startswith("(2)"))
    assert "𝐨(t)=σ" in re.sub("<[^>]*>", "", step)


@needs_chromium
def test_paper_has_the_text_alone(book, tmp_path):
    seen = """
      const shown = e => e && e.getClientRects().length > 0;
      return [[".skip-to-content", ".sidebar-drawer", ".toc-drawer", ".back-to-top", ".headerlink"]
                .filter(name => shown(document.querySelector(name))),
              [...document.querySelectorAll("article pre")]
                .filter(e => e.scrollWidth > e.clientWidth).length]"""
    with chromium(tmp_path, NO_NETWORK, "--window-size=720,1000") as browser:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        for name in LESSONS[:3]:
            browser.get((book / "notebooks" / f"{name}.html").as_uri())
            assert browser.execute_script(seen) == [[], 0]


@needs_chromium
def test_the_sheet_of_formulas_is_one_page_of_paper(browser, book):
    browser.get((book / "sheet.html").as_uri())
    paper = {"paperWidth": 8.27, "paperHeight": 11.69}  # A4, in inches
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", paper)["data"])
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
