"""Whether a row of aligned words or of attention should be `lstm_best`: on held-out training
queries, paired.

    python benchmarks/best_row.py msrd onet [sample] [--splits 3] [--jobs 2]
        [--json benchmarks/best_row.json]

Each split holds out a tenth of the log's queries, as hard searches
(`lstm_edu.training.held_out.searches`); those that the rows' settings were chosen by are left out.
`lstm_best` has the settings of the tables before these rows were there, the new rows have what
their search has chosen, as table_iv_SET.json tells. All are trained on the rest of the log, with
the split's number as seed. Told are nDCG@10 and its paired difference from `lstm_best`'s; a query
that several splits hold out counts once, with its mean. No judgment is read. The sets lie in the
folder that LSTM_EDU_DATA names, but for the sample. A set that is measured takes its place in the
JSON.
"""

import json
import multiprocessing
import os
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor

import harness
import numpy as np

import lstm_edu
from lstm_course.lessons import claims
from lstm_edu.ranking.ndcg import interval, ndcg_by_query
from lstm_edu.table_iv import trained
from lstm_edu.table_iv.tuning import ALIGNED, SEARCHES, TRAINED
from lstm_edu.training import held_out

HERE = os.path.dirname(__file__)
NEW = "attention_96", "align_96"
# what lstm_best was trained with in the tables before, 2026-11-22
BEFORE = {
    "sample": {"step_size": 0.0016, "gamma": 10.0, "epochs": 16},
    "msrd": {"step_size": 0.0004, "gamma": 10.0, "epochs": 11},
    "onet": {"step_size": 0.0064, "gamma": 5.0, "epochs": 10},
}


def settings(name):
    """By row, what it is trained with on a set."""
    with open(os.path.join(HERE, f"table_iv_{name}.json"), encoding="utf-8") as file:
        rows = claims.by_row(json.load(file))
    return {"lstm_best": BEFORE[name]} | {row: rows[row]["chosen"] for row in NEW}


def held_out_ndcg(name, row, chosen, split):
    """nDCG@10 by held-out query, of a row trained on the rest of the log."""
    folder = (
        lstm_edu.sample() if name == "sample" else os.path.join(os.environ["LSTM_EDU_DATA"], name)
    )
    pairs = lstm_edu.read_pairs(os.path.join(folder, "train_pairs.tsv"))
    _, chosen_by = held_out.searches(pairs, most=SEARCHES)  # as `lstm_edu.table_iv.tuning` has them
    chosen_by = {search.query for search in chosen_by}
    kept, searches = held_out.searches(pairs, most=SEARCHES, seed=split)
    searches = [search for search in searches if search.query not in chosen_by]
    cell, n = TRAINED[row]
    model = trained.fit(cell, kept, n, split, aligned=row in ALIGNED, **chosen)
    values = ndcg_by_query(model, searches)[:, -1]
    return {search.query: value for search, value in zip(searches, values)}


def told(by_query):
    """Mean over the queries with its 95 % interval, and how many these are."""
    mean, low, high = (round(value, 4) for value in interval(by_query))
    return {"mean": mean, "low": low, "high": high, "queries": len(by_query)}


def measure(name, splits, pool):
    """All figures of one set."""
    chosen = settings(name)
    pending = {
        row: [pool.submit(held_out_ndcg, name, row, how, split) for split in splits]
        for row, how in chosen.items()
    }
    values, by_split = {}, {}
    for row, futures in pending.items():
        found = defaultdict(list)
        for future in futures:
            for query, value in future.result().items():
                found[query].append(value)
        by_split[row] = [
            round(float(np.mean(list(future.result().values()))), 4) for future in futures
        ]
        values[row] = np.array([np.mean(some) for some in found.values()])
        print(name, row, told(values[row]), "by split", by_split[row], flush=True)
    before = values["lstm_best"]
    return {
        "date": harness.today(),
        "splits": len(splits),
        "chosen": chosen,
        "nDCG@10": {row: told(own) for row, own in values.items()},
        "by split": by_split,
        "above lstm_best": {row: told(values[row] - before) for row in NEW},
    }


def main():
    parser = harness.parser(__doc__)
    parser.add_argument("sets", nargs="+", choices=list(BEFORE))
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    figures = harness.stored(options.json, {"interval": "95 % bootstrap over queries", "sets": {}})
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.jobs, mp_context=spawn) as pool:
        for name in options.sets:
            # split 0 is the one that settings are chosen by
            figures["sets"][name] = measure(name, range(1, options.splits + 1), pool)
            print(name, "above lstm_best", figures["sets"][name]["above lstm_best"], flush=True)
            harness.write(options.json, figures)


if __name__ == "__main__":
    main()
