"""The ten best of a million titles.

    python -m benchmarks.speed.search [--json [benchmarks/results/search.json]]

Titles of some 9 words (`paper_scale`) are embedded by a model of 96 cells, and queries, 100 at a
time, are compared with all of them, in blocks, exactly (`lstm_tools.nearest`). Memory is the
whole process's: the model, a million vectors (384 MB), and the search.
"""

import numpy as np

import lstm_edu
from lstm_tools import nearest
from lstm_tools.table_iv import memory

from . import paper_scale

QUERIES, BATCHES, PART = 100, 20, 20_000


def measure(n_titles):
    """The figures."""
    scale = paper_scale.SCALES["paper"]
    model = lstm_edu.DualEncoder(
        lstm_edu.LSTM(scale.n_cells), paper_scale.hashing(scale.n_trigrams)
    )
    rng = np.random.default_rng(0)
    words = paper_scale.vocabulary(scale.n_trigrams, rng)
    titles = np.empty((n_titles, model.cell.size), model.dtype)
    for start in range(0, n_titles, PART):  # so that no million texts are in memory
        part = titles[start : start + PART]
        part[:] = model.encode_document(list(paper_scale.texts(len(part), 9, words, rng)))
    queries = list(paper_scale.texts(QUERIES * (BATCHES + 1), 3.5, words, rng))

    def batch(k):
        nearest.top(model.encode_query(queries[k * QUERIES : (k + 1) * QUERIES]), titles, 10)

    others = paper_scale.Others()
    spread = paper_scale.spread(paper_scale.in_turn({"batch": batch}, BATCHES)["batch"])
    return {
        "titles": n_titles,
        "queries a batch": QUERIES,
        "ms_per_query": round(spread["median"] / QUERIES, 3),
        "batch_ms": spread,
        "peak_mb": memory.peak_megabytes(),
        "others_share": others.share(),
    }


def table(found):
    """The figures as text."""
    f = found["search"]
    return (
        f"top 10 of {f['titles']:,} titles, {f['queries a batch']} queries at a time: "
        f"{f['ms_per_query']} ms a query, {memory.in_words(f['peak_mb'])}"
    )


if __name__ == "__main__":
    parser = paper_scale.parser(__doc__)
    parser.add_argument("--titles", type=int, default=1_000_000)
    args = parser.parse_args()
    found = {"search": measure(args.titles)}
    paper_scale.report(found, table(found), args.json)
