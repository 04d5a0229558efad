"""Tests that the lessons' slides fit the screen and load nothing from the network."""

import json
import re

import pytest
from chromium import NO_NETWORK, call, chromium, needs_chromium, widen
from conftest import until
from lesson_names import LESSONS, READ
from selenium.webdriver.common.keys import Keys

pytest.importorskip("sphinx_revealjs", reason="the extra `book` is not installed (make test does)")
pytest.importorskip("nbconvert", reason="the extra `notebooks` is not installed (make test does)")
from visits import all_faults

from book.build import slides

pytestmark = pytest.mark.soak
CI = "05a_bptt_lstm"  # a lesson with formulas, figures and an interactive figure


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slides") / "slides"
    slides.main(folder)
    return folder


@pytest.fixture(scope="module")
def screen(tmp_path_factory):
    """Start a browser with a window of 1280 x 720 pixels."""
    with chromium(tmp_path_factory.mktemp("profile"), NO_NETWORK) as it:
        widen(it, 1280, 720)
        yield it


def show(browser, decks, name):
    browser.get((decks / f"{name}.html").as_uri())
    call(browser, "drawn")


@pytest.mark.waits(3)
@needs_chromium
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.ci] * (name == CI)) for name in LESSONS]
)
def test_slides_fit_screen_and_pass_browser_checks(screen, decks, name):
    show(screen, decks, name)
    seen = call(screen, "slides")
    faults = {
        f"{k}: {slide['title']}": {kind: found for kind, found in slide["wrong"].items() if found}
        for k, slide in enumerate(seen, 1)
        if any(slide["wrong"].values())
    }
    assert not faults, json.dumps(faults, indent=1, ensure_ascii=False)
    deck = [slide for slide in seen if slide["isLast"]]
    assert 8 <= len(deck) <= 15 and any(slide["isShown"] for slide in deck)
    # every slide but the title slide has speaker notes
    assert not [slide["title"] for slide in deck[1:] if slide["notes"] < 20]
    assert any(slide["isRead"] for slide in deck) == (name in READ)


def test_index_lists_every_deck_and_nothing_loads_from_the_network(decks):
    index = (decks / "index.html").read_text(encoding="utf-8")
    rows = re.findall(r'<a href="(\S+)\.html">.+</a> <span>(?:8|9|1[0-5]) slides', index)
    assert rows == LESSONS
    for name in ["index", *LESSONS]:
        page = (decks / f"{name}.html").read_text(encoding="utf-8")
        loads = re.findall(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"([^\"]+)\"", page)
        assert len(loads) > (name != "index") and "CC BY" in page
        for a in loads:
            assert a.startswith("data:image/png;base64,") or (decks / a).is_file(), (name, a)
        for a in re.findall(r'<a [^>]*?href="([^"]+)"', page):
            assert a.startswith("#") or "://" in a or (decks / a).is_file(), (name, a)


TO_SLIDE = (
    "const {h} = Reveal.getIndices(arguments[0].closest('section')); Reveal.slide(h); return h"
)


@pytest.mark.waits(2)
@needs_chromium
@pytest.mark.parametrize(
    "name, live, button, says",
    [
        pytest.param(CI, ".follow", "button.first", ".follow-said", marks=pytest.mark.ci),
        ("06_train", ".training", "button:nth-child(2)", ".training-said"),
        ("08_watch_the_gates", ".reader", ".reader-holds [role=radio]", ".reader-note"),
    ],
)
def test_instrument_on_slide_receives_keys_until_escape(screen, decks, name, live, button, says):
    show(screen, decks, name)
    (instrument,) = screen.find_elements("css selector", live)  # exactly one: none in the notes
    at = screen.execute_script(TO_SLIDE, instrument)
    said = lambda: instrument.find_element("css selector", says).text
    before, pressed = said(), instrument.find_element("css selector", button)
    pressed.send_keys(Keys.END if live == ".reader" else Keys.ENTER)  # End fixes a gate at its mean
    until(lambda: said() != before, "an answer to the key")
    screen.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert screen.execute_script("return Reveal.getIndices().h") == at
    screen.switch_to.active_element.send_keys(Keys.ESCAPE)
    screen.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert screen.execute_script("return Reveal.getIndices().h") == at + 1


@pytest.mark.ci
@pytest.mark.waits(2)
@needs_chromium
def test_slides_pass_axe(decks, tmp_path):
    pages = [decks / "index.html", decks / f"{CI}.html"]
    found = all_faults(pages, tmp_path, ["light"])
    assert not any("axe" in wrong for wrong in found.values()), found
