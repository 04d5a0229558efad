"""The reader in a page: it reads, compares and shows as Python does.

A page opened from a folder in headless Chromium, the network off.
"""

import numpy as np
import pytest
from chromium import needs_chromium
from conftest import until
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from small_reader import MODEL, ODD, OTHER, QUERIES, TITLES, write_reader

from lstm_course.explorers import looking, weights

pytestmark = [needs_chromium, pytest.mark.soak]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return write_reader(tmp_path_factory.mktemp("reader"))


@pytest.fixture
def opened(browser, page):
    """The page, newly opened, with its first picture."""
    browser.get(page.as_uri())
    until(lambda: parts_of(browser, ".reader-maps svg"), "the first picture")
    return browser


def parts_of(browser, selector):
    """Return the parts of the page that a selector finds and that are shown."""
    return [e for e in browser.find_elements("css selector", selector) if e.is_displayed()]


def texts_of(browser, selector):
    return [part.text for part in parts_of(browser, selector)]


def maps_of(browser):
    """Return the names of the maps, all at one moment: a script that comes draws them again."""
    return browser.execute_script(
        "return [...document.querySelectorAll('.reader-maps figcaption')].map(e => e.textContent)"
    )


def put(browser, text, *fields):
    """Put a text into fields, without keys."""
    for field in fields:
        (box,) = parts_of(browser, f"input[id$=-{field}]")
        browser.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
            box,
            text,
        )


def beside(browser, value):
    Select(browser.find_element("css selector", "select")).select_by_value(value)


def press_button(browser, text):
    browser.execute_script(
        "[...document.querySelectorAll('.reader button, .reader summary')]"
        ".find(e => e.textContent.startsWith(arguments[0])).click()",
        text,
    )


def told(number):
    return f"{number:.3f}".replace("-", "−")


def seen_by_python(model, query, title, t=None, s=None):
    page = weights.rounded(model)
    vectors = page.encode_document(TITLES[:500])
    asked = {"query": query, "title": title, "t": t, "s": s}
    return looking.look(page, asked, "", TITLES[:500], vectors)


def test_text_is_read_letter_by_letter(opened):
    put(opened, "", "query")
    assert texts_of(opened, ".reader-said") == ["Type a query."]
    press_button(opened, "Letter by letter")
    for k in range(1, len("hotels in") + 1):
        parts_of(opened, "input[id$=-query]")[0].send_keys("hotels in"[k - 1])
        expected = seen_by_python(MODEL, "hotels in"[:k], "tub of paint")
        rows = [" ".join(text.split()) for text in texts_of(opened, ".reader-best tbody tr")]
        assert rows == [f"{told(cosine)} {title}" for cosine, title in expected["best"]]
        assert " ".join(expected["query"]["trigrams"]) in " ".join(
            texts_of(opened, ".reader-within svg text")
        )


def test_swapped_word_and_rnn_stand_beside_it(opened):
    beside(opened, "swap")
    put(opened, "paint", "swap")
    before, after = (
        seen_by_python(MODEL, query, "tub of paint") for query in ("bath tub", "bath paint")
    )
    was, now = ([title for _, title in one["best"]] for one in (before, after))
    # the map: the change alone
    assert maps_of(opened) == ["the change of cell state c(t)"]
    parts_of(opened, ".reader-maps")[0].send_keys(Keys.ARROW_DOWN)
    c = [told(one["query"]["values"]["c"][1][0]) for one in (before, after)]
    (values,) = texts_of(opened, ".reader-values")[:1]
    assert values.startswith("cell 0 at “tub → paint”: i = ")
    assert f"c = {c[0]} → {c[1]}, y = " in values
    # the titles: new ones are marked, and those that leave are listed
    rows = [text.split() for text in texts_of(opened, ".reader-best tbody tr")]
    marked = [row[-1] == "new" for row in rows]
    assert [" ".join(row[1 : -1 if new else None]) for row, new in zip(rows, marked)] == now
    assert marked == [title not in was for title in now] and 0 < sum(marked)
    press_button(opened, f"{sum(marked)} of the ten have left")
    assert texts_of(opened, ".reader-gone li") == [title for title in was if title not in now]
    beside(opened, "order")
    assert texts_of(opened, ".reader-words button")[:2] == ["bath → tub", "tub → bath"]
    beside(opened, "rnn")
    both = ["an LSTM: cell state c(t)", "an RNN: output y(t)"]
    until(lambda: maps_of(opened) == both, "the RNN's script")
    press_button(opened, "The most active cells")
    cosine, title = seen_by_python(OTHER, "bath tub", "tub of paint")["best"][0]
    assert f"{cosine:.3f} {title}" in texts_of(opened, ".reader-facts")[1]


def test_map_and_range_are_chosen_and_kept_in_the_address(opened, page):
    assert opened.current_url == page.as_uri()  # until something is changed
    i = seen_by_python(MODEL, "bath tub", "tub of paint")["query"]["values"]["i"]
    press_button(opened, "i(t)")
    assert texts_of(opened, ".reader-scale") == ["0.00 1.00"]
    press_button(opened, "used")
    assert texts_of(opened, ".reader-scale") == [f"{np.min(i):.2f} {np.max(i):.2f}"]
    put(opened, "paint a tub", "query")
    press_button(opened, "◀")
    address = f"{page.as_uri()}#query=paint+a+tub&title=tub+of+paint&t=1&map=i&range=used"
    until(lambda: opened.current_url == address, "the address")
    opened.get("about:blank")
    opened.get(address)
    until(lambda: parts_of(opened, ".reader-maps svg"), "the picture")
    assert maps_of(opened) == ["input gate i(t)"]
    assert "2 of 3" in texts_of(opened, ".reader-head")[0]
    opened.execute_script("location.hash = '#query=bath&compare=order&t=x&map=none'")
    until(lambda: texts_of(opened, ".reader-words button")[0] == "bath", "the other state")


def test_gate_is_held(opened):
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


@pytest.mark.parametrize("text", [*filter(str.strip, ODD), "l" * 3000])
def test_odd_texts_are_texts(opened, text):
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
        assert opened.execute_script(height) < before + 100  # a long word does not flood
