"""What readers are tried with: the sample's titles, odd texts, a model that nobody has trained."""

import lstm_edu
from lstm_edu import DualEncoder, LetterTrigrams

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
    """A model of the sample's trigrams that nobody has trained, with sides of their own."""
    hashing = LetterTrigrams.fit(TITLES[::7])
    return DualEncoder(cell, hashing, seed=0, scale=0.3, tied=False)
