"""Measure how much ranking quality the book's models lose with weights rounded to 8 bits.

    python -m benchmarks.experiments.reader [--json FILE]

For each model of the book (`book/build/live.py` trains a missing one), exact and rounded weights
are compared in nDCG@10 on the sample's judged queries, and in the cosine of each judged query and
title.
"""

import numpy as np

import lstm_edu
from book.build import live
from lstm_course.explorers import weights

from . import experiment


def measure(name, model, judgments):
    """Compute nDCG@10 with exact and rounded weights, and the largest difference in a cosine."""
    page, largest = weights.rounded(model), 0.0
    for judged in judgments:
        exact, rounded = (m.score(judged.query, judged.titles) for m in (model, page))
        largest = max(largest, float(np.abs(exact - rounded).max()))
    ndcg = [lstm_edu.evaluate(m, judgments)["nDCG@10"] for m in (model, page)]
    return {
        "name": name,
        "exact": round(ndcg[0], 4),
        "rounded": round(ndcg[1], 4),
        "largest": float(np.ceil(largest * 1000) / 1000),
    }


if __name__ == "__main__":
    args = experiment.options(__doc__)
    judgments = experiment.data().judgments
    rows = [
        measure(called, live.model(name), judgments) for name, (called, _, _) in live.MODELS.items()
    ]
    experiment.write(args.json, {"models": rows})
