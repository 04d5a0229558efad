"""Tests of lesson 09: claims about its models' cells, and numbers quoted from benchmark results."""

import numpy as np
from quoted import not_quoted, results
from trained import *

SHUFFLED = (("09-36", "embeddings @ Q", "rng.permutation(embeddings)"),)
BROKEN = (  # changes to the lesson, each of which breaks different claims
    ("09-05b", "inspection.active(y, 10)", "inspection.active(y[::-1], 10)"),
    ("09-15", 'for kind in "cf"', 'for kind in "fc"'),
    ("09-21", "called_keywords(both_ways)", "called_keywords(untrained)"),
    ("09-34", "model.encode_query(queries)", "rng.permutation(model.encode_query(queries))"),
)
CLAIMS = {
    "an Excellent title shares more cells than a Bad one with a word of the query": Claim(
        lambda n: np.mean(n.shared["3"]) - np.mean(n.shared["0, a word of the query"]),
        above=1.0,
    ),
    "cells match topics better than shuffled embeddings, counting high and low apart": Claim(
        lambda n: n.share[1] - n.shuffled[:, 1].mean(), above=0.015
    ),
    "cells match topics no better than randomly rotated axes": Claim(
        lambda n: n.share[1] - n.rotated[:, 1].mean(), below=0.05, broken=SHUFFLED
    ),
    "the nearest query has the same topic more often by embedding than by five cells": Claim(
        lambda n: n.right["embedding"][0] - n.right["five most active cells"][0],
        above=0.4,
    ),
    "content words have more assigned cells than filler words": Claim(
        lambda n: (n.means[:, 0] - n.means[:, 1]).mean(), above=3
    ),
    "fewer filler words are keywords after training": Claim(
        lambda n: n.called[~n.content].mean() - n.called_at_first[~n.content].mean(),
        below=-0.1,
    ),
    "more content words of long queries are keywords after training": Claim(
        lambda n: n.called[n.long].mean() - n.called_at_first[n.long].mean(), above=0.05
    ),
}


def test_text_quotes_numbers_of_stored_runs():
    five, topic = results("claims_asked")["asked"], "share of the commonest topic, "
    runs = (f"{topic}cells", f"{topic}turned axes", f"{topic}shuffled topics")
    cells, turned, shuffled = (
        f"{min(five[name]['by_seed']):.3f} to {max(five[name]['by_seed']):.3f}" for name in runs
    )
    dealt = five["as many food and health cells, topics dealt out"]["by_seed"]
    assert not not_quoted(
        "09_find_keywords_and_topics",
        f"in five stored runs, in {100 * min(dealt):.0f} to {100 * max(dealt):.0f} % of the deals.",
        f"in five stored runs the cells score {cells}, turned axes {turned} on average, and "
        f"shuffled topics {shuffled}.",
    )
