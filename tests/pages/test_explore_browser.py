"""The explorers in a real browser: JupyterLab in headless Chromium runs a notebook.

What its controls do is seen on the page.
"""

import re

import lab
import pytest
from chromium import chromium, needs_chromium
from conftest import until
from selenium.webdriver.common.keys import Keys

from lstm_course.explorers import weights

pytest.importorskip("anywidget", reason="anywidget is not installed (the extra widgets brings it)")
pytestmark = [pytest.mark.waits, needs_chromium]
CELLS = [
    """
import numpy as np
import lstm_edu
from lstm_course import explore, explorers

titles = ["shanghai inns", "hotels in paris", "bath tub repair", "cheap flights", "a tub of paint",
          "hostels of shanghai"]
hashing = lstm_edu.LetterTrigrams.fit(titles)
model = lstm_edu.DualEncoder(lstm_edu.LSTM(12), hashing, seed=0, scale=1.0)
explore(model, titles)""",
    """
explorers.explore_push(titles, model.score("hotels in shanghai", titles))""",
    """
def descend(mu, ahead, n_updates, epsilon):
    w, change, path = np.array([-4.0, 1.0]), np.zeros(2), []
    for _ in range(n_updates + 1):
        path.append(w)
        change = mu * change - epsilon * np.array([1.0, 40.0]) * (w + ahead * mu * change)
        w = w + change
    return np.array(path)


explorers.explore_race(descend, np.array([1.0, 40.0]))""",
    """
from lstm_course.explorers import widget

widget.LARGEST = 0  # so that the kernel computes
explore(model, titles)""",
]
READERS, SLIDERS = (0, 3), (1, 2)
NOW = ".reader:not(.reader-last)"  # not what is left when nothing can be moved


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The notebook in the browser, all of its cells run."""
    home, profile = tmp_path_factory.mktemp("lab"), tmp_path_factory.mktemp("profile")
    with lab.server(home, CELLS) as address, chromium(profile) as browser:
        browser.run_cells = lambda: run_cells(browser, address)
        browser.run_cells()
        yield browser


def run_cells(browser, address):
    lab.run_all(browser, address)
    for k in SLIDERS:
        until(
            lambda: shown(browser, k)["image"] and parts(browser, k, "input[type=range]"),
            f"the picture and the sliders of cell {k}",
        )
    for k in READERS:
        until(lambda: titles_for(browser, k) == "hotels in shanghai", f"the reader of cell {k}")


def shown(browser, cell, of=NOW):
    """What sliders show at one moment: their picture's bytes, in base 64, and their tables."""
    return browser.execute_script(
        """
        const root = document.querySelectorAll('.jp-CodeCell')[arguments[0]]
          ?.querySelector(arguments[1])
        const isShown = root?.checkVisibility()
        return {image: isShown ? root.querySelector('img')?.src : null,
                tables: isShown ? [...root.querySelectorAll('table')].map(t => t.innerText) : []}
        """,
        cell,
        of,
    )


def press(browser, cell, slider, *keys):
    parts(browser, cell, "input[type=range]")[slider].send_keys(*keys)


def parts(browser, cell, selector, of=NOW, what=""):
    """The parts of a cell's controls that a selector finds and that are shown; of each, `what`."""
    return browser.execute_script(
        "return [...(document.querySelectorAll('.jp-CodeCell')[arguments[0]]"
        "?.querySelectorAll(arguments[1]) ?? [])]"
        f".filter(part => part.checkVisibility()).map(part => part{what})",
        cell,
        f"{of} {selector}",
    )


def titles_for(browser, cell, of=NOW):
    """Which words the table of titles is for."""
    heads = parts(browser, cell, ".reader-best thead", of, ".innerText")
    return heads[0].partition("best titles for: ")[2].strip() if heads else None


def ask(browser, cell, query):
    (field,) = parts(browser, cell, "input[id$=-query]")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(query)


@pytest.mark.parametrize("cell", READERS, ids=["in the page", "in the kernel"])
def test_a_reader_reads_what_is_typed_and_goes_from_word_to_word(page, cell):
    ask(page, cell, "paint a bath tub")
    until(lambda: titles_for(page, cell) == "paint a bath tub", "titles for it")
    back = parts(page, cell, "button[aria-label='one word back in the query']")[0]
    back.click()
    until(lambda: titles_for(page, cell) == "paint a bath", "a word less")
    maps = parts(page, cell, ".reader-maps")[0]
    maps.send_keys(Keys.ESCAPE, Keys.ARROW_LEFT)  # of no cell, whatever was looked at before
    until(lambda: titles_for(page, cell) == "paint a", "a word less, by a key")
    model = small_model() if cell else weights.rounded(small_model())
    trace = model.trace("paint a bath tub")
    parts(page, cell, ".reader-maps")[0].send_keys(Keys.ARROW_DOWN)
    said = parts(page, cell, ".reader-values", what=".innerText")[0]
    assert said.startswith("cell 0 at “a”: i = ")
    numbers = [float(number) for number in re.findall(r"= (\S+?)(?:,|$)", said.replace("−", "-"))]
    expected = [getattr(trace, name)[1, 0] for name in "iocy"]
    assert numbers == pytest.approx(expected, abs=6e-4)
    ask(page, cell, "上海 <b>$x$")
    line = "Nothing in this query is known to the model."
    until(
        lambda: parts(page, cell, ".reader-said", what=".innerText")[0].startswith(line),
        "that line",
    )
    ask(page, cell, "a tub in paris")
    until(lambda: titles_for(page, cell) == "a tub in paris", "titles for the last one")


def small_model():
    names = {}
    exec(CELLS[0].rpartition("\n")[0], names)
    return names["model"]


@pytest.mark.waits(4)
@pytest.mark.parametrize(
    "cell, slider, setting", [(1, 0, "gamma"), (1, 1, "n"), (2, 0, "mu"), (2, 1, "epsilon")]
)
def test_sliders_over_the_cost_and_the_valley(page, cell, slider, setting):
    before = until(lambda: (now := shown(page, cell))["image"] and now, "a picture")
    press(page, cell, slider, Keys.ARROW_LEFT)
    until(
        lambda: shown(page, cell)["image"] not in (None, before["image"]),
        f"another picture for another {setting}",
    )
    press(page, cell, slider, Keys.ARROW_RIGHT)
    until(lambda: shown(page, cell) == before, "what was there before")


def kept(browser):
    """The pictures that the notebook's file has, and for which words."""
    return [
        html
        for cell in lab.saved(browser)["cells"]
        for output in cell["outputs"]
        if "reader-last" in (html := "".join(output.get("data", {}).get("text/html", "")))
    ]


def test_after_a_reload_it_goes_on(page):
    before = {}
    for cell in READERS:
        ask(page, cell, "cheap flights")
        until(lambda: titles_for(page, cell) == "cheap flights", "titles for it")
    for cell in SLIDERS:
        old = shown(page, cell)
        press(page, cell, 0, Keys.ARROW_LEFT)
        until(lambda: shown(page, cell) != old, "another picture")
        before[cell] = shown(page, cell)
    until(lambda: all_are_kept(page, "cheap flights", before), "all pictures in the file")
    lab.load_again(page)
    for cell in READERS:
        until(lambda: titles_for(page, cell) == "cheap flights", f"the reader of cell {cell}")
        ask(page, cell, "cheap flights to paris")
        until(lambda: titles_for(page, cell) == "cheap flights to paris", "it goes on")
    for cell in SLIDERS:
        until(lambda: shown(page, cell) == before[cell], f"the picture of cell {cell}")
        press(page, cell, 0, Keys.ARROW_RIGHT)  # back, or a slider that is often moved has an end
        until(lambda: shown(page, cell)["image"] not in (None, before[cell]["image"]), "another")


def all_are_kept(browser, query, sliders):
    """Whether the notebook's file, saved now, has readers for a query, and sliders' pictures."""
    file = kept(browser)
    images = [now["image"] in html for now in sliders.values() for html in file]
    n = [html.count(f"best titles for: {query}<") for html in file]
    return sorted(n) == [0] * len(SLIDERS) + [1] * len(READERS) and sum(images) == len(sliders)


def test_without_its_kernel_the_last_state_stays(page):
    if not shown(page, SLIDERS[0])["image"]:  # the time before has ended the kernel
        page.run_cells()
    for cell in READERS:
        ask(page, cell, "cheap flights to paris")
    before = {cell: shown(page, cell) for cell in SLIDERS}
    until(lambda: all_are_kept(page, "cheap flights to paris", before), "all in the file")
    lab.shut_down(page)
    lab.load_again(page)
    for cell in READERS:
        until(
            lambda: titles_for(page, cell, ".reader-last") == "cheap flights to paris",
            f"the last picture of cell {cell}",
        )
        assert parts(page, cell, ".reader-maps svg", ".reader-last")
        assert not parts(page, cell, "*")
    for cell in SLIDERS:
        until(lambda: shown(page, cell, ".reader-last") == before[cell], f"cell {cell}'s last")
    gone = "Error displaying widget: model not found"
    body = page.find_element("css selector", ".jp-Notebook")
    until(
        lambda: body.get_attribute("textContent").count(gone) == len(CELLS),
        "what JupyterLab makes of the widgets",
    )
    assert gone not in body.text  # which is not seen


def test_nothing_went_wrong_on_the_way(page):
    assert not page.find_elements(
        "css selector", "[data-mime-type='application/vnd.jupyter.stderr']"
    )
