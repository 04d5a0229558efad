"""The reader and the sliders as Jupyter widgets, made with anywidget (the extra ``widgets``).

The reader is the figure of a model that reads typed texts. If the model is small enough to send,
the page computes the figure, with rounded weights, even while the kernel is busy or gone. Otherwise
the kernel computes it, with exact weights. JupyterLab doesn't store widgets in a saved notebook, so
the last figure is stored as another output.
"""

import base64
import functools
import html
import io
import json
import uuid

from lstm_edu._util.files import from_extra, one_line

from ..plots.style import shown
from . import looking, reader, weights

LARGEST = 3_000_000  # maximum length of a message to a page, in characters
DECIMALS = 5  # number of decimals sent to a page


def load_anywidget():
    """Import anywidget and traitlets, or raise a MissingError that says how to install them."""
    with from_extra("widgets", "explore needs anywidget"):
        import anywidget
        import traitlets
    return anywidget, traitlets


@functools.cache
def kinds():
    """Define and return the two widget classes; the first call imports anywidget."""
    anywidget, traitlets = load_anywidget()

    class Widget(anywidget.AnyWidget):
        """The traits that both widgets synchronise between page and kernel."""

        _css = reader.style()
        given = traitlets.Dict().tag(sync=True)  # constant: weights, titles, settings
        # the last figure as HTML, which the kernel stores if the page can't
        picture = traitlets.Unicode().tag(sync=True)

    class Reader(Widget):
        """Widget returned by `make`; ``asked`` has the user's input, ``seen`` the results."""

        _esm = reader.module()
        asked = traitlets.Dict().tag(sync=True)
        seen = traitlets.Dict().tag(sync=True)

    class Sliders(Widget):
        """Widget returned by `sliders`; ``chosen`` has the positions, ``shown`` the figure."""

        _esm = reader.sliders()
        chosen = traitlets.Dict().tag(sync=True)
        shown = traitlets.Dict().tag(sync=True)

    return Reader, Sliders


def make(model, name, titles, vectors, query, title):
    """Make the widget that shows how a model reads the texts that the user types.

    Parameters
    ----------
    model : DualEncoder
        A model with a cell that reads word by word.
    name : str
        The model's name in the page.
    titles : list of str
    vectors : (n_titles, embedding size)
        The titles' embeddings; None without titles.
    query, title : str
        The initial texts.
    """
    asked = {"query": query, "title": title, "t": None, "s": None, "compare": "", "swap": ""}
    given = {"models": {"model": name}} | place()
    if (packed := for_the_page(model, name, titles)) is not None:
        given |= packed
        return kinds()[0](given=given, asked=asked, seen={})

    def see(wanted, id):
        try:
            all_ = [looking.look(model, one, name, titles or None, vectors) for one, _ in wanted]
            return {"id": id, "all": [as_sent(seen) for seen in all_]}
        except Exception as error:  # send it to the page, which doesn't show the kernel's errors
            return {"id": id, "error": one_line(f"{type(error).__name__}: {error}")}

    made = kinds()[0](given=given, asked=asked, seen=see([(asked, name)], 0))

    def answer(change):
        wanted, id = change.new.get("wanted"), change.new.get("id")
        if wanted and id != made.seen["id"]:
            made.seen = see(wanted, id)

    made.observe(answer, "asked")
    return made


def for_the_page(model, name, titles):
    """Pack a model and titles for a page; return None if no page can run or receive it."""
    if not weights.is_for_a_page(model):
        return None
    rows = sum(w.size for side in (model.query, model.document) for w in side.weights.values())
    # a lower bound on the size, which avoids packing a large model
    if rows + len(titles) * model.cell.size > LARGEST:
        return None
    packed = {"weights": weights.packed(model, name, titles or None), "titles": titles or None}
    return packed if len(json.dumps(packed)) <= LARGEST else None


def as_sent(seen):
    """Reduce the figure's data to what is sent: drawn states, rounded numbers, no surrogates."""
    for side in ("query", "document"):
        for part in {"values", "within"} & seen[side].keys():
            values = seen[side][part]
            seen[side][part] = {name: values[name] for name in seen["drawn"] if name in values}
    text = shown(json.dumps(seen, ensure_ascii=False))
    return json.loads(text, parse_float=lambda number: round(float(number), DECIMALS))


def sliders(picture, settings):
    """Make the widget that redraws a figure whenever one of its sliders moves.

    Parameters
    ----------
    picture : function
        Takes the settings and returns a list of figures and tables.
    settings : dict
        Keyed by the setting's name: (values, initial value).
    """
    chosen = {name: list(values).index(first) for name, (values, first) in settings.items()}

    def show(chosen):
        now = {name: values[chosen[name]] for name, (values, _) in settings.items()}
        alt = "The picture for " + ", ".join(f"{name} = {value:g}" for name, value in now.items())
        return {"html": "".join(as_html(item, alt) for item in picture(**now)), "chosen": chosen}

    named = [
        {"name": name, "values": [f"{value:g}" for value in values]}
        for name, (values, _) in settings.items()
    ]
    given = place() | {"settings": named}
    made = kinds()[1](given=given, chosen=chosen, shown=show(chosen))

    def answer(change):
        made.shown = show(change.new)

    made.observe(answer, "chosen")
    return made


def as_html(item, alt):
    """Return a table, or a figure with alternative text ``alt``, as HTML."""
    if not hasattr(item, "savefig"):
        return item._repr_html_()
    png = io.BytesIO()
    item.savefig(png, format="png", dpi=100)
    data = base64.b64encode(png.getvalue()).decode("ascii")
    return f'<img alt="{html.escape(alt)}" src="data:image/png;base64,{data}">'


def place():
    """Return a name for a new widget, and the HTML that goes around its stored figure."""
    name, style = f"reader-{uuid.uuid4().hex}", reader.style()
    # hide the empty output of the widget in a reopened notebook
    gone = ".jp-OutputArea-child:has(.reader-last) + .jp-OutputArea-child:not(:has(.reader))"
    frame = [
        f"<style>{style}\n{gone} {{ display: none; }}</style>"
        # these classes keep MathJax 2 and 3 from looking for formulas
        '<div class="reader reader-last mathjax_ignore tex2jax_ignore" '
        f'data-reader="{name}">',
        "</div>",
    ]
    return {"name": name, "frame": frame}
