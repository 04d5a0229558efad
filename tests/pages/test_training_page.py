"""Training in a page: by keyboard alone, offline, on a phone and on a desk, whoever comes.

A page opened from a folder in headless Chromium, the network off, with a small part of the log.
"""

import re

import pytest
from chromium import at_width, motion, needs_chromium, press, write_page
from conftest import until
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from visits import check_by_axe, check_fits, check_offline

import lstm_edu
from lstm_course.explorers import train_in_page, weights

pytestmark = needs_chromium
PAIRS = lstm_edu.read_pairs(lstm_edu.sample() / "train_pairs.tsv")[:700]
HEAD = '<link rel="stylesheet" href="training.css"><script defer src="training.js"></script>'
BODY = """<div class="training" data-folder="{}" data-query="hotels in shanghai">
<p>It needs JavaScript.</p></div>"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("training")
    (folder / "training.js").write_text(train_in_page.script(), encoding="utf-8")
    (folder / "training.css").write_text(train_in_page.style(), encoding="utf-8")
    titles = list(dict.fromkeys(title for _, title in PAIRS))
    weights.write_titles(titles, folder / "titles.js")
    weights.write_log(PAIRS, titles, folder / "log.js")
    return write_page(folder, HEAD, BODY.format(""))


@pytest.fixture
def opened(browser, page):
    """The page, newly opened; nothing has begun."""
    browser.get(page.as_uri())
    until(lambda: said(browser).startswith("Press Start."), "the instrument")
    return browser


def said(browser):
    return browser.find_element("css selector", ".training-said").text


def n_pairs(browser):
    """How many pairs the model has been trained on."""
    counted = browser.find_element("css selector", ".training-counted").text
    return int(re.match("[0-9,]*", counted)[0].replace(",", "") or 0)


def tab_to(browser, text):
    for _ in range(20):
        if browser.switch_to.active_element.text == text:
            return
        press(browser, Keys.TAB)
    raise AssertionError(f"no button {text!r} is reached")


def titles(browser):
    """All at one moment: they are drawn anew after each minibatch."""
    return browser.execute_script(
        "return [...document.querySelectorAll('.training-title')].map(e => e.textContent)"
    )


def test_the_keyboard_is_enough(opened):
    """Start, pause, step, another seed; a query; and nothing comes from anywhere."""
    tab_to(opened, "Start")
    press(opened, Keys.ENTER)
    until(lambda: n_pairs(opened) > 300, "an epoch")
    assert opened.switch_to.active_element.text == "Pause"  # the focus is kept
    press(opened, Keys.ENTER)
    until(lambda: said(opened).startswith("Paused. "), "the pause")
    before = n_pairs(opened)
    assert f"{before:,} pairs" in said(opened) and "nDCG@10" in said(opened)
    assert len(titles(opened)) == 10
    tab_to(opened, "Step")
    press(opened, Keys.ENTER)
    until(lambda: n_pairs(opened) > before, "a step")
    assert n_pairs(opened) - before <= 256
    press(opened, Keys.TAB, Keys.ENTER)  # another seed
    until(lambda: said(opened) == "LSTM of 16 cells, seed 1: ready.", "another seed")
    until(lambda: n_pairs(opened) == 0, "its beginning")
    found = titles(opened)
    press(opened, Keys.TAB, Keys.ENTER)  # start again
    until(lambda: said(opened) == "LSTM of 16 cells, seed 0: ready.", "the first seed")
    press(opened, Keys.TAB, Keys.END, " rates")
    until(lambda: titles(opened) != found, "other titles")
    map_ = ".training-maps figure:first-child svg text"
    words = lambda: [e.text for e in opened.find_elements("css selector", map_)]
    until(lambda: words() == ["hotels", "in", "shanghai", "rates"], "its map")
    check_offline(opened)


def step(browser):
    browser.find_elements("css selector", ".training button")[1].click()
    until(lambda: n_pairs(browser), "a step")


def select(browser, what, value=None):
    """One of the settings, set to a value."""
    found = browser.find_element("css selector", f"select[id$=-{what}]")
    if value:
        Select(found).select_by_value(value)
    return found


def test_a_setting_begins_a_new_run_and_the_one_before_stays(opened):
    step(opened)
    networks = lambda: opened.execute_script(
        "return [...document.querySelectorAll('.training tbody td:first-child')]"
        ".map(e => e.textContent).filter(Boolean)"
    )
    select(opened, "kind", "RNN")
    until(lambda: said(opened) == "RNN of 16 cells, seed 0: ready.", "the RNN")
    opened.find_elements("css selector", ".training button")[1].click()
    until(lambda: networks() == ["RNN 16", "LSTM 16"], "two runs")
    assert len(opened.find_elements("css selector", ".training-maps figure")) == 1
    assert not select(opened, "momentum").is_enabled()
    select(opened, "optimizer", "nesterov")
    assert select(opened, "momentum").is_enabled()
    opened.find_elements("css selector", ".training button")[3].click()
    until(lambda: said(opened) == "LSTM of 16 cells, seed 0: ready.", "what was there at first")
    assert not select(opened, "momentum").is_enabled()


@pytest.mark.parametrize("width", [390, 1440])
def test_it_fits_and_nothing_moves_when_it_begins(opened, width):
    high = lambda: opened.find_element("css selector", ".training").size["height"]
    with at_width(opened, width):
        before = high()
        step(opened)
        check_fits(opened, width, ".training", ".training :is(button, select, input)")
        assert abs(high() - before) < 1


@pytest.mark.parametrize("wish", ["reduce", "no-preference"])
def test_titles_slide_only_where_motion_is_welcome(opened, wish):
    with motion(opened, wish):
        moves = "self.moves = 0; Element.prototype.animate = () => { self.moves++ }"
        opened.execute_script(moves)
        step(opened)
        assert (opened.execute_script("return self.moves") > 0) == (wish != "reduce")


def test_axe_finds_nothing(opened):
    step(opened)
    moving = "return document.getAnimations().length"
    until(lambda: not opened.execute_script(moving), "titles to be at rest")
    check_by_axe(opened)


def test_a_script_that_is_missing_is_said(browser, page):
    other = write_page(page.parent, HEAD, BODY.format("gone/"), "other.html")
    browser.get(other.as_uri())
    until(lambda: said(browser).startswith("Press Start."), "the instrument")
    browser.find_elements("css selector", ".training button")[0].click()
    until(lambda: "gone/titles.js is missing." in said(browser), "a line that says so")
