"""RNN, LSTM and GRU with the same number of input connections: the training curves of Fig. 7,
and how well each ranks.

    python -m benchmarks.experiments.curves [--seeds 5] [--epochs 50] [--json FILE]
    python -m benchmarks.experiments.curves --classroom --epochs 30

The paper's sizes and setting: an RNN of 288 units and an LSTM of 96 cells, beside them a GRU of 96,
n = 4, gamma = 10, the schedule of mu. With --classroom 96 units and 32 cells, and what
`lstm_edu.train` did until 0.2 when told nothing: Nesterov's momentum, all of the minibatch as
negatives, averaged weights. Both sides start apart. The step size of each is chosen by the same
search: twice and half the last one for as long as nDCG@10 on a tenth of the training queries, held
out, gets better. Then all are trained on all pairs of the sample, from as many seeds, and evaluated
once. What the JSON file has of a search for the same cell and setting is not searched again.
"""

import os

import numpy as np

import lstm_edu
from lstm_edu.ranking.ndcg import DEPTHS, ndcg_by_query
from lstm_edu.ranking.statistics import interval
from lstm_edu.training.loop import NotFiniteError

from . import experiment as harness

SAMPLE = lstm_edu.sample()
CELLS = {"RNN": lstm_edu.RNN(288), "LSTM": lstm_edu.LSTM(96), "GRU": lstm_edu.GRU(96)}
# the clipping of the runs that are stored; lstm_edu.PAPER has that of Table IV since
SETTING = lstm_edu.PAPER | {"clip": 100.0}
MOMENTUM = {"optimizer": "nesterov", "momentum": 0.9}  # and else the defaults
CLASSROOM = {"RNN": lstm_edu.RNN(96), "LSTM": lstm_edu.LSTM(32), "GRU": lstm_edu.GRU(32)}
SEARCH_EPOCHS = 15


def train(cell, pairs, hashing, seed=0, **settings):
    """A model and its history."""
    model = lstm_edu.DualEncoder(cell, hashing, seed, tied=False)
    return model, lstm_edu.train(model, pairs, seed=seed, **settings)


def search(cell, pairs, hashing, setting, first):
    """nDCG@10 on held-out queries by step size:
    from ``first`` up and down until it gets no better on either side.
    """
    found = {}

    def held_out(step_size):
        if step_size not in found:
            now = {"epochs": SEARCH_EPOCHS, "step_size": step_size, "held_out": 0.1}
            try:
                _, history = train(cell, pairs, hashing, **(setting | now))
                found[step_size] = round(history["held_out"][-1], 4)
            except NotFiniteError:  # so large that the cost overflows
                found[step_size] = 0.0
            print(f"  step {step_size:.1e}: held-out nDCG@10 {found[step_size]:.4f}", flush=True)
        return found[step_size]

    best, worse = first, set()
    while worse != {2 * best, best / 2}:
        worse = set()
        for other in (2 * best, best / 2):
            if held_out(other) > held_out(best):
                best = other
                break
            worse.add(other)
    return best, found


def searched(stored, name, cell, setting):
    """Step size and what led to it, if a run of the same cell and setting is stored; else None."""
    model = stored.get("models", {}).get(name)
    if model is None or (model["cell"], stored["setting"]) != (str(cell), setting):
        return None
    found = {float(step): value for step, value in model["held_out_by_step_size"].items()}
    return model["step_size"], found


def measure(cells, setting, seeds, epochs, stored):
    """Everything, as a dict to print and to store."""
    pairs = lstm_edu.read_pairs(os.path.join(SAMPLE, "train_pairs.tsv"))
    judgments = lstm_edu.read_judgments(os.path.join(SAMPLE, "judgments.tsv"))
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    models, by_query = {}, {}
    for name, cell in cells.items():
        print(name, flush=True)
        first = setting.get("step_size", 0.002)
        known = searched(stored, name, cell, setting)
        step_size, found = known or search(cell, pairs, hashing, setting, first)
        costs, ndcg = [], []
        for seed in range(seeds):
            model, history = train(
                cell, pairs, hashing, seed, **(setting | {"epochs": epochs, "step_size": step_size})
            )
            costs.append([round(cost, 5) for cost in history["cost"]])
            ndcg.append(ndcg_by_query(model, judgments))
            print(
                f"  seed {seed}: cost {costs[-1][-1]:.4f}, nDCG@10 {ndcg[-1][:, 2].mean():.4f}",
                flush=True,
            )
        by_query[name] = np.mean(ndcg, axis=0)
        models[name] = {
            "cell": str(cell),
            "parameters": model.n_parameters,
            "step_size": step_size,
            "held_out_by_step_size": {f"{s:.1e}": value for s, value in sorted(found.items())},
            "cost": costs,
            **_intervals(by_query[name]),
        }
    return {
        "date": harness.today(),
        "command": "python -m benchmarks.experiments.curves"
        + " --classroom" * (cells is CLASSROOM),
        "setting": setting,
        "epochs": epochs,
        "seeds": seeds,
        "search_epochs": SEARCH_EPOCHS,
        "models": models,
        **{
            f"{one} - {other}": _intervals(by_query[one] - by_query[other])
            for one, other in (("LSTM", "RNN"), ("GRU", "RNN"), ("GRU", "LSTM"))
        },
    }


def _intervals(values):
    return {
        f"nDCG@{k}": dict(zip(("mean", "low", "high"), np.round(interval(column), 4).tolist()))
        for k, column in zip(DEPTHS, values.T)
    }


def main():
    parser = harness.parser(__doc__)
    parser.add_argument("--classroom", action="store_true")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=50)
    args = parser.parse_args()
    cells, setting = (CLASSROOM, MOMENTUM) if args.classroom else (CELLS, SETTING)
    stored = harness.stored(args.json, {})
    figures = measure(cells, setting, args.seeds, args.epochs, stored)
    for name, model in figures["models"].items():
        print(
            f"{name}: {model['parameters']:,} parameters, step {model['step_size']:.1e}, "
            f"cost {np.mean(model['cost'], axis=0)[-1]:.4f}, nDCG@10 {model['nDCG@10']}"
        )
    for name in figures:
        if " - " in name:
            print(f"{name}:", figures[name]["nDCG@10"])
    harness.write(args.json, figures)


if __name__ == "__main__":
    main()
