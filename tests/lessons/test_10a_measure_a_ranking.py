"""Tests of lesson 10a: claims about its trained LSTM, and about stored benchmark results."""

import numpy as np
from quoted import results
from trained import *

from lstm_course.lessons import claims

BROKEN = (("10-42", "model, pairs, epochs", "model, pairs[:50], epochs"),)
CLAIMS = {
    "the LSTM's nDCG@10 is above that of common words divided by length": Claim(
        lambda n: n.observed["LSTM minus over length"], above=0.1
    ),
}


def test_stored_training_runs_differ_as_much_as_lesson_10a_says():
    rows = claims.by_row(results("table_iv_msrd"))
    apart = [f"{100 * np.ptp(rows[row]['by_seed']):.1f}" for row in ("lstm_32", "lstm_96_n4")]
    assert apart == ["1.7", "0.3"]
    found = claims.difference(rows, "lstm_96_n4", "dssm")
    assert (round(found.low, 1), round(found.high, 1)) == (-0.9, 0.7)
