"""Interactive instruments in the book and on slides, such as a model explorer and training.

Their Markdown and HTML are in instruments.toml. The pages use lesson 06's LSTM of 32 cells and an
RNN of 32 units, because lesson 07's RNN of 96 units would make a page too large. The models are
stored with the notebooks, and trained here if they are missing.
"""

import base64
import html
import json
import os
import re
import tomllib

import numpy as np

import lstm_edu
from book.build import HERE, ROOT, read, source, stored, write
from book.build.table_iv import rows_of
from lstm_course.explorers import reader, weights
from lstm_course.explorers.page_training import PAIRS
from lstm_course.lessons import claims
from lstm_course.lessons.training import kept_file

FOLDER = "_static/live/"
INSTRUMENTS = tomllib.loads(read(HERE / "instruments.toml"))["instrument"]
DIV = re.compile(r'^<div class="(\w+)" data-loads="([\w ]+)".*</div>$', re.MULTILINE)
# For each model file: the name shown on the page, the cell, and the step size used in lessons 06
# and 07. On the pages, the first model also searches the titles.
MODELS = {
    "lstm_32": ("LSTM of 32 cells", lstm_edu.LSTM(32), 0.002),
    "rnn_32": ("RNN of 32 units", lstm_edu.RNN(32), 0.001),
}
COSTS = "<!-- what rounding costs -->"  # placeholder in reader.md for `cost_of_rounding`
EVERY = 20  # average the gates over every 20th query of the log


def loaded(text, depth):
    """Add the style sheets and scripts of a text's instruments, for a page `depth` folders deep.

    The scripts load before the rest of the page, so that nothing moves afterwards.
    """
    folder = "../" * depth + FOLDER
    given = {
        "folder": folder,
        "models": html.escape(json.dumps({name: called for name, (called, *_) in MODELS.items()})),
        "measured": html.escape(measured()),
    }

    def whole(found):
        div = found[0]
        for name, value in given.items():
            div = div.replace(f"{{{name}}}", value)
        scripts = [f'<script src="{folder}{name}.js"></script>' for name in found[2].split()]
        style = f'<link rel="stylesheet" href="{folder}{found[1]}.css">'
        return "\n".join([style, div, *scripts])

    return DIV.sub(whole, text)


def measured():
    """Describe the effect of fixing the input gate, as measured in lesson 08."""
    text = (
        "Hardly, is it? Lesson 08 has measured it: with the queries' input gate held at its mean, "
        "nDCG@10 changes by {mean:+.3f} (95 % interval {low:.3f} to {high:.3f}; five trainings)."
    )
    found = stored("claims_asked")["asked"]["nDCG@10, queries' gate held - free"]
    return text.format(**found).replace("-", "−")


def in_lesson(notebook, name, depth=1):
    """Insert a lesson's instruments, each after the cell that contains its `below` text."""
    cells = list(notebook["cells"])
    for instrument in INSTRUMENTS:
        if instrument["lesson"] != name:
            continue
        text, below = loaded(instrument["text"], depth), instrument["below"]
        places = [k for k, cell in enumerate(cells) if below in source(cell)]
        if len(places) != 1:
            raise SystemExit(f"{name}: “{below}” is in {len(places)} cells")
        shown = {"slideshow": {"slide_type": "slide" if instrument.get("slide") else "skip"}}
        cell = {"cell_type": "markdown", "id": DIV.search(text)[1], "metadata": shown}
        cells.insert(places[0] + 1, cell | {"source": text})
    return {**notebook, "cells": cells}


def cost_of_rounding():
    """Describe the loss from rounding weights, as measured by benchmarks/experiments/reader.py."""
    found = stored("reader")
    lines = [
        f"of the {row['name']} nDCG@10 on the sample's judged queries is {row['rounded']:.4f} "
        f"instead of {row['exact']:.4f}, and no cosine of a judged query and title is further off "
        f"than {row['largest']:.3f}"
        for row in found["models"]
    ]
    return (
        "**What it costs to fit into a page.** The weights are rounded to whole numbers of 8 bits, "
        f"with a scale a row: {'; '.join(lines)} ({found['date']}, "
        "`python -m benchmarks.experiments.reader`)."
    )


def table_iv():
    """Return Table IV for JavaScript: nDCG@10 per query (in base64), and variances of runs."""
    sets = {}
    for name, rows in rows_of().items():
        sets[name] = {"between": claims.between_trainings(rows), "rows": {}}
        for row, result in rows.items():
            whole = np.rint(10_000 * np.array(result["by_query"])).astype("<u2")
            sets[name]["rows"][row] = {
                "by_query": base64.b64encode(whole.tobytes()).decode("ascii"),
                "trainings": 0 if row in claims.FIXED else len(result["by_seed"]),
            }
    paper = {row: at_10 for row, (*_, at_10) in claims.PAPER.items()}
    return {"sets": sets, "paper": paper, "first": [claims.LSTM, "dssm"]}


def write_instruments(folder):
    """Write the instruments' scripts and style sheets (but no models or log) to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "reader.js": reader.script(),
        "training.js": reader.training(),
        "follow.js": reader.follow(),
        "sentence.js": reader.sentences(),
        "table_iv.js": f"(self.lstm_edu ??= {{}}).table_iv = {json.dumps(table_iv())};\n",
        "reader.css": reader.style(),
        "training.css": reader.with_palette("training"),
        "follow.css": read(reader.FOLDER / "follow.css"),
        "sentence.css": reader.with_palette("sentences"),
    }.items():
        write(folder / name, text)


def write_all(folder):
    """Write every file that the instruments load to a folder: scripts, models, titles and log."""
    write_instruments(folder)
    titles = read(ROOT / "data_samples" / "titles.txt").splitlines()
    pairs = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")
    weights.write_titles(titles, folder / "titles.js")
    weights.write_log(pairs[:PAIRS], titles, folder / "log.js")
    queries = sorted({query for query, _ in pairs})[::EVERY]
    for name, (called, *_) in MODELS.items():
        searched = (titles, queries) if name == "lstm_32" else ()
        weights.write_model(model(name), folder / f"{name}.js", called, *searched)


def model(name):
    """Load one of `MODELS`; if it isn't stored, train it as in lessons 06 and 07.

    A newly trained model isn't stored, because a lesson or another build may be about to store it.
    """
    _, cell, step_size = MODELS[name]
    pairs = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    found = lstm_edu.DualEncoder(cell, hashing, seed=0, tied=False)
    how = dict(epochs=10, optimizer="nesterov", step_size=step_size, seed=0)
    kept = kept_file(str(ROOT / "notebooks" / name), found, pairs, **how)
    is_kept = os.path.exists(kept) and lstm_edu.load(kept).training["finished"]
    place = {"checkpoint": kept, "resume": True} if is_kept else {}
    lstm_edu.train(found, pairs, **how, **place, progress=False)
    return found
