"""Controls that change a picture: type a query, move a slider.

They are ipywidgets' (the extra ``widgets``), and are only made where a page is there to move them.
Elsewhere, in nbconvert or where ipywidgets are missing, the same cell leaves the picture of the
first state, so that a stored notebook is readable where nothing runs. Pictures are ordinary
outputs, not widgets: they are saved with the notebook. IPython, which shows both, comes with the
notebook, or with the same extra.
"""

import importlib.util

from .. import arguments
from ..files import from_extra
from ..plots.style import shown
from ..text.hashing import words
from . import pictures

GAMMAS = 0.5, 1, 2, 5, 10, 20, 40
MUS = 0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98
STEPS = 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.048, 0.052
NO_CONTROLS = "With ipywidgets (pip install ipywidgets) JupyterLab has controls here: {}."


def load_ipython():
    """IPython and what it shows outputs with, or a MissingError that says how to get them."""
    with from_extra("widgets", "explore needs IPython"):
        import IPython.display
    return IPython


def is_live():
    """Whether a page runs this cell, in which controls can be moved.

    JupyterLab, VS Code and Colab say which cell it is that they run, in the metadata of their
    request; nbconvert and nbval send none.
    """
    shell = load_ipython().get_ipython()
    return (
        bool(hasattr(shell, "get_parent") and shell.get_parent().get("metadata"))
        and importlib.util.find_spec("ipywidgets") is not None
    )


def explore(model, titles=None, query="hotels in shanghai"):
    """Type a query, and watch a model read it: its gates word by word, its most active cells,
    keywords, the ten best titles.

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
    model, query, live = arguments.model(model), arguments.text("query", query), is_live()
    vectors = model.encode_document(titles) if titles else None

    def picture(query, word):
        return pictures.reading(model, query, word, titles, vectors)

    last = max(len(words(query)) - 1, 0)
    if not live:
        return _show(picture(query, last), "query, word")
    import ipywidgets

    text = ipywidgets.Text(shown(query), description="query", continuous_update=False)
    word = ipywidgets.SelectionSlider(options=_numbered(query), index=last, description="word")
    play = ipywidgets.Play(value=last, max=last, interval=1000)
    ipywidgets.link((play, "value"), (word, "index"))
    _display(ipywidgets.HBox([text, play, word]))
    redraw = _show_live(lambda: picture(text.value, word.index))

    def start_again(_):
        word.unobserve(redraw, "index")  # so that it is drawn once
        options = _numbered(text.value)
        play.max = len(options) - 1  # first, as it bounds the word's number, too
        word.options = options
        word.index = play.max
        word.observe(redraw, "index")
        redraw()

    word.observe(redraw, "index")
    text.observe(start_again, "value")


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
        return _show(picture(**first), ", ".join(settings))
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


def _numbered(query):
    """The words of a query as a slider's options; a query without words has one, too."""
    return [(shown(word), k) for k, word in enumerate(words(query))] or [("", 0)]


def _line(item):
    return load_ipython().display.Pretty(item) if isinstance(item, str) else item


def _display(*items, **how):
    return load_ipython().display.display(*map(_line, items), **how)


def _show(items, controls):
    """Show a picture that stays as it is, and say where it would not."""
    _display(*items, NO_CONTROLS.format(controls))


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
