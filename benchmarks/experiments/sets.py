"""Describe the three data sets of Table IV: titles, titles seen in training, shared words.

    python -m benchmarks.experiments.sets sample msrd onet [--json FILE]

The figures are counts of training pairs and titles, the shares of relevant and of Bad titles that
have a word of the query, and the nDCG@10 of two rankers that ignore the texts: one ranks titles by
their number of training pairs, the other in random order (computed exactly). No model is trained.
"""

from collections import Counter

import numpy as np

from lstm_edu.ranking.ndcg import ndcg
from lstm_tools.table_iv.terms import terms

from . import experiment


def measure(name):
    """Count one data set's titles, titles seen in training, and words shared with queries."""
    _, pairs, judgments = experiment.data(name)
    listed, judged = Counter(title for _, title in pairs), {True: [], False: []}
    for search in judgments:
        for title, grade in zip(search.titles, search.grades):
            judged[grade > 0].append((search.query, title))

    def sharing(texts):
        return np.mean([bool({*terms(query)} & {*terms(title)}) for query, title in texts])

    def at_10(score):
        found = [ndcg([*map(score, each.titles)], each.grades, 10) for each in judgments]
        return np.nanmean(found)

    counts = {"pairs": len(pairs), "titles": len(listed)}
    return counts | experiment.rounded(
        {
            "titles known": np.mean([title in listed for _, title in judged[True]]),
            "relevant share a word": sharing(judged[True]),
            "bad share a word": sharing(judged[False]),
            "nDCG@10 by number of pairs": at_10(lambda title: listed[title]),
            "nDCG@10 in random order": at_10(lambda title: 0),
        }
    )


if __name__ == "__main__":
    args = experiment.options(__doc__, experiment.SETS)
    experiment.write(args.json, {"sets": {name: measure(name) for name in args.sets}})
