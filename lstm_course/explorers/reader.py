"""The reader's JavaScript, joined: for a page that is opened from a folder, and for Jupyter.

Its files are in js/, in the order of `FILES`: `text.js` (lesson 01), `forward.js` (lesson 02),
`weights.js`, `hold.js` (lesson 08), `looking.js` (lesson 09), the drawing and the controls, and
`reader.js`; then `address.js`, `load.js`, `page.js` for a page, or `keep.js` and `widget.js` for
Jupyter. Sliders over other pictures (`sliders.js`) store their last picture in the same way.
`arrows.js`, `follow_drawing.js` and `follow.js` follow an error back (lessons 04, 05a and 07);
`push.js`, `race.js` and `rows.js` belong to lessons 03, 06 and 10b. `train_in_page.py` joins the
files that train.
"""

import pathlib
import re

FOLDER = pathlib.Path(__file__).parent / "js"
OF_ERRORS = "forward", "backward", "drawing", "fields", "arrows", "follow_drawing", "follow"
OF_SENTENCES = *("forward", "backward", "weights", "drawing", "fields"), "push", "race", "rows"
FILES = "text forward weights hold looking drawing fields choice titles tour reader".split()


def script():
    """Return a classic script that starts every ``<div class="reader" data-models=…>`` before it.

    Its names are invisible to other scripts of the page.
    """
    return f"(() => {{\n{joined(*FILES, 'address', 'load', 'page')}}})();\n"


def follow():
    """Return the script of the backward-pass explorer: ``<div class="follow" data-bars=…>``."""
    return f"(() => {{\n{joined(*OF_ERRORS)}}})();\n"


def sentences():
    """Return the script for every ``<div class="sentence" data-shows=…>``: push, race, or rows."""
    return f"(() => {{\n{joined(*OF_SENTENCES, 'sentences')}}})();\n"


def module():
    """Return the reader for Jupyter, as a module for anywidget."""
    return joined(*FILES, "keep", "widget")


def sliders():
    """Return sliders over a picture that the kernel draws, as a module for anywidget."""
    return joined("drawing", "keep", "sliders")


def style():
    """Return the reader's style sheet, light and dark."""
    return with_palette("reader")


def with_palette(name):
    """Return an instrument's style sheet, after the colours that reader and training share."""
    return "".join((FOLDER / f"{css}.css").read_text(encoding="utf-8") for css in ("palette", name))


def joined(*names):
    """Join files of js/, without their types."""
    files = "\n".join((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in names)
    return re.sub(r"^ */\*\*.*?\*/\n", "", files, flags=re.MULTILINE | re.DOTALL)
