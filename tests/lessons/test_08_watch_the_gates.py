"""Tests of lesson 08: claims about its model's gates, and numbers quoted from benchmark results."""

import numpy as np
from quoted import asked, not_quoted, results
from trained import *

BROKEN = (  # changes to the lesson, each of which breaks a different claim
    ("08-17", "trace.i.mean", "-trace.i.mean"),
    ("08-28", "trace.i.mean", "trace.o.mean"),
    ("08-30", "model.trace(word).i", "model.trace(word).o"),
    ("08-32", "[t.yg for", "[t.i for"),
    ("08-32", "[t.o for", "[t.i for"),
    ("08-32", "np.diff(t.y,", "np.diff(t.o,"),
    ("08-41", '("W3", 0)', '("W4", 0)'),
)


def low_in_the_title(n):
    """Count how many of three words that the paper names have an input gate below the median.

    The count is 0 unless "and" and "reservation" have the two lowest gates.
    """
    words = n.title.split()
    low = [n.i[words.index(word)] for word in ("accommodation", "discount", "reservation")]
    lowest = [words[k] for k in np.argsort(n.i)[:2]]
    return sum(low < np.median(n.i)) * (lowest == ["and", "reservation"])


CLAIMS = {
    "the input gate is higher at content words": Claim(lambda n: np.mean(n.by_query), above=0.01),
    "the input gate is higher at content words that are read alone": Claim(
        lambda n: n.mean_alone, above=0.01
    ),
    "|y_g| at filler words is less than half of that at content words, in percent": Claim(
        lambda n: n.less["offer |y_g|"][0], below=-50
    ),
    "filler words move the output less than half as far as content words, in percent": Claim(
        lambda n: n.less["change of the output |y(t) − y(t−1)|"][0], below=-50
    ),
    "the output gate at filler words is equal to that at content words, in percent": Claim(
        lambda n: abs(n.less["output gate o"][0]), below=2
    ),
    "training reduces |y_g| at filler words of four letters, in percent": Claim(
        lambda n: n.found["offer |y_g|"][2][0] - n.found["offer |y_g|"][3][0], below=-20
    ),
    "fixing the input gate at its mean hardly changes nDCG@10": Claim(
        lambda n: abs(n.changes["queries' gate held"][0]), below=0.03
    ),
    "filler words turn the embedding less than content words with a fixed input gate": Claim(
        lambda n: n.share["queries' gate held"], below=0.4
    ),
    "two of the paper's three words in the title have gates below the median": Claim(
        low_in_the_title, above=1.5, below=2.5
    ),
}


def test_text_quotes_numbers_of_stored_runs():
    gate = results("claims_asked")["asked"]["input gate, content - filler"]["by_seed"]
    assert not not_quoted(
        "08_watch_the_gates",
        f"five stored training runs the difference is {min(gate):.3f} to {max(gate):.3f}.",
        "changes nDCG@10 by " + asked("nDCG@10, queries' gate held - free"),
    )
