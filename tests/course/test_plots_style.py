"""Tests of the plots' alt text, PNG output and style, and of untrusted strings in figures."""

import inspect
import io
import json
import pathlib
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from conftest import unit_model
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Text
from PIL import Image

from lstm_course import plots
from lstm_course.explorers import pictures
from lstm_course.plots.alt_text import LONGEST, count, course, listed, number, quoted, span
from lstm_course.plots.figure import png
from lstm_course.plots.style import as_text, shown
from lstm_edu import LSTM

NO_FIGURES = {"style", "subplots", "name_words", "table", "assigned_cells"}
MODEL = unit_model(LSTM(3))


def test_every_plot_function_is_called_by_a_test():
    paths = pathlib.Path(__file__).parent.glob("test_plots_*.py")
    source = "".join(path.read_text(encoding="utf-8") for path in paths)
    figures = {name for name, f in vars(plots).items() if inspect.isfunction(f)}
    missing = [one for one in figures if not re.search(rf"\bplots\.{one}\b", source)]
    assert set(missing) <= NO_FIGURES, missing


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6))
def test_curve_description_gives_first_last_min_and_max(values):
    said = course(values)
    first, last, low, high = map(number, (values[0], values[-1], min(values), max(values)))
    assert first in said and last in said and low in said and high in said
    assert ("rises" in said) == (values[0] < values[-1] and first != last)
    assert ("falls" in said) == (values[0] > values[-1] and first != last)
    assert ("at most" in said) == (high not in (first, last))
    assert ("at least" in said) == (low not in (first, last))
    assert span(values) == (f"always {low}" if low == high else f"from {low} to {high}")


@given(st.floats(-1e300, 1e300))
def test_number_formats_values_compactly_and_accurately(x):
    said = number(x)
    assert float(said.replace(",", "").replace("−", "-")) == pytest.approx(x, rel=6e-3)
    assert "-" not in said and len(said) < 20


def test_alt_text_summarises_long_panels_by_their_extremes():
    names = [f"a line with a long name that ends at {k}" for k in range(6)]
    runs = {name: [[0.123] * 5 + [k]] for k, name in enumerate(names)}
    label = plots.by_epoch({"a": runs, "b": runs, "c": {"d": [[1, 2]]}}, "nDCG").get_label()
    ends = f"the lines end between 0 (“{names[0]}”) and 5 (“{names[5]}”)"
    assert label == f"nDCG by epoch, from 1 to 6: a, {ends}; b, {ends}; c, “d” 1 and 2."


def test_alt_text_helpers_count_list_quote_and_shorten():
    assert [count(n, "query") for n in (0, 1, 2000)] == ["0 queries", "1 query", "2,000 queries"]
    assert [listed("abc"[:n]) for n in range(4)] == ["none", "a", "a and b", "a, b and c"]
    assert listed("abcdefg") == "a, b, c, d and 3 more" and listed("ab", between="; ") == "a; b"
    assert quoted("a\n\x00b" + 99 * "c").startswith("“a �bccc") and len(quoted(99 * "c")) == 42
    figure = plots.subplots()[0].says("word " * 200)
    assert len(figure.get_label()) <= LONGEST and figure.get_label().endswith(" …")


def test_png_has_double_resolution_palette_and_alt_text():
    figure, again = (plots.cost_curve({"cost": [3.0, 1.0]}) for _ in range(2))
    # otherwise pyplot would show the figure again at the end of the cell
    assert plt.get_fignums() == []
    picture, about = png(figure)
    assert about["alt"] == figure.get_label()
    assert png(again)[0] == picture  # the PNG is reproducible
    found = Image.open(io.BytesIO(picture))
    assert found.width == pytest.approx(2 * about["width"], abs=1) and found.mode == "P"
    assert found.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
    assert "alt" not in png(plots.subplots()[0])[1]


USERS = {
    "dark style": plt.style.library["dark_background"] | {"image.cmap": "hot"},
    "TeX": {"text.usetex": True},
    "missing font": {"font.family": "No such font", "mathtext.fontset": "cm"},
    "saving": {"savefig.transparent": True, "savefig.facecolor": "red", "savefig.bbox": "tight"},
    "sizes": {"figure.dpi": 30, "savefig.dpi": 30, "xtick.direction": "in", "axes.grid": True},
}


@pytest.mark.parametrize("settings", USERS.values(), ids=USERS)
def test_figures_neither_use_nor_change_users_matplotlib_settings(settings):
    def pictures(figure):
        figure.savefig(file := io.BytesIO(), format="png")
        return png(figure)[0], file.getvalue()

    def draw():
        return plots.gate_maps(MODEL.trace("abc cab"), title="$x^2$")

    drawn_before, expected = draw(), pictures(draw())
    with plt.rc_context(settings):
        given = dict(plt.rcParams)
        figure = draw()
        assert pictures(figure) == pictures(drawn_before) == expected
        assert dict(plt.rcParams) == given
    assert figure.canvas.manager is None  # pyplot doesn't manage the figure


ODD = r"$\frac$ a$b$c \$x$ $$ $\undefined{".split()
ODD += ["\ud800b", "a\0b", "\x1b[31m", "%$#&_^~{}\\"]


@pytest.mark.filterwarnings("ignore::UserWarning")  # the font lacks some characters
def test_figures_draw_dollars_and_control_characters_as_plain_text():
    text = "$\\undefined{a\0\ud800b"
    trace = MODEL.trace(f"abc {text} cab")
    for figure in (
        plots.gate_maps(trace, title=text),
        plots.states(trace.words, {text: trace.y}),
        plots.click_signal(text, text, ["a", text]),
        plots.push([text, "a", "b"], np.zeros(3), 5, 1),
        plots.hashing_operator(["abc", text]),
        plots.unrolled_rnn(["abc", text]),
        plots.two_cells({"cell": np.eye(2)}, ["abc", text], [0, 1]),
    ):
        said = figure.get_label()
        assert 0 < len(said) <= LONGEST and said.isprintable() and said.encode("utf-8")
        file = io.BytesIO()
        figure.savefig(file, format="svg")
        assert b"</svg>" in file.getvalue()


@pytest.mark.filterwarnings("ignore::UserWarning")  # the model knows no trigram of some texts
@pytest.mark.parametrize("text", ODD, ids=ascii)
def test_text_is_never_parsed_as_formula(text):
    artist = Text(0, 0, as_text(text))
    string, is_formula = artist._preprocess_math(artist.get_text())
    assert not is_formula and string == shown(text)
    assert len(shown(text)) == len(text) and shown(shown(text)) == string
    for table in pictures.reading(MODEL, f"abc {text} cab", 0, [text])[1:]:
        page = table._repr_html_() + repr(table)
        assert json.dumps(page).encode("utf-8") and page.encode("utf-8")
        # MathJax ignores a delimiter that is alone in its element, so remove such delimiters
        bare = table._repr_html_().replace("<span>$</span>", "").replace("<span>\\</span>", "")
        assert "$" not in bare and "\\" not in bare
