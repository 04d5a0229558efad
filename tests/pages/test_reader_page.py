"""The reader in a page: what is typed or pointed at is read and shown, to whoever comes.

A page opened from a folder in headless Chromium, the network off.
"""

import re

import numpy as np
import pytest
from chromium import motion, needs_chromium, press, write_page
from conftest import until
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from small_reader import ODD, TITLES, small_model
from visits import check_by_axe

from lstm_course.explorers import looking, reader, weights
from lstm_edu import LSTM, RNN

pytestmark = needs_chromium
MODEL, OTHER = small_model(LSTM(12)), small_model(RNN(20))
QUERIES = TITLES[:60]  # over which the means of the gates are
HEAD = '<link rel="stylesheet" href="reader.css"><script defer src="reader.js"></script>'
BODY = """<div class="reader" data-folder="" data-address
data-models='{"lstm": "an LSTM", "rnn": "an RNN"}' data-measured="It was +0.005."
data-query="bath tub" data-title="tub of paint"></div>"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reader")
    (folder / "reader.js").write_text(reader.script(), encoding="utf-8")
    (folder / "reader.css").write_text(reader.style(), encoding="utf-8")
    weights.write_titles(TITLES[:500], folder / "titles.js")
    weights.write_model(MODEL, folder / "lstm.js", "an LSTM", TITLES[:500], QUERIES)
    weights.write_model(OTHER, folder / "rnn.js", "an RNN", TITLES[:500])
    return write_page(folder, HEAD, BODY)


@pytest.fixture
def opened(browser, page):
    """The page, newly opened, with its first picture."""
    browser.get(page.as_uri())
    until(lambda: parts_of(browser, ".reader-maps svg"), "the first picture")
    return browser


def parts_of(browser, selector):
    """The parts of the page that a selector finds and that are shown."""
    return [e for e in browser.find_elements("css selector", selector) if e.is_displayed()]


def maps_of(browser):
    """The names of the maps, all at one moment: they are drawn anew when a script has come."""
    return browser.execute_script(
        "return [...document.querySelectorAll('.reader-maps figcaption')].map(e => e.textContent)"
    )


def type_in(browser, field, text):
    (box,) = parts_of(browser, f"input[id$=-{field}]")
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(text or Keys.DELETE)


def put(browser, text, *fields):
    """A text as it is into fields, whatever keys would make of it."""
    for field in fields:
        (box,) = parts_of(browser, f"input[id$=-{field}]")
        browser.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
            box,
            text,
        )


def beside(browser, what):
    """Choose what stands beside the query, and return the names of the maps that come."""
    select = Select(browser.find_element("css selector", "select"))
    select.select_by_visible_text(what)
    return maps_of(browser)


def back_a_word(browser):
    return parts_of(browser, "[aria-label='one word back in the query']")[0]


def told(number):
    return f"{number:.3f}".replace("-", "−")


def said(browser):
    return browser.find_element("css selector", ".reader-said").text


def values(browser, k=0):
    """What is said below the maps of a side (those of the query come first)."""
    return parts_of(browser, ".reader-values")[k].text


def unfold(browser, summary):
    (found,) = [e for e in parts_of(browser, "summary") if e.text.startswith(summary)]
    found.click()


# Of each column of the map, the shades that are in it.
SHADES = """
const map = document.querySelector(".reader-maps svg")
const shades = [...Array(map.place.columns)].map(() => ({}))
for (const path of map.querySelectorAll("g path"))
  for (const [, x] of path.getAttribute("d").matchAll(/M([\\d.]+) /g))
    shades[Math.round((x - map.place.left) / map.place.width)][path.getAttribute("fill")] = true
return shades.map(Object.keys)
"""
# Where the titles lie before a query is typed and afterwards, and where they seem to lie at once.
SLIDES = """
const [query] = arguments, box = document.querySelector("input[id$=-query]")
const places = (of) => Object.fromEntries([...document.querySelectorAll(".reader-best tbody tr")]
  .map(row => [row.querySelector("button").textContent, of(row)]))
const top = row => row.getBoundingClientRect().top
document.getAnimations().forEach(animation => animation.finish())
const before = places(top)
box.value = query
box.dispatchEvent(new Event("input"))
const atOnce = places(top)
document.getAnimations().forEach(animation => animation.finish())
return [before, places(top), atOnce]
"""


def seen_by_python(model, query, title, t=None, s=None):
    page = weights.rounded(model)
    vectors = page.encode_document(TITLES[:500])
    asked = {"query": query, "title": title, "t": t, "s": s}
    return looking.look(page, asked, "", TITLES[:500], vectors)


def test_what_is_typed_is_read_letter_by_letter(opened):
    type_in(opened, "query", "")
    unfold(opened, "Letter by letter")
    for k in range(1, len("hotels in") + 1):
        (box,) = parts_of(opened, "input[id$=-query]")
        box.send_keys("hotels in"[k - 1])
        expected = seen_by_python(MODEL, "hotels in"[:k], "tub of paint")
        rows = [" ".join(row.text.split()) for row in parts_of(opened, ".reader-best tbody tr")]
        assert rows == [f"{told(cosine)} {title}" for cosine, title in expected["best"]]
        columns = opened.execute_script(
            "return [...document.querySelectorAll('.reader-within')[0].querySelectorAll('svg')]"
            ".map(map => [...map.querySelectorAll('text')].map(x => x.textContent))"
        )
        trigrams = expected["query"]["trigrams"]
        assert all(names[: len(trigrams)] == trigrams for names in columns)


def tab_to(browser, there):
    for _ in range(30):
        press(browser, Keys.TAB)
        if there():
            return
    raise AssertionError("it is not reached")


def test_the_keyboard_is_enough(opened):
    """From field to map, word to word, cell to cell, and to a title that is then read."""
    on = lambda: opened.switch_to.active_element
    tab_to(opened, lambda: on().tag_name == "input")
    press(opened, Keys.END, " hotels")
    assert on().get_attribute("value") == "bath tub hotels"
    tab_to(opened, lambda: on().get_attribute("class").startswith("reader-maps"))
    expected = seen_by_python(MODEL, "bath tub hotels", "tub of paint")["query"]["values"]
    moves = [Keys.ARROW_LEFT] * 3 + [Keys.END, Keys.HOME, Keys.ARROW_RIGHT]
    for t, move in zip((1, 0, 0, 2, 0, 1), moves):
        press(opened, move)
        for cell in range(3):
            press(opened, Keys.ARROW_DOWN)
            word = "bath tub hotels".split()[t]
            numbers = ", ".join(f"{name} = {told(expected[name][t][cell])}" for name in "iocy")
            assert values(opened) == f"cell {cell} at “{word}”: {numbers}"
        press(opened, Keys.ESCAPE)
        assert on().get_attribute("class").startswith("reader-maps")
    tab_to(opened, lambda: on().get_attribute("class") == "reader-title")
    press(opened, Keys.TAB, Keys.ENTER)
    best = seen_by_python(MODEL, "bath tub hotels", "", t=1)["best"]
    (box,) = parts_of(opened, "input[id$=-title]")
    assert box.get_attribute("value") == best[1][1] == on().text  # where the focus was
    press(opened, Keys.TAB)
    assert on().text == best[2][1]


def test_a_button_that_can_no_more_keeps_the_focus(opened):
    back = back_a_word(opened)
    for _ in range(2):
        back.send_keys(Keys.ENTER)
        assert opened.switch_to.active_element == back
        assert back.get_attribute("aria-disabled") == "true"
    assert "1 of 2" in parts_of(opened, ".reader-head")[0].text


def test_a_screen_reader_passes_the_arrow_keys_on_and_hears_the_number_once(opened):
    roles = "return [...document.querySelectorAll('.reader-maps')].map(e => e.getAttribute('role'))"
    assert set(opened.execute_script(roles)) == {"application"}
    heard = lambda: opened.execute_script(
        "return document.querySelector('.reader-heard').innerText"
    )
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
    assert opened.execute_script("return said") == [f"Cosine {told(cosine)} at “hotels”."]
    assert len(opened.find_elements("css selector", ".reader [role=status]")) == 1


def test_targets_are_large_and_words_are_whole(opened):
    for text in ("WWWWWWWWWWWWWW mmmmmmmmmmmmmmmm", "bath " * 24):
        type_in(opened, "query", text)
        cut = opened.execute_script(
            """return [...document.querySelectorAll(".reader svg text")].filter(text => {
              const box = text.getBoundingClientRect()
              const all = text.ownerSVGElement.getBoundingClientRect()
              return box.width && (box.bottom > all.bottom + 1 || box.top < all.top - 1
                || box.right > all.right + 1 || box.left < all.left - 1)
            }).map(text => text.textContent)"""
        )
        assert cut == []
    targets = parts_of(opened, ".reader :is(button, input, select)")
    assert [e.text for e in targets if min(e.size["width"], e.size["height"]) < 44] == []
    assert len(targets) > 15


def test_a_word_of_3000_letters_does_not_flood(opened):
    height = "return document.documentElement.scrollHeight"
    before = opened.execute_script(height)
    put(opened, "l" * 3000, "query", "title")
    beside(opened, "an RNN")
    until(lambda: len(maps_of(opened)) == 2, "an RNN")
    beside(opened, "nothing")
    assert opened.execute_script(height) < before + 100
    assert "l" * 30 not in opened.find_element("css selector", ".reader").get_attribute("innerHTML")


def test_a_text_of_which_nothing_is_known_has_no_cosine(opened):
    for query, title in (("上海", "tub of paint"), ("bath tub", "上海")):
        type_in(opened, "query", query)
        type_in(opened, "title", title)
        assert "known to the model" in said(opened) and "Cosine" not in said(opened)
    type_in(opened, "query", "上海 bath")
    type_in(opened, "title", "tub")
    assert "Cosine of “上海 bath” and “tub”" in said(opened)
    back_a_word(opened).click()
    assert "Cosine" not in said(opened)


def test_a_cell_that_is_pointed_at_says_its_values(opened):
    (map_,) = parts_of(opened, ".reader-maps svg")
    wide, high = map_.size["width"], map_.size["height"]
    # the second word (of 60 pixels), and the row of cell 3 (of 14, below a margin of 6)
    ActionChains(opened).move_to_element_with_offset(
        map_, 24 + 90 - wide // 2, 6 + 3 * 14 + 7 - high // 2
    ).perform()
    c = seen_by_python(MODEL, "bath tub", "tub of paint")["query"]["values"]["c"][1][3]
    assert values(opened).startswith("cell 3 at “tub”:") and f"c = {told(c)}" in values(opened)


def test_a_swapped_word_and_the_rnn_stand_beside_it(opened):
    beside(opened, "the query with a word swapped")
    type_in(opened, "swap", "paint")
    before, after = (
        seen_by_python(MODEL, query, "tub of paint") for query in ("bath tub", "bath paint")
    )
    was, now = ([title for _, title in one["best"]] for one in (before, after))
    # the map: the change alone, of each cell, and none before the word
    assert maps_of(opened) == ["the change of cell state c(t)"]
    parts_of(opened, ".reader-maps")[0].send_keys(Keys.ARROW_DOWN)
    c = [told(one["query"]["values"]["c"][1][0]) for one in (before, after)]
    assert values(opened).startswith("cell 0 at “tub → paint”: i = ")
    assert f"c = {c[0]} → {c[1]}, y = " in values(opened)
    shades = opened.execute_script(SHADES)
    assert len(shades[0]) == 1 and len(shades[1]) > 5
    # the cosines: two curves, which part at the word
    curves = [path.get_attribute("d") for path in parts_of(opened, ".reader-cosines .line")]
    first, second = (re.findall(r"[ML](\S+ \S+?)(?=L|$)", curve) for curve in curves)
    assert first[0] == second[0] and first[1] != second[1]
    # the titles: those that come in are marked, and those that leave are told
    rows = [row.text.split() for row in parts_of(opened, ".reader-best tbody tr")]
    marked = [row[-1] == "new" for row in rows]
    assert [" ".join(row[1 : -1 if new else None]) for row, new in zip(rows, marked)] == now
    assert marked == [title not in was for title in now] and 0 < sum(marked)
    unfold(opened, f"{sum(marked)} of the ten have left")
    gone = [item.text for item in parts_of(opened, ".reader-gone li")]
    assert gone == [title for title in was if title not in now]
    beside(opened, "an RNN")
    both = ["an LSTM: cell state c(t)", "an RNN: output y(t)"]
    until(lambda: maps_of(opened) == both, "the RNN's script")
    unfold(opened, "The most active cells")
    cosine, title = seen_by_python(OTHER, "bath tub", "tub of paint")["best"][0]
    assert f"{cosine:.3f} {title}" in parts_of(opened, ".reader-facts")[1].text
    assert beside(opened, "nothing") == ["cell state c(t)"]


def test_the_query_from_back_to_front_stands_beside_it(opened):
    Select(opened.find_element("css selector", "select")).select_by_value("order")
    chips = [chip.text for chip in parts_of(opened, ".reader-words button")[:2]]
    assert chips == ["bath → tub", "tub → bath"]
    best = seen_by_python(MODEL, "tub bath", "tub of paint")["best"]
    assert parts_of(opened, ".reader-title")[0].text == best[0][1]


def test_one_map_is_chosen_by_its_tab_and_its_colours_by_their_range(opened):
    tabs = {tab.text: tab for tab in parts_of(opened, "[aria-label=map] button")}
    assert list(tabs) == ["i(t)", "o(t)", "c(t)", "y(t)", "y_g(t)"]
    expected = seen_by_python(MODEL, "bath tub", "tub of paint")["query"]["values"]
    scale = lambda: parts_of(opened, ".reader-scale")[0].text
    choose = lambda text: opened.execute_script(
        "[...document.querySelectorAll('.reader-choice button')]"
        ".find(e => e.textContent === arguments[0]).click()",
        text,
    )
    choose("i(t)")
    assert scale() == "0.00 1.00"
    choose("used")
    assert scale() == f"{np.min(expected['i']):.2f} {np.max(expected['i']):.2f}"
    opened.switch_to.active_element.send_keys(Keys.ARROW_LEFT)  # the arrow keys choose, too
    assert scale() == "0.00 1.00"
    tabs["i(t)"].send_keys(Keys.END, Keys.ARROW_LEFT)
    assert maps_of(opened) == ["output y(t)"]
    assert opened.switch_to.active_element.text == "y(t)"


def test_titles_slide_to_their_new_ranks_unless_nothing_shall_move(opened):
    """Each that stays begins where it was."""
    for preference, moves in (("no-preference", True), ("reduce", False)):
        with motion(opened, preference):
            type_in(opened, "query", "bath tub")
            before, after, at_once = opened.execute_script(SLIDES, "bath tub paint")
        stay = [title for title in after if title in before and after[title] != before[title]]
        assert stay
        for title in stay:
            assert abs(at_once[title] - (before if moves else after)[title]) < 2, title


def test_what_is_shown_is_in_the_address(opened, page):
    assert opened.current_url == page.as_uri()  # until something is changed
    type_in(opened, "query", "paint a tub")
    back_a_word(opened).click()
    opened.find_element("css selector", "[aria-label='output gate o(t)']").click()
    address = f"{page.as_uri()}#query=paint+a+tub&title=tub+of+paint&t=1&map=o"
    until(lambda: opened.current_url == address, "the address")
    opened.get("about:blank")
    opened.get(address)
    until(lambda: parts_of(opened, ".reader-maps svg"), "the picture")
    assert maps_of(opened) == ["output gate o(t)"]
    assert "2 of 3" in parts_of(opened, ".reader-head")[0].text
    opened.execute_script("location.hash = '#query=bath&compare=order&t=x&map=none'")
    until(lambda: "bath" == parts_of(opened, ".reader-words button")[0].text, "the other state")


def test_the_tour_has_ten_steps_and_each_example_stands_beside_something(opened):
    buttons = lambda: {e.text: e for e in parts_of(opened, ".reader-tour button")}
    examples = list(buttons())[:4]
    for name in examples:
        buttons()[name].click()
        assert parts_of(opened, ".reader-maps figcaption")[0].text.startswith("the change of")
    buttons()["A tour in ten steps"].click()
    steps = []
    while parts_of(opened, ".reader-step"):
        steps.append(parts_of(opened, ".reader-step")[0].text)
        opened.switch_to.active_element.send_keys(Keys.ENTER)
    assert [step.split(".")[0] for step in steps] == [f"{k} of 10" for k in range(1, 11)]
    assert max(map(len, steps)) < 180
    assert opened.switch_to.active_element.text == "A tour in ten steps"
    query = opened.find_element("css selector", ".reader-field.query input")
    assert query.get_property("value") != "bath tub"
    buttons()["Start again"].click()
    assert query.get_property("value") == "bath tub"


def test_a_gate_is_held_while_one_types_and_the_titles_are_ranked_anew(opened):
    page = weights.rounded(MODEL)
    mean = np.mean(np.concatenate([MODEL.trace(query).i for query in QUERIES]), axis=0)
    for name, value in (("W3", 0), ("Wrec3", 0), ("b3", np.log(mean) - np.log(1 - mean))):
        page.query.params[name][...] = value
    free = weights.rounded(MODEL)
    hold = lambda gate, how: opened.execute_script(
        """const [gate, how] = arguments
        const buttons = document.querySelectorAll(`.reader-holds [aria-label*="${gate}"] button`);
        [...buttons].find(button => button.textContent === how).click()""",
        gate,
        how,
    )
    note = lambda: parts_of(opened, ".reader-note")[0].text
    titles = lambda: [title.text for title in parts_of(opened, ".reader-title")]
    unfold(opened, "Hold a gate still")
    assert note().startswith("Try to break the ranking") and "+0.005" not in note()
    hold("input gate i", "shut")
    assert note().startswith("No word adds anything")
    hold("input gate i", "mean")
    assert note().startswith("It was +0.005.")
    for query in ("paint a tub", "carrots"):
        type_in(opened, "query", query)
        vectors = free.encode_document(TITLES[:500])
        cosines = [model.similarity(model.encode_query([query]), vectors) for model in (page, free)]
        ranked, before = ([TITLES[k] for k in np.argsort(-R[0])[:10]] for R in cosines)
        assert titles() == ranked
        rows = parts_of(opened, ".reader-best tbody tr")
        marked = ["new" in row.text.split()[-1:] for row in rows]
        assert marked == [title not in before for title in ranked]
        for t, move in enumerate([Keys.HOME, *[Keys.ARROW_RIGHT] * (len(query.split()) - 1)]):
            parts_of(opened, ".reader-maps")[0].send_keys(Keys.ESCAPE, move, Keys.ARROW_DOWN)
            assert f": i = {mean[0]:.3f}, " in values(opened), t
    hold("y_g", "shut")
    assert "Nothing is left to rank by" in parts_of(opened, ".reader-best")[0].text
    assert "Cosine" not in said(opened)
    until(lambda: "hold=i%3Amean%2Cyg%3Ashut" in opened.current_url, "the address")
    hold("y_g", "free")
    hold("input gate i", "free")
    assert titles() == before and not parts_of(opened, ".reader-gone")


@pytest.mark.parametrize("text", [text for text in ODD if text.strip()])
def test_odd_texts_are_texts(opened, text):
    opened.execute_script("window.alert = () => { throw Error('run') }")
    put(opened, text, "query", "title")
    n = len(MODEL.hashing.words(text))
    assert not opened.find_elements("css selector", ".reader :is(b, img, mjx-container)")
    assert f"of {min(n, looking.MANY)}" in parts_of(opened, ".reader-head")[0].text
    assert (f"Only the first 24 of the query's {n} words are read." in said(opened)) == (n > 24)
    assert ("Nothing in this query is known" in said(opened)) == (text == "上海")


def test_a_text_without_words_is_asked_for(opened):
    for query in ("", "   "):
        type_in(opened, "query", query)
        assert said(opened) == "Type a query." and not parts_of(opened, ".reader-best table")
    type_in(opened, "query", "tub")
    type_in(opened, "title", "")
    assert said(opened) == "" and parts_of(opened, ".reader-best table")


def test_a_script_that_is_missing_is_said(browser, page):
    other = write_page(page.parent, HEAD, BODY.replace('"lstm":', '"gone":'), "other.html")
    browser.get(other.as_uri())
    until(lambda: "gone.js is missing." in said(browser), "a line that says so")


@pytest.mark.parametrize("what, n", [("nothing", 1), ("an RNN", 2)])
def test_axe_finds_nothing(opened, what, n):
    beside(opened, what)
    until(lambda: len(maps_of(opened)) == n, what)
    for summary in parts_of(opened, "summary"):
        summary.click()
    back_a_word(opened).click()  # a word that is not read yet is pale
    moving = "return document.getAnimations().length"
    until(lambda: not opened.execute_script(moving), "titles to be at rest")
    check_by_axe(opened)
