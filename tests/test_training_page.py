"""Training in a page: by keyboard alone, offline, on a phone and on a desk, whoever comes.

A page opened from a folder in headless Chromium, the network off, with a small part of the log.
"""

import re

import pytest
import visits
from chromium import needs_chromium
from conftest import until
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import lstm_edu
from lstm_course.explorers import train_in_page, weights

PAIRS = lstm_edu.read_pairs(lstm_edu.sample() / "train_pairs.tsv")[:700]
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Training</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="training.css">
<script defer src="training.js"></script><body data-theme="light"><main><h1>Training</h1>
<div class="training" data-folder="" data-query="hotels in shanghai"><p>It needs JavaScript.</p>
</div></main></body></html>"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("training")
    for name, text in (
        ("training.js", train_in_page.script()),
        ("training.css", train_in_page.style()),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    titles = list(dict.fromkeys(title for _, title in PAIRS))
    weights.write_titles(titles, folder / "titles.js")
    weights.write_log(PAIRS, titles, folder / "log.js")
    return folder / "page.html"


@pytest.fixture
def opened(browser, page):
    """The page, newly opened; nothing has begun."""
    browser.get(page.as_uri())
    until(lambda: said(browser) == "Press Start.", "the instrument")
    return browser


def said(browser):
    return browser.find_element("css selector", ".training-said").text


def n_pairs(browser):
    """How many pairs the model has been trained on."""
    counted = browser.find_element("css selector", ".training-counted").text
    return int(re.match("[0-9,]*", counted)[0].replace(",", "") or 0)


def press(browser, *keys):
    ActionChains(browser).send_keys(*keys).perform()


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


@needs_chromium
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
    press(opened, Keys.TAB, Keys.END, " rates")
    until(lambda: titles(opened) != found, "other titles")
    map_ = ".training-maps figure:first-child svg text"
    words = lambda: [e.text for e in opened.find_elements("css selector", map_)]
    until(lambda: words() == ["hotels", "in", "shanghai", "rates"], "its map")
    loads = "return performance.getEntriesByType('resource').map(e => e.name)"
    assert all(name.startswith(("file:", "blob:")) for name in opened.execute_script(loads))


@needs_chromium
def test_a_setting_begins_a_new_run_and_the_one_before_stays(opened):
    buttons = opened.find_elements("css selector", ".training button")
    buttons[1].click()
    until(lambda: n_pairs(opened), "a step")
    networks = lambda: opened.execute_script(
        "return [...document.querySelectorAll('.training tbody td:first-child')]"
        ".map(e => e.textContent).filter(Boolean)"
    )
    Select(opened.find_element("css selector", "select[id$=-kind]")).select_by_value("RNN")
    until(lambda: said(opened) == "RNN of 16 cells, seed 0: ready.", "the RNN")
    buttons[1].click()
    until(lambda: networks() == ["RNN 16", "LSTM 16"], "two runs")
    assert len(opened.find_elements("css selector", ".training-maps figure")) == 1
    momentum = opened.find_element("css selector", "select[id$=-momentum]")
    assert not momentum.is_enabled()
    Select(opened.find_element("css selector", "select[id$=-optimizer]")).select_by_value(
        "nesterov"
    )
    assert momentum.is_enabled()


WIDE = """
const found = [...document.querySelectorAll(".training :is(button, select, input)")];
return [document.documentElement.scrollWidth - innerWidth,
        Math.min(...found.map(e => e.getBoundingClientRect().height)),
        Math.min(...found.map(e => e.getBoundingClientRect().width)),
        document.querySelector(".training").getBoundingClientRect().height];
"""


@needs_chromium
@pytest.mark.parametrize("width", [390, 1440])
def test_it_fits_and_nothing_moves_when_it_begins(opened, width):
    try:
        visits._widen(opened, width)
        *_, high = opened.execute_script(WIDE)
        opened.find_elements("css selector", ".training button")[1].click()
        until(lambda: n_pairs(opened), "a step")
        sideways, *targets, higher = opened.execute_script(WIDE)
        assert sideways <= 0 and min(targets) >= 44
        assert abs(higher - high) < 1
    finally:
        opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@needs_chromium
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_titles_slide_only_where_motion_is_welcome(opened, motion):
    wanted = {"features": [{"name": "prefers-reduced-motion", "value": motion}]}
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", wanted)
    moves = "self.moves = 0; Element.prototype.animate = () => { self.moves++ }"
    opened.execute_script(moves)
    opened.find_elements("css selector", ".training button")[1].click()
    until(lambda: n_pairs(opened), "a step")
    assert (opened.execute_script("return self.moves") > 0) == (motion != "reduce")
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@needs_chromium
def test_axe_finds_nothing(opened):
    """Of WCAG 2.2 AA, in light and in dark."""
    opened.find_elements("css selector", ".training button")[1].click()
    until(lambda: n_pairs(opened), "a step")
    moving = "return document.getAnimations().length"
    until(lambda: not opened.execute_script(moving), "titles to be at rest")
    opened.execute_script(visits.axe())
    for theme in "light", "dark":
        opened.execute_script("document.body.dataset.theme = arguments[0]", theme)
        assert opened.execute_async_script(visits.WRONG, visits.RULES) == []


@needs_chromium
def test_a_script_that_is_missing_is_said(browser, page):
    other = page.with_name("other.html")
    other.write_text(PAGE.replace('data-folder=""', 'data-folder="gone/"'), encoding="utf-8")
    browser.get(other.as_uri())
    until(lambda: said(browser) == "Press Start.", "the instrument")
    browser.find_elements("css selector", ".training button")[0].click()
    until(lambda: "gone/titles.js is missing." in said(browser), "a line that says so")
