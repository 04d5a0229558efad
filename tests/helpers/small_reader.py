"""Small pages with the interactive reader or live training, and titles with unusual characters."""

from chromium import write_page

import lstm_edu
from lstm_course.explorers import reader, weights
from lstm_edu import LSTM, RNN, DualEncoder, LetterTrigrams

TITLES = lstm_edu.sample().joinpath("titles.txt").read_text(encoding="utf-8").splitlines()
ODD = [
    "",
    " \t\n",
    "上海 hotels",
    "上海",
    '$\\frac{1}{2}$ <b>bath</b> & "tub"',
    "İstanbul ΌΔΟΣ ὈΔΥΣΣΕΎΣ Ǆ ﬁne ＨＯＴＥＬ ¨ Σ¨Σ don´t ⅷ ǰ J\u030c",
    "a\u00a0b\u2003c\u3000d\x1ce\x85f\u2028g\ufeffh\u200bi\u180ej",
    "emoji 😀😀 𝐇𝐎𝐓𝐄𝐋 straße ẞ",
    "word " * 30,
    "l" + "o" * 300 + "ng word",
    "bath bath bath",
]


def small_model(cell):
    """Make an untrained, untied model for the trigrams of the sample data."""
    hashing = LetterTrigrams.fit(TITLES[::7])
    return DualEncoder(cell, hashing, seed=0, scale=0.3, tied=False)


MODEL, OTHER = small_model(LSTM(12)), small_model(RNN(20))
QUERIES = TITLES[:60]  # queries over which the gates are averaged
HEAD = '<link rel="stylesheet" href="{0}.css"><script defer src="{0}.js"></script>'
READER = """<div class="reader" data-folder="" data-address
data-models='{"NAME": "an LSTM", "rnn": "an RNN"}' data-measured="It was +0.005."
data-query="bath tub" data-title="tub of paint"></div>"""
TRAINING = """<div class="training" data-folder="FOLDER" data-query="hotels in shanghai">
<p>It needs JavaScript.</p></div>"""


def write_reader(folder, name="lstm"):
    """Write a page whose interactive reader compares two models; return its path."""
    (folder / "reader.js").write_text(reader.script(), encoding="utf-8")
    (folder / "reader.css").write_text(reader.style(), encoding="utf-8")
    weights.write_titles(TITLES[:500], folder / "titles.js")
    weights.write_model(MODEL, folder / "lstm.js", "an LSTM", TITLES[:500], QUERIES)
    weights.write_model(OTHER, folder / "rnn.js", "an RNN", TITLES[:500])
    return write_page(folder, HEAD.format("reader"), READER.replace("NAME", name))


def write_training(folder, of=""):
    """Write a page that trains on a small part of the click log; return its path."""
    pairs = lstm_edu.read_pairs(lstm_edu.sample() / "train_pairs.tsv")[:700]
    titles = list(dict.fromkeys(title for _, title in pairs))
    (folder / "training.js").write_text(reader.training(), encoding="utf-8")
    (folder / "training.css").write_text(reader.with_palette("training"), encoding="utf-8")
    weights.write_titles(titles, folder / "titles.js")
    weights.write_log(pairs, titles, folder / "log.js")
    return write_page(folder, HEAD.format("training"), TRAINING.replace("FOLDER", of))
