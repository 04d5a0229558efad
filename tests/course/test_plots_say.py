"""Every figure says in a sentence or two what it shows, and says it of its data.

The functions are found by looking into `lstm_course.plots`: a new one without two sets of data in
`DATA` makes a test red.
"""

import inspect
import io

import numpy as np
import pytest
from conftest import unit_model
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lstm_course import plots
from lstm_course.plots.alt_text import LONGEST, count, course, listed, number, quoted, says, span
from lstm_course.plots.figure import png
from lstm_edu import LSTM

NO_FIGURES = {"style", "subplots", "name_words", "table", "assigned_cells"}
DRAWINGS = {"whole_model", "way_back", "lstm_cell"}  # of the paper, and of no data

MODEL = unit_model(LSTM(12))
SHORT, LONG = MODEL.trace("abc a"), MODEL.trace("cab b a abc")
RESULTS = {"LSTM": {"nDCG@1": (0.5, 0.4, 0.6)}, "random order": {"nDCG@1": (0.2, 0.1, 0.3)}}
BETTER = {"LSTM": {"nDCG@1": (0.9, 0.8, 1.0)}, "random order": {"nDCG@1": (0.2, 0.1, 0.3)}}
NODES = dict.fromkeys(("w", "r", "z1", "y1", "z2", "y2"), 0.5)
ROWS = [
    {"row": row, "nDCG@10": {"mean": m, "low": m, "high": m}} for row, m in (("a", 1), ("b", 0))
]
PATH = np.array([[1.0, 2], [0.5, 1], [0.1, 0.2]])
GRADES, SCORES = np.array([0, 0, 1, 1]), np.array([0.1, 0.2, 0.6, 0.8])
DISTANCE, NORM = np.array([0, 0, 1, 1, 2, 2]), np.array([4.0, 4, 2, 2, 1, 1])
FINDS = {"LSTM": [(0.5, 0.4, 0.6), (0.7, 0.6, 0.8)]}
BOUNDS = {"content": {0.1: (5.0, 4, 6), 0.5: (2.0, 1, 3)}, "filler": {0.1: (3.0, 2, 4)}}
HALF = {"content": {0.1: (5.0, 4, 6), 0.5: (2.5, 1, 3)}, "filler": {0.1: (3.0, 2, 4)}}

# by function: two calls, whose data differ in one thing
DATA = {
    "active_cells": [(MODEL, "abc a", "cab b a"), (MODEL, "abc a", "cab b")],
    "by_case": [({"LSTM": {"known": (x, 0, 1), "new": (0.5, 0.4, 1)}},) for x in (0.7, 0.8)],
    "aligned_words": [([[0.9, x], [x, 0.2]], ["a", "b"], ["c", "d"]) for x in (0.5, -0.5)],
    "by_chance": [({"a": np.array([0.1, -0.3, 0])}, {"a": x}, "gain") for x in (0.2, 0.05)],
    "by_epoch": [({"γ": {"1": [[0.1, 0.2]], "5": [[0.1, x]]}}, "nDCG@10") for x in (0.3, 0.4)],
    "ladder": [
        ({"msrd": {"a": (0, 0, 0), "b": (x, 0, 3)}}, {"a": "a bag", "b": "more"}) for x in (1, 2)
    ],
    "by_overlap": [(FINDS, names, "share") for names in (["none", "all"], ["none", "some"])],
    "by_seconds": [({"msrd": {"ours": ([1, 2], [0.5, x])}}, "nDCG@10") for x in (0.6, 0.7)],
    "cell_by_word": [({"cell 3": (SHORT, 3)},), ({"cell 3": (LONG, 3)},)],
    "click_signal": [("a query", title, ["one", "two"]) for title in ("this", "that")],
    "coasting": [(np.arange(4.0), np.array([0, 0, 2, x]), [0, 1]) for x in (2, 5)],
    "comes_first": [({"order": {"LSTM": {"right": n, "turned round": 2}}},) for n in (3, 5)],
    "comparison": [({"rows": ROWS},), ({"rows": ROWS[:1]},)],
    "cost_curve": [({"cost": [3.0, 1.0]}, 2.0), ({"cost": [3.0, 1.5]}, 2.0)],
    "dropped_terms": [(["abc", "a"], {"(72)": np.array([0.1, x])}) for x in (0.2, 0.05)],
    "error_norms": [({"Q": np.eye(3) * x}, {"Q": "query"}) for x in (1, 2)],
    "error_paths": [(False,), (True,)],
    "errors_by_distance": [
        ({"a": {"RNN": (DISTANCE, NORM * [1, 1, 1, 1, x, x])}}, True, 1) for x in (1, 2)
    ],
    "errors_by_length": [
        ([1, 4], {"LSTM": {1.0: np.full((3, 2, 2), x)}}) for x in (0.5, 0.25)
    ],
    "found_partners": [({"thing": {"letters": (x, 0.2, 0.9)}},) for x in (0.4, 0.6)],
    "gate_maps": [(SHORT,), (LONG,)],
    "growth": [
        (np.array([10, 20]), np.array([8, 13]), np.array([9, x]), {"DSSM": [(100, 40)]})
        for x in (12, 13)
    ],
    "hashing_operator": [(["ana", "banana"],), (["ana", "bandana"],)],
    "in_one_order": [
        ({"ours": {"bm25": (0.5, 0.4, 0.6), "rnn": (x, None, None)}}, ["bm25", "rnn"])
        for x in (0.4, 0.6)
    ],
    "in_the_middle": [(np.array([[1.0, 0], [1, 1], [x, 1]]), ["right"] * 3) for x in (0, 3)],
    "intervals": [({"first": (1.0, low, 2.0)}, "gain") for low in (0.5, -0.5)],
    "kept": [({"doubled": {4: 0.75, 5: x}}, {"n - 1": 1}) for x in (0.8, 0.7)],
    "large_enough": [(BOUNDS,), (HALF,)],
    "loss_curves": [([1, 5], [1, n], 10.0) for n in (4, 5)],
    "lstm_cell": [()],
    "movement": [(np.array([0, 1, 9, 90]), {"Adam": np.array([0, 1.0, 2, x])}) for x in (3, 4)],
    "ndcg_bars": [(RESULTS,), (BETTER,)],
    "push": [(["a", "b", "c"], np.array([0.8, 0.5, 0.1]), gamma, 2) for gamma in (1, 5)],
    "packed": [([["a"], ["b", "c"][:n]],) for n in (1, 2)],
    "rows_that_wait": [({"Adam": np.array([0, x, 2])}, [1]) for x in (1, 3)],
    "two_books": [(PATH * x, PATH * x + 0.1, PATH * x + 0.1, (1.0, 10.0)) for x in (1, 2)],
    "schedule": [(np.array([0.9, 0.99, x]), np.array([1.0, 5, 9])) for x in (0.9, 0.99)],
    "scores_by_grade": [({"LSTM": SCORES * x}, GRADES, ("Bad", "Good")) for x in (1, 0.5)],
    "shares": [(list("abc"), np.array([0.8, 0.5, x]), np.array([-0.5, -x])) for x in (0.1, 0.6)],
    "similarities": [(["a", "ab"], [[1, x], [x, 1]], [2]) for x in (0.5, 0)],
    "states": [(SHORT.words, {"RNN": SHORT.y * x}) for x in (1, 2)],
    "step_parts": [({"read": (5.0, 2.0, "memory"), "add": (x, 1.0, "both")},) for x in (3.0, 7.0)],
    "step_ways": [({"paper": {"ours": 80.0, "theirs": x}},) for x in (95.0, None)],
    "steps": [({"query": SHORT},), ({"query": LONG},)],
    "topics_by_cell": [(np.array([[3, x], [0, 0]]), ["cars", "food"]) for x in (1, 9)],
    "touched_rows": [([1, 8], {"query": [9, x], "document": [9, 40]}, 99) for x in (30, 50)],
    "training_curves": [({"LSTM": [[3.0, x], [5.0, 2.0]]},) for x in (1, 2)],
    "truncation_error": [({"small": [0.5, x, 0.0]},) for x in (0.01, 0.9)],
    "two_cells": [({"cell": [[1, 0], [0.6, x]]}, ["pie", "cake"], [0, 0]) for x in (0.8, -0.8)],
    "two_gradients": [
        ({"one pair": {"exact": [[3.0, x]]}}, {"exact": [[0.1, 0.4]]}) for x in (1, 2)
    ],
    "two_words": [(NODES, NODES), (NODES, NODES | {"r": 0.25})],
    "unrolled_rnn": [(["abc", "a"],), (["abc", "cab"],)],
    "valley": [({"Nesterov": PATH * x}, (1.0, 10.0)) for x in (1, 2)],
    "way_back": [()],
    "whole_model": [()],
    "words_read": [(LONG, 1), (LONG, 2)],
}  # fmt: skip

PUBLIC = {
    name: found
    for name, found in vars(plots).items()
    if inspect.isfunction(found) and name not in NO_FIGURES
}


def test_every_function_has_its_data():
    assert set(DATA) == set(PUBLIC)
    assert all(len(calls) == (1 if name in DRAWINGS else 2) for name, calls in DATA.items())


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_figure_says_what_it_shows_and_other_data_say_something_else(name):
    said = [PUBLIC[name](*call).get_label() for call in DATA[name]]
    assert len(set(said)) == len(said), said
    for text in said:
        assert 40 < len(text) <= LONGEST and text.endswith("."), text
        assert "  " not in text and " ." not in text and "nan" not in text.split(), text
        assert not text.lower().endswith((".png.", ".svg."))


def test_it_is_true():
    def said(name, k=0):
        return PUBLIC[name](*DATA[name][k]).get_label()

    assert "falls from 3 to 1; guessing costs 2" in said("cost_curve")
    assert "random order 0.2" in said("ndcg_bars") and "LSTM 0.9" in said("ndcg_bars", 1)
    assert "falls from 4 to 1.5" in said("training_curves")
    assert "RNN falls from 1 to 0.25 at 2 words" in said("errors_by_distance")
    assert "rises from 0.15 to 0.7" in said("scores_by_grade")
    assert said("intervals").endswith("Apart from 0: 1 of 1.")
    assert said("intervals", 1).endswith("Apart from 0: 0 of 1.")
    assert "the best first: a 1 and b 0" in said("comparison")
    assert "1 of 3 draws" in said("by_chance") and "2 of 3 draws" in said("by_chance", 1)
    assert "bm25 with 0.5" in said("in_one_order") and "rnn with 0.6" in said("in_one_order", 1)
    assert "most is against “b”: 0.5" in said("shares")
    assert "most is against “c”: 0.6" in said("shares", 1)
    assert said("intervals").startswith("Gain, with") and said("active_cells").startswith("y(t)")
    assert "“read”: 5 ms" in said("step_parts") and "“add”: 7 ms" in said("step_parts", 1)
    assert "furthest from it: “msrd” b with +1.0" in said("ladder")
    assert "rises from 0.5 to 0.7" in said("by_overlap")
    assert "75%, “food” in cell 0; 1 cell never active" in said("topics_by_cell", 1)
    assert "“ana” 3 and “banana” 6" in said("hashing_operator")
    assert "0 of 1 pair" in said("similarities") and "1 of 1 pair" in said("similarities", 1)
    assert "4 words for weights of scale 1: LSTM, error always 0.5" in said("errors_by_length")
    assert said("truncation_error").endswith("“small” falls from 0.5 to 0.01.")
    assert "falls from 5 to 2 for content words and is 3 for filler" in said("large_enough")
    assert "the peepholes' paths" in said("error_paths", 1)
    y = SHORT.y[:, [*map(int, np.argsort(-abs(SHORT.y[-1]), kind="stable")[:10])]]
    assert f"“abc a” from {number(y.min())} to {number(y.max())}" in said("active_cells")


def test_it_is_true_of_little_data_and_of_what_is_missing():
    nan = float("nan")
    assert "1 epoch" in plots.cost_curve({"cost": [1.0]}).get_label()
    assert "per pair is 1." in plots.cost_curve({"cost": [1.0]}).get_label()
    assert "has no values" in plots.cost_curve({"cost": [nan, nan]}).get_label()
    assert "has no values" in plots.cost_curve({"cost": []}).get_label()
    assert "stays at 2" in plots.cost_curve({"cost": [2.0, 2.0]}).get_label()
    assert "0 rows" in plots.comparison({"rows": [{"row": "a", "missing": "gensim"}]}).get_label()
    assert "no number" in plots.intervals({"a": (nan, nan, nan)}, "gain").get_label()
    alone = plots.similarities(["a"], [[1.0]], [1]).get_label()
    assert alone == "A table of the cosines of 1 word."
    one = plots.shares(["a"], np.array([0.5]), np.array([])).get_label()
    assert one == "Cosine with the query: 0.5 of “a”, which was clicked."


@given(st.lists(st.floats(-1e6, 1e6) | st.just(float("nan")), max_size=6))
def test_how_values_go(values):
    there = [value for value in values if value == value]
    said = course(values)
    if not there:
        assert said == "has no values" and span(values) == "without a value"
        return
    first, last, low, high = map(number, (there[0], there[-1], min(there), max(there)))
    assert first in said and last in said and low in said and high in said
    assert ("rises" in said) == (there[0] < there[-1] and first != last)
    assert ("falls" in said) == (there[0] > there[-1] and first != last)
    assert ("at most" in said) == (high not in (first, last))
    assert ("at least" in said) == (low not in (first, last))


@given(st.floats(-1e300, 1e300) | st.sampled_from([float("nan"), float("inf")]))
def test_a_number_is_that_number(x):
    said = number(x)
    if np.isfinite(x):
        assert float(said.replace(",", "").replace("−", "-")) == pytest.approx(x, rel=6e-3)
    assert "nan" not in said and "-" not in said and len(said) < 20


def test_words_of_a_sentence():
    assert [count(n, "query") for n in (0, 1, 2000)] == ["0 queries", "1 query", "2,000 queries"]
    assert count(2, "way") == "2 ways"
    assert [listed("abc"[:n]) for n in range(4)] == ["none", "a", "a and b", "a, b and c"]
    assert listed("abcdefg") == "a, b, c, d and 3 more" and listed("ab", between="; ") == "a; b"
    assert quoted("a\n\x00b" + 99 * "c").startswith("“a �bccc") and len(quoted(99 * "c")) == 42
    figure, _ = plots.subplots()
    assert says(figure, "word " * 200) is figure and len(figure.get_label()) <= LONGEST
    assert figure.get_label().endswith(" …")


def test_a_picture_is_sharp_and_small_and_has_that_text():
    figure, again = plots.gate_maps(LONG), plots.gate_maps(LONG)
    picture, about = png(figure)
    assert about["alt"] == figure.get_label()
    drawn, large = Image.open(io.BytesIO(picture)), io.BytesIO()
    assert drawn.width == pytest.approx(2 * about["width"], abs=1) and drawn.mode == "P"
    assert png(again)[0] == picture  # a notebook that is stored again is the same
    figure.savefig(large, format="png", dpi=200, bbox_inches="tight")
    assert len(picture) < 0.6 * len(large.getvalue())
    found, exact = (np.asarray(one.convert("RGB"), int) for one in (drawn, Image.open(large)))
    assert abs(found - exact).max() < 20 and (found[0, 0] == 255).all()
    assert "alt" not in png(plots.subplots()[0])[1]
