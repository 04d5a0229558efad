"""What the three sets of Table IV are like: how many titles, how known and how alike they are.

    python -m benchmarks.experiments.sets sample msrd onet [--json benchmarks/results/sets.json]

Told are counts of the training pairs, how often a query shares a word with its relevant titles and
with its Bad ones, and the nDCG@10 of two rankers that read nothing: by a title's number of training
pairs, and in random order, exactly. No model is trained. The sets lie in the folder that
LSTM_EDU_DATA names, but for the sample.
"""

import os
from collections import Counter

import numpy as np

import lstm_edu
from lstm_edu.ranking.ndcg import ndcg
from lstm_tools.table_iv.terms import terms

from . import experiment as harness


def measure(name):
    """All figures of one set."""
    folder = (
        lstm_edu.sample() if name == "sample" else os.path.join(os.environ["LSTM_EDU_DATA"], name)
    )
    pairs = lstm_edu.read_pairs(os.path.join(folder, "train_pairs.tsv"))
    judgments = lstm_edu.read_judgments(os.path.join(folder, "judgments.tsv"))
    listed = Counter(title for _, title in pairs)
    judged = [
        (search.query, title, grade > 0)
        for search in judgments
        for title, grade in zip(search.titles, search.grades)
    ]
    good = [(query, title) for query, title, relevant in judged if relevant]
    bad = [(query, title) for query, title, relevant in judged if not relevant]

    def sharing(some):
        return np.mean([bool(set(terms(query)) & set(terms(title))) for query, title in some])

    def at_10(score):
        found = [
            ndcg([score(title) for title in search.titles], search.grades, 10)
            for search in judgments
        ]
        return np.nanmean(found)

    queries, titles = zip(*good)
    found = {
        "titles known": np.mean([title in listed for title in titles]),
        "relevant share a word": sharing(good),
        "bad share a word": sharing(bad),
        "words of a query": np.mean([len(terms(text)) for text in queries]),
        "words of a relevant title": np.mean([len(terms(text)) for text in titles]),
        "nDCG@10 by number of pairs": at_10(lambda title: listed[title]),
        "nDCG@10 in random order": at_10(lambda title: 0),
    }
    counts = {"pairs": len(pairs), "titles": len(listed)}
    return counts | {key: round(float(value), 4) for key, value in found.items()}


if __name__ == "__main__":
    parser = harness.parser(__doc__)
    parser.add_argument("sets", nargs="+", choices=["sample", "msrd", "onet"])
    options = parser.parse_args()
    figures = {"date": harness.today(), "sets": {name: measure(name) for name in options.sets}}
    harness.write(options.json, figures)
    print(*figures["sets"].items(), sep="\n")
