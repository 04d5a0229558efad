"""Compare each Adam-trained row's tuned settings with the defaults, and rows with each other.

    python -m benchmarks.experiments.choices sample msrd onet [--splits 3] [--json FILE]

Each split holds out a tenth of the log's queries as hard searches
(`lstm_tools.table_iv.held_out.searches`), except queries that were used to choose settings. On the
remaining pairs, every row is trained twice: with its settings from table_iv_SET.json, and with the
defaults of `lstm_edu.train`. The split's number is the seed. The figures are three leads in
nDCG@10: the chosen settings over the defaults, each row over `lstm_best`, and the models of `SIZES`
over `bag_300`. The last shows whether two directions help only because they add parameters. The
95 % intervals add the variance over queries and the variance over splits. A query in several splits
counts once, with its mean. The judgments aren't used.
"""

from collections import defaultdict

import numpy as np

import lstm_edu
from book.build import stored
from lstm_course.lessons import claims
from lstm_edu.cells import Bag
from lstm_edu.training.settings import usual_epochs
from lstm_tools.table_iv.search import GAMMA, SPLITS, STEP_SIZE
from lstm_tools.table_iv.trained import TRAINED, Row

from . import experiment

ROWS = [name for name, row in TRAINED.items() if row.n == "batch"]
# each model, and the row with half or twice its parameters whose settings it uses
SIZES = {
    "bag_600": (Row(Bag(600), "batch"), "bag_300"),
    "both_48": (Row(lstm_edu.Bidirectional(lstm_edu.LSTM(48)), "batch"), "lstm_best"),
}


def held_out_ndcg(name, row, chosen, split):
    """Train a row on one split of a log; return nDCG@10 per held-out query."""
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


def lead(one, other):
    """Subtract another row's nDCG from a row's, per split and query."""
    return [{query: ndcg - b[query] for query, ndcg in a.items()} for a, b in zip(one, other)]


def summary(splits):
    """Summarise nDCG@10, given per split and query: mean, 95 % interval, mean of each split."""
    of_query = defaultdict(list)
    for split in splits:
        for query, value in split.items():
            of_query[query].append(value)
    of_query = np.array([np.mean(values) for values in of_query.values()])
    of_split = np.array([np.mean([*split.values()]) for split in splits])
    numbers = {"by split": of_split.round(4).tolist(), "queries": len(of_query)}
    return experiment.mean_and_ends(of_query, of_split) | numbers


def measure(name, n_splits):
    """Compare tuned settings with defaults, and rows with each other, on one data set."""
    table = claims.by_row(stored(f"table_iv_{name}"))
    chosen = {row: table[row]["chosen"] for row in ROWS if row in table}
    how = {(row, "chosen"): (name, row, settings) for row, settings in chosen.items()}
    how |= {(row, "defaults"): (name, row, None) for row in chosen}
    how |= {row: (name, row, table[like]["chosen"]) for row, (_, like) in SIZES.items()}
    # the search for settings already used the earlier splits
    found = experiment.by_row(held_out_ndcg, how, range(SPLITS, SPLITS + n_splits))
    ours = {row: found[row, "chosen"] for row in chosen}
    usual = {row: found[row, "defaults"] for row in chosen}
    sizes = {"lstm_96_adam": ours["lstm_96_adam"]} | {row: found[row] for row in SIZES}
    best, bag = ours["lstm_best"], ours["bag_300"]
    return {
        "splits": n_splits,
        "above the defaults": {row: summary(lead(ours[row], usual[row])) for row in chosen},
        "above lstm_best": {
            row: summary(lead(ours[row], best)) for row in chosen if row != "lstm_best"
        },
        "sizes above bag_300": {row: summary(lead(of_row, bag)) for row, of_row in sizes.items()},
    }


if __name__ == "__main__":
    args = experiment.options(__doc__, experiment.SETS, splits=3)
    sets = {name: measure(name, args.splits) for name in args.sets}
    experiment.write(args.json, {"sets": sets})
