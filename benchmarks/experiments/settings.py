"""Vary the settings of Algorithm 1 one at a time: gamma, n, mu, clipping, T, and the gradient.

    python -m benchmarks.experiments.settings [--seeds 3] [--epochs 15] [--json FILE]

An LSTM of 32 cells is trained on the sample with `lstm_edu.PAPER`, except for clipping at 100, a
constant mu of 0.9 and a step size of 0.0016, which is not tuned for each change. Costs
with different gamma or n cannot be compared, so the figures are nDCG@10 on held-out queries, a
tenth of the training queries, after every epoch.
"""

import lstm_edu

from . import experiment

BASE = lstm_edu.PAPER | {
    "momentum": 0.9,
    "step_size": 0.0016,
    "clip": 100.0,
    "truncate": None,
    "method": "bptt",
}
CHANGES = {
    "gamma": [{"gamma": gamma} for gamma in (1.0, 2.0, 5.0, 10.0, 20.0, 40.0)],
    "n": [{"n_negatives": n} for n in (1, 2, 4, 8, 16, "batch")],
    "mu": [{"momentum": mu} for mu in (0.0, 0.5, 0.9, 0.99, 0.995, "schedule")],
    # step sizes with equal step / (1 - mu), which is the effective step size
    "mu, step (1 - mu) / 0.1 as large": [
        {"momentum": mu, "step_size": round(0.016 * (1 - mu), 8)}
        for mu in (0.0, 0.5, 0.9, 0.99, 0.995)
    ],
    "clip": [{"clip": clip} for clip in (1.0, 10.0, 30.0, 100.0, 1e9)],
    "T": [{"truncate": T} for T in (0, 1, 2, 4, None)],
    "method": [{"method": method} for method in ("bptt", "printed")],
}


def history(settings, epochs, seed):
    """Train a model; return its history, or the error if the cost overflows."""
    how = {"tied": False, "epochs": epochs, "held_out": 0.1} | settings
    try:
        _, found = experiment.trained(lstm_edu.LSTM(32), experiment.data().pairs, seed, **how)
    except lstm_edu.InputError as error:
        return {"error": str(error)}
    names = "cost", "held_out", "gradient_norm_query"
    return {name: [round(value, 4) for value in found[name]] for name in names}


if __name__ == "__main__":
    args = experiment.options(__doc__, seeds=3, epochs=15)
    rows = {
        (group, k): (BASE | changed, args.epochs)
        for group, changes in CHANGES.items()
        for k, changed in enumerate(changes)
    }
    runs, groups = experiment.by_row(history, rows, range(args.seeds)), {}
    for group, changes in CHANGES.items():
        groups[group] = [
            {"changed": changed, "runs": runs[group, k]} for k, changed in enumerate(changes)
        ]
    how = {"cell": "LSTM(32)", "base": BASE, "epochs": args.epochs, "seeds": args.seeds}
    experiment.write(args.json, how | {"groups": groups})
