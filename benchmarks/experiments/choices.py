"""What the search of the rows by Adam has chosen, held against the package's defaults and row
against row: on held-out training queries that chose nothing.

    python -m benchmarks.experiments.choices sample msrd onet [--splits 3] [--jobs 2] [--sizes]
        [--json benchmarks/results/choices.json]

Each split holds out a tenth of the log's queries, as hard searches
(`lstm_tools.table_iv.held_out.searches`), without those that a search has chosen by. Every row by
Adam is trained on the rest twice, with its settings from table_iv_SET.json and with the defaults of
`lstm_edu.train`, and the split's number as seed. Told are nDCG@10, how far the choice is above the
defaults, and each row above `lstm_best`, both with their choices: with the 95 % interval, of the
variance over the queries and that between splits together. A query that several splits hold out
counts once, with its mean. No judgment is read. The sets lie in the folder that LSTM_EDU_DATA
names, but for the sample. A set that is measured takes its place in the JSON. With `--sizes` only
the models of `SIZES` and one LSTM are trained, and told is how far they are above `bag_300`:
whether what both directions bring is their size.
"""

import json
import multiprocessing
import os
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import lstm_edu
from lstm_course.lessons import claims
from lstm_edu.cells import Bag
from lstm_edu.ranking.ndcg import ndcg_by_query
from lstm_edu.training.settings import usual_epochs
from lstm_tools.table_iv import held_out
from lstm_tools.table_iv.search import GAMMA, SEARCHES, SPLITS, STEP_SIZE
from lstm_tools.table_iv.trained import TRAINED, Row

from . import experiment as harness

ROWS = [name for name, row in TRAINED.items() if row.n == "batch"]
# of twice the parameters of `bag_300`, and of half those of `lstm_best`, by their settings
SIZES = {
    "bag_600": (Row(Bag(600), "batch"), "bag_300"),
    "both_48": (Row(lstm_edu.Bidirectional(lstm_edu.LSTM(48)), "batch"), "lstm_best"),
}


def held_out_ndcg(name, row, chosen, split):
    """nDCG@10 by held-out query, of a row trained on the rest of the log."""
    pairs = lstm_edu.read_pairs(os.path.join(harness.folder_of(name), "train_pairs.tsv"))
    chose = {
        search.query
        for seed in range(SPLITS)
        for search in held_out.searches(pairs, most=SEARCHES, seed=seed)[1]
    }
    kept, searches = held_out.searches(pairs, most=SEARCHES, seed=split)
    searches = [search for search in searches if search.query not in chose]
    chosen = chosen or {"step_size": STEP_SIZE, "gamma": GAMMA, "epochs": usual_epochs(len(kept))}
    model = (SIZES[row][0] if row in SIZES else TRAINED[row]).fit(kept, split, **chosen)
    values = ndcg_by_query(model, searches)[:, -1]
    return {search.query: value for search, value in zip(searches, values)}


def told(one, other=None):
    """Mean and interval of some splits' nDCG by query, or of its difference from another's."""
    if other:
        one = [
            {query: value - theirs[query] for query, value in ours.items()}
            for ours, theirs in zip(one, other)
        ]
    of_query = defaultdict(list)
    for split in one:
        for query, value in split.items():
            of_query[query].append(value)
    values = np.array([np.mean(own) for own in of_query.values()])
    of_split = [np.mean([*split.values()]) for split in one]
    variance = values.var(ddof=1) / len(values) + np.var(of_split, ddof=1) / len(of_split)
    mean, half = values.mean(), 1.96 * np.sqrt(variance)
    numbers = {"mean": mean, "low": mean - half, "high": mean + half}
    rounded = {key: round(float(value), 4) for key, value in numbers.items()}
    return rounded | {"by split": np.round(of_split, 4).tolist(), "queries": len(values)}


def stored(name):
    """The rows of a set's table."""
    with open(harness.RESULTS / f"table_iv_{name}.json", encoding="utf-8") as file:
        return claims.by_row(json.load(file))


def sizes(name, splits, pool):
    """How far the models of `SIZES`, and one LSTM, are above `bag_300`."""
    table, like = stored(name), {row: row for row in ("lstm_96_adam", "bag_300")}
    like |= {row: of for row, (_, of) in SIZES.items()}
    pending = {
        row: [pool.submit(held_out_ndcg, name, row, table[of]["chosen"], k) for k in splits]
        for row, of in like.items()
    }
    found = {row: [future.result() for future in futures] for row, futures in pending.items()}
    bag = found.pop("bag_300")
    return {row: told(own, bag) for row, own in found.items()}


def measure(name, splits, pool):
    """All figures of one set."""
    table = stored(name)
    rows = {row: table[row]["chosen"] for row in ROWS if row in table}
    pending = {
        (row, how): [pool.submit(held_out_ndcg, name, row, chosen, split) for split in splits]
        for row, own in rows.items()
        for how, chosen in (("chosen", own), ("defaults", None))
    }
    found = {}
    for key, futures in pending.items():
        found[key] = [future.result() for future in futures]
        print(name, *key, told(found[key]), flush=True)
    above = {row: told(found[row, "chosen"], found[row, "defaults"]) for row in rows}
    best = {row: told(found[row, "chosen"], found["lstm_best", "chosen"]) for row in rows}
    return {
        "date": harness.today(),
        "splits": len(splits),
        "chosen": rows,
        "nDCG@10": {
            row: {how: told(own) for (of, how), own in found.items() if of == row} for row in rows
        },
        "above the defaults": above,
        "above lstm_best": {row: own for row, own in best.items() if row != "lstm_best"},
    }


def main():
    parser = harness.parser(__doc__)
    parser.add_argument("sets", nargs="+", choices=["sample", "msrd", "onet"])
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sizes", action="store_true")
    options = parser.parse_args()
    figures = harness.stored(options.json, {"sets": {}})
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.jobs, mp_context=spawn) as pool:
        for name in options.sets:
            # those before are what the searches chose by
            splits = range(SPLITS, SPLITS + options.splits)
            if options.sizes:
                figures["sets"][name]["sizes above bag_300"] = sizes(name, splits, pool)
            else:
                figures["sets"].setdefault(name, {}).update(measure(name, splits, pool))
            harness.write(options.json, figures)


if __name__ == "__main__":
    main()
