"""Tests that interactive figures work in JupyterLab, and that no page shows titles as formulas.

JupyterLab runs a notebook in headless Chromium. The titles contain LaTeX that would become links if
it were rendered. The notebook also has real formulas, which must be rendered.
"""

import pathlib
import re
import shutil
from importlib.util import find_spec

import lab
import nbformat
import pytest
from chromium import call, chromium, needs_chromium
from conftest import ROOT, until
from selenium.webdriver.common.keys import Keys

from lstm_course.explorers import weights

pytest.importorskip("anywidget", reason="anywidget is not installed (the extra widgets brings it)")
pytest.importorskip("sphinx_revealjs", reason="the extra `book` is not installed (make test does)")
from nbconvert import HTMLExporter
from sphinx.cmd.build import build_main
from traitlets.config import Config

from book.build import slides

MATHJAX = pathlib.Path(find_spec("sphinx-mathjax-offline").origin).parent / "static" / "mathjax"
MATHJAX /= "tex-svg-full.js"
pytestmark = [pytest.mark.waits, needs_chromium, pytest.mark.soak]
LINK = r"\href{javascript:alert(1)}{%s}"
TITLES = [
    f"${LINK % 'inn'}$",
    f"rooms $${LINK % 'in paris'}$$ today",
    rf"\({LINK % 'bath'}\) tub",
    rf"\[{LINK % 'tub'}\]",
    rf"\begin{{equation}}{LINK % 'paint'}\end{{equation}}",
    rf"\begin{{align*}}\require{{html}}{LINK % 'flights'}\end{{align*}}",
    f"&#36;{LINK % 'inns'}&#36; &dollar;{LINK % 'inns'}&dollar;",
    rf"$\require{{action}}\toggle{{a}}{{{LINK % 'b'}}}\endtoggle$",
]
# known and unknown words, shown in full; normalization turns full-width dollars into plain ones
QUERY = rf"$\href{{#}}{{b}}$ $$a$$ \(a\) \[a\] ＄a＄ $\beta$ ${LINK % 'x'}$ $ö$"
CELLS = [
    f"""
import numpy as np
import lstm_edu
from IPython.display import HTML, Markdown, display
from lstm_course import explore, explorers, plots
from lstm_course.explorers import widget

titles, query = {TITLES!r}, {QUERY!r}
hashing = lstm_edu.LetterTrigrams.fit([*titles, "paint a bath tub", query.removesuffix("$ö$")])
model = lstm_edu.DualEncoder(lstm_edu.LSTM(4), hashing, seed=0, scale=1.0)
explore(model, titles, query)""",
    """
def descend(mu, ahead, n_updates, epsilon):
    return np.full((n_updates + 1, 2), [mu, epsilon])


explorers.explore_race(descend, np.array([1.0, 40.0]))""",
    """
widget.LARGEST = 0  # so that the kernel computes
explore(model, titles)""",
    """
display(plots.table([[title] for title in titles], query))""",
    """
plots.push(titles, model.score(query, titles), gamma=10, n=3)""",
    """
display(HTML("<div class='meant'>$$a_0$$</div>"))""",
    """
display(Markdown("<div class='meant'>\\n\\n$$a_1$$\\n\\n</div>"))""",
]
READERS, SLIDER = (0, 2), 1
NOW = ".reader:not(.reader-last)"  # excludes the static fallback picture


def assert_texts(browser, in_html=True):
    """Check that titles are shown as plain text, and that real formulas are rendered.

    If `in_html` is true, formulas in HTML outputs must also be rendered; otherwise, they must not.
    """
    found = call(browser, "formulas")
    assert found["meant"] == [in_html, True]
    assert found["others"] == [] and found["runs"] == []
    assert all(title in found["texts"] for title in (*TITLES, QUERY))


def parts(browser, cell, selector, of=NOW, attribute=""):
    """Return the visible elements of a cell's widget that match a CSS selector.

    With an attribute such as ".src", return its value for each element.
    """
    return browser.execute_script(
        "return [...(document.querySelectorAll('.jp-CodeCell')[arguments[0]]"
        "?.querySelectorAll(arguments[1]) ?? [])]"
        f".filter(part => part.checkVisibility()).map(part => part{attribute})",
        cell,
        f"{of} {selector}",
    )


def titles_for(browser, cell, of=NOW):
    """Return the query in the heading of the table of titles, or None if there is no table."""
    heads = parts(browser, cell, ".reader-best thead", of, ".innerText")
    return heads[0].partition("best titles for: ")[2].strip() if heads else None


def picture(browser, of=NOW):
    """Return the base64-encoded picture shown by the widget with sliders."""
    return (parts(browser, SLIDER, "img", of, ".src") or [None])[0]


def saved_with(browser, query, image):
    """Save the notebook; return it if its outputs contain the query and the picture, else False."""
    notebook = lab.saved(browser)
    outputs = [output for cell in notebook["cells"] for output in cell["outputs"]]
    html = ["".join(output.get("data", {}).get("text/html", "")) for output in outputs]
    n = sum(f"best titles for: {query}<" in one for one in html)
    return n == len(READERS) and any(image in one for one in html) and notebook


def ask(browser, cell, query):
    (field,) = parts(browser, cell, "input[id$=-query]")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(query)
    until(lambda: titles_for(browser, cell) == query, "titles for it")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Open the notebook in the browser and run all of its cells."""
    home, profile = tmp_path_factory.mktemp("lab"), tmp_path_factory.mktemp("profile")
    with lab.server(home, CELLS) as address, chromium(profile) as browser:
        lab.run_all(browser, address)
        shown = lambda: [picture(browser), *(titles_for(browser, cell) for cell in READERS)]
        until(lambda: all(shown()), "the pictures and titles")
        meant = lambda: call(browser, "formulas")["meant"] == [True, True]
        until(meant, "the formulas that are meant")
        assert_texts(browser)
        for reader in browser.find_elements("css selector", ".reader:has(.reader-best)"):
            marks = set(reader.get_attribute("class").split())
            # MathJax 3 and 4 obey the first class, MathJax 2 the second
            assert marks >= {"mathjax_ignore", "tex2jax_ignore"}
        yield browser


@pytest.mark.ci
@pytest.mark.parametrize("cell", READERS, ids=["in the page", "in the kernel"])
def test_reader_reads_typed_query_and_steps_by_word(page, cell):
    ask(page, cell, "paint a bath tub")
    parts(page, cell, "button[aria-label='one word back in the query']")[0].click()
    until(lambda: titles_for(page, cell) == "paint a bath", "a word less")
    # Escape deselects the cell of the map
    parts(page, cell, ".reader-maps")[0].send_keys(Keys.ESCAPE, Keys.ARROW_LEFT)
    until(lambda: titles_for(page, cell) == "paint a", "a word less, by a key")
    names = {}
    exec(CELLS[0].rpartition("\n")[0], names)
    model = names["model"] if cell else weights.rounded(names["model"])
    trace = model.trace("paint a bath tub")
    parts(page, cell, ".reader-maps")[0].send_keys(Keys.ARROW_DOWN)
    said = parts(page, cell, ".reader-values", attribute=".innerText")[0]
    assert said.startswith("cell 0 at “a”: i = ")
    numbers = [float(number) for number in re.findall(r"= (\S+?)(?:,|$)", said.replace("−", "-"))]
    expected = [getattr(trace, name)[1, 0] for name in "iocy"]
    assert numbers == pytest.approx(expected, abs=6e-4)


@pytest.fixture(scope="module")
def notebook(page):
    """Check the widgets after a reload and after the kernel has ended; return the notebook."""
    before = picture(page)
    parts(page, SLIDER, "input[type=range]")[0].send_keys(Keys.ARROW_LEFT)
    until(lambda: picture(page) not in (None, before), "another picture")
    now = picture(page)
    for cell in READERS:
        ask(page, cell, "a tub")
    until(lambda: saved_with(page, "a tub", now), "all in the file")
    lab.load_again(page)
    for cell in READERS:
        until(lambda: titles_for(page, cell) == "a tub", f"the reader of cell {cell}")
        ask(page, cell, "a bath tub")
    until(lambda: picture(page) == now, "the picture")
    assert not page.find_elements("css selector", "[data-mime-type$='jupyter.stderr']")
    found = until(lambda: saved_with(page, "a bath tub", now), "all in the file")
    lab.shut_down(page)
    lab.load_again(page)
    for cell in READERS:
        last = lambda: titles_for(page, cell, ".reader-last")
        until(lambda: last() == "a bath tub", f"the last picture of cell {cell}")
        assert not parts(page, cell, "*")
    until(lambda: picture(page, ".reader-last") == now, "the last picture")
    gone = "Error displaying widget: model not found"
    body = page.find_element("css selector", ".jp-Notebook")
    hits = lambda: body.get_attribute("textContent").count(gone)
    until(lambda: hits() == len([*READERS, SLIDER]), "JupyterLab's message in place of the widgets")
    assert gone not in body.text  # the message is hidden
    assert_texts(page)
    for cell in found["cells"]:
        cell["metadata"]["slideshow"] = {"slide_type": "slide"}
    title = nbformat.v4.new_markdown_cell("# 0 Texts")
    return nbformat.from_dict({**found, "cells": [title, *found["cells"]]})


def page_of_nbconvert(template):
    def page(notebook, folder):
        config = Config()
        config.TemplateExporter.extra_template_basedirs = [str(ROOT / "book" / "static")]
        # by default, nbconvert's templates load MathJax from the network
        exporter = HTMLExporter(config, template_name=template, mathjax_url=MATHJAX.name)
        page = folder / f"{template}.html"
        page.write_text(exporter.from_notebook_node(notebook)[0], encoding="utf-8")
        for file in (MATHJAX, ROOT / "book" / "static" / "site" / "scrolls.js"):
            shutil.copy(file, folder)
        return page

    return page


def page_of_book(notebook, folder):
    (folder / "pages").mkdir()
    nbformat.write(notebook, folder / "pages" / "index.ipynb")
    settings = ["-q", "-c", str(ROOT / "book" / "build")]
    assert build_main([*settings, str(folder / "pages"), str(folder / "book")]) == 0
    return folder / "book" / "index.html"


def page_of_slides(notebook, folder):
    nbformat.write(notebook, folder / "0_texts.ipynb")
    slides.copy_loaded(folder)
    page = folder / "deck.html"
    page.write_text(slides.deck(folder / "0_texts.ipynb", slides.exporter())[1], encoding="utf-8")
    return page


MADE = {name: page_of_nbconvert(name) for name in ("page", "lab", "classic")}
MADE |= {"book": page_of_book, "slides": page_of_slides}  # "page" is what `make run` uses


@pytest.mark.parametrize("name", MADE)
def test_titles_are_text_not_formulas(notebook, browser, tmp_path, name):
    browser.get(MADE[name](notebook, tmp_path).as_uri())
    call(browser, "shown" if name == "slides" else "settled")
    assert_texts(browser, in_html=name != "book")
