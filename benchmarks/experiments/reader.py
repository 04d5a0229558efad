"""Measure how much ranking quality the book's models lose with weights rounded to 8 bits.

    python -m benchmarks.experiments.reader [--json FILE]

For each model of the book (`book/build/live.py` trains a missing one), exact and rounded weights
are compared in nDCG@10 on the sample's judged queries, and in the cosine of each judged query and
title. The page selects candidates by rounded embeddings first; its ten best titles are compared
with those of a search through all titles.
"""

import numpy as np

import lstm_edu
from book.build import live
from lstm_course.explorers import weights

from . import experiment

CANDIDATES = 60  # must equal the value in js/looking.js


def measure(name, model, judgments, titles):
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
        "ten best found": found_by_rounded(page, sorted({j.query for j in judgments}), titles),
    }


def found_by_rounded(page, queries, titles):
    """Compute the share of the queries' ten best titles that are among the page's candidates."""
    vectors = page.encode_document(titles)
    near = weights.rounded_vectors(vectors)
    R, rough = (page.similarity(page.encode_query(queries), v) for v in (vectors, near))
    best = np.argsort(-R, axis=1, kind="stable")[:, :10]
    bound = np.sort(rough, axis=1)[:, -CANDIDATES, None]
    return float((np.take_along_axis(rough, best, axis=1) >= bound).mean())


if __name__ == "__main__":
    args = experiment.options(__doc__)
    folder, _, judgments = experiment.data()
    titles = (folder / "titles.txt").read_text(encoding="utf-8").splitlines()
    rows = [
        measure(called, live.model(name), judgments, titles)
        for name, (called, _, _) in live.MODELS.items()
    ]
    experiment.write(args.json, {"models": rows})
