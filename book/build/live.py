"""Instruments in the book and on slides: the reader, training, an error to follow, and three more.

instruments.toml has their texts. The models that a page reads with are lesson 06's LSTM of 32 cells
and an RNN of as many units: with lesson 07's of 96 a page would be too heavy. They are kept beside
the notebooks, and trained here if they are missing.
"""

import base64
import html
import json
import re
import tomllib

import numpy as np

import lstm_edu
from book.build import HERE, ROOT, read, source, stored, write
from lstm_course.explorers import reader, train_in_page, weights
from lstm_course.lessons import claims

FOLDER = "_static/live/"
INSTRUMENTS = tomllib.loads(read(HERE / "instruments.toml"))["instrument"]
DIV = re.compile(r'^<div class="(\w+)" data-loads="([\w ]+)".*</div>$', re.MULTILINE)
# by the name of its file: the model's name in a page, its cell, and the step size of lessons 06
# and 07; the first one searches
MODELS = {
    "lstm_32": ("LSTM of 32 cells", lstm_edu.LSTM(32), 0.002),
    "rnn_32": ("RNN of 32 units", lstm_edu.RNN(32), 0.001),
}
SETS = "sample", "msrd", "onet"
COSTS = "<!-- what rounding costs -->"  # their place in reader.md
PAIRS = 10_000  # of the log, to train on in a page that may weigh 3.5 MB with its reader
SOME = 20  # the means of the gates are over every 20th query of the log


def loaded(text, depth):
    """Add to each instrument of a text its style sheet and its scripts, as deep as the page lies.

    The state of a reader is kept in the page's address. Scripts are loaded before the page goes on,
    so that nothing moves afterwards.
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
    """Describe the effect of a held input gate by five trainings; lesson 08 quotes it, too."""
    said = (
        "Hardly, is it? Lesson 08 has measured it: with the queries' input gate held at its mean, "
        "nDCG@10 changes by {mean:+.3f} (95 % interval {low:.3f} to {high:.3f}; five trainings)."
    )
    found = stored("claims_asked")["asked"]["nDCG@10, queries' gate held - free"]
    return said.format(**found).replace("-", "−")


def in_lesson(notebook, name, depth=1):
    """Return a lesson with its instruments, each a cell below the one that has certain words."""
    cells = list(notebook["cells"])
    for own in INSTRUMENTS:
        if own["lesson"] != name:
            continue
        text = loaded(own["text"], depth)
        places = [k for k, cell in enumerate(cells) if own["below"] in source(cell)]
        if len(places) != 1:
            raise SystemExit(f"{name}: “{own['below']}” is in {len(places)} cells")
        shown = {"slideshow": {"slide_type": "slide" if own.get("slide") else "skip"}}
        cell = {"cell_type": "markdown", "id": DIV.search(text)[1], "metadata": shown}
        cells.insert(places[0] + 1, cell | {"source": text})
    return {**notebook, "cells": cells}


def cost_of_rounding():
    """Describe the stored results of benchmarks/experiments/reader.py."""
    found = stored("reader")
    said = [
        f"of the {row['name']} nDCG@10 on the sample's judged queries is {row['rounded']:.4f} "
        f"instead of {row['exact']:.4f}, and no cosine of a judged query and title is further off "
        f"than {row['largest']:.3f}"
        for row in found["models"]
    ]
    return (
        "**What it costs to fit into a page.** The weights are rounded to whole numbers of 8 bits, "
        f"with a scale a row: {'; '.join(said)} ({found['date']}, "
        "`python -m benchmarks.experiments.reader`)."
    )


def table_iv():
    """Return every query's nDCG@10, packed, by set and row, and what an interval needs besides."""
    sets = {}
    for name in SETS:
        rows = claims.by_row(stored(f"table_iv_{name}"))
        sets[name] = {"between": claims.between_trainings(rows), "rows": {}}
        for row, own in rows.items():
            whole = np.rint(10_000 * np.array(own["by_query"])).astype("<u2")
            sets[name]["rows"][row] = {
                "by_query": base64.b64encode(whole.tobytes()).decode("ascii"),
                "trainings": 0 if row in claims.FIXED else len(own["by_seed"]),
            }
    paper = {row: at_10 for row, (*_, at_10) in claims.PAPER.items()}
    return {"sets": sets, "paper": paper, "first": [claims.LSTM, "dssm"]}


def write_instruments(folder):
    """Write the instruments' scripts and style sheets, without a model and its log."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {
        "reader.js": reader.script(),
        "training.js": train_in_page.script(),
        "follow.js": reader.follow(),
        "sentence.js": reader.sentences(),
        "table_iv.js": f"(self.lstm_edu ??= {{}}).table_iv = {json.dumps(table_iv())};\n",
        "reader.css": reader.style(),
        "training.css": train_in_page.style(),
        "follow.css": read(reader.FOLDER / "follow.css"),
        "sentence.css": reader.with_palette("sentences"),
    }.items():
        write(folder / name, text)


def write_all(folder):
    """Write all that instruments load: their scripts, the reader's models, the titles, the log."""
    write_instruments(folder)
    titles = read(ROOT / "data_samples" / "titles.txt").splitlines()
    pairs = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")
    weights.write_titles(titles, folder / "titles.js")
    weights.write_log(pairs[:PAIRS], titles, folder / "log.js")
    queries = sorted({query for query, _ in pairs})[::SOME]
    for name, (called, *_) in MODELS.items():
        searched = (titles, queries) if name == "lstm_32" else ()
        weights.write_model(model(name), folder / f"{name}.js", called, *searched)


def model(name):
    """Return one of the models, trained now as by lessons 06 and 07 unless it is kept."""
    _, cell, step_size = MODELS[name]
    pairs = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    found = lstm_edu.DualEncoder(cell, hashing, seed=0, tied=False)
    lstm_edu.train(
        found,
        pairs,
        epochs=10,
        optimizer="nesterov",
        step_size=step_size,
        seed=0,
        checkpoint=ROOT / "notebooks" / f"{name}.npz",
        resume=True,
        progress=False,
    )
    return found
