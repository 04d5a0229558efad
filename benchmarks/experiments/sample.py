"""How hard the sample data is: the figures of data_samples/README.md.

    python -m benchmarks.experiments.sample [--data data_samples] [--seeds 1] [--json FILE]

Measures a random order, BM25, the LSTM dual encoder with the package's settings, and the same model
blind to word order: trained and evaluated on the same texts with the words of each sorted
alphabetically. nDCG@10 with 95 % bootstrap intervals over the queries; with several seeds a query
counts with its mean over them.
"""

import os

import numpy as np

import lstm_edu
from lstm_course.sample.query_metadata import read_needs
from lstm_edu.ranking import ndcg as ranking
from lstm_tools.table_iv.bm25 import load_bm25s

from . import experiment as harness


class RandomOrder:
    """Equal scores: nDCG averages ties, so this is the exact mean over all orders."""

    def score(self, query, titles):
        return np.zeros(len(titles))


class BM25:
    """BM25 (k1 1.2, b 0.75) over all distinct titles, those of training and those judged."""

    def __init__(self, titles):
        self.row = {title: k for k, title in enumerate(dict.fromkeys(titles))}
        self.index = load_bm25s().BM25(k1=1.2, b=0.75)
        self.index.index([title.split() for title in self.row], show_progress=False)

    def score(self, query, titles):
        return self.index.get_scores(query.split())[[self.row[title] for title in titles]]


def sort_words(text):
    """The text without its word order."""
    return " ".join(sorted(text.split()))


def blind(pairs, judgments):
    """The same data with the words of every text sorted."""
    return (
        [(sort_words(query), sort_words(title)) for query, title in pairs],
        [
            search._replace(
                query=sort_words(search.query),
                titles=[sort_words(title) for title in search.titles],
            )
            for search in judgments
        ],
    )


def dual_encoder(pairs, seed):
    """The LSTM dual encoder as `lstm_edu.train` trains it when told nothing."""
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(96), hashing, seed=seed)
    lstm_edu.train(model, pairs, seed=seed)
    return model


def ndcg_by_query(model, judgments):
    """nDCG@10 of each query."""
    return ranking.ndcg_by_query(model, judgments, depths=(10,))[:, 0]


def interval(values, seed=0, resamples=10_000):
    """Mean of the values with its 95 % bootstrap interval."""
    rng = np.random.default_rng(seed)
    means = [rng.choice(values, len(values)).mean() for _ in range(resamples)]
    low, high = np.percentile(means, [2.5, 97.5])
    if (values == 1).all():  # of a share, as `lstm_edu.ranking.statistics.interval`
        low = 0.025 ** (1 / len(values))
    return {
        "mean": round(float(values.mean()), 4),
        "low": round(float(low), 4),
        "high": round(float(high), 4),
    }


def measure(folder, seeds):
    """All figures, as a dict to print and to store."""
    pairs = lstm_edu.read_pairs(os.path.join(folder, "train_pairs.tsv"))
    judgments = lstm_edu.read_judgments(os.path.join(folder, "judgments.tsv"))
    known = read_needs(os.path.join(folder, "needs.tsv"), judgments)
    order_decides = np.array([query.order_decides for query in known])
    navigational = np.array([query.kind == "navigational" for query in known])
    slices = {
        "all": np.ones(len(known), bool),
        "order decides": order_decides,
        "one entity": ~order_decides & ~navigational,
        "navigational": navigational,
        "misspelled": np.array([query.misspelled for query in known]),
    }

    blind_pairs, blind_judgments = blind(pairs, judgments)
    titles = [title for _, title in pairs] + [
        title for search in judgments for title in search.titles
    ]

    def trained(pairs, judgments):
        runs = [ndcg_by_query(dual_encoder(pairs, seed), judgments) for seed in range(seeds)]
        return np.mean(runs, axis=0)

    scores = {
        "random order": ndcg_by_query(RandomOrder(), judgments),
        "BM25": ndcg_by_query(BM25(titles), judgments),
        "LSTM": trained(pairs, judgments),
        "LSTM, words sorted": trained(blind_pairs, blind_judgments),
    }
    scores["LSTM - words sorted"] = scores["LSTM"] - scores["LSTM, words sorted"]
    scores["LSTM - BM25"] = scores["LSTM"] - scores["BM25"]
    return {
        "date": harness.today(),
        "metric": "nDCG@10",
        "interval": "95 % bootstrap over queries",
        "seeds": seeds,
        "queries": {name: int(chosen.sum()) for name, chosen in slices.items()},
        "rows": {
            row: {name: interval(values[chosen]) for name, chosen in slices.items()}
            for row, values in scores.items()
        },
    }


def table(figures):
    """The figures as aligned text."""
    names = list(figures["queries"])
    head = [f"{name} ({figures['queries'][name]})" for name in names]
    lines = [
        f"nDCG@10, {figures['interval']}, {figures['seeds']} seed(s), {figures['date']}",
        f"{'':20}" + "".join(f"{text:>24}" for text in head),
    ]
    for row, cells in figures["rows"].items():
        texts = [
            f"{cells[name]['mean']:.3f} [{cells[name]['low']:.3f}, {cells[name]['high']:.3f}]"
            for name in names
        ]
        lines.append(f"{row:20}" + "".join(f"{text:>24}" for text in texts))
    return "\n".join(lines)


def main(what, data, measure, table):
    """Read the options, measure, print, and store what was found."""
    parser = harness.parser(f"How hard {what}.")
    parser.add_argument("--data", default=data)
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    figures = measure(options.data, options.seeds)
    print(table(figures))
    harness.write(options.json, figures)


if __name__ == "__main__":
    main("the sample data is", "data_samples", measure, table)
