"""Compare the chosen settings of each Adam-trained row with the defaults, and rows with each other.

    python -m benchmarks.experiments.choices sample msrd onet [--splits 3] [--json FILE]

Each split holds out a tenth of the log's queries, as hard searches
(`lstm_tools.table_iv.held_out.searches`), except queries by which a search has chosen settings.
Every row by Adam is trained on the rest twice, with its settings from table_iv_SET.json and with
the defaults of `lstm_edu.train`; the split's number is the seed. The figures are nDCG@10, and the
leads of the chosen settings over the defaults, of each row over `lstm_best`, and of the models of
`SIZES` over `bag_300`. These show whether two directions help only by their size. The 95 %
intervals add the variance over the queries and that between splits. A query in several splits
counts once, with its mean. No judgment is read.
"""

from collections import defaultdict

import numpy as np

import lstm_edu
from lstm_course.lessons import claims
from lstm_edu.cells import Bag
from lstm_edu.training.settings import usual_epochs
from lstm_tools.table_iv.search import GAMMA, SPLITS, STEP_SIZE
from lstm_tools.table_iv.trained import TRAINED, Row

from . import experiment

ROWS = [name for name, row in TRAINED.items() if row.n == "batch"]
# with twice the parameters of `bag_300`, and half those of `lstm_best`, and the settings of these
SIZES = {
    "bag_600": (Row(Bag(600), "batch"), "bag_300"),
    "both_48": (Row(lstm_edu.Bidirectional(lstm_edu.LSTM(48)), "batch"), "lstm_best"),
}


def held_out_ndcg(name, row, chosen, split):
    """Train a row on one split's log; return nDCG@10 per held-out query."""
    chose = set()
    for seed in range(SPLITS):
        chose.update(search.query for search in experiment.split(name, seed)[1])
    kept, searches = experiment.split(name, split)
    searches = [search for search in searches if search.query not in chose]
    if chosen is None:
        epochs = usual_epochs(len(kept))
        chosen = {"step_size": STEP_SIZE, "gamma": GAMMA, "epochs": epochs}
    row = SIZES[row][0] if row in SIZES else TRAINED[row]
    model = row.fit(kept, split, **chosen)
    values = experiment.at_10(model, searches).tolist()
    return {search.query: value for search, value in zip(searches, values)}


def summary(one, other=None):
    """Summarise per-query nDCG over the splits, or its lead over another row's."""
    if other:
        both = zip(one, other)
        one = [{query: ndcg - b[query] for query, ndcg in a.items()} for a, b in both]
    of_query = defaultdict(list)
    for split in one:
        for query, value in split.items():
            of_query[query].append(value)
    values = np.array([np.mean(each) for each in of_query.values()])
    of_split = np.array([np.mean([*split.values()]) for split in one])
    variance = sum(means.var(ddof=1) / len(means) for means in (values, of_split))
    mean, half = values.mean(), 1.96 * np.sqrt(variance)
    numbers = {"mean": mean, "low": mean - half, "high": mean + half}
    return experiment.rounded(numbers) | {
        "by split": of_split.round(4).tolist(),
        "queries": len(values),
    }


def measure(name, n_splits):
    """Measure all figures of one set."""
    table = claims.by_row(experiment.stored(f"table_iv_{name}"))
    chosen = {row: table[row]["chosen"] for row in ROWS if row in table}
    how = {(row, "chosen"): settings for row, settings in chosen.items()}
    how |= {(row, "defaults"): None for row in chosen}
    how |= {(row, "size"): table[like]["chosen"] for row, (_, like) in SIZES.items()}
    splits = range(SPLITS, SPLITS + n_splits)  # the searches chose by the splits before
    tasks = [(name, row, settings, k) for (row, _), settings in how.items() for k in splits]
    runs = iter(experiment.run(held_out_ndcg, tasks))
    found = {key: [next(runs) for _ in splits] for key in how}
    best, bag = found["lstm_best", "chosen"], found["bag_300", "chosen"]
    sizes = ("lstm_96_adam", "chosen"), *((row, "size") for row in SIZES)
    return {
        "splits": n_splits,
        "chosen": chosen,
        "nDCG@10": {
            row: {how: summary(found[row, how]) for how in ("chosen", "defaults")} for row in chosen
        },
        "above the defaults": {
            row: summary(found[row, "chosen"], found[row, "defaults"]) for row in chosen
        },
        "above lstm_best": {
            row: summary(found[row, "chosen"], best) for row in chosen if row != "lstm_best"
        },
        "sizes above bag_300": {key[0]: summary(found[key], bag) for key in sizes},
    }


def main():
    args = experiment.options(__doc__, experiment.SETS, splits=3)
    sets = {name: measure(name, args.splits) for name in args.sets}
    experiment.write(args.json, {"sets": sets})


if __name__ == "__main__":
    main()
