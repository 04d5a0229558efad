"""What somebody has written is never a formula, wherever a notebook with it is shown.

A log of titles that would be links is run in JupyterLab, in headless Chromium, and saved; then the
notebook is made into pages. Beside the titles stand formulas that are meant: those are drawn.
"""

import pathlib
import shutil
from importlib.util import find_spec

import lab
import nbformat
import pytest
from chromium import chromium, needs_chromium
from conftest import ROOT, until

pytest.importorskip("anywidget", reason="anywidget is not installed (the extra widgets brings it)")
pytest.importorskip("sphinx_revealjs", reason="the extra `book` is not installed (make test does)")
import slides
import visits
from nbconvert import HTMLExporter
from sphinx.cmd.build import build_main
from traitlets.config import Config

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
# words that are drawn whole, known and unknown; full-width dollars become others when they are read
QUERY = rf"$\href{{#}}{{b}}$ $$a$$ \(a\) \[a\] ＄a＄ $\beta$ ${LINK % 'x'}$ $ö$"
CELLS = [
    f"""
import lstm_edu
from IPython.display import HTML, Markdown, display
from lstm_course import explore, plots

titles, query = {TITLES!r}, {QUERY!r}
hashing = lstm_edu.LetterTrigrams.fit([*titles, query.removesuffix("$ö$")])
model = lstm_edu.DualEncoder(lstm_edu.LSTM(4), hashing, seed=0, scale=1.0)
explore(model, titles, query)""",
    """
display(plots.table([[title] for title in titles], query))""",
    """
plots.push(titles, model.score(query, titles), gamma=10, n=3)""",
    """
display(HTML("<div class='meant'>$$a_0$$</div>"))""",
    """
display(Markdown("<div class='meant'>\\n\\n$$a_1$$\\n\\n</div>"))""",
]
# Of the formulas on a page: whether each that is meant is drawn, and all others; and what runs.
FOUND = """
const drawn = [...document.querySelectorAll("mjx-container, .MathJax, math")];
return {
  meant: [...document.querySelectorAll(".meant")].filter(e => !e.closest(".notes"))
    .map(e => drawn.some(f => e.contains(f))),
  others: drawn.filter(f => !f.closest(".meant")).map(f => f.parentElement.outerHTML),
  runs: [...document.querySelectorAll("a")].map(e => e.href?.baseVal ?? e.href)
    .filter(address => /^javascript:/i.test(address)),
  texts: document.body.textContent,
};
"""
SHOWN = """
const done = arguments[0], look = () => window.Reveal?.isReady() ? done() : setTimeout(look, 50);
look();
"""


def drawn(browser):
    """Whether the formulas that are meant are drawn."""
    return browser.execute_script(FOUND)["meant"] == [True, True]


def assert_texts(browser, in_html=True):
    """Nothing that somebody has written is a formula, and what is meant is one; that in HTML, too,
    unless the page's MathJax never looks there.
    """
    found = browser.execute_script(FOUND)
    assert found["meant"] == [in_html, True]
    assert found["others"] == [] and found["runs"] == []
    assert all(title in found["texts"] for title in (*TITLES, QUERY))


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """The notebook as JupyterLab saved it, where nothing was a formula while it ran or after."""
    home, profile = tmp_path_factory.mktemp("lab"), tmp_path_factory.mktemp("profile")
    with lab.server(home, CELLS) as address, chromium(profile) as browser:
        lab.run_all(browser, address)
        until(lambda: drawn(browser), "the formulas that are meant")
        until(lambda: "<table" in kept(lab.saved(browser)), "the picture in the file")
        assert_texts(browser)
        readers = browser.find_elements("css selector", ".reader")  # the live one, and what is kept
        marks = {"mathjax_ignore", "tex2jax_ignore"}  # of MathJax 3 and 4, and of 2
        assert len(readers) == 2
        assert all(marks <= set(one.get_attribute("class").split()) for one in readers)
        lab.shut_down(browser)
        lab.load_again(browser)
        last = "return document.querySelector('.reader-last table')?.checkVisibility()"
        until(lambda: browser.execute_script(last), "the picture")
        until(lambda: drawn(browser), "the formulas that are meant")
        assert_texts(browser)
        return lesson(lab.saved(browser))


def lesson(notebook):
    """A notebook with a title, and a slide of each cell."""
    for cell in notebook["cells"]:
        cell["metadata"]["slideshow"] = {"slide_type": "slide"}
    title = nbformat.v4.new_markdown_cell("# 0 Texts")
    return nbformat.from_dict({**notebook, "cells": [title, *notebook["cells"]]})


def kept(notebook):
    """The picture of the reader that a notebook holds."""
    (output, _) = notebook["cells"][0]["outputs"]
    return "".join(output["data"]["text/html"])


def page_of_nbconvert(notebook, folder, template):
    config = Config()
    config.TemplateExporter.extra_template_basedirs = [str(ROOT / "book")]
    # the templates that nbconvert brings would load theirs from the network
    exporter = HTMLExporter(config, template_name=template, mathjax_url=MATHJAX.name)
    page = folder / f"{template}.html"
    page.write_text(exporter.from_notebook_node(notebook)[0], encoding="utf-8")
    for file in (MATHJAX, ROOT / "book" / "static" / "scrolls.js"):
        shutil.copy(file, folder)
    return page


def page_of_book(notebook, folder):
    (folder / "pages").mkdir()
    nbformat.write(notebook, folder / "pages" / "index.ipynb")
    settings = ["-q", "-c", str(ROOT / "book")]
    assert build_main([*settings, str(folder / "pages"), str(folder / "book")]) == 0
    return folder / "book" / "index.html"


def page_of_slides(notebook, folder, monkeypatch):
    monkeypatch.setattr(slides.live, "write", lambda folder: None)  # no lesson's reader is here
    nbformat.write(notebook, folder / "0_texts.ipynb")
    (folder / slides.STATIC).mkdir()
    slides.beside(folder)
    page = folder / "deck.html"
    page.write_text(slides.deck(folder / "0_texts.ipynb", slides.exporter())[1], encoding="utf-8")
    return page


def check_page(browser, page, settled=visits.SETTLED, **how):
    browser.get(page.as_uri())
    browser.execute_async_script(settled)
    assert_texts(browser, **how)


@pytest.mark.parametrize("template", ["page", "lab", "classic"])  # the first is `make run`'s
def test_titles_are_no_formulas_in_pages_of_nbconvert(notebook, browser, tmp_path, template):
    check_page(browser, page_of_nbconvert(notebook, tmp_path, template))


def test_titles_are_no_formulas_in_the_book(notebook, browser, tmp_path):
    check_page(browser, page_of_book(notebook, tmp_path), in_html=False)


def test_titles_are_no_formulas_on_slides(notebook, browser, tmp_path, monkeypatch):
    check_page(browser, page_of_slides(notebook, tmp_path, monkeypatch), SHOWN)
