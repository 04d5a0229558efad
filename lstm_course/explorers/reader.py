"""The reader's JavaScript, put together: for a page that is opened from a folder, and for Jupyter.

Its files are in js/, in the order in which they are read: `text.js` (lesson 01), `forward.js`
(Eq. (1) and (2), lesson 02), `weights.js`, `looking.js` (lesson 09), `drawing.js`, `reader.js`, and
then `page.js` for a page, or `keep.js` and `widget.js`. The sliders over other pictures
(`sliders.js`) keep what they show in the same way.
"""

import pathlib

FOLDER = pathlib.Path(__file__).parent / "js"
FILES = (
    "text",
    "forward",
    "weights",
    "hold",
    "looking",
    "drawing",
    "choice",
    "titles",
    "tour",
    "reader",
)


def script():
    """A classic script that brings every ``<div class="reader" data-models=…>`` before it to life.

    Other scripts of the page see none of its names.
    """
    return f"(() => {{\n{_joined(*FILES, 'address', 'page')}}})();\n"


def module():
    """The same for Jupyter, as the module that anywidget asks for."""
    return _joined(*FILES, "keep", "widget")


def sliders():
    """Sliders over a picture that the kernel draws, as a module for anywidget."""
    return _joined("drawing", "keep", "sliders")


def style():
    """The reader's look, in light and in dark."""
    return (FOLDER / "reader.css").read_text(encoding="utf-8")


def _joined(*names):
    return "\n".join((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in names)
