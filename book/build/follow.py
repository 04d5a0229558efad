"""Follow the error: the instrument of lessons 04, 05a and 07, and where it stands in them."""

from lstm_course.explorers import reader

FOLDER = "_static/follow/"
# lesson: words of the cell below which it stands, what is said there, and what it shows
LESSONS = {
    "04_bptt_rnn": (
        "## The chain rule on a small graph",
        "Send the error back yourself, one arrow at a time. Then drag $r$: how large must it be "
        "for the first of two words to get as much error as the last? Is any $r$ large enough for "
        "the first of twelve?",
        {"graph": "RNN", "bars": "RNN"},
    ),
    "05a_bptt_lstm": (
        "**Here is what an LSTM is for, in one number.**",
        "Send the error back yourself, one arrow at a time. Then cross out an arrow, and see which "
        "weights notice. Below, make the text longer. The .508 goes on undiminished from word to "
        "word, but is that what arrives in the end? How large may the recurrent weights become "
        "before the LSTM's error vanishes, too?",
        {"graph": "LSTM", "bars": "RNN LSTM"},
    ),
    "07_rnn_and_lstm": (
        "## Where do errors get to?",
        "Try it with the two small cells of lessons 04 and 05a, in which all recurrent weights are "
        "multiplied by the same number. If small weights make errors vanish, do large ones keep "
        "them?",
        {"bars": "RNN LSTM"},
    ),
}
ON_SLIDES = ("05a_bptt_lstm",)


def element(depth, shown):
    """The instrument as HTML, with its script, as deep as its page lies."""
    folder = "../" * depth + FOLDER
    given = " ".join(f'data-{name}="{value}"' for name, value in shown.items())
    return (
        f'<link rel="stylesheet" href="{folder}follow.css">\n'
        f'<div class="follow" {given}><p>This needs JavaScript. What the lesson says of it does '
        f'not.</p></div>\n<script src="{folder}follow.js"></script>\n'
    )


def in_lesson(notebook, name, depth=1):
    """A lesson with the instrument; on slides it stands in 05a's."""
    if name not in LESSONS:
        return notebook
    below, said, shown = LESSONS[name]
    source = f"{said}\n\n{element(depth, shown)}"
    return placed(notebook, name, below, "follow", source, "slide" if name in ON_SLIDES else "skip")


def placed(notebook, name, below, called, source, slide="skip"):
    """A lesson with a cell of its own below the one that has some words."""
    cells = notebook["cells"]
    places = [k for k, cell in enumerate(cells) if below in "".join(cell["source"])]
    if len(places) != 1:
        raise SystemExit(f"{name}: “{below}” is in {len(places)} cells, below which it would stand")
    kind = {"slideshow": {"slide_type": slide}}
    live = {"cell_type": "markdown", "id": called, "metadata": kind, "source": source}
    return {**notebook, "cells": [*cells[: places[0] + 1], live, *cells[places[0] + 1 :]]}


def write(folder):
    """Write the instrument's script and its look."""
    folder.mkdir(parents=True, exist_ok=True)
    styles = (reader.FOLDER / "follow.css").read_text(encoding="utf-8")
    for name, text in (("follow.js", reader.follow()), ("follow.css", styles)):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
