"""Controls that change a picture: type a query, move a slider.

They are widgets by anywidget (the extra ``widgets``), and are only made where a page is there to
move them. Elsewhere, in nbconvert or where anywidget is missing, the same cell leaves the picture
of the first state, so that a stored notebook is readable where nothing runs. IPython, which shows
both, comes with the notebook, or with the same extra.
"""

import importlib.util

from lstm_edu._util import arguments
from lstm_edu._util.files import from_extra
from lstm_edu.text.hashing import words

from .. import plots
from . import pictures, widget

GAMMAS = 0.5, 1, 2, 5, 10, 20, 40
MUS = 0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98
STEPS = 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.048, 0.052
NO_CONTROLS = "With anywidget (pip install anywidget) JupyterLab has controls here: {}."


def load_ipython():
    """Import IPython and what shows its outputs, or raise a MissingError that says how to get
    them."""
    with from_extra("widgets", "explore needs IPython"):
        import IPython.display
    return IPython


def is_live():
    """Say whether a kernel runs behind the page, so that controls can be moved.

    JupyterLab, VS Code and Colab say which cell it is that they run, in the metadata of their
    request; nbconvert and nbval send none.
    """
    shell = load_ipython().get_ipython()
    return (
        bool(hasattr(shell, "get_parent") and shell.get_parent().get("metadata"))
        and importlib.util.find_spec("anywidget") is not None
    )


def explore(model, titles=None, query="hotels in shanghai"):
    """Type a query and a title, and watch a model read them: its gates word by word and letter
    trigram by letter trigram, its most active cells, keywords, the cosine, the ten best titles.

    Parameters
    ----------
    model : DualEncoder or AlignedEncoder
    titles : list of str, optional
        What to search, such as the titles of the log. A model does not keep the titles that it was
        trained on; without titles none are shown.
    query : str
        The first query.
    """
    titles = arguments.texts("titles", [] if titles is None else titles)
    model, query = arguments.model(model), arguments.text("query", query)
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
    """Sliders for gamma and n: who gets a click's push. Arguments as `lstm_course.plots.push`'s."""
    titles, R = arguments.texts("titles", titles), arguments.array("R", R, "n_titles")
    arguments.same_number(titles=titles, R=R)
    if len(titles) < 2:
        arguments.refuse("titles", titles, "the clicked one, and at least one more")
    _sliders(
        lambda gamma, n: [plots.push(titles, R, gamma, n)],
        gamma=(GAMMAS, 10),
        n=(range(1, len(titles)), len(titles) - 1),
    )


def explore_race(descend, curvature):
    """Sliders for mu and the step size: three ways down a valley. Arguments as `race`'s."""
    descend = arguments.function("descend", descend)
    curvature = arguments.array("curvature", curvature, "2")
    if len(curvature) != 2:
        arguments.refuse("curvature", curvature, "two numbers")
    _sliders(
        lambda mu, epsilon: pictures.race(descend, curvature, mu, epsilon),
        mu=(MUS, 0.9),
        epsilon=(STEPS, 0.02),
    )


def _sliders(picture, **settings):
    """Show picture(**values), and a slider for each setting: its values, and the first one."""
    if is_live():
        return _show_live(widget.sliders(picture, settings))
    first = {name: value for name, (_, value) in settings.items()}
    _show(picture(**first), ", ".join(settings))


def _show(items, controls):
    """Show a picture that stays as it is, and say where it would not."""
    display = load_ipython().display
    items = [*items, NO_CONTROLS.format(controls)]
    display.display(*(display.Pretty(item) if isinstance(item, str) else item for item in items))


def _show_live(made):
    """Show a widget, and before it, unseen while it is there, the last picture that it kept."""
    display = load_ipython().display
    first = getattr(made, "shown", {}).get("html", "")
    kept = display.display(display.HTML(first.join(made.given["frame"])), display_id=True)
    display.display(made)
    made.observe(lambda change: kept.update(display.HTML(change.new)), "picture")
