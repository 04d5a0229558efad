"""Follow the error: its numbers are Python's, and the keyboard is enough to play it."""

import json
import shutil

import numpy as np
import pytest
import scipy.sparse
from chromium import at_width, motion, needs_chromium, press, write_page
from node import in_node, needs_node, scripts
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from visits import check_by_axe, check_fits, check_offline

from lstm_course.explorers import reader
from lstm_course.lessons.printed_error import error_and_cosine
from lstm_course.lessons.true_errors import true_errors
from lstm_edu import LSTM, RNN
from lstm_edu.gradients import printed
from lstm_edu.text.batch import side_by_side
from lstm_edu.text.sentences import Sentences

SOURCE = scripts("forward", "backward", "drawing", "arrows")
# of lessons 04 and 05a; w and r there are W and Wrec
WEIGHTS = {
    "RNN": {"W": 0.8, "Wrec": -1.5},
    "LSTM": {"W1": 0.5, "W3": 1.0, "W4": 0.8, "Wrec1": 1.0, "Wrec3": 0.5, "Wrec4": -1.5},
}
# furo's, and the book's blue
DARK = """[data-theme=dark] { --color-background-primary: #131416; --color-brand-primary: #56b4e9;
  --color-foreground-primary: #cfd0d0; background: #131416; color: #cfd0d0; }"""
CELLS = {"RNN": RNN(1), "LSTM": LSTM(1)}


def computed(expression):
    """What node makes of an expression, with the instrument's functions."""
    return in_node(SOURCE, f"console.log(JSON.stringify({expression}));")


def words(T):
    return np.resize([1.0, 0.5], T)


def gradient(kind, errors=None):
    """Python's gradient of y(2)."""
    given = WEIGHTS[kind]
    own = {
        name: np.array([[w for one, w in given.items() if one.rstrip("134") == name]])
        for name in ("W", "Wrec")
    }
    weights = own | {"b": np.zeros(own["W"].size)}
    L = scipy.sparse.csr_array(words(2)[:, None])
    batch = side_by_side(Sentences(L, np.arange(2), np.array([0, 2])))
    cell = CELLS[kind]
    _, tape = cell.forward(weights, batch)
    found = cell.params(cell.backward(weights, batch, tape, np.ones((1, 1)), errors=errors))
    return {name: float(found[name].squeeze()) for name in given}


@needs_node
@pytest.mark.parametrize(
    "kind, as_printed", [("RNN", False), ("LSTM", False), ("LSTM", True)], ids=str
)
def test_arrows_and_check_say_what_python_says(kind, as_printed):
    exact = gradient(kind)
    expected = gradient(kind, printed.errors) if as_printed else exact
    arrows = f"arrowsOf('{kind}', {json.dumps(as_printed)})"
    called = computed(f"CALLED['{kind}']")
    found = computed(f"check('{kind}', errorsBy({arrows}))")
    rows = {row["name"]: row for row in found["rows"]}
    assert rows.keys() == set(called.values())
    for name in exact:
        row = rows[called[name]]
        assert row["found"] == pytest.approx(expected[name], rel=1e-12)
        assert row["right"] == pytest.approx(exact[name], abs=1e-9)
        assert row["wrong"] == (as_printed and name in ("W1", "W3", "W4"))
    values = [np.array(list(some.values())) for some in (expected, exact)]
    assert found["off"] == pytest.approx(error_and_cosine(*values)[0], abs=1e-9)


@needs_node
@pytest.mark.parametrize("kind", CELLS)
def test_the_check_finds_each_arrow_that_is_crossed_out(kind):
    n = computed(f"arrowsOf('{kind}').length")
    found = f"check('{kind}', errorsBy(arrowsOf('{kind}'), new Set([k])))"
    for one in computed(f"[...Array({n}).keys()].map((k) => {found})"):
        assert any(row["wrong"] for row in one["rows"])


@needs_node
@pytest.mark.parametrize("T, scale", [(2, 1), (3, 0), (7, 0.4), (12, 1), (12, 2)])
def test_bars_are_the_errors_of_python(T, scale):
    l, scaled = np.append(0, words(T))[:, None], lambda name: scale if "rec" in name else 1
    p = {name: np.array([[w * scaled(name)]]) for name, w in WEIGHTS["LSTM"].items()}
    p |= {"b" + k: np.zeros(1) for k in "134"}
    dc = true_errors(p, l, np.ones(1))[0]["c"][1:, 0]
    assert computed(f"chainOf('LSTM', {T}, {scale})") == pytest.approx(dc, rel=1e-12)
    y, delta = [0.0], [1.0]  # Eq. (10), (11)
    for word in words(T):
        y.append(np.tanh(0.8 * word - 1.5 * scale * y[-1]))
    for t in range(T, 0, -1):
        delta.append(delta[-1] * (1 - y[t] ** 2) * (-1.5 * scale if t < T else 1))
    found = computed(f"chainOf('RNN', {T}, {scale})")
    assert found == pytest.approx(delta[:0:-1], rel=1e-12)


@needs_node
@pytest.mark.parametrize(
    "said, why",
    [
        (0.311, ""),
        (0.3108, ""),
        (0.508, "That forgets what came from y(1)."),
        (-0.197, "That forgets what came from c(2)."),
        (0.705, "That turns the sign of what came from y(1)."),
        (-0.311, "That turns the sign of what came from c(2) and y(1)."),
        (-0.1, "What meets is added, not multiplied."),
        (0.4, "That is none of their sums. Mind the signs."),
    ],
)
def test_a_wrong_sum_is_told_why(said, why):
    assert computed(f"whyWrong([['c(2)', 0.50786], ['y(1)', -0.19707]], {said})") == why


# ---- in a page
@pytest.fixture(params=["RNN", "LSTM"])
def opened(browser, tmp_path, request):
    """A page with the instrument, opened from a folder."""
    (tmp_path / "follow.js").write_text(reader.follow(), encoding="utf-8")
    shutil.copy(reader.FOLDER / "follow.css", tmp_path)
    bars = "RNN" if request.param == "RNN" else "RNN LSTM"
    page = write_page(
        tmp_path,
        f'<link rel="stylesheet" href="follow.css"><style>{DARK}</style>',
        f'<div class="follow" data-graph="{request.param}" data-bars="{bars}"></div>'
        '<script src="follow.js"></script>',
    )
    browser.get(page.as_uri())
    browser.kind = request.param
    return browser


def texts(browser):
    return [e.text for e in browser.find_elements("css selector", ".follow [role=status]")]


def focused(browser):
    return browser.switch_to.active_element


@needs_chromium
def test_the_keyboard_is_enough(opened):
    """Arrow by arrow to the check; then a bug, the bars, and again from the start."""
    press(opened, Keys.TAB, Keys.TAB)
    arrows, sums = {"RNN": (6, ["-.242"]), "LSTM": (12, ["-0,397", "0.311"])}[opened.kind]
    for _ in range(arrows):
        assert focused(opened).text == "Back one arrow"
        press(opened, Keys.ENTER)
        if focused(opened).tag_name == "input":
            press(opened, "9", Keys.ENTER)
            assert texts(opened)[0] == "That is none of their sums. Mind the signs."
            press(opened, Keys.BACKSPACE, sums.pop(0), Keys.ENTER)
            assert texts(opened)[0].startswith("Right: d")
    assert not sums and texts(opened)[1].startswith("✓ Gradient check: nudged, all")
    ActionChains(opened).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
    press(opened, Keys.LEFT)  # round to the last radio
    assert focused(opened).get_attribute("value") == "bug"
    press(opened, *[Keys.TAB] * 3, Keys.SPACE)
    assert focused(opened).get_attribute("aria-pressed") == "true"
    n = {"RNN": "2 of 2", "LSTM": "4 of 6"}[opened.kind]
    assert texts(opened)[1].startswith(f"✗ Gradient check: {n} derivatives are wrong"), texts(
        opened
    )
    press(opened, *[Keys.TAB] * arrows, Keys.END, Keys.TAB, Keys.HOME)
    part = {"RNN": "nothing (δ, RNN)", "LSTM": "nothing (δ, RNN) and 1.000 (dc, LSTM)"}[opened.kind]
    assert texts(opened)[2] == f"Of the last word's error, word 1 of 12 gets {part}."
    press(opened, Keys.TAB, Keys.ENTER)
    assert focused(opened).text == "Start again" and "Send it back" in texts(opened)[0]


@needs_chromium
def test_it_fits_and_axe_finds_nothing(opened):
    """Of WCAG 2.2 AA; from 320 to 1440 pixels all can be seen and be hit with a thumb."""
    for width in 320, 390, 1440:
        with at_width(opened, width):
            press(opened, Keys.TAB, Keys.END)
            opened.execute_script("document.querySelector('input[value=bug]').click()")
            targets = ":is(button, input[type=range], fieldset label)"
            check_fits(opened, width, ".follow svg, .follow svg *", f".follow {targets}")
    check_by_axe(opened)
    check_offline(opened)


@needs_chromium
@pytest.mark.parametrize("wish, moving", [("no-preference", 1), ("reduce", 0)])
def test_the_dot_stands_still_for_who_wishes_it(opened, wish, moving):
    with motion(opened, wish):
        press_back = "document.querySelector('.follow button.first').click();"
        n = opened.execute_script(press_back + "return document.getAnimations().length")
        assert n == moving and opened.find_elements("css selector", ".follow circle")
