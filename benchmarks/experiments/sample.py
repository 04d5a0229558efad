"""Measure how hard the sample data are to rank, for data_samples/README.md.

    python -m benchmarks.experiments.sample [--seeds 3] [--json FILE]

The rankers are a random order, BM25, the LSTM dual encoder with the package's settings, and the
same model blind to word order: trained and evaluated on texts whose words are sorted
alphabetically. The figures are nDCG@10 with 95 % bootstrap intervals over the queries. With several
seeds, a query's value is its mean over the seeds.
"""

import numpy as np

import lstm_edu
from lstm_tools.table_iv.bm25 import BM25

from . import experiment


class RandomOrder:
    """Ranker that scores all titles equally, so that nDCG is the exact mean over all orders."""

    def score(self, query, titles):
        return np.zeros(len(titles))


def sort_words(text):
    """Sort the words of a text alphabetically."""
    return " ".join(sorted(text.split()))


def blind(pairs, judgments):
    """Sort the words of every text in a log and its judgments, to remove word order."""
    sorted_judgments = [
        search._replace(
            query=sort_words(search.query), titles=[sort_words(title) for title in search.titles]
        )
        for search in judgments
    ]
    return [tuple(map(sort_words, pair)) for pair in pairs], sorted_judgments


def ndcg(words_sorted, seed):
    """Train an LSTM, on sorted words if ``words_sorted``; return nDCG@10 per query."""
    _, pairs, judgments = experiment.data()
    if words_sorted:
        pairs, judgments = blind(pairs, judgments)
    model, _ = experiment.trained(lstm_edu.LSTM(96), pairs, seed)
    return experiment.at_10(model, judgments).tolist()


def by_slice(rows, slices):
    """Summarise each row's values per query over each slice; ``slices`` maps names to masks."""
    return {
        row: {name: experiment.over_queries(values[mine]) for name, mine in slices.items()}
        for row, values in rows.items()
    }


if __name__ == "__main__":
    args = experiment.options(__doc__, seeds=1)
    _, pairs, judgments = experiment.data()
    needs = experiment.needs()
    order = np.array([need.order_decides for need in needs])
    navigational = np.array([need.kind == "navigational" for need in needs])
    slices = {
        "all": np.ones(len(needs), bool),
        "order decides": order,
        "one entity": ~order & ~navigational,
        "navigational": navigational,
        "misspelled": np.array([need.misspelled for need in needs]),
    }
    runs = experiment.by_row(ndcg, {"LSTM": (False,), "sorted": (True,)}, range(args.seeds))
    lstm, words_sorted = (np.mean(of_row, axis=0) for of_row in runs.values())
    rows = {
        "random order": experiment.at_10(RandomOrder(), judgments),
        "BM25": experiment.at_10(BM25().fit(pairs), judgments),
        "LSTM": lstm,
        "LSTM, words sorted": words_sorted,
    }
    figures = {
        "metric": "nDCG@10",
        "interval": "95 % bootstrap over queries",
        "seeds": args.seeds,
        "queries": {name: int(mine.sum()) for name, mine in slices.items()},
        "rows": by_slice(rows, slices),
    }
    experiment.write(args.json, figures)
