"""Three instruments between a lesson's sentences: who gets the push, the race, rows of Table IV."""

import base64
import json

import numpy as np

from book.build import ROOT, follow
from lstm_course.explorers import reader
from lstm_course.lessons import claims

FOLDER = "_static/sentences/"
SETS = "sample", "msrd", "onet"
# lesson: words of the cell below which it stands, the instrument, what is asked and the answer
LESSONS = {
    "03_turn_clicks_into_a_cost": (
        "share of the push",
        "push",
        "Here each title's cosine can be dragged, too. Drag the climate nearer to the query: "
        "are the hostels and the transit map pushed more, or less? Then *Start again*, and find "
        "the $\\gamma$ that pushes the hostels hardest. Is it the largest?",
        "Less, though all pushes together become more: the titles compete for probability, and one "
        "that comes near takes it from the others. The hostels are pushed hardest at "
        "$\\gamma=29$, by 5.92. A larger $\\gamma$ multiplies a probability that falls faster than "
        "$\\gamma$ grows. The map, farther behind, has its hardest push at 5.",
    ),
    "06_train": (
        "**Fig. 6.1**",
        "race",
        "Here you can set $\\mu$ and $\\epsilon$ and drag the start. Each update shows where "
        "Nesterov's takes its slope: the momentum leads to the dashed circle, and the step from "
        "there is orange. Leave $\\mu$ and $\\epsilon$ as they are: can you make Nesterov's lose "
        "by its start alone?",
        "Yes, if the start is right across the valley: with $w_1=0$, gradient descent arrives "
        "after 4 updates, Nesterov's after 6 and momentum after 96. It loses nowhere else. A "
        "tenth to the side, there is some way to go along the valley, and gradient descent takes "
        "40 updates to Nesterov's 9.",
    ),
    "10b_table_iv": (
        "lists all forty-eight. Those that hold on every set",
        "rows",
        "Any two rows can be compared here, on all three sets. The claims above are 16 of 351 "
        "pairs. Which two rows change places, the first clearly ahead on one set and clearly "
        "behind on another?",
        "Twenty-five pairs. The RNN is ahead of DSSM on the sample, and behind on msrd and onet. "
        "The GRU is ahead of DSSM on two, and behind on msrd. ULM is ahead of PLSA on two, and "
        "behind on onet. Skip-Thought changes places with four.\n\n*Scope: each interval is of one "
        "pair, uncorrected. Of so many some are clear of zero by chance; who looks for the largest "
        "needs Holm's correction, or other data.*",
    ),
}


def element(depth, shows):
    """The instrument as HTML, with its scripts, as deep as its page lies."""
    folder = "../" * depth + FOLDER
    scripts = ["table_iv", "sentences"] if shows == "rows" else ["sentences"]
    return (
        f'<link rel="stylesheet" href="{folder}sentences.css">\n'
        f'<div class="sentence" data-shows="{shows}"><p>This needs JavaScript. The figures and '
        "tables of the lesson do not.</p></div>\n"
        + "".join(f'<script src="{folder}{name}.js"></script>\n' for name in scripts)
    )


def in_lesson(notebook, name, depth=1):
    """A lesson with the instrument, the question before it and the answer folded."""
    if name not in LESSONS:
        return notebook
    below, shows, asked, answer = LESSONS[name]
    folded = f"<details><summary>Answer</summary>\n\n{answer}\n\n</details>"
    source = f"{asked}\n\n{element(depth, shows)}\n{folded}"
    return follow.placed(notebook, name, below, "sentence", source)


def table_iv(root=ROOT):
    """Every query's nDCG@10 by set and row, packed, and what an interval needs besides."""
    sets = {}
    for name in SETS:
        path = root / "benchmarks" / "results" / f"table_iv_{name}.json"
        rows = claims.by_row(json.loads(path.read_text(encoding="utf-8")))
        sets[name] = {"between": claims.between_trainings(rows), "rows": {}}
        for row, own in rows.items():
            whole = np.rint(10_000 * np.array(own["by_query"])).astype("<u2")
            sets[name]["rows"][row] = {
                "by_query": base64.b64encode(whole.tobytes()).decode("ascii"),
                "trainings": 0 if row in claims.FIXED else len(own["by_seed"]),
            }
    paper = {row: at_10 for row, (*_, at_10) in claims.PAPER.items()}
    return {"sets": sets, "paper": paper, "first": [claims.LSTM, "dssm"]}


def write(folder):
    """Write the instruments' script, their look, and the rows of Table IV."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("sentences.js", reader.sentences()),
        ("sentences.css", reader.with_palette("sentences")),
        ("table_iv.js", f"(self.lstm_edu ??= {{}}).table_iv = {json.dumps(table_iv())};\n"),
    ):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
