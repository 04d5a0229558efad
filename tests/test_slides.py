"""The lessons' slides: what stands on them, that all of it can be seen, and nothing from afar."""

import functools
import json
import re
import sys

import nbformat
import pytest
from chromium import NO_NETWORK, chromium, needs_chromium
from conftest import ROOT, until
from hypothesis import given
from hypothesis import strategies as st
from selenium.webdriver.common.keys import Keys

sys.path.insert(0, str(ROOT / "book"))
pytest.importorskip("sphinx_revealjs", reason="the extra `book` is not installed (make test does)")
pytest.importorskip("nbconvert", reason="the extra `notebooks` is not installed (make test does)")
import figures  # noqa: E402
import lecture  # noqa: E402
import slides  # noqa: E402
from visits import visit  # noqa: E402

LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
READ = "00", "02", "08", "09"  # the lessons in which the reader stands
# All decks are made, and these are looked at: one with the reader, one of formulas, one of figures
# and tables. `make soak` looks at all.
SOME = ["02_run_rnn_and_lstm", "05a_bptt_lstm", "10b_table_iv"]
LOOKED_AT = [
    name if name in SOME else pytest.param(name, marks=pytest.mark.soak) for name in LESSONS
]

# The rule -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, kept",
    [
        ("One thing. Another.", "One thing."),
        ("One thing. A **term** is bold. Another.", "One thing.\n\nA **term** is bold."),
        ("First. Second.\n\nThird.\n\nA **fourth**. Fifth.", "First.\n\nA **fourth**."),
        (
            "See Eq. (1), Fig. 2 and Gers et al. (2003). So.",
            "See Eq. (1), Fig. 2 and Gers et al. (2003).",
        ),
        ("It is $a. B$ and `x. Y`. More.", "It is $a. B$ and `x. Y`."),
        ("(An aside.) More.", ""),
        (
            "All. Begin. So is $x$:\n\n$$x=1\\tag{1}$$",
            "All.\n\nBegin.\n\nSo is $x$:\n\n$$x=1\\tag{1}$$",
        ),
        (
            "One. Number it: a 1. That is **one-hot**. End.",
            "One.\n\nNumber it: a 1.\n\nThat is **one-hot**.",
        ),
        ("One. How? By a **step**. End.", "One.\n\nHow?\n\nBy a **step**."),
        ("**What you need**: time. **Time**: an hour.", "**What you need**: time."),
        ("A.\n\n- **One.** More.\n- two, three. Four", "A.\n\n- **One.**\n- two, three."),
        ("1. One. More.\n2. Two", "1. One.\n2. Two"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("```python\nx = 1. \n```", "```python\nx = 1. \n```"),
        ("Is it:\n\n**Predict first.** What? Why?", "Is it:\n\n**Predict first.** What? Why?"),
    ],
)
def test_what_of_a_text_stands_on_a_slide(text, kept):
    assert lecture.on_slide(text) == kept


def test_an_answer_appears_on_a_key_and_is_said():
    text = (
        "**Predict first.** One or two?\n\n<details><summary>Answer</summary>\n\nTwo. As it is."
        "\n\n</details>\n\nAfter. All."
    )
    shown = lecture.on_slide(text)
    assert shown.endswith('<div class="fragment answer">\n\nTwo. As it is.\n\n</div>\n\nAfter.')
    said = lecture.spoken(text)
    assert "*Answer.*\n\nTwo. As it is." in said and "details" not in said


def test_an_answer_without_a_prediction_is_only_said():
    text = "Think.\n\n<details><summary>Answer</summary>\n\nTwo.\n\n</details>\n\n- One. More."
    assert lecture.on_slide(text) == "Think.\n\n- One."
    assert "Two." in lecture.spoken(text)


WORDS = st.text("abcXYZ .?!$`*()[]\n_1“”", max_size=80)


@given(WORDS)
def test_sentences_are_all_of_a_paragraph(text):
    assert "".join("".join(lecture.sentences(text)).split()) == "".join(text.split())


def text(source, kind=None):
    metadata = {"slideshow": {"slide_type": kind}} if kind else {}
    return nbformat.v4.new_markdown_cell(source, metadata=metadata)


def code(kind=None, *outputs, **metadata):
    if kind:
        metadata["slideshow"] = {"slide_type": kind}
    return nbformat.v4.new_code_cell("x = 1", metadata=metadata, outputs=list(outputs))


PRINTED = nbformat.from_dict({"output_type": "stream", "name": "stdout", "text": "said\n"})
DRAWN = nbformat.v4.new_output(
    "display_data", {"image/png": "AAAA"}, metadata={"image/png": {"alt": "A line."}}
)


def deck(*cells):
    """What stands on each slide, and what is said, of a lesson of some cells."""
    made = lecture.lecture(nbformat.v4.new_notebook(cells=[text("# 01 A lesson"), *cells]))
    found, shown = [], []
    for cell in made.cells:
        kind = cell.metadata.slideshow.slide_type
        if kind == "notes":
            found.append((shown, cell.source))
            shown = []
        else:
            shown.append((kind, cell.source or [o.output_type for o in cell.outputs]))
    return found


def test_the_title_is_the_first_slide_and_what_stands_alone_is_said():
    assert deck(text("One. Two."), code(None, DRAWN), text("Three.", "notes")) == [
        ([("slide", "## 01 A lesson")], "One. Two.\n\nThree.")
    ]


def test_each_heading_of_a_cell_begins_a_slide():
    cell = text("Before.\n\n## One\n\nFirst. More.\n\n## Two\n\nSecond.", "slide")
    assert deck(cell)[0][1] == "Before."
    assert deck(cell)[1:] == [
        ([("slide", "## One"), ("-", "First.")], "First. More."),
        ([("slide", "## Two"), ("-", "Second.")], "Second."),
    ]


def test_a_slide_without_a_heading_has_the_one_before():
    cells = text("## One\n\nFirst."), text("Second. Third.", "slide"), code("subslide", DRAWN)
    assert deck(*cells)[1:] == [
        ([("slide", "## One"), ("-", "Second.")], "Second. Third."),
        ([("subslide", "## One"), ("-", ["display_data"])], "*What it shows.* A line."),
    ]


def test_fragments_join_and_skipped_cells_are_gone():
    cells = text("Left.", "skip"), text("## A\n\nOne.", "slide"), text("Two. Three.", "fragment")
    cells += (code("fragment", PRINTED, DRAWN), text("**Fig. 1.1**. A line.\n\nSo it is."))
    assert deck(*cells)[1:] == [
        (
            [
                ("slide", "## A"),
                ("-", "One."),
                ("fragment", "Two."),
                ("fragment", ["display_data"]),
                ("-", '<div class="caption">\n\n**Fig. 1.1**. A line.\n\n</div>'),
            ],
            "One.\n\nTwo. Three.\n\n*What it shows.* A line.\n\nSo it is.",
        )
    ]


@pytest.mark.parametrize("tags, source", [(["show-input"], "x = 1"), ([], "")])
def test_code_stands_on_a_slide_if_it_is_to_be_seen(tags, source):
    made = lecture.made(code("slide", PRINTED, tags=tags), "slide")
    assert made["source"] == source and made["outputs"] == [PRINTED]


@pytest.mark.parametrize("name", LESSONS)
def test_no_word_of_a_lesson_is_lost(name):
    """What is said with the slides, in their order, is all of the lesson's text."""
    lesson = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    written = []
    for cell in lesson.cells:
        if cell.cell_type == "markdown":
            skip = cell.metadata.get("slideshow", {}).get("slide_type") == "skip"
            written += [] if skip else cell.source.split("\n\n")[len(figures.captions(cell)) :]
    written = re.sub(r"^#+ .*$", "", "\n\n".join(written), flags=re.MULTILINE)
    said = [c.source for c in lecture.lecture(lesson).cells if is_said(c)]
    said = "\n\n".join(said)
    for cell in lesson.cells:  # what is said of pictures and by code comes between
        for extra in lecture.in_words(cell) if cell.cell_type == "code" else ():
            said = said.replace(extra, "", 1)
    assert said.split() == lecture.spoken(written).split()


def is_said(cell):
    return cell.metadata.slideshow.slide_type == "notes"


# The decks ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slides") / "slides"
    slides.main(folder)
    return folder


READY = """
const done = arguments[0], drawn = () => [...document.querySelectorAll(".reader")]
  .every(e => e.querySelector(".reader-maps svg"));
const look = () => window.Reveal?.isReady() && drawn() ? done() : setTimeout(look, 50);
look();
"""
# Each slide in turn: what sticks out of it, what overlaps on it, and what is too small to read.
SEEN = """
const done = arguments[0], seen = [];
const shown = e => e.getBoundingClientRect().width * e.getBoundingClientRect().height > 1;
const clipped = e => { for (; e.tagName != "SECTION"; e = e.parentElement)
  if (e.matches(".notes, mjx-assistive-mml, option, .reader input")) return true; };
const texts = section => { const found = [], walk = document.createTreeWalker(section, 4);
  while (walk.nextNode()) {
    const text = walk.currentNode, range = document.createRange();
    range.selectNode(text);
    if (text.textContent.trim() && !clipped(text.parentElement) && shown(range))
      found.push([text.textContent.trim().slice(0, 40), range.getBoundingClientRect(),
                  parseFloat(getComputedStyle(text.parentElement).fontSize)
                    * text.parentElement.currentCSSZoom]);
  } return found; };
const outside = ({left, top, right, bottom}) =>
  left < -1 || top < -1 || right > 1281 || bottom > 721;
(async () => {
  for (const section of Reveal.getSlides()) {
    const {h, v} = Reveal.getIndices(section);
    Reveal.slide(h, v, 99);
    await new Promise(next => requestAnimationFrame(() => setTimeout(next, 30)));
    const parts = [...section.children].filter(e => !e.matches(".notes") && shown(e));
    const boxes = parts.map(e => e.getBoundingClientRect());
    const read = texts(section);
    seen.push({
      title: section.querySelector("h1, h2").textContent,
      notes: section.querySelector("aside.notes")?.textContent.trim().length ?? 0,
      formulas: [...section.querySelectorAll("mjx-container")]
        .filter(e => !e.closest(".notes")).length,
      misread: [...section.querySelectorAll("[data-mjx-error]")].map(e => e.dataset.mjxError),
      raw: section.textContent.match(/.{0,30}([$][$]|\\\\mathbf|\\\\frac).{0,30}/g) ?? [],
      figures: [...section.querySelectorAll(":not(.notes) img")].map(e => e.alt),
      flat: [...section.querySelectorAll("img")].map(e => e.getBoundingClientRect())
        .filter(({width, height}) => width < 300 || height < 240).length,
      outside: [...parts.filter((e, k) => outside(boxes[k])).map(e => e.outerHTML.slice(0, 80)),
                ...read.filter(([, box]) => outside(box)).map(([text]) => text)],
      hidden: [...section.querySelectorAll("pre, table")].filter(e => shown(e)
        && !e.closest(".reader") && e.scrollWidth > e.clientWidth + 1).length,
      over: boxes.flatMap((a, j) => boxes.slice(j + 1).map((b, k) => [a, b, j, j + 1 + k]))
        .filter(([a, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
                            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        .map(([, , j, k]) => parts[j].outerHTML.slice(0, 60) + parts[k].outerHTML.slice(0, 60)),
      small: read.filter(([, , size]) => size < 17.9).map(([text, , size]) => `${text} ${size}`),
      svg: [...section.querySelectorAll(".reader svg")].length,
    });
  }
  done(seen);
})();
"""


@pytest.fixture(scope="module")
def seen(decks, tmp_path_factory):
    """What there is on each slide of a deck, as Chromium shows it at 1280 x 720; looked up once."""
    with chromium(tmp_path_factory.mktemp("profile"), NO_NETWORK) as browser:
        at_1280(browser)

        @functools.cache
        def look(name):
            browser.get((decks / f"{name}.html").as_uri())
            browser.execute_async_script(READY)
            return browser.execute_async_script(SEEN)

        yield look


def at_1280(browser, scale=1):
    metrics = {"width": 1280 * scale, "height": 720 * scale, "deviceScaleFactor": 1}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**metrics, "mobile": False})


@pytest.mark.waits
@needs_chromium
@pytest.mark.parametrize("name", LOOKED_AT)
def test_every_slide_fits_and_can_be_read(seen, name):
    wrong = ["misread", "raw", "flat", "outside", "hidden", "over", "small"]
    faults = {
        f"{k}: {slide['title']}": {w: slide[w] for w in wrong if slide[w]}
        for k, slide in enumerate(seen(name), 1)
        if any(slide[w] for w in wrong)
    }
    assert not faults, json.dumps(faults, indent=1, ensure_ascii=False)


@pytest.mark.waits
@needs_chromium
@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_deck_has_8_to_15_slides_with_notes_and_with_formulas_or_figures(seen, name):
    deck = seen(name)
    assert 8 <= len(deck) <= 15
    assert not [slide["title"] for slide in deck[1:] if slide["notes"] < 20]  # after the title
    assert any(slide["formulas"] or slide["figures"] for slide in deck)
    assert not [alt for slide in deck for alt in slide["figures"] if len(alt) < 20]
    assert any(slide["svg"] for slide in deck) == (name[:2] in READ)


@pytest.mark.parametrize("name", ["index", *LESSONS])
def test_a_deck_loads_nothing_from_the_network(decks, name):
    page = (decks / f"{name}.html").read_text(encoding="utf-8")
    loads = re.findall(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"([^\"]+)\"", page)
    assert len(loads) > (name != "index")
    for address in loads:
        assert address.startswith("data:image/png;base64,") or (decks / address).is_file(), address
    links = re.findall(r'<a [^>]*?href="([^"]+)"', page)
    assert all(link.startswith("#") or "://" in link or (decks / link).is_file() for link in links)
    assert "CC BY" in page


def test_the_contents_name_every_deck(decks):
    page = (decks / "index.html").read_text(encoding="utf-8")
    rows = re.findall(r'<a href="(\S+)\.html">.+</a> <span>(\d+) slides', page)
    assert [name for name, _ in rows] == LESSONS
    assert all(8 <= int(n) <= 15 for _, n in rows)


@pytest.mark.waits
@needs_chromium
def test_keys_turn_slides_and_those_of_the_reader_stay_there(decks, tmp_path):
    with chromium(tmp_path, NO_NETWORK) as browser:
        at_1280(browser, scale=2)
        browser.get((decks / "02_run_rnn_and_lstm.html").as_uri())
        browser.execute_async_script(READY)
        body = browser.find_element("css selector", "body")
        where = "return Reveal.getIndices().h"
        body.send_keys(Keys.ARROW_RIGHT)
        assert browser.execute_script(where) == 1
        body.send_keys(Keys.END)
        assert browser.execute_script(where) == browser.execute_script(
            "return Reveal.getTotalSlides() - 1"
        )
        at = browser.execute_script(
            "const s = document.querySelector('.reader').closest('section');"
            "Reveal.slide(Reveal.getIndices(s).h); return Reveal.getIndices().h"
        )
        maps = browser.find_element("css selector", ".reader-maps")
        word = browser.find_element("css selector", ".reader-head span")
        before = word.text
        maps.send_keys(Keys.ARROW_LEFT)
        assert browser.execute_script(where) == at and word.text != before
        typed = browser.find_element("css selector", ".reader input")
        typed.clear()
        typed.send_keys("cheap flights")
        until(lambda: "of 2" in word.text, "a query of two words")
        # a screen twice as large: what is pointed at is still what lies under the pointer
        said = """
          const map = document.querySelector(".reader-maps > figure:nth-last-child(1) svg");
          const rect = map.querySelector(".edge").getBoundingClientRect(), {n} = map.place;
          const at = {clientX: rect.right - 2, clientY: rect.top + rect.height * (4.5 / n)};
          map.dispatchEvent(new PointerEvent("pointermove", {...at, bubbles: true}));
          return document.querySelector(".reader-values").textContent;"""
        assert browser.execute_script(said).startswith("cell 4 at “flights”")


@pytest.mark.waits
@needs_chromium
def test_the_speaker_sees_the_notes(decks, tmp_path):
    keep = "const open = window.open; window.open = (...all) => (window.SPEAKER = open(...all))"
    shown = "return SPEAKER.document.querySelector('.speaker-controls-notes .value')?.textContent"
    with chromium(tmp_path, NO_NETWORK, "--disable-popup-blocking") as browser:
        browser.get((decks / "05a_bptt_lstm.html").as_uri())
        browser.execute_async_script(READY)
        browser.execute_script(keep)
        body = browser.find_element("css selector", "body")
        body.send_keys(Keys.ARROW_RIGHT)
        notes = browser.execute_script(
            "return Reveal.getCurrentSlide().querySelector('.notes').textContent.trim()"
        )
        assert len(notes) > 200
        body.send_keys("s")
        until(lambda: notes[:60] in (browser.execute_script(shown) or ""), "the notes")


@pytest.mark.waits
@needs_chromium
def test_axe_finds_nothing(decks, tmp_path):
    pages = [decks / f"{name}.html" for name in ("index", "02_run_rnn_and_lstm", "05a_bptt_lstm")]
    assert {
        page.name: wrong for page, (_, wrong) in visit(pages, tmp_path, ["light"]).items() if wrong
    } == {}
