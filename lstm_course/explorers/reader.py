"""The reader's JavaScript, put together: for a page that is opened from a folder, and for Jupyter.

Its files are in js/, in the order of `FILES`: `text.js` (lesson 01), `forward.js` (lesson 02),
`weights.js`, `hold.js` (lesson 08), `looking.js` (lesson 09), how it is drawn and chosen from, and
`reader.js`; then `address.js`, `load.js`, `page.js` for a page, or `keep.js` and `widget.js`. The
sliders over other pictures (`sliders.js`) keep what they show in the same way.
`arrows.js`, `follow_drawing.js` and `follow.js` follow an error back (lessons 04, 05a and 07);
`push.js`, `race.js` and `rows.js` stand in lessons 03, 06 and 10b. `train_in_page.py` has those
that train.
"""

import pathlib
import re

FOLDER = pathlib.Path(__file__).parent / "js"
OF_ERRORS = "forward", "backward", "drawing", "fields", "arrows", "follow_drawing", "follow"
OF_SENTENCES = *("forward", "backward", "weights", "drawing", "fields"), "push", "race", "rows"
FILES = "text forward weights hold looking drawing fields choice titles tour reader".split()


def script():
    """A classic script that brings every ``<div class="reader" data-models=…>`` before it to life.

    Other scripts of the page see none of its names.
    """
    return f"(() => {{\n{joined(*FILES, 'address', 'load', 'page')}}})();\n"


def follow():
    """The same for every ``<div class="follow" data-bars=…>``: an error is followed back."""
    return f"(() => {{\n{joined(*OF_ERRORS)}}})();\n"


def sentences():
    """The same for every ``<div class="sentence" data-shows=…>``: push, race, or rows."""
    return f"(() => {{\n{joined(*OF_SENTENCES, 'sentences')}}})();\n"


def module():
    """The same for Jupyter, as the module that anywidget asks for."""
    return joined(*FILES, "keep", "widget")


def sliders():
    """Sliders over a picture that the kernel draws, as a module for anywidget."""
    return joined("drawing", "keep", "sliders")


def style():
    """The reader's look, in light and in dark."""
    return with_palette("reader")


def with_palette(name):
    """The look of an instrument, after the colours that reader and training share."""
    return "".join((FOLDER / f"{css}.css").read_text(encoding="utf-8") for css in ("palette", name))


def joined(*names):
    """Put files of js/ one after the other, without their types."""
    files = "\n".join((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in names)
    return re.sub(r"^ */\*\*.*?\*/\n", "", files, flags=re.MULTILINE | re.DOTALL)
