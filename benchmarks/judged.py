"""nDCG of a trained model on judged queries, as the README quotes it.

    python benchmarks/judged.py FOLDER ... [--seeds 3] [--json benchmarks/judged.json]

Each folder holds train_pairs.tsv and judgments.tsv. Trains with the defaults and with the paper's
setting (`lstm_edu.PAPER`); the interval is a 95 % bootstrap over the judged queries of the mean
over seeds.
"""

import argparse
import datetime
import json
import os
import time

import numpy as np

import lstm_edu
from lstm_edu.ranking.ndcg import DEPTHS, interval, ndcg_by_query

# the clipping of the runs that are stored; lstm_edu.PAPER has that of Table IV since
SETTINGS = {"defaults": {}, "paper": lstm_edu.PAPER | {"clip": 100.0}}


def measure(folder, settings, seeds):
    """Mean, low and high of nDCG at each depth, and seconds of training."""
    pairs = lstm_edu.read_pairs(os.path.join(folder, "train_pairs.tsv"))
    judgments = lstm_edu.read_judgments(os.path.join(folder, "judgments.tsv"))
    values, seconds = [], []
    for seed in range(seeds):
        start = time.perf_counter()
        hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
        model = lstm_edu.DualEncoder(lstm_edu.LSTM(96), hashing, seed)
        lstm_edu.train(model, pairs, seed=seed, **settings)
        seconds.append(time.perf_counter() - start)
        values.append(ndcg_by_query(model, judgments))
    by_query = np.mean(values, axis=0)
    by_query = by_query[~np.isnan(by_query).any(axis=1)]
    result = {}
    for k, column in zip(DEPTHS, by_query.T):
        rounded = (round(value, 4) for value in interval(column))
        result[f"nDCG@{k}"] = dict(zip(("mean", "low", "high"), rounded))
    each = np.nanmean(values, axis=1)
    return result | {
        "seeds": [[round(float(v), 4) for v in row] for row in each],
        "seconds": round(float(np.mean(seconds)), 1),
        "queries": len(by_query),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--json")
    args = parser.parse_args()
    found = {"date": datetime.date.today().isoformat(), "data": {}}
    for folder in args.folders:
        name = os.path.basename(os.path.abspath(folder))
        for setting, settings in SETTINGS.items():
            result = measure(folder, settings, args.seeds)
            found["data"].setdefault(name, {})[setting] = result
            figures = "  ".join(
                "@{} {mean:.3f} ({low:.3f}-{high:.3f})".format(k, **result[f"nDCG@{k}"])
                for k in DEPTHS
            )
            print(f"{name:12} {setting:9}", figures, f" {result['seconds']:.0f} s", flush=True)
            if args.json:
                with open(args.json, "w", encoding="utf-8", newline="\n") as file:
                    json.dump(found, file, indent=1)
