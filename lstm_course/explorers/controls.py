"""The explorers of the lessons: text fields and sliders that change a figure.

In JupyterLab, VS Code and Colab they are widgets, made with anywidget (the extra ``widgets``). In
nbconvert, or without anywidget, the same call shows the figure for the initial settings, so that a
stored notebook can be read without running it. Widgets and figures need IPython, which comes with
Jupyter and with the same extra.
"""

import importlib.util
import sys

from lstm_edu._util import arguments
from lstm_edu._util.files import from_extra
from lstm_edu.text.hashing import words

from .. import plots
from . import pictures, weights, widget

GAMMAS = 0.5, 1, 2, 5, 10, 20, 40
MUS = 0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98
STEPS = 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.048, 0.052
NO_CONTROLS = "With anywidget (pip install anywidget) JupyterLab has controls here: {}."


def load_ipython():
    """Import IPython; if it is missing, raise a MissingError that says how to install it."""
    with from_extra("widgets", "explore needs IPython"):
        import IPython.display
    return IPython


def is_live():
    """Return whether the notebook can show widgets.

    JupyterLab, VS Code and Colab send metadata with each cell to run; nbconvert and nbval don't. A
    kernel that runs in the browser (emscripten) doesn't see this metadata, but has widgets.
    """
    shell = load_ipython().get_ipython()
    sent = hasattr(shell, "get_parent") and shell.get_parent().get("metadata")
    in_browser = sys.platform == "emscripten"
    return bool(sent or in_browser) and importlib.util.find_spec("anywidget") is not None


def explore(model, titles=None, query="hotels in shanghai", page=None):
    """Show how a model reads a query and a title that the user types.

    The figure shows the gates after each word and each letter trigram, the most active cells, the
    keywords, the cosine, and the ten best titles.

    Parameters
    ----------
    model : DualEncoder or AlignedEncoder
    titles : list of str, optional
        The titles to search, such as those of the click log. A model doesn't store titles; by
        default none are ranked.
    query : str
        The initial query.
    page : str, optional
        A file to which `lstm_course.explorers.write_page` writes the figure as an HTML page.
    """
    titles = arguments.texts("titles", [] if titles is None else titles)
    model, query = arguments.model(model), arguments.text("query", query)
    if (page := arguments.path("page", page, allow=[None])) is not None:
        weights.write_page(model, page, titles or None, query)
    vectors = model.encode_document(titles) if titles else None
    if not is_live():
        last = max(len(words(query)) - 1, 0)
        return _show(pictures.reading(model, query, last, titles, vectors), "query, title, word")
    best = ""
    if titles and model.hashing.operator(model.hashing.words(query)).nnz:
        best = titles[int(model.similarity(model.encode_query([query]), vectors)[0].argmax())]
    name = f"{type(model.cell).__name__} of {model.cell.size} cells"
    _show_live(widget.make(model, name, titles, vectors, query, best))


def explore_push(titles, R):
    """Show the cost's gradient for clicked and unclicked titles, with sliders for gamma and n.

    ``titles`` and ``R`` are as for `lstm_course.plots.push`.
    """
    _sliders(
        lambda gamma, n: [plots.push(titles, R, gamma, n)],
        gamma=(GAMMAS, 10),
        n=(range(1, len(titles)), len(titles) - 1),
    )


def explore_race(descend, curvature):
    """Show three descent paths on a quadratic cost, with sliders for mu and the step size.

    ``descend`` and ``curvature`` are as for `lstm_course.explorers.pictures.race`.
    """
    _sliders(
        lambda mu, epsilon: pictures.race(descend, curvature, mu, epsilon),
        mu=(MUS, 0.9),
        epsilon=(STEPS, 0.02),
    )


def _sliders(picture, **settings):
    """Show picture(**settings) with one slider per setting: name=(values, initial value)."""
    if is_live():
        return _show_live(widget.sliders(picture, settings))
    first = {name: value for name, (_, value) in settings.items()}
    _show(picture(**first), ", ".join(settings))


def _show(items, controls):
    """Show a static figure, then a line that says how to get its ``controls`` in JupyterLab."""
    display = load_ipython().display
    items = [*items, NO_CONTROLS.format(controls)]
    display.display(*(display.Pretty(item) if isinstance(item, str) else item for item in items))


def _show_live(made):
    """Show a widget, and store its last figure in a hidden output beside it."""
    display = load_ipython().display
    first = getattr(made, "shown", {}).get("html", "")
    kept = display.display(display.HTML(first.join(made.given["frame"])), display_id=True)
    display.display(made)
    made.observe(lambda change: kept.update(display.HTML(change.new)), "picture")
