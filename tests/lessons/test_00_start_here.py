"""Tests of lesson 00: claims about its trained model, and numbers quoted from benchmark results."""

import numpy as np
from executed import texts_of
from quoted import order_decides, results
from trained import *

from lstm_course.lessons.claims import by_row
from lstm_edu.ranking.statistics import interval

# changes that break the claims: train on a hundredth of the log, or reverse comparisons
BROKEN = (
    ("cell-12", "pairs, epochs=5", "pairs[:256], epochs=5"),
    ("cell-29", "np.argmax", "np.argmin"),
    ("cell-30a", "of_titles[k] > of_titles[j]", "of_titles[k] < of_titles[j]"),
)


CLAIMS = {
    "the final cost is far below the cost of guessing, 5.55": Claim(
        lambda n: n.history["cost"][-1], below=0.5
    ),
    "the LSTM's nDCG@10 is far above that of counting words": Claim(
        lambda n: (n.by_query["LSTM"] - n.by_query["words in common"])[:, 2].mean(), above=0.2
    ),
    "a Bad title comes first more often in queries in which word order decides": Claim(
        lambda n: n.first_is_bad[n.order_decides].mean() - n.first_is_bad[~n.order_decides].mean(),
        above=0.12,
    ),
    "a Bad title hardly ever comes first in the other queries": Claim(
        lambda n: n.first_is_bad[~n.order_decides].mean(), below=0.05
    ),
    "the better of two titles with the same words usually comes first": Claim(
        lambda n: np.mean(n.better_first), above=0.65
    ),
}


def test_worked_answer_c_quotes_stored_results():
    decides = order_decides()
    rows = by_row(results("table_iv_sample"))
    lead = np.subtract(*(rows[row]["by_query"] for row in ("lstm_96_adam", "rnn_batch")))
    answer = texts_of("00_start_here")["think-c"].replace("−", "-")
    for queries in (decides >= 0, decides, ~decides):
        assert "{:.1f} ({:.1f} to {:.1f})".format(*interval(100 * lead[queries])) in answer
