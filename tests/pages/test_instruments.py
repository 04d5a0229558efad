"""Tests that interactive figures work offline, by keyboard and touch, on phone and desktop.

Headless Chromium opens one page per figure ("instrument"), and axe checks its accessibility.
"""

import re
import shutil

import pytest
from chromium import at_width, call, motion, needs_chromium, press, write_page
from conftest import until
from selenium.webdriver.common.keys import Keys
from small_reader import write_reader, write_training
from visits import by_axe

from book.build import live
from lstm_course.explorers import reader

pytestmark = [needs_chromium, pytest.mark.soak]
# CSS variables for the colours of furo's dark theme and the book's blue
DARK = """<style>[data-theme=dark] { --color-background-primary: #131416;
  --color-brand-primary: #56b4e9; --color-foreground-primary: #cfd0d0;
  background: #131416; color: #cfd0d0; }</style>"""
FOLLOW = """<link rel="stylesheet" href="follow.css">
<div class="follow" data-graph="{}" data-bars="{}"></div><script src="follow.js"></script>"""
TAB, ENTER, SPACE, END = Keys.TAB, Keys.ENTER, Keys.SPACE, Keys.END
LEFT, RIGHT, DOWN = Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN
STATUS, OWN = "[role=status]", ".reader details p[role=status]"
# For each instrument, a list of steps: the element to reach with Tab (its text, class, value or end
# of its id), the keys to press, where the response appears (selector, index), and part of its text.
PLAYED = {
    "reader": [
        ("-query", [END, " hotels"], (".reader-said", 0), "Cosine of “bath tub hotels”"),
        ("reader-maps", [LEFT, LEFT, DOWN], (".reader-values", 0), "cell 0 at “bath”: i"),
        ("reader-title", [TAB, ENTER], (".reader-said", 0), "Cosine of “bath” and “"),
        ("Your own titles or model", [ENTER], (OWN, 0), ""),
        ("-pasted", ["bath", ENTER, "a tub"], (OWN, 0), ""),
        ("Use these titles", [ENTER], (OWN, 0), "an LSTM, 2 titles: ready."),
        ("Back to the course’s titles", [ENTER], (OWN, 0), "an LSTM, 500 titles: ready."),
        ("Show this as Python", [ENTER], (".python pre", 0), 'titles = (lstm_edu.sample() / "ti'),
        ("Copy", [ENTER], (".python [role=status]", 0), "Copied."),
    ],
    "training": [
        ("Start", [ENTER], (".training-said", 0), "LSTM of 16 cells, seed 0: training."),
        ("Pause", [ENTER], (".training-said", 0), "Paused. "),
        ("Another seed", [ENTER], (".training-said", 0), "LSTM of 16 cells, seed 1: ready."),
        ("-kind", ["RNN"], (".training-said", 0), "RNN of 16 cells, seed 1: ready."),
        ("Start again", [ENTER], (".training-said", 0), "LSTM of 16 cells, seed 0: ready."),
        ("-query", [END, " rates"], (".training-maps svg text", 3), "rates"),
        ("Show this as Python", [ENTER], (".python pre", 0), "# Press Start or Step."),
        ("Step", [ENTER], (".python pre", 0), "seed=0, updates=1, since=0, **settings"),
    ],
    "follow RNN": [
        ("Back one arrow", [ENTER] * 6, (STATUS, 0), "dz(1) × l(1) = (−0.599) × 1.000"),
        ("", ["-.242", ENTER], (STATUS, 1), "✓ Gradient check: nudged, all 2 weights"),
        ("exact", [LEFT], (STATUS, 0), "Cross out an arrow"),  # moves to the last radio button
        ("y(2) → z(2)", [SPACE], (STATUS, 1), "✗ Gradient check: 2 of 2 derivatives are wrong"),
        ("z(1) → w", [SPACE], (STATUS, 0), "Crossed out: y(2) → z(2), z(1) → w."),
        ("-words", [Keys.HOME], (STATUS, 2), "word 1 of 2 gets −0.839 (δ, RNN)."),
        ("-scale", [*[RIGHT] * 2], (".follow p", -1), "by 1.80 × 0.56 = 1.01, signs aside."),
    ],
    "follow LSTM": [
        ("Back one arrow", [ENTER] * 8, (STATUS, 0), "dz₄(2) × Wrec₄ = 0.332 × (−1.500)"),
        ("", ["9", ENTER], (STATUS, 0), "That is none of their sums. Mind the signs."),
        # after a right sum, the focus returns to the button
        ("", [Keys.BACKSPACE, "-0,397", *[ENTER] * 3], (STATUS, 0), "dy(1) × o(1−h²) = (−0.397)"),
        ("", ["0.311", ENTER], (STATUS, 0), "Right: d"),
        ("Back one arrow", [ENTER] * 2, (STATUS, 1), "✓ Gradient check: nudged, all 6 weights"),
        ("-scale", [Keys.HOME], (STATUS, 2), "nothing (δ, RNN) and 1.000 (dc, LSTM)."),
        ("Start again", [ENTER], (STATUS, 0), "The result is y(2), and its own error is 1."),
        ("Show this as Python", [ENTER], (".python pre", 0), "T, scale, l = 12, 1, "),
        ("", [], (STATUS, 2), "word 1 of 12 gets less than 0.001 (δ, RNN) and less than 0.001"),
    ],
    "sentence push": [("-2", [END], (STATUS, 0), "All pushes together: 7.06.")],
    "sentence race": [
        ("-w1", [RIGHT] * 40, (STATUS, 0), "Nesterov’s has lost."),
        ("Start again", [ENTER], (STATUS, 0), "Nesterov’s wins."),
        ("Show this as Python", [ENTER], (".python pre", 0), "np.array([1, 40]), 0.9, 0.02"),
    ],
    "sentence rows": [
        ("-0", ["gru"], (STATUS, 0), "gru is ahead on sample and onet; dssm is ahead on msrd."),
        ("Swap", [ENTER], (STATUS, 0), "dssm is ahead on msrd; gru is ahead on sample and onet."),
    ],
}
CI = "reader", "training", "follow LSTM", "sentence race"
CASES = [pytest.param(name, marks=[pytest.mark.ci] * (name in CI)) for name in PLAYED]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folders = {name: tmp_path_factory.mktemp(name.replace(" ", "_")) for name in PLAYED}
    found = {"reader": write_reader(folders["reader"])}
    found["training"] = write_training(folders["training"])
    for kind, bars in (("RNN", "RNN"), ("LSTM", "RNN LSTM")):
        folder = folders[f"follow {kind}"]
        (folder / "follow.js").write_text(reader.follow(), encoding="utf-8")
        shutil.copy(reader.FOLDER / "follow.css", folder)
        found[f"follow {kind}"] = write_page(folder, DARK, FOLLOW.format(kind, bars))
    for entry in live.INSTRUMENTS:
        div = live.DIV.search(entry["text"])
        if div[1] != "sentence":
            continue
        name = re.search(r'data-shows="(\w+)"', div[0])[1]
        folder = folders[f"sentence {name}"]
        live.write_instruments(folder)
        html = live.loaded(div[0], 0).replace(live.FOLDER, "")
        found[f"sentence {name}"] = write_page(folder, DARK, html)
    return found


@pytest.fixture
def opened(browser, pages, name):
    """Open the page of an instrument, and return the browser."""
    browser.get(pages[name].as_uri())
    ready = ".reader-maps svg" if name == "reader" else STATUS
    until(lambda: browser.find_elements("css selector", ready), "the instrument")
    return browser


def tab_to(browser, target):
    for _ in range(60):
        if call(browser, "isReached", target):
            return
        press(browser, TAB)
    raise AssertionError(f"Tab does not reach {target!r}")


@pytest.mark.waits(5)
@pytest.mark.parametrize("name", CASES)
def test_instrument_works_by_keyboard_alone(opened, name):
    for target, keys, (selector, k), said in PLAYED[name]:
        tab_to(opened, target)
        press(opened, *keys)
        shown = lambda: [e.text for e in opened.find_elements("css selector", selector)]
        until(lambda: said in (shown()[k:] or [""])[0], said)


@pytest.mark.parametrize("name", CASES)
def test_instrument_fits_screen_has_large_targets_and_passes_axe(opened, name):
    opened.execute_script(
        "document.querySelectorAll('summary, input[value=bug]').forEach(e => e.click())"
    )
    for width in 320, 390, 1440:
        with at_width(opened, width):
            wide, right, smallest = call(opened, "fits")
            assert wide <= width and right <= width and smallest >= 44, width
            assert by_axe(opened) == []
    loaded = opened.execute_script(
        "return performance.getEntriesByType('resource').map(e => e.name)"
    )
    assert all(address.startswith(("file:", "blob:")) for address in loaded)


# For each instrument: the button that starts an animation, and a script that detects it.
MOVED = {
    "reader": ("[aria-label='one word back in the query']", "self.moves"),
    "training": (".training-buttons button:nth-child(2)", "self.moves"),
    "follow RNN": (".follow button.first", "self.moves"),
    "sentence race": (
        ".sentence .first",
        "[...document.querySelectorAll('output')].at(-1).value < 9",
    ),
}


@pytest.mark.parametrize("wish, moves", [("no-preference", True), ("reduce", False)])
@pytest.mark.parametrize("name", MOVED)
def test_instrument_respects_reduced_motion(opened, name, wish, moves):
    button, moved = MOVED[name]
    with motion(opened, wish):
        opened.execute_script("self.moves = 0; Element.prototype.animate = () => { self.moves++ }")
        opened.find_element("css selector", button).click()
        if name == "training":
            until(lambda: opened.find_elements("css selector", ".training-title"), "a step")
        assert bool(opened.execute_script(f"return {moved}")) == moves


@pytest.mark.parametrize("write", [write_reader, write_training])
@pytest.mark.parametrize("text", [None, "<html>Log in first</html>"], ids=["missing", "no script"])
def test_instrument_retries_script_that_failed_to_load(browser, tmp_path, write, text):
    page, titles = write(tmp_path), tmp_path / "titles.js"
    kept = titles.rename(tmp_path / "kept.js")
    if text:
        titles.write_text(text, encoding="utf-8")
    all_of = lambda selector: browser.find_elements("css selector", selector)
    browser.get(page.as_uri())
    attempt = lambda: [
        *(button.click() for button in all_of(".training-buttons button:nth-child(2)")),
        *(field.send_keys("s") for field in all_of(".reader input[id$=-query]")),
    ]
    attempt()
    said = lambda: all_of(".reader-said, .training-said")[0].text
    until(lambda: "titles.js can't be loaded. Try again." in said(), "the message")
    kept.replace(titles)
    attempt()
    until(lambda: all_of(".reader-maps svg, .training-title"), "the first picture")


def test_enter_key_checks_answer_in_sandboxed_frame(browser, tmp_path):
    """Press Enter in a frame that isn't allowed to submit forms."""
    body = FOLLOW.format("LSTM", "LSTM") + f"<script>{reader.follow()}</script>"
    inner = write_page(tmp_path, "", body).rename(tmp_path / "inner.html")
    frame = f'<iframe sandbox="allow-scripts" src="{inner.name}" width=900 height=900></iframe>'
    browser.get(write_page(tmp_path, "", frame).as_uri())
    browser.switch_to.frame(0)
    find = lambda selector: browser.find_element("css selector", selector)
    while not find(".follow-ask").is_displayed():
        find(".follow button.first").click()
    find(".follow-ask input").send_keys("nothing", ENTER)
    assert find(STATUS).text == "Type a number."
