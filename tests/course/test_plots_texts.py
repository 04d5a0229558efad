"""Texts of strangers in figures and tables: drawn as they are, whatever they hold."""

import io
import json

import numpy as np
import pytest
from conftest import sample, unit_model
from matplotlib.text import Text

from lstm_course import plots
from lstm_course.explorers import pictures
from lstm_course.plots.alt_text import LONGEST
from lstm_course.plots.style import as_text, shown
from lstm_edu import LSTM

ODD = r"$\frac$ a$b$c \$x$ $$ $\undefined{".split()
ODD += ["\ud800b", "a\0b", "\x1b[31m", "%$#&_^~{}\\"]
# Every figure is drawn with a formula that is none, with half a letter, with what no SVG may hold,
# and with every sign that means something; `make soak` draws them with all.
SOME = [r"$\undefined{", "\ud800b", "a\0b", "%$#&_^~{}\\"]
MODEL = unit_model(LSTM(3))
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # a letter that the font has not


def odd(text):
    return f"abc {text} cab"


def texts_of(text):
    """Every figure that shows texts, words or trigrams that somebody has written."""
    query, clicked, unclicked = odd(text), text, ["a", odd(text)]
    trace = MODEL.trace(query)
    yield plots.gate_maps(trace, title=query)
    yield plots.words_read(trace, 0, title=query)
    yield plots.active_cells(MODEL, query, odd(text))
    yield plots.steps({"query": trace, "document": trace})
    yield plots.states(trace.words, {query: trace.y})
    yield plots.cell_by_word({query: (trace, 0)})
    yield plots.click_signal(query, clicked, unclicked)
    yield plots.shares([clicked, *unclicked], np.zeros(3), np.full(2, 0.3))
    yield plots.push([clicked, *unclicked], np.zeros(3), 5, 1)
    yield plots.hashing_operator(["abc", text])
    yield plots.similarities(["abc", text], np.eye(2), [2])
    yield plots.unrolled_rnn(["abc", text])
    yield plots.topics_by_cell(np.ones((3, 2)), ["abc", text])
    yield plots.two_cells({"cell": np.eye(2)}, ["abc", text], [0, 1])


@pytest.mark.parametrize("text", sample(ODD, SOME))
def test_texts_are_drawn_as_texts(text):
    for figure in texts_of(text):
        said = figure.get_label()
        assert 0 < len(said) <= LONGEST and said.isprintable() and said.encode("utf-8")
        for kind in ("png", "svg"):
            drawn = io.BytesIO()
            figure.savefig(drawn, format=kind)
            assert len(drawn.getvalue()) > 1000


@pytest.mark.parametrize("text", ODD, ids=ascii)
def test_and_no_letter_of_them_is_taken_for_a_sign_of_mathematics(text):
    drawn = Text(0, 0, as_text(text))
    string, is_formula = drawn._preprocess_math(drawn.get_text())
    assert not is_formula and string == shown(text)
    assert len(shown(text)) == len(text) and shown(shown(text)) == string
    shown(text).encode("utf-8")


@pytest.mark.parametrize("text", ODD, ids=ascii)
def test_an_explorer_shows_them_in_tables_that_a_page_can_read(text):
    items = pictures.reading(MODEL, odd(text), 0, [text, odd(text)])
    for table in items[1:]:
        page = table._repr_html_() + repr(table)
        assert json.dumps(page).encode("utf-8") and page.encode("utf-8")
        # MathJax looks for both signs of a formula within one element
        bare = table._repr_html_().replace("<span>$</span>", "").replace("<span>\\</span>", "")
        assert "$" not in bare and "\\" not in bare
