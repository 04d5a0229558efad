"""Tests that the interactive reader reads, compares and shows texts like the Python version.

Headless Chromium opens the page from a folder, offline.
"""

import io
from contextlib import redirect_stdout

import numpy as np
import pytest
from chromium import at_width, needs_chromium
from conftest import until
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from small_reader import MODEL, ODD, OTHER, QUERIES, TITLES, write_reader
from visits import by_axe

from lstm_course.explorers import looking, weights

pytestmark = [needs_chromium, pytest.mark.soak]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return write_reader(tmp_path_factory.mktemp("reader"))


@pytest.fixture
def opened(browser, page):
    """Open the page and wait for its first picture."""
    browser.get(page.as_uri())
    until(lambda: parts_of(browser, ".reader-maps svg"), "the first picture")
    return browser


def parts_of(browser, selector):
    """Return the visible elements that match a CSS selector."""
    return [e for e in browser.find_elements("css selector", selector) if e.is_displayed()]


def texts_of(browser, selector):
    return [part.text for part in parts_of(browser, selector)]


def put(browser, text, *fields):
    """Set the value of input fields by script, without key presses."""
    for field in fields:
        (box,) = parts_of(browser, f"input[id$=-{field}]")
        browser.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
            box,
            text,
        )


def press_button(browser, text):
    browser.execute_script(
        "[...document.querySelectorAll('.reader button, .reader summary')]"
        ".find(e => e.textContent.startsWith(arguments[0])).click()",
        text,
    )


def written(number):
    return f"{number:.3f}".replace("-", "−")


def seen_by_python(model, query, title, t=None, s=None):
    page = weights.rounded(model)
    vectors = page.encode_document(TITLES[:500])
    asked = {"query": query, "title": title, "t": t, "s": s}
    return looking.look(page, asked, "", TITLES[:500], vectors)


def test_reader_shows_old_and_new_values_of_swapped_word(opened):
    Select(opened.find_element("css selector", "select")).select_by_value("swap")
    put(opened, "paint", "swap")
    before, after = (
        seen_by_python(MODEL, query, "tub of paint") for query in ("bath tub", "bath paint")
    )
    was, now = ([title for _, title in one["best"]] for one in (before, after))
    parts_of(opened, ".reader-maps")[0].send_keys(Keys.ARROW_DOWN)
    c = [written(one["query"]["values"]["c"][1][0]) for one in (before, after)]
    assert f"c = {c[0]} → {c[1]}, y = " in texts_of(opened, ".reader-values")[0]
    rows = [text.split() for text in texts_of(opened, ".reader-best tbody tr")]
    assert [row[-1] == "new" for row in rows] == [title not in was for title in now]
    assert not set(now) <= set(was)
    assert texts_of(opened, ".reader-does") == ["swap", "read to"]
    parts_of(opened, ".reader-words button")[0].click()
    assert "Letter by letter: “bath” → “paint”" in texts_of(opened, ".reader-folded summary")
    press_button(opened, "Letter by letter")
    spelled = ["".join(texts_of(opened, f".reader-within > :nth-child({k}) text")) for k in (1, 2)]
    assert "#babatathth#" in spelled[0] and "#papaiainintnt#" in spelled[1]


@pytest.mark.parametrize("width", [390, 1280])
def test_gates_and_titles_fit_one_screen(opened, width):
    press_button(opened, "Hold a gate still")
    with at_width(opened, width):
        hold, best, drawn = (
            parts_of(opened, f".reader-{part}")[0].rect for part in ("hold", "best", "drawn")
        )
    top, end = min(hold["y"], best["y"]), best["y"] + best["height"]
    assert max(end, hold["y"] + hold["height"]) - top < 800
    # on a wide screen, the gates' controls are above the map
    assert (hold["y"] < drawn["y"]) == (width > 1000)


def test_reader_keeps_fixed_gate_in_url(opened):
    hold = lambda gate, how: opened.execute_script(
        "[...document.querySelectorAll(`.reader-holds [aria-label*='${arguments[0]}'] button`)]"
        ".find(button => button.textContent === arguments[1]).click()",
        gate,
        how,
    )
    press_button(opened, "Hold a gate still")
    note = lambda: texts_of(opened, ".reader-note")[0]
    assert note().startswith("Try to break the ranking")
    hold("input gate i", "mean")
    assert note().startswith("It was +0.005.")
    parts_of(opened, ".reader-maps")[0].send_keys(Keys.ARROW_DOWN)
    mean = np.mean(np.concatenate([MODEL.trace(query).i for query in QUERIES]), axis=0)
    assert f": i = {mean[0]:.3f}, " in texts_of(opened, ".reader-values")[0]
    hold("y_g", "shut")
    assert "Nothing is left to rank by" in texts_of(opened, ".reader-best")[0]
    until(lambda: "hold=i%3Amean%2Cyg%3Ashut" in opened.current_url, "the address")
    address = opened.current_url
    opened.get("about:blank")
    opened.get(address)
    nothing = "Nothing is left to rank by"
    until(lambda: nothing in texts_of(opened, ".reader-best")[0], "the state of the address")


@pytest.mark.parametrize("text", [*filter(str.strip, ODD), "l" * 3000])
def test_reader_shows_unusual_texts_unchanged(opened, text):
    opened.execute_script("window.alert = () => { throw Error('run') }")
    height = "return document.documentElement.scrollHeight"
    before, n = opened.execute_script(height), len(MODEL.hashing.words(text))
    put(opened, text, "query", "title")
    assert not opened.find_elements("css selector", ".reader :is(b, img, mjx-container)")
    assert f"of {min(n, looking.MANY)}" in texts_of(opened, ".reader-head")[0]
    (said,) = texts_of(opened, ".reader-said")
    assert (f"Only the first 24 of the query's {n} words are read." in said) == (n > 24)
    assert ("Nothing in this query is known" in said) == (text == "上海")
    if n == 1:
        assert opened.execute_script(height) < before + 100  # a long word must not stretch the page


ODD_TITLES = [
    "<b>bath</b> <img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script> tub",
    "$\\frac{1}{2}$ tub",
    "שלום bath tub",
    "\u202ehtab but",
    "l" * 10_000,
    "tub " * 2500,
]
OWN = ".reader details p[role=status]"


def ranked_by_lines(browser):
    """Run the Python code that the page shows; return the ten best titles that it prints."""
    with redirect_stdout(io.StringIO()) as out:
        exec(texts_of(browser, ".python pre")[0], {})
    found = [line.split(" ", 1) for line in out.getvalue().split("\n")[-11:-1]]
    return [(written(float(R)), " ".join(title[:300].split())[:250]) for R, title in found]


def ranked_by_page(browser):
    """Return the ten best titles on the page, including those that are still fading in."""
    rows = browser.execute_script(
        "return [...document.querySelectorAll('.reader-best tbody tr')]"
        ".map((row) => [row.cells[0].textContent, row.cells[1].textContent])"
    )
    return [(R, " ".join(title[:300].split())[:250]) for R, title in rows]


@pytest.mark.ci
def test_reader_and_shown_python_code_rank_users_titles_equally(opened, tmp_path, monkeypatch):
    titles = [*ODD_TITLES, *(f"{title} {k}" for k, title in enumerate(TITLES[:4993]))]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("\n".join(titles), encoding="utf-8")
    weights.write_model(MODEL, "lstm.js", "an LSTM", None, QUERIES)
    weights.write_page(OTHER, "other.html", ODD_TITLES + TITLES[500:600])
    opened.execute_script("window.alert = () => { self.isRun = true }")
    press_button(opened, "Your own titles or model")
    press_button(opened, "Show this as Python")
    for file, said in {
        "mine.txt": "an LSTM, 5,000 titles: ready.",
        "other.html": "RNN of 20 cells, 107 titles: ready.",
    }.items():
        field = opened.find_element("css selector", "input[type=file]")
        field.send_keys(str(tmp_path / file))
        until(lambda: texts_of(opened, OWN) == [said], said)
        assert not parts_of(opened, ".reader-tour")
        for query in ("bath tub", "שלום tub", "$ <b> tub", "l" * 10_000):
            put(opened, query, "query")
            assert ranked_by_page(opened) == ranked_by_lines(opened), query
    press_button(opened, "Back to the course’s titles")
    until(lambda: texts_of(opened, OWN) == ["RNN of 20 cells, 500 titles: ready."], "titles")
    press_button(opened, "Back to the course’s model")
    until(lambda: texts_of(opened, OWN) == ["an LSTM, 500 titles: ready."], "the model")
    assert parts_of(opened, ".reader-tour")
    assert not opened.execute_script("return self.isRun")
    assert not opened.find_elements("css selector", ".reader-best :is(b, img, mjx-container)")


def test_page_of_model_opens_without_book(browser, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    weights.write_page(MODEL, "mine.html", TITLES[:50], query='"bath" & <tub>')
    browser.get((tmp_path / "mine.html").as_uri())
    until(lambda: parts_of(browser, ".reader-maps svg"), "the first picture")
    press_button(browser, "Show this as Python")
    until(lambda: texts_of(browser, ".python pre"), "the lines")
    assert ranked_by_page(browser) == ranked_by_lines(browser)
    assert by_axe(browser) == []
