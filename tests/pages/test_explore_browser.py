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
pytestmark = [pytest.mark.waits, needs_chromium, pytest.mark.soak]
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
def descend(mu, ahead, n_updates, epsilon):
    return np.full((n_updates + 1, 2), [mu, epsilon])


explorers.explore_race(descend, np.array([1.0, 40.0]))""",
    """
from lstm_course.explorers import widget

widget.LARGEST = 0  # so that the kernel computes
explore(model, titles)""",
]
READERS, SLIDER = (0, 2), 1
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
    sliders = lambda: parts(browser, SLIDER, "input[type=range]")
    until(lambda: shown(browser)["image"] and sliders(), "the picture and its sliders")
    for k in READERS:
        until(lambda: titles_for(browser, k) == "hotels in shanghai", f"the reader of cell {k}")


def shown(browser, of=NOW):
    """Return the sliders' picture, in base 64, and their tables, all at one moment."""
    return browser.execute_script(
        """
        const root = document.querySelectorAll('.jp-CodeCell')[arguments[0]]
          ?.querySelector(arguments[1])
        const isShown = root?.checkVisibility()
        return {image: isShown ? root.querySelector('img')?.src : null,
                tables: isShown ? [...root.querySelectorAll('table')].map(t => t.innerText) : []}
        """,
        SLIDER,
        of,
    )


def other_picture(browser, key, slider=0):
    before = shown(browser)
    parts(browser, SLIDER, "input[type=range]")[slider].send_keys(key)
    until(lambda: shown(browser)["image"] not in (None, before["image"]), "another picture")
    return shown(browser)


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


@pytest.mark.ci
@pytest.mark.parametrize("cell", READERS, ids=["in the page", "in the kernel"])
def test_reader_reads_what_is_typed_and_goes_from_word_to_word(page, cell):
    ask(page, cell, "paint a bath tub")
    until(lambda: titles_for(page, cell) == "paint a bath tub", "titles for it")
    parts(page, cell, "button[aria-label='one word back in the query']")[0].click()
    until(lambda: titles_for(page, cell) == "paint a bath", "a word less")
    # of no cell, whatever was looked at before
    parts(page, cell, ".reader-maps")[0].send_keys(Keys.ESCAPE, Keys.ARROW_LEFT)
    until(lambda: titles_for(page, cell) == "paint a", "a word less, by a key")
    names = {}
    exec(CELLS[0].rpartition("\n")[0], names)
    model = names["model"] if cell else weights.rounded(names["model"])
    trace = model.trace("paint a bath tub")
    parts(page, cell, ".reader-maps")[0].send_keys(Keys.ARROW_DOWN)
    said = parts(page, cell, ".reader-values", what=".innerText")[0]
    assert said.startswith("cell 0 at “a”: i = ")
    numbers = [float(number) for number in re.findall(r"= (\S+?)(?:,|$)", said.replace("−", "-"))]
    expected = [getattr(trace, name)[1, 0] for name in "iocy"]
    assert numbers == pytest.approx(expected, abs=6e-4)


@pytest.mark.parametrize("slider", [0, 1], ids=["mu", "epsilon"])
def test_slider_draws_another_picture(page, slider):
    before = shown(page)
    other_picture(page, Keys.ARROW_LEFT, slider)
    assert other_picture(page, Keys.ARROW_RIGHT, slider) == before


def all_are_kept(browser, query, picture):
    """Tell whether the notebook's file, saved now, has readers for a query and a picture."""
    outputs = [output for cell in lab.saved(browser)["cells"] for output in cell["outputs"]]
    html = ["".join(output.get("data", {}).get("text/html", "")) for output in outputs]
    n = sum(f"best titles for: {query}<" in one for one in html)
    return n == len(READERS) and any(picture["image"] in one for one in html)


def test_last_state_goes_on_after_reload_and_stays_without_kernel(page):
    if not shown(page)["image"]:  # the time before has ended the kernel
        page.run_cells()
    for cell in READERS:
        ask(page, cell, "cheap flights")
        until(lambda: titles_for(page, cell) == "cheap flights", "titles for it")
    before = other_picture(page, Keys.ARROW_LEFT)
    until(lambda: all_are_kept(page, "cheap flights", before), "all in the file")
    lab.load_again(page)
    for cell in READERS:
        until(lambda: titles_for(page, cell) == "cheap flights", f"the reader of cell {cell}")
        ask(page, cell, "cheap flights to paris")
        until(lambda: titles_for(page, cell) == "cheap flights to paris", "it goes on")
    until(lambda: shown(page) == before, "the picture")
    assert not page.find_elements(
        "css selector", "[data-mime-type='application/vnd.jupyter.stderr']"
    )
    until(lambda: all_are_kept(page, "cheap flights to paris", before), "all in the file")
    lab.shut_down(page)
    lab.load_again(page)
    for cell in READERS:
        last = lambda: titles_for(page, cell, ".reader-last")
        until(lambda: last() == "cheap flights to paris", f"the last picture of cell {cell}")
        assert not parts(page, cell, "*")
    until(lambda: shown(page, ".reader-last") == before, "the last picture")
    gone = "Error displaying widget: model not found"
    body = page.find_element("css selector", ".jp-Notebook")
    told = lambda: body.get_attribute("textContent").count(gone)
    until(lambda: told() == len(CELLS), "JupyterLab's message in place of the widgets")
    assert gone not in body.text  # which is not seen
