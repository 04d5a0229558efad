"""What is live in the book, the reader and training: scripts, and where they stand in the lessons.

Its models are lesson 06's LSTM of 32 cells, and an RNN of as many units: with lesson 07's of 96 a
page would be too heavy. They are kept beside the notebooks, and trained here where nobody has yet.
"""

import html
import json
import re

import lstm_edu
from book.build import ROOT, follow, sentences
from lstm_course.explorers import reader, train_in_page, weights

FOLDER = "_static/reader/"
# by the name of its file: what it is called, its cell, and the step size of lessons 06 and 07;
# the first one searches
MODELS = {
    "lstm_32": ("LSTM of 32 cells", lstm_edu.LSTM(32), 0.002),
    "rnn_32": ("RNN of 32 units", lstm_edu.RNN(32), 0.001),
}
TITLE = "shanghai hotels accommodation hotel in shanghai discount and reservation"
# lesson: the heading below which it stands, what is said there, and what it starts with
LESSONS = {
    "00_start_here": (
        "Type a query",
        "Here you can type one: nothing has to be installed for it.",
        {"query": "hotels in shanghai", "title": TITLE},
    ),
    "02_run_rnn_and_lstm": (
        "The state after each word",
        "Here are two trained networks, side by side. Type a text and step through its words: "
        "this page computes Eq. (1) and (2) for them.",
        {"query": "hotels in shanghai", "title": TITLE, "compare": "rnn_32"},
    ),
    "08_watch_the_gates": (
        "Your own examples",
        "Here you can do so.",
        {"query": "hotels in shanghai", "title": TITLE, "open": "hold"},
    ),
    "09_find_keywords_and_topics": (
        "Texts of your own",
        "Which words are keywords in a text of your own? Swap one, and compare.",
        {"query": "hotels in shanghai", "title": TITLE, "compare": "swap", "swap": "paris"},
    ),
}
PAIRS = 10_000  # of the log, to train on in a page that may weigh 3.5 MB with its reader
# lesson: the heading above which a model is trained in the page, and what is said there
TRAINED = {
    "00_start_here": (
        "Search",
        """### Train in this page

Press *Start*: this page trains a small model, of 16 cells, on half of the log, without Python. One
curve is the cost, beside that of guessing; the other shows how well the model ranks 3,000 titles
for 200 queries that it never trains on. Below them are the ten best titles for a query of your own,
which climb and fall as it learns. What does it learn first, the place or the thing?

<details><summary>Answer</summary>

The place. After some 11,000 pairs, a little more than one epoch, the five best titles for *hotels
in shanghai* all name Shanghai, whether they are about inns, weekends or pickpockets: the name is
spelled the same on both sides. That *hotels* are *inns* has to be learned. *Scope: one seed.*

</details>""",
    ),
    "06_train": (
        "The model for the next notebooks",
        """## Train in this page

Here the page itself runs Algorithm 1. It has 10,000 pairs of the log, clips at 100, and ranks with
the average of the weights; nDCG@10 is that of 200 held-out queries among 3,000 titles. Each change
of a setting begins a new run from the same seed. The curve of the run before stays, paler. Three
challenges:

1. **Make the RNN win.** Find settings with which it ranks better than the LSTM after as many pairs.
2. **Make it diverge.** The cost ends no better than guessing. From which $\\epsilon$ on, by (6) and
   by Adam?
3. **Find what $n=1$ costs.** Train with all of the minibatch until 20,000 pairs, and note the nDCG.
   How many pairs does $n=1$ need to get there?

<details><summary>Answers</summary>

All with 16 cells, $\\gamma=10$ and seed 0.

1. We found none where both have the same settings. After 20,000 pairs by Adam the LSTM has .433
   ($\\epsilon=0.002$), the RNN .108 at best ($\\epsilon=0.02$). The RNN wins where the LSTM's step
   is wrong: with $\\epsilon=1$ the LSTM has .004 after 8,000. Lesson 07 begins with such a victory.
2. By (6) with $\\mu=0.9$, $\\epsilon=0.02$ does it: after 8,000 pairs the cost is 5.48, where a
   guess costs 5.53. By Adam the LSTM still learns with $\\epsilon=0.1$, and ends at the guess
   with 1; the RNN is lost with 0.1.
3. With all of the minibatch, nDCG@10 reaches .433 in 20,000 pairs. With $n=1$ it is .228 by then,
   and after 100,000 pairs .403, still less. The cost is down to .02: one title drawn at random is
   so easily pushed away that it has nothing left to teach.

*Scope: one seed; with 200 queries, nDCG is uncertain by some .03.*

</details>""",
    ),
}
SOME = 20  # of the log's queries every how many-th the means of the gates are over
# places on a page in Markdown
HERE, COSTS = "<!-- the reader -->", "<!-- what rounding costs -->"


def element(depth, **start):
    """A reader, as HTML, and its scripts; as deep as its page lies.

    Its state is kept in the page's address. What it starts with is loaded before the page goes on,
    so that nothing moves afterwards.
    """
    folder = "../" * depth + FOLDER
    names = {name: called for name, (called, _, _) in MODELS.items()}
    data = {
        "folder": folder,
        "models": json.dumps(names),
        "address": "",
        "measured": measured(),
        **start,
    }
    given = " ".join(f'data-{name}="{html.escape(value)}"' for name, value in data.items())
    compared = [name for name in MODELS if name == start.get("compare")]
    scripts = ["titles", "lstm_32", *compared, "reader"]
    return (
        f'<link rel="stylesheet" href="{folder}reader.css">\n'
        f'<div class="reader" {given}><p>The reader needs JavaScript.</p></div>\n'
        + "".join(f'<script src="{folder}{name}.js"></script>\n' for name in scripts)
    )


def to_train(depth, query):
    """A place to train in, as HTML, and its script. The log is loaded when training begins."""
    folder = "../" * depth + FOLDER
    return (
        f'<link rel="stylesheet" href="{folder}training.css">\n'
        f'<div class="training" data-folder="{folder}" data-query="{html.escape(query)}">'
        "<p>Training in the page needs JavaScript.</p></div>\n"
        f'<script src="{folder}training.js"></script>\n'
    )


def in_lesson(notebook, name, depth=1):
    """A lesson as the book shows it, and its slides: with a reader, or another instrument."""
    notebook = sentences.in_lesson(follow.in_lesson(notebook, name, depth), name, depth)
    cells = notebook["cells"]
    if name in LESSONS:
        heading, said, start = LESSONS[name]
        source = f"{said}\n\n{element(depth, **start)}"
        k = _place_of(heading, cells, name) + 1
        cells = [*cells[:k], _cell("reader", source, "slide"), *cells[k:]]
    if name in TRAINED:
        heading, said = TRAINED[name]
        k = _place_of(heading, cells, name)
        source = f"{said}\n\n{to_train(depth, 'hotels in shanghai')}"
        on_slides = "slide" if name == "06_train" else "skip"
        cells = [*cells[:k], _cell("training", source, on_slides), *cells[k:]]
    return {**notebook, "cells": cells}


def _cell(name, source, on_slides):
    kind = {"slideshow": {"slide_type": on_slides}}
    return {"cell_type": "markdown", "id": name, "metadata": kind, "source": source}


def _place_of(heading, cells, name):
    for k, cell in enumerate(cells):
        if cell["cell_type"] == "markdown" and re.search(
            rf"^#+ {heading}$", "".join(cell["source"]), re.MULTILINE
        ):
            return k
    raise SystemExit(f"{name}: has no heading “{heading}”, where something live stands")


def in_page(text):
    """A page of the book's own in Markdown, the reader and what rounding costs in their places."""
    text = text.replace(HERE, element(0, query="hotels in shanghai", title=TITLE))
    if COSTS in text:
        path = ROOT / "benchmarks" / "results" / "reader.json"
        rows = json.loads(path.read_text(encoding="utf-8"))
        text = text.replace(COSTS, cost_of_rounding(rows))
    return text


def cost_of_rounding(measured):
    """What benchmarks/experiments/reader.py measured, in words."""
    said = [
        f"of the {row['name']} nDCG@10 on the sample's judged queries is {row['rounded']:.4f} "
        f"instead of {row['exact']:.4f}, and no cosine of a judged query and title is further off "
        f"than {row['largest']:.3f}"
        for row in measured["models"]
    ]
    return (
        "**What it costs to fit into a page.** The weights are rounded to whole numbers of 8 bits, "
        f"with a scale a row: {'; '.join(said)} ({measured['date']}, "
        "`python -m benchmarks.experiments.reader`)."
    )


def write(folder, root=ROOT):
    """Write the scripts, their look, the reader's models, the titles and the log."""
    follow.write(folder.parent / "follow")
    sentences.write(folder.parent / "sentences")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("reader.js", reader.script()),
        ("reader.css", reader.style()),
        ("training.js", train_in_page.script()),
        ("training.css", train_in_page.style()),
    ):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    titles = (root / "data_samples" / "titles.txt").read_text(encoding="utf-8").splitlines()
    weights.write_titles(titles, folder / "titles.js")
    pairs = lstm_edu.read_pairs(root / "data_samples" / "train_pairs.tsv")[:PAIRS]
    weights.write_log(pairs, titles, folder / "log.js")
    for name, (called, _, _) in MODELS.items():
        searched = (titles, log_queries(root)[::SOME]) if name == "lstm_32" else ()
        weights.write_model(model(name, root), folder / f"{name}.js", called, *searched)


def log_queries(root=ROOT):
    """The queries of the sample's log, each once."""
    pairs = lstm_edu.read_pairs(root / "data_samples" / "train_pairs.tsv")
    return sorted({query for query, _ in pairs})


def measured(root=ROOT):
    """What five trainings say of the input gate held, in words; lesson 08 quotes it, too."""
    text = (root / "benchmarks" / "results" / "claims_asked.json").read_text(encoding="utf-8")
    of_five = json.loads(text)["asked"]["nDCG@10, queries' gate held - free"]
    told = (
        "Hardly, is it? Lesson 08 has measured it: with the queries' input gate held at its mean, "
        "nDCG@10 changes by {mean:+.3f} (95 % interval {low:.3f} to {high:.3f}; five trainings)."
    )
    return told.format(**of_five).replace("-", "−")


def model(name, root=ROOT):
    """One of the models: as it is kept, or trained now as lessons 06 and 07 would."""
    _, cell, step_size = MODELS[name]
    pairs = lstm_edu.read_pairs(root / "data_samples" / "train_pairs.tsv")
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    found = lstm_edu.DualEncoder(cell, hashing, seed=0, tied=False)
    lstm_edu.train(
        found,
        pairs,
        epochs=10,
        optimizer="nesterov",
        step_size=step_size,
        seed=0,
        checkpoint=root / "notebooks" / f"{name}.npz",
        resume=True,
        progress=False,
    )
    return found
