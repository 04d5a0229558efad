"""The reader in a page: what is typed or pointed at is read and shown, to whoever comes.

A page opened from a folder in headless Chromium, the network off.
"""

import pytest
import visits
from chromium import needs_chromium
from conftest import until
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from small_reader import ODD, TITLES, small_model

from lstm_course.explorers import looking, reader, weights
from lstm_edu import LSTM, RNN

MODEL, OTHER = small_model(LSTM(12)), small_model(RNN(20))
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A reader</title>
<link rel="stylesheet" href="reader.css"><script defer src="reader.js"></script>
<body data-theme="light"><main><h1>A reader</h1>
<div class="reader" data-folder="" data-models='{"lstm": "an LSTM", "rnn": "an RNN"}'
data-query="bath tub" data-title="tub of paint"></div></main></body></html>"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reader")
    for name, text in (("reader.js", reader.script()), ("reader.css", reader.style())):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    weights.write_titles(TITLES[:500], folder / "titles.js")
    for name, called, model in (("lstm", "an LSTM", MODEL), ("rnn", "an RNN", OTHER)):
        weights.write_model(model, folder / f"{name}.js", called, TITLES[:500])
    return folder / "page.html"


@pytest.fixture
def opened(browser, page):
    """The page, newly opened, with its first picture."""
    browser.get(page.as_uri())
    until(lambda: parts_of(browser, ".reader-maps svg"), "the first picture")
    return browser


def parts_of(browser, selector):
    """The parts of the page that a selector finds and that are shown."""
    return [e for e in browser.find_elements("css selector", selector) if e.is_displayed()]


def type_in(browser, field, text):
    (box,) = parts_of(browser, f"input[id$=-{field}]")
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(text or Keys.DELETE)


def said(browser):
    return browser.find_element("css selector", ".reader-said").text


def values(browser, k=0):
    """What is said below the maps of a side (those of the query come first)."""
    return parts_of(browser, ".reader-values")[k].text


def seen_by_python(model, query, title, t=None, s=None):
    page = weights.rounded(model)
    vectors = page.encode_document(TITLES[:500])
    asked = {"query": query, "title": title, "t": t, "s": s}
    return looking.look(page, asked, "", TITLES[:500], vectors)


@needs_chromium
def test_what_is_typed_is_read_letter_by_letter(opened):
    type_in(opened, "query", "")
    for k in range(1, len("hotels in") + 1):
        (box,) = parts_of(opened, "input[id$=-query]")
        box.send_keys("hotels in"[k - 1])
        expected = seen_by_python(MODEL, "hotels in"[:k], "tub of paint")
        rows = [row.text for row in parts_of(opened, ".reader-best tbody tr")]
        assert rows == [
            f"{cosine:.3f} {title}".replace("-", "−", cosine < 0)
            for cosine, title in expected["best"]
        ]
        columns = opened.execute_script(
            "return [...document.querySelectorAll('.reader-within')[0].querySelectorAll('svg')]"
            ".map(map => [...map.querySelectorAll('text')].map(x => x.textContent))"
        )
        assert all(
            names[: len(expected["query"]["trigrams"])] == expected["query"]["trigrams"]
            for names in columns
        )


@needs_chromium
def test_the_keyboard_is_enough(opened):
    """From field to map, word to word, cell to cell, and to a title that is then read."""
    keys = lambda *some: ActionChains(opened).send_keys(*some).perform()
    on = lambda: opened.switch_to.active_element
    keys(Keys.TAB, Keys.END, " hotels")
    assert on().get_attribute("value") == "bath tub hotels"
    for _ in range(30):
        keys(Keys.TAB)
        if on().get_attribute("class").startswith("reader-maps"):
            break
    expected = seen_by_python(MODEL, "bath tub hotels", "tub of paint")["query"]["values"]
    for t, move in (
        (1, Keys.ARROW_LEFT),
        (0, Keys.ARROW_LEFT),
        (0, Keys.ARROW_LEFT),
        (2, Keys.END),
        (0, Keys.HOME),
        (1, Keys.ARROW_RIGHT),
    ):
        keys(move)
        for cell in range(3):
            keys(Keys.ARROW_DOWN)
            word = "bath tub hotels".split()[t]
            numbers = ", ".join(f"{name} = {expected[name][t][cell]:.3f}" for name in "iocy")
            assert values(opened) == f"cell {cell} at “{word}”: {numbers.replace('-', '−')}"
        keys(Keys.ESCAPE)
        assert on().get_attribute("class").startswith("reader-maps")
    stops = []
    for _ in range(30):
        keys(Keys.TAB)
        stops.append(on().text or on().get_attribute("aria-label") or "")
        if on().get_attribute("class") == "reader-title":
            break
    keys(Keys.TAB, Keys.ENTER)
    best = seen_by_python(MODEL, "bath tub hotels", "", t=1)["best"]
    (box,) = parts_of(opened, "input[id$=-title]")
    assert box.get_attribute("value") == best[1][1] == on().text  # where the focus was
    keys(Keys.TAB)
    assert on().text == best[2][1]


@needs_chromium
def test_a_button_that_can_no_more_keeps_the_focus(opened):
    back = parts_of(opened, "[aria-label='one word back in the query']")[0]
    for disabled in ("true", "true"):
        back.send_keys(Keys.ENTER)
        assert opened.switch_to.active_element == back
        assert back.get_attribute("aria-disabled") == disabled
    assert "word 1 of 2" in parts_of(opened, ".reader-head")[0].text


@needs_chromium
def test_a_screen_reader_passes_the_arrow_keys_on_and_hears_the_number_once(opened):
    roles = "return [...document.querySelectorAll('.reader-maps')].map(e => e.getAttribute('role'))"
    assert set(opened.execute_script(roles)) == {"application"}
    heard = lambda: opened.execute_script("return document.querySelector('.reader-heard').innerText")
    until(lambda: heard().startswith("Cosine"), "the first number")
    opened.execute_script(
        """
        window.said = []
        const heard = document.querySelector(".reader [role=status]")
        new MutationObserver(() => said.push(heard.textContent)).observe(heard, {childList: true})
        const box = document.querySelector("input[id$=-query]")
        for (let k = 1; k <= 6; k++) {
          box.value = "hotels".slice(0, k)
          box.dispatchEvent(new Event("input"))
        }"""
    )
    (cosine,) = seen_by_python(MODEL, "hotels", "tub of paint")["query"]["cosines"]
    until(lambda: "hotels" in heard(), "the number")
    line = f"Cosine {cosine:.3f} at “hotels”.".replace("-", "−")
    assert opened.execute_script("return said") == [line]
    assert len(opened.find_elements("css selector", ".reader [role=status]")) == 1


@needs_chromium
def test_targets_are_large_and_words_are_whole(opened):
    for text in ("WWWWWWWWWWWWWW mmmmmmmmmmmmmmmm", "bath " * 24):
        type_in(opened, "query", text)
        cut = opened.execute_script(
            """return [...document.querySelectorAll(".reader svg text")].filter(text => {
              const box = text.getBoundingClientRect()
              const all = text.ownerSVGElement.getBoundingClientRect()
              return box.width && (box.bottom > all.bottom + 1 || box.top < all.top - 1)
            }).map(text => text.textContent)"""
        )
        assert cut == []
    targets = parts_of(opened, ".reader :is(button, input, select)")
    assert [e.text for e in targets if min(e.size["width"], e.size["height"]) < 44] == []
    assert len(targets) > 15


@needs_chromium
def test_a_word_of_3000_letters_does_not_flood(opened):
    height = "return document.documentElement.scrollHeight"
    before = opened.execute_script(height)
    for field in ("query", "title"):
        opened.execute_script(
            "arguments[0].value = 'l'.repeat(3000); arguments[0].dispatchEvent(new Event('input'))",
            parts_of(opened, f"input[id$=-{field}]")[0],
        )
    Select(opened.find_element("css selector", "select")).select_by_visible_text("an RNN")
    until(lambda: len(parts_of(opened, ".reader-name")) == 2, "an RNN")
    Select(opened.find_element("css selector", "select")).select_by_visible_text("nothing")
    assert opened.execute_script(height) < before + 1000
    assert "l" * 30 not in opened.find_element("css selector", ".reader").get_attribute("innerHTML")


@needs_chromium
def test_a_text_of_which_nothing_is_known_has_no_cosine(opened):
    for query, title in (("上海", "tub of paint"), ("bath tub", "上海")):
        type_in(opened, "query", query)
        type_in(opened, "title", title)
        assert "known to the model" in said(opened) and "Cosine" not in said(opened)
    type_in(opened, "query", "上海 bath")
    type_in(opened, "title", "tub")
    assert "Cosine of “上海 bath” and “tub”" in said(opened)
    parts_of(opened, "[aria-label='one word back in the query']")[0].click()
    assert "Cosine" not in said(opened)


@needs_chromium
def test_a_cell_that_is_pointed_at_says_its_values(opened):
    map_ = parts_of(opened, ".reader-maps svg")[2]
    wide, high = map_.size["width"], map_.size["height"]
    # the second word, and the row of cell 3 (of 14 pixels, below a margin of 6)
    ActionChains(opened).move_to_element_with_offset(
        map_, 2 + 36 - wide // 2, 6 + 3 * 14 + 7 - high // 2
    ).perform()
    c = seen_by_python(MODEL, "bath tub", "tub of paint")["query"]["values"]["c"][1][3]
    assert values(opened).startswith("cell 3 at “tub”:")
    assert f"c = {c:.3f}".replace("-", "−") in values(opened)


@needs_chromium
def test_a_swapped_word_and_the_rnn_stand_beside_it(opened):
    choose = Select(opened.find_element("css selector", "select")).select_by_visible_text
    names = lambda: [name.text for name in parts_of(opened, ".reader-name")]
    choose("the query with a word swapped")
    type_in(opened, "swap", "paint")
    assert names() == ["an LSTM", "an LSTM: “bath paint”"]
    tables = parts_of(opened, ".reader-best")
    found = tables[1].text.splitlines()[1]
    cosine, title = seen_by_python(MODEL, "bath paint", "tub of paint")["best"][0]
    assert found == f"{cosine:.3f} {title}"
    choose("an RNN")
    until(lambda: names() == ["an LSTM", "an RNN"], "the RNN's script")
    cosine, title = seen_by_python(OTHER, "bath tub", "tub of paint")["best"][0]
    assert parts_of(opened, ".reader-best")[1].text.splitlines()[1] == f"{cosine:.3f} {title}"
    choose("nothing")
    assert names() == ["an LSTM"]


@needs_chromium
@pytest.mark.parametrize("text", [text for text in ODD if text.strip()])
def test_odd_texts_are_texts(opened, text):
    opened.execute_script("window.alert = () => { throw Error('run') }")
    for field in ("query", "title"):
        opened.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
            parts_of(opened, f"input[id$=-{field}]")[0],
            text,
        )
    n = len(MODEL.hashing.words(text))
    assert not opened.find_elements("css selector", ".reader :is(b, img, mjx-container)")
    assert f"of {min(n, looking.MANY)}:" in parts_of(opened, ".reader-head")[0].text
    assert (f"Only the first 24 of the query's {n} words are read." in said(opened)) == (n > 24)
    assert ("Nothing in this query is known" in said(opened)) == (text == "上海")


@needs_chromium
def test_a_text_without_words_is_asked_for(opened):
    for query in ("", "   "):
        type_in(opened, "query", query)
        assert said(opened) == "Type a query." and not parts_of(opened, ".reader-best table")
    type_in(opened, "query", "tub")
    type_in(opened, "title", "")
    assert said(opened) == "" and parts_of(opened, ".reader-best table")


@needs_chromium
def test_a_script_that_is_missing_is_said(browser, page):
    other = page.with_name("other.html")
    other.write_text(PAGE.replace('"lstm":', '"gone":'), encoding="utf-8")
    browser.get(other.as_uri())
    until(lambda: "gone.js is missing." in said(browser), "a line that says so")


@needs_chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("beside", ["nothing", "an RNN"])
def test_axe_finds_nothing(opened, theme, beside):
    """Of WCAG 2.2 AA."""
    axe = visits.axe()
    Select(opened.find_element("css selector", "select")).select_by_visible_text(beside)
    n = 2 if beside == "an RNN" else 1
    until(lambda: len(parts_of(opened, ".reader-name")) == n, beside)
    opened.execute_script("document.body.dataset.theme = arguments[0]", theme)
    opened.execute_script(axe)
    assert opened.execute_async_script(visits.WRONG, visits.RULES) == []
