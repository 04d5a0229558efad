"""The JavaScript of the explorers, concatenated for pages and for Jupyter.

The files are in js/. The reader, the interactive figure of a model that reads texts, consists of
the files in `FILES`, such as `text.js` (lesson 01), `forward.js` (lesson 02), `hold.js` (lesson 08)
and `looking.js` (lesson 09), plus files for a page (`address.js`, `load.js`, `page.js`) or for
Jupyter (`keep.js`, `widget.js`). Other explorers are sliders over a figure (`sliders.js`), the
backward pass (`follow.js`: lessons 04, 05a and 07), figures placed between a page's sentences
(`push.js`, `race.js`, `rows.js`: lessons 03, 06 and 10b) and training in a web worker
(`training.js`, `training_worker.js`: lesson 06).
"""

import json
import pathlib
import re

FOLDER = pathlib.Path(__file__).parent / "js"
OF_ERRORS = "forward backward drawing fields python arrows follow_drawing".split()
OF_ERRORS += "follow_python", "follow"
OF_SENTENCES = "forward backward weights drawing fields python push race rows".split()
OF_TRAINING = "weights", "drawing", "fields", "python", "load", "training"
OF_WORKER = "text", "forward", "backward", "log", "train", "training_worker"
FILES = "text forward weights hold looking drawing fields choice titles tour reader".split()
OF_PAGE = "python", "own", "reader_python", "address", "load", "page"


def script():
    """Return the script that fills in the reader, ``<div class="reader" data-models=…>``.

    Like the other scripts, it fills in every such element above it in the page, and defines no
    global names.
    """
    return f"(() => {{\n{joined(*FILES, *OF_PAGE)}}})();\n"


def follow():
    """Return the script for the backward-pass explorer, ``<div class="follow" data-bars=…>``."""
    return f"(() => {{\n{joined(*OF_ERRORS)}}})();\n"


def sentences():
    """Return the script for figures in the text, ``<div class="sentence" data-shows=…>``."""
    return f"(() => {{\n{joined(*OF_SENTENCES, 'sentences')}}})();\n"


def training():
    """Return the script for training in a web worker, ``<div class="training" data-folder=…>``."""
    worker = json.dumps(joined(*OF_WORKER))
    return f"(() => {{\nconst WORKER = {worker};\n{joined(*OF_TRAINING)}}})();\n"


def module():
    """Return the reader as a JavaScript module for anywidget."""
    return joined(*FILES, "keep", "widget")


def sliders():
    """Return the sliders over a figure as a JavaScript module for anywidget."""
    return joined("drawing", "keep", "sliders")


def style():
    """Return the reader's style sheet, for light and dark pages."""
    return with_palette("reader")


def with_palette(name):
    """Return an explorer's style sheet, preceded by the common colours."""
    return "".join((FOLDER / f"{css}.css").read_text(encoding="utf-8") for css in ("palette", name))


def joined(*names):
    """Concatenate files of js/, without their JSDoc comments."""
    files = "\n".join((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in names)
    return re.sub(r"^ */\*\*.*?\*/\n", "", files, flags=re.MULTILINE | re.DOTALL)
