"""What each setting of Algorithm 1 does, one changed at a time:
gamma, n, mu, the clipping, T, and which gradient.

    python -m benchmarks.experiments.settings [--seeds 3] [--epochs 15] [--json FILE]

The sample data, an LSTM of 32 cells, `lstm_edu.PAPER` but for a constant mu of 0.9 and a step size
of 0.0016, which is not searched again for each change. Costs of different gamma or n cannot be
compared, so what counts is nDCG@10 on a tenth of the training queries, held out, after every epoch.
"""

import itertools
import json
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor

import lstm_edu

from . import experiment as harness

SAMPLE = lstm_edu.sample()
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
    # the same step in the long run, step / (1 - mu)
    "mu, step (1 - mu) / 0.1 as large": [
        {"momentum": mu, "step_size": round(0.016 * (1 - mu), 8)}
        for mu in (0.0, 0.5, 0.9, 0.99, 0.995)
    ],
    "clip": [{"clip": clip} for clip in (1.0, 10.0, 30.0, 100.0, 1e9)],
    "T": [{"truncate": T} for T in (0, 1, 2, 4, None)],
    "method": [{"method": method} for method in ("bptt", "printed")],
}


def run(settings, seed, epochs):
    """The history of a training, or what went wrong."""
    pairs = lstm_edu.read_pairs(os.path.join(SAMPLE, "train_pairs.tsv"))
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(32), hashing, seed, tied=False)
    try:
        history = lstm_edu.train(
            model, pairs, epochs=epochs, held_out=0.1, seed=seed, progress=False, **settings
        )
    except lstm_edu.InputError as error:  # a step so large that the cost overflows
        return {"error": str(error)}
    names = "cost", "held_out", "gradient_norm_query"
    return {name: [round(value, 4) for value in history[name]] for name in names}


def main():
    parser = harness.parser(__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=15)
    args = parser.parse_args()
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        pending = {}  # every setting once, though the base occurs in each group
        every = [changed for group in CHANGES.values() for changed in group]
        for changed, seed in itertools.product(every, range(args.seeds)):
            settings = BASE | changed
            key = json.dumps([settings, seed])
            pending.setdefault(key, pool.submit(run, settings, seed, args.epochs))
        groups = {}
        for name, changes in CHANGES.items():
            groups[name] = []
            for changed in changes:
                runs = [
                    pending[json.dumps([BASE | changed, seed])].result()
                    for seed in range(args.seeds)
                ]
                groups[name].append({"changed": changed, "runs": runs})
                ends = (f"{r['held_out'][-1]:.4f}" if "held_out" in r else "  error" for r in runs)
                print(f"{name:34}", " ".join(ends), changed, flush=True)
    figures = {
        "date": harness.today(),
        "command": "python -m benchmarks.experiments.settings",
        "cell": "LSTM(32)",
        "base": BASE,
        "epochs": args.epochs,
        "seeds": args.seeds,
        "groups": groups,
    }
    harness.write(args.json, figures, indent=None)


if __name__ == "__main__":
    main()
