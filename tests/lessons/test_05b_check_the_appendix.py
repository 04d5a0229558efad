"""Tests of lesson 05b: claims about training with the exact and with the printed gradient."""

import numpy as np
from conftest import ROOT
from quoted import results
from trained import *

from book.build import prose
from lstm_course.lessons.printed_error import sweep
from lstm_edu import LSTM
from lstm_edu.gradients import printed

SMALL, LARGE = "lstm_edu.LSTM(32), 0.05", 'lstm_edu.LSTM(32, True, "full"), 0.2'
BROKEN = (("05-48b", SMALL, LARGE), ("05-49", LARGE, SMALL))


def kept_cost(n):
    """Return the last cost divided by the first, averaged over all runs with small weights."""
    costs = np.array([n.live[n.small][gradient] for gradient in n.methods])
    return (costs[..., -1] / costs[..., 0]).mean()


CLAIMS = {
    "the printed gradient's relative difference is about 0.1 before training": Claim(
        lambda n: n.off[n.small][:, 0, 0].mean(), below=0.15
    ),
    "the printed gradient's cosine is above 0.99 before training": Claim(
        lambda n: n.off[n.small][:, 0, 1].min(), above=0.99
    ),
    "the cost falls to less than a tenth": Claim(kept_cost, below=0.08),
    "the printed gradient's cosine is lower with larger weights and all gates": Claim(
        lambda n: n.off[n.large][:, :, 1].mean(), below=0.97
    ),
}


def test_stored_short_runs_end_with_higher_cost_with_printed_gradient():
    found = []
    for costs in results("training_questions")["races"].values():
        higher = np.subtract(costs["printed"], costs["bptt"])
        found.append(((higher > 0).sum(), len(higher), round(higher.mean(), 3)))
    assert found == [(13, 15, 0.001), (13, 15, 0.085)]


def test_stored_long_runs_by_the_papers_gradient_end_with_lower_ndcg():
    entries = results("settings")["groups"]["method"]
    ends = {e["changed"]["method"]: [run["held_out"][-1] for run in e["runs"]] for e in entries}
    lower = np.subtract(ends["bptt"], ends["printed"])
    assert len(lower) == 3 and 0 < lower.min() and lower.max() < np.ptp(ends["bptt"])


def test_text_quotes_cosine_of_small_models_at_twelve_words():
    left, right = (
        np.median(sweep(cell, 0.05, [12], 20, errors=printed.errors)[..., 1])
        for cell in (LSTM(16), LSTM(16, True, "full"))
    )
    said = f"at twelve words is still {left:.3f} on the left and {right:.3f} on the right"
    page = prose(ROOT / "notebooks" / "05b_check_the_appendix.ipynb")
    assert said.replace(" 0.", " .") in page
