"""What the three sets of Table IV are like: how many titles, how known and how alike they are.

    python -m benchmarks.experiments.sets sample msrd onet [--json FILE]

The figures are counts of the training pairs, how often a query shares a word with its relevant
titles and with its Bad ones, and the nDCG@10 of two rankers that read nothing: by a title's number
of training pairs, and in random order, exactly. No model is trained.
"""

from collections import Counter

import numpy as np

from lstm_edu.ranking.ndcg import ndcg
from lstm_tools.table_iv.terms import terms

from . import experiment


def measure(name):
    """Return all figures of one set."""
    _, pairs, judgments = experiment.data(name)
    listed, judged = Counter(title for _, title in pairs), {True: [], False: []}
    for search in judgments:
        for title, grade in zip(search.titles, search.grades):
            judged[grade > 0].append((search.query, title))
    queries, titles = zip(*judged[True])

    def sharing(some):
        return np.mean([bool({*terms(query)} & {*terms(title)}) for query, title in some])

    def at_10(score):
        found = [ndcg([*map(score, each.titles)], each.grades, 10) for each in judgments]
        return np.nanmean(found)

    counts = {"pairs": len(pairs), "titles": len(listed)}
    return counts | experiment.rounded(
        {
            "titles known": np.mean([title in listed for title in titles]),
            "relevant share a word": sharing(judged[True]),
            "bad share a word": sharing(judged[False]),
            "words of a query": np.mean([len(terms(text)) for text in queries]),
            "words of a relevant title": np.mean([len(terms(text)) for text in titles]),
            "nDCG@10 by number of pairs": at_10(lambda title: listed[title]),
            "nDCG@10 in random order": at_10(lambda title: 0),
        }
    )


if __name__ == "__main__":
    args = experiment.options(__doc__, experiment.SETS)
    experiment.write(args.json, {"sets": {name: measure(name) for name in args.sets}})
