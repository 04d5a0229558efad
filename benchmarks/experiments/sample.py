"""Measure the difficulty of the sample data, for data_samples/README.md.

    python -m benchmarks.experiments.sample [--seeds 3] [--json FILE]

The rankers are a random order, BM25, the LSTM dual encoder with the package's settings, and the
same model blind to word order: trained and evaluated on texts whose words are sorted
alphabetically. The figures are nDCG@10 with 95 % bootstrap intervals over the queries. With several
seeds, a query's value is its mean over them.
"""

import numpy as np

import lstm_edu
from lstm_course.sample.query_metadata import read_needs
from lstm_tools.table_iv.bm25 import BM25

from . import experiment


class RandomOrder:
    """A ranker with equal scores: nDCG averages ties, so this is the exact mean over all orders."""

    def score(self, query, titles):
        return np.zeros(len(titles))


def sort_words(text):
    """Sort the words of a text."""
    return " ".join(sorted(text.split()))


def blind(pairs, judgments):
    """Sort the words of every text in the data."""
    sorted_judgments = [
        search._replace(
            query=sort_words(search.query), titles=[sort_words(title) for title in search.titles]
        )
        for search in judgments
    ]
    return [tuple(map(sort_words, pair)) for pair in pairs], sorted_judgments


def ndcg(words_sorted, seed):
    """Train an LSTM, possibly on sorted words, and return nDCG@10 per query."""
    _, pairs, judgments = experiment.data()
    if words_sorted:
        pairs, judgments = blind(pairs, judgments)
    model, _ = experiment.trained(lstm_edu.LSTM(96), pairs, seed)
    return experiment.at_10(model, judgments).tolist()


def by_slice(rows, slices):
    """Summarise values per query, by row and slice."""
    return {
        row: {name: experiment.over_queries(values[mine]) for name, mine in slices.items()}
        for row, values in rows.items()
    }


def main():
    args = experiment.options(__doc__, seeds=1)
    folder, pairs, judgments = experiment.data()
    needs = read_needs(folder / "needs.tsv", judgments)
    order = np.array([need.order_decides for need in needs])
    navigational = np.array([need.kind == "navigational" for need in needs])
    slices = {
        "all": np.ones(len(needs), bool),
        "order decides": order,
        "one entity": ~order & ~navigational,
        "navigational": navigational,
        "misspelled": np.array([need.misspelled for need in needs]),
    }
    tasks = [(words_sorted, seed) for words_sorted in (False, True) for seed in range(args.seeds)]
    free, words_sorted = np.split(np.array(experiment.run(ndcg, tasks)), 2)
    bm25 = experiment.at_10(BM25().fit(pairs), judgments)
    rows = {
        "random order": experiment.at_10(RandomOrder(), judgments),
        "BM25": bm25,
        "LSTM": free.mean(axis=0),
        "LSTM, words sorted": words_sorted.mean(axis=0),
        "LSTM - words sorted": (free - words_sorted).mean(axis=0),
        "LSTM - BM25": free.mean(axis=0) - bm25,
    }
    figures = {
        "metric": "nDCG@10",
        "interval": "95 % bootstrap over queries",
        "seeds": args.seeds,
        "queries": {name: int(mine.sum()) for name, mine in slices.items()},
        "rows": by_slice(rows, slices),
    }
    experiment.write(args.json, figures)


if __name__ == "__main__":
    main()
