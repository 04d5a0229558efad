"""Tests of the explorers' figures, widgets and static fallback, without a browser."""

import importlib.util
import json
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import ROOT, TEXTS, cell_name, unit_model
from IPython.display import HTML, Pretty
from matplotlib.figure import Figure

import lstm_edu
from lstm_course import explore, explorers, plots
from lstm_course.explorers import controls, widget
from lstm_edu import LSTM

WIDGET = "application/vnd.jupyter.widget-view+json"
TITLES, MODEL = sorted(set(TEXTS)), unit_model(LSTM(3))


@pytest.mark.parametrize("cell", [LSTM(3), lstm_edu.Bidirectional(LSTM(2))], ids=cell_name)
def test_reading_shows_figure_keywords_and_best_titles_after_each_word(cell):
    model, query = unit_model(cell), "abc a cab"
    seen = [explorers.reading(model, query, t, TITLES) for t in range(3)]
    assert len({figure.get_label() for figure, _, _ in seen}) == 3
    for t, (_, keywords, titles) in enumerate(seen):
        assert keywords == plots.assigned_cells(model, query)
        read = " ".join(query.split()[: t + 1])
        best = [[f"{score:.3f}", title] for title, score in model.rank(read, TITLES)[:10]]
        assert titles.rows == best and titles.columns[1].endswith(read)
    vectors = model.encode_document(TITLES)
    assert explorers.reading(model, query, 2, TITLES, vectors)[2] == seen[2][2]
    assert len(explorers.reading(model, query, 2)) == 2


@pytest.mark.parametrize(
    "query, line",
    [
        ("", "Type a query."),
        ("上海 ザ", "Nothing in this query is known to the model: no letter trigram of it was "),
        ("ab " * 25, "This query has 25 words; the picture has room for 24."),
    ],
    ids=["empty", "no known trigram", "too long"],
)
def test_reading_explains_in_one_line_why_query_cannot_be_drawn(query, line):
    (said,) = explorers.reading(MODEL, query, 0, TITLES)
    assert said.startswith(line) and "\n" not in said


# ---- display


@pytest.fixture
def page(monkeypatch):
    """Mock IPython in a frontend that supports widgets, and record what it displays."""
    items, request = [], {"metadata": {"cellId": "one"}}

    def show(*shown, display_id=None):
        items.extend(shown)
        return SimpleNamespace(update=lambda item: items.__setitem__(0, item))

    display = SimpleNamespace(display=show, Pretty=Pretty, HTML=HTML)
    shell = SimpleNamespace(get_parent=lambda: request)
    ipython = SimpleNamespace(get_ipython=lambda: shell, display=display)
    monkeypatch.setattr(controls, "load_ipython", lambda: ipython)
    return SimpleNamespace(items=items, request=request)


needs_anywidget = pytest.mark.skipif(
    importlib.util.find_spec("anywidget") is None,
    reason="anywidget is not installed (the extra widgets brings it)",
)


@needs_anywidget
def test_explore_sends_small_models_to_page_and_runs_large_ones_in_kernel(page, monkeypatch):
    explore(MODEL, TITLES, query="abc a cab")
    monkeypatch.setattr(widget, "LARGEST", 100)
    explore(MODEL, TITLES, query="abc a cab")
    _, sent, _, asked = page.items
    assert sent.given["weights"]["trigrams"] == "".join(MODEL.hashing.trigrams)
    assert sent.given["titles"] == TITLES and "weights" not in asked.given
    best = MODEL.rank("abc a cab", TITLES)
    assert sent.asked["title"] == asked.asked["title"] == best[0][0]
    (seen,) = asked.seen["all"]
    assert [title for _, title in seen["best"]] == [title for title, _ in best[:10]]
    for id, query in enumerate(("", "zz", "ab " * 30, "$ <b> \ud800", "b a"), start=1):
        wanted = [[{"query": query, "title": "ab", "t": 0, "s": None}, "model"]]
        asked.asked = {"wanted": wanted, "id": id}  # the page asks; the kernel answers in `seen`
        (seen,) = asked.seen["all"]
        assert len(seen["query"]["words"]) == min(len(query.split()), 24)
        json.dumps(seen).encode("utf-8")
    asked.asked = {"wanted": [[{"query": 1}, "model"]], "id": 9}
    assert "KeyError" in asked.seen["error"]


@needs_anywidget
def test_moving_a_slider_redraws_the_figure(page):
    R = np.linspace(1, -1, 5)
    explorers.explore_push(list("abcde"), R)
    kept, made = page.items
    assert made.shown["html"] in kept.data  # the first figure, for pages without a kernel
    chosen = {"gamma": controls.GAMMAS.index(2), "n": 2}
    made.chosen = chosen
    figure = plots.push(list("abcde"), R, 2, 3)
    expected = widget.as_html(figure, "The picture for gamma = 2, n = 3")
    assert made.shown == {"html": expected, "chosen": chosen}


@pytest.mark.parametrize("without", ["a page", "anywidget"])
def test_explore_shows_static_figure_and_advice_without_widgets(page, monkeypatch, without):
    if without == "anywidget":
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    else:
        page.request.clear()
    explore(MODEL, TITLES, query="abc a cab")
    figure, _, titles, line = page.items
    assert isinstance(figure, Figure) and titles.columns[1] == "best titles for: abc a cab"
    assert "pip install anywidget" in line.data
    explorers.explore_push(list("abc"), np.array([0.5, 0.2, 0.1]))
    assert isinstance(page.items[4], Figure) and "gamma, n" in page.items[5].data


def test_stored_notebooks_contain_no_widgets():
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        assert WIDGET not in path.read_text(encoding="utf-8"), path
