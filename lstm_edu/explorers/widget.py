"""The reader as a widget of Jupyter, by anywidget (the extra ``widgets``).

The page computes where a model is small enough to be sent, with its weights rounded, and goes on
when the kernel is busy or gone; of a larger one the kernel computes, exactly. JupyterLab does not
keep widgets when it saves a notebook, so that the last picture is kept beside it, as an output.
"""

import functools
import json
import uuid

from ..files import from_extra, one_line
from ..plots.style import shown
from . import looking, reader, weights

LARGEST = 3_000_000  # letters of what a page is sent: more in a moment is cut off on the way
DECIMALS = 5


def load_anywidget():
    """anywidget and traitlets, or a MissingError that says how to get them."""
    with from_extra("widgets", "explore needs anywidget"):
        import anywidget
        import traitlets
    return anywidget, traitlets


@functools.cache
def kind():
    """The class of the widget, made when it is first asked for."""
    anywidget, traitlets = load_anywidget()

    class Reader(anywidget.AnyWidget):
        """What page and kernel share."""

        _esm, _css = reader.module(), reader.style()
        given = traitlets.Dict().tag(sync=True)  # what stays: models, weights, titles
        asked = traitlets.Dict().tag(sync=True)  # what is typed and chosen
        seen = traitlets.Dict().tag(sync=True)  # what the kernel has computed for it
        picture = traitlets.Unicode().tag(sync=True)  # the last one, where the page cannot keep it

    return Reader


def make(model, name, titles, vectors, query, title):
    """A reader of a model.

    Parameters
    ----------
    model : DualEncoder
        Of a cell that reads word by word.
    name : str
        What it is called.
    titles : list of str
    vectors : (n_titles, embedding size)
        Their embeddings; None without titles.
    query, title : str
        What it starts with.
    """
    asked = {"query": query, "title": title, "t": None, "s": None, "compare": "", "swap": ""}
    kept = uuid.uuid4().hex
    given = {"models": {"model": name}, "kept": kept, "frame": frame(kept)}
    if (packed := for_the_page(model, name, titles)) is not None:
        given |= packed
        return kind()(given=given, asked=asked, seen={})

    def see(wanted, id):
        try:
            all_ = [looking.look(model, one, name, titles or None, vectors) for one, _ in wanted]
            return {"id": id, "all": [as_sent(seen) for seen in all_]}
        except Exception as error:  # it is said in the page, where nobody sees the kernel's
            return {"id": id, "error": one_line(f"{type(error).__name__}: {error}")}

    made = kind()(given=given, asked=asked, seen=see([(asked, name)], 0))

    def answer(change):
        wanted, id = change.new.get("wanted"), change.new.get("id")
        if wanted and id != made.seen["id"]:
            made.seen = see(wanted, id)

    made.observe(answer, "asked")
    return made


def for_the_page(model, name, titles):
    """Weights and titles for a page to compute with; None where they are too large to be sent."""
    if not weights.is_for_a_page(model):
        return None
    rows = sum(w.size for side in (model.query, model.document) for w in side.weights.values())
    if rows + len(titles) * model.cell.size > LARGEST:  # at least, without packing all of it
        return None
    packed = {"weights": weights.packed(model, name, titles or None), "titles": titles or None}
    return packed if len(json.dumps(packed)) <= LARGEST else None


def as_sent(seen):
    """What is drawn of what was seen, in few letters, and texts as they can be shown."""
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


def frame(kept):
    """What is before and after the last picture, as a page shows it that has no kernel."""
    style = reader.style()
    # beside it stands the reader itself, and where that is not there, nothing
    gone = ".jp-OutputArea-child:has(.reader-last) + .jp-OutputArea-child:not(:has(.reader))"
    return [
        f"<style>{style}\n{gone} {{ display: none; }}</style>"
        f'<div class="reader reader-last" data-reader="{kept}">',
        "</div>",
    ]
