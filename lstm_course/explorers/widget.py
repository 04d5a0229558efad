"""The reader, and sliders over a picture, as widgets of Jupyter, by anywidget (extra ``widgets``).

If a model is small enough to be sent, the page computes, with rounded weights, even while the
kernel is busy or gone. For a larger model the kernel computes, with exact weights. JupyterLab does
not store widgets in a saved notebook, so the last picture is stored as another output.
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

LARGEST = 3_000_000  # characters in a message to a page: longer ones are cut off
DECIMALS = 5


def load_anywidget():
    """Import anywidget and traitlets, or raise a MissingError that says how to install them."""
    with from_extra("widgets", "explore needs anywidget"):
        import anywidget
        import traitlets
    return anywidget, traitlets


@functools.cache
def kinds():
    """Return the classes of the two widgets, made at the first call."""
    anywidget, traitlets = load_anywidget()

    class Widget(anywidget.AnyWidget):
        """The traits that page and kernel share."""

        _css = reader.style()
        given = traitlets.Dict().tag(sync=True)  # constant: weights, titles, settings
        picture = traitlets.Unicode().tag(sync=True)  # the last one, if the page cannot store it

    class Reader(Widget):
        """A reader: the user's input, and the kernel's results."""

        _esm = reader.module()
        asked = traitlets.Dict().tag(sync=True)
        seen = traitlets.Dict().tag(sync=True)

    class Sliders(Widget):
        """Sliders: their positions, and the picture with the positions for which it was drawn."""

        _esm = reader.sliders()
        chosen = traitlets.Dict().tag(sync=True)
        shown = traitlets.Dict().tag(sync=True)

    return Reader, Sliders


def make(model, name, titles, vectors, query, title):
    """Make a reader of a model.

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
        The first texts.
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
        except Exception as error:  # shown in the page, which doesn't show the kernel's errors
            return {"id": id, "error": one_line(f"{type(error).__name__}: {error}")}

    made = kinds()[0](given=given, asked=asked, seen=see([(asked, name)], 0))

    def answer(change):
        wanted, id = change.new.get("wanted"), change.new.get("id")
        if wanted and id != made.seen["id"]:
            made.seen = see(wanted, id)

    made.observe(answer, "asked")
    return made


def for_the_page(model, name, titles):
    """Return weights and titles for a page to compute with; None if they are too large to send."""
    if not weights.is_for_a_page(model):
        return None
    rows = sum(w.size for side in (model.query, model.document) for w in side.weights.values())
    if rows + len(titles) * model.cell.size > LARGEST:  # a lower bound, known without packing
        return None
    packed = {"weights": weights.packed(model, name, titles or None), "titles": titles or None}
    return packed if len(json.dumps(packed)) <= LARGEST else None


def as_sent(seen):
    """Shorten the picture's content for sending, and make its texts safe to show."""
    states = seen["drawn"]
    for side in ("query", "document"):
        for part in {"values", "within"} & seen[side].keys():
            values = seen[side][part]
            seen[side][part] = {name: values[name] for name in states if name in values}
    return _short(seen)


def _short(value):
    if isinstance(value, dict):
        return {name: _short(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_short(one) for one in value]
    if isinstance(value, float):
        return round(value, DECIMALS)
    return shown(value) if isinstance(value, str) else value


def sliders(picture, settings):
    """Make sliders over a picture.

    Parameters
    ----------
    picture : function
        Takes the settings and returns a list of figures and tables.
    settings : dict
        By name: (values, first value).
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
    """Return a figure or a table as HTML."""
    if not hasattr(item, "savefig"):
        return item._repr_html_()
    png = io.BytesIO()
    item.savefig(png, format="png", dpi=100)
    data = base64.b64encode(png.getvalue()).decode("ascii")
    return f'<img alt="{html.escape(alt)}" src="data:image/png;base64,{data}">'


def place():
    """Return the name of a new widget, and the HTML before and after its stored picture."""
    name, style = f"reader-{uuid.uuid4().hex}", reader.style()
    # hide the empty output next to the picture when the widget is gone
    gone = ".jp-OutputArea-child:has(.reader-last) + .jp-OutputArea-child:not(:has(.reader))"
    frame = [
        f"<style>{style}\n{gone} {{ display: none; }}</style>"
        # keeps the page's MathJax, of any version, from looking for formulas in it
        '<div class="reader reader-last mathjax_ignore tex2jax_ignore" '
        f'data-reader="{name}">',
        "</div>",
    ]
    return {"name": name, "frame": frame}
