"""The lessons' slides: all that stands on them can be seen, and nothing comes from afar."""

import functools
import json
import re

import pytest
from chromium import NO_NETWORK, chromium, needs_chromium
from conftest import sample, until
from lesson_names import LESSONS, READ
from selenium.webdriver.common.keys import Keys

pytest.importorskip("sphinx_revealjs", reason="the extra `book` is not installed (make test does)")
pytest.importorskip("nbconvert", reason="the extra `notebooks` is not installed (make test does)")
import slides
from visits import visit

# All decks are made, and these are looked at: with the reader, of formulas and an error to follow,
# with a model to train, with gates to hold, of figures and tables. `make soak` looks at all.
SOME = ["02_run_rnn_and_lstm", "05a_bptt_lstm", "06_train", "08_watch_the_gates", "10b_table_iv"]
LOOKED_AT = sample(LESSONS, SOME)


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
# Each slide in turn: what sticks out of it, what overlaps on it, what is cut or too small to read;
# where a picture comes on a key and takes the slide, before that and after. A picture's labels are
# 25 pixels of its own or more, and 14 of the slide's.
SEEN = """
const done = arguments[0], seen = [];
const shown = e => e.getBoundingClientRect().width * e.getBoundingClientRect().height > 1;
const clipped = e => { for (; e.tagName != "SECTION"; e = e.parentElement)
  if (e.matches(`.notes, mjx-assistive-mml, option, .reader input, .reader-title,
      .training-title, select`)) return true; };
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
  const twice = e => e.querySelector(".whole, .lower") ? [-1, 99] : [99];
  for (const [section, f] of Reveal.getSlides().flatMap(e => twice(e).map(f => [e, f]))) {
    const {h, v} = Reveal.getIndices(section);
    Reveal.slide(h, v, f);
    await new Promise(next => requestAnimationFrame(() => setTimeout(next, 30)));
    const parts = [...section.children].filter(e => !e.matches(".notes") && shown(e));
    const boxes = parts.map(e => e.getBoundingClientRect());
    const read = texts(section);
    seen.push({
      isLast: f === 99,
      faint: [...section.querySelectorAll("img")].map(e => [e, e.getBoundingClientRect()])
        .filter(([e, {width, height}]) => width && 25 * (e.matches(".high") ? width / e.naturalWidth
          : Math.min(width / e.naturalWidth, height / e.naturalHeight)) < 13.99)
        .map(([e]) => e.alt.slice(0, 40)),
      title: section.querySelector("h1, h2").textContent,
      notes: section.querySelector("aside.notes")?.textContent.trim().length ?? 0,
      formulas: [...section.querySelectorAll("mjx-container")]
        .filter(e => !e.closest(".notes")).length,
      stops: [...section.querySelectorAll("mjx-container, mjx-container *")]
        .filter(e => e.tabIndex >= 0).map(e => e.outerHTML.slice(0, 60)),
      misread: [...section.querySelectorAll("[data-mjx-error]")].map(e => e.dataset.mjxError),
      raw: section.textContent.match(/.{0,30}([$][$]|\\\\mathbf|\\\\frac).{0,30}/g) ?? [],
      figures: [...section.querySelectorAll(":not(.notes) img")].map(e => e.alt),
      flat: [...section.querySelectorAll("img")].map(e => e.getBoundingClientRect())
        .filter(({width, height}) => width && (width < 300 || height < 240)).length,
      outside: [...parts.filter((e, k) => outside(boxes[k])).map(e => e.outerHTML.slice(0, 80)),
                ...read.filter(([, box]) => outside(box)).map(([text]) => text)],
      cut: [...section.querySelectorAll(".reader svg text")].map(e => [e, e.getBoundingClientRect(),
          e.ownerSVGElement.getBoundingClientRect()])
        .filter(([e, text, svg]) => shown(e) && (text.bottom > svg.bottom + 1
          || text.left < svg.left - 1 || text.right > svg.right + 1))
        .map(([e]) => e.textContent),
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
    """What there is on each slide of a deck, as Chromium shows it at 1280 x 720."""
    with chromium(tmp_path_factory.mktemp("profile"), NO_NETWORK) as browser:
        at_1280(browser)

        @functools.cache
        def look(name, nth=0):
            browser.get((decks / f"{name}.html").as_uri())
            browser.execute_async_script(READY)
            return browser.execute_async_script(SEEN)

        yield look


def at_1280(browser, scale=1):
    metrics = {"width": 1280 * scale, "height": 720 * scale, "deviceScaleFactor": 1}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**metrics, "mobile": False})


@pytest.mark.waits(3)
@needs_chromium
@pytest.mark.parametrize("name", LOOKED_AT)
def test_every_slide_fits_and_can_be_read(seen, name, request):
    wrong = "stops misread raw flat faint outside cut hidden over small".split()
    nth = request.node.callspec.params.get("_nth", 0)  # each time anew
    faults = {
        f"{k}: {slide['title']}": {w: slide[w] for w in wrong if slide[w]}
        for k, slide in enumerate(seen(name, nth), 1)
        if any(slide[w] for w in wrong)
    }
    assert not faults, json.dumps(faults, indent=1, ensure_ascii=False)


@needs_chromium
@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_deck_has_8_to_15_slides_with_notes_and_with_formulas_or_figures(seen, name):
    deck = [slide for slide in seen(name) if slide["isLast"]]
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
def test_keys_of_the_reader_stay_there(decks, tmp_path):
    with chromium(tmp_path, NO_NETWORK) as browser:
        at_1280(browser, scale=2)
        browser.get((decks / "02_run_rnn_and_lstm.html").as_uri())
        browser.execute_async_script(READY)
        where = "return Reveal.getIndices().h"
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


PLAYED = {
    "05a_bptt_lstm": (".follow", "button.first", ".follow-said"),
    "06_train": (".training", "button:nth-child(2)", ".training-said"),
    "08_watch_the_gates": (".reader", ".reader-holds [role=radio]", ".reader-note"),
}


@pytest.mark.waits(2)
@needs_chromium
def test_what_is_live_is_played_on_a_slide_and_escape_leaves_it(decks, tmp_path):
    with chromium(tmp_path, NO_NETWORK) as browser:
        at_1280(browser)
        for name, (live, button, says) in PLAYED.items():
            browser.get((decks / f"{name}.html").as_uri())
            browser.execute_async_script(READY)
            (there,) = browser.find_elements("css selector", live)  # and none in the notes
            at = browser.execute_script(
                "const {h} = Reveal.getIndices(arguments[0].closest('section'));"
                "Reveal.slide(h); return h",
                there,
            )
            said = lambda: there.find_element("css selector", says).text
            before, pressed = said(), there.find_element("css selector", button)
            pressed.send_keys(Keys.END if live == ".reader" else Keys.ENTER)  # a gate at its mean
            until(lambda: said() != before, f"{name}: what is said of it")
            browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
            assert browser.execute_script("return Reveal.getIndices().h") == at
            browser.switch_to.active_element.send_keys(Keys.ESCAPE)
            browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
            assert browser.execute_script("return Reveal.getIndices().h") == at + 1


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


@pytest.mark.waits(3)
@needs_chromium
def test_axe_finds_nothing(decks, tmp_path):
    pages = [decks / f"{name}.html" for name in ("index", "02_run_rnn_and_lstm", "05a_bptt_lstm")]
    visited = visit(pages, tmp_path, ["light"])
    assert {page.name: wrong for page, (_, wrong) in visited.items() if wrong} == {}
