"""Controls that change a picture: type a query, move a slider.

They are widgets (the extra ``widgets``): the reader by anywidget, sliders by ipywidgets. They are
only made where a page is there to move them. Elsewhere, in nbconvert or where these are missing,
the same cell leaves the picture of the first state, so that a stored notebook is readable where
nothing runs. IPython, which shows both, comes with the notebook, or with the same extra.
"""

import importlib.util

from .. import arguments
from ..files import from_extra
from ..text.hashing import words
from . import pictures, widget

GAMMAS = 0.5, 1, 2, 5, 10, 20, 40
MUS = 0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98
STEPS = 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.048, 0.052
NO_CONTROLS = "With {0} (pip install {0}) JupyterLab has controls here: {1}."


def load_ipython():
    """IPython and what it shows outputs with, or a MissingError that says how to get them."""
    with from_extra("widgets", "explore needs IPython"):
        import IPython.display
    return IPython


def is_live(needed="ipywidgets"):
    """Whether a page runs this cell, in which controls can be moved by a package that is there.

    JupyterLab, VS Code and Colab say which cell it is that they run, in the metadata of their
    request; nbconvert and nbval send none.
    """
    shell = load_ipython().get_ipython()
    return (
        bool(hasattr(shell, "get_parent") and shell.get_parent().get("metadata"))
        and importlib.util.find_spec(needed) is not None
    )


def explore(model, titles=None, query="hotels in shanghai"):
    """Type a query and a title, and watch a model read them: its gates word by word and letter
    trigram by letter trigram, its most active cells, keywords, the cosine, the ten best titles.

    Parameters
    ----------
    model : DualEncoder
    titles : list of str, optional
        What to search, such as the titles of the log. A model does not keep the titles that it was
        trained on; without titles none are shown.
    query : str
        The first query.
    """
    titles = arguments.texts("titles", [] if titles is None else titles)
    model, query = arguments.model(model), arguments.text("query", query)
    vectors = model.encode_document(titles) if titles else None
    if not is_live("anywidget"):
        last = max(len(words(query)) - 1, 0)
        return _show(
            pictures.reading(model, query, last, titles, vectors), "anywidget", "query, title, word"
        )
    best = ""
    if titles and words(query):
        best = titles[int(model.similarity(model.encode_query([query]), vectors)[0].argmax())]
    name = f"{type(model.cell).__name__} of {model.cell.size} cells"
    made = widget.make(model, name, titles, vectors, query, best)
    as_page = load_ipython().display.HTML
    kept = _display(as_page("".join(made.given["frame"])), display_id=True)
    _display(made)
    made.observe(lambda change: kept.update(as_page(change.new)), "picture")


def explore_push(titles, R):
    """Sliders for gamma and n: who gets a click's push. Arguments as `lstm_edu.plots.push`'s."""
    titles, R = arguments.texts("titles", titles), arguments.array("R", R, "n_titles")
    arguments.same_number(titles=titles, R=R)
    if len(titles) < 2:
        arguments.refuse("titles", titles, "the clicked one, and at least one more")
    _sliders(
        lambda gamma, n: pictures.push(titles, R, gamma, n),
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
    if not is_live():
        first = {name: value for name, (_, value) in settings.items()}
        return _show(picture(**first), "ipywidgets", ", ".join(settings))
    import ipywidgets

    sliders = {
        name: ipywidgets.SelectionSlider(
            options=[(f"{value:g}", value) for value in values], value=first, description=name
        )
        for name, (values, first) in settings.items()
    }
    _display(ipywidgets.HBox(list(sliders.values())))
    redraw = _show_live(lambda: picture(**{name: slider.value for name, slider in sliders.items()}))
    for slider in sliders.values():
        slider.observe(redraw, "value")


def _line(item):
    return load_ipython().display.Pretty(item) if isinstance(item, str) else item


def _display(*items, **how):
    return load_ipython().display.display(*map(_line, items), **how)


def _show(items, package, controls):
    """Show a picture that stays as it is, and say where it would not."""
    _display(*items, NO_CONTROLS.format(package, controls))


def _show_live(picture, n=3):
    """Show what picture() returns, up to n items,
    and return a function that shows it again in the same places.
    """
    handles = [_display("", display_id=True) for _ in range(n)]

    def redraw(_=None):
        items = picture()
        for handle, item in zip(handles, items + [""] * (n - len(items))):
            handle.update(_line(item))

    redraw()
    return redraw
