"""What the defaults of `lstm_edu.train` until 0.2 were chosen by: nDCG@10 on held-out training
queries. `defaults.py` chose what is different since: start, optimizer, step and epochs.

    python -m benchmarks.experiments.tune PAIRS ... [--json FILE]

A tenth of each log's queries is held out and the titles they clicked are ranked among the training
titles; no judgment is read. Each line changes one thing of those defaults, or of the paper's
setting. The figure is of the last epoch, not of the best, so that nothing is chosen twice. One
seed.
"""

import os

import lstm_edu

from . import experiment as harness

# of every line that does not say otherwise; the defaults have more, where less can be seen
EPOCHS = 15
UNTIL_0_2 = {"optimizer": "nesterov", "step_size": 0.002}  # and both sides apart
# the clipping of the runs that are stored; lstm_edu.PAPER has that of Table IV since
PAPER = lstm_edu.PAPER | {"clip": 100.0}
VARIATIONS = [
    {},
    PAPER,
    PAPER | {"step_size": 1e-4},
    PAPER | {"step_size": 4e-4},
    {"scale": 0.02},
    {"scale": 0.1},
    {"gamma": 5.0},
    {"gamma": 20.0},
    {"step_size": 0.001},
    {"step_size": 0.004},
    {"average": None},
    {"clip": 30.0},
    {"n_negatives": 4},
    {"epochs": 30},
]


def held_out_ndcg(pairs, changed, seed=0):
    """nDCG@10 on the held-out queries after the last epoch, and seconds an epoch."""
    settings = {"epochs": EPOCHS} | UNTIL_0_2 | changed
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    scale = settings.pop("scale", 0.05)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(96), hashing, seed, scale=scale, tied=False)
    history = lstm_edu.train(model, pairs, held_out=0.1, seed=seed, **settings)
    return history["held_out"][-1], sum(history["seconds"]) / len(history["seconds"])


def main():
    parser = harness.parser(__doc__)
    parser.add_argument("pairs", nargs="+")
    args = parser.parse_args()
    logs = {
        os.path.basename(os.path.dirname(os.path.abspath(path))): lstm_edu.read_pairs(path)
        for path in args.pairs
    }
    print("  ".join(f"{name:>12}" for name in logs) + "  changed")
    rows = []
    for changed in VARIATIONS:
        found = {}
        for name, pairs in logs.items():
            try:
                value, seconds = held_out_ndcg(pairs, changed)
                found[name] = {"nDCG@10": round(value, 4), "seconds an epoch": round(seconds, 2)}
            except lstm_edu.InputError as error:  # a step so large that the cost overflows
                found[name] = {"error": str(error)}
        rows.append({"changed": changed, "held out": found})
        print(
            "  ".join(f"{f.get('nDCG@10', float('nan')):12.4f}" for f in found.values()),
            "",
            ", ".join(f"{k} {v}" for k, v in changed.items()) or "(the defaults)",
            flush=True,
        )
        figures = {
            "date": harness.today(),
            "command": "python -m benchmarks.experiments.tune",
            "epochs": EPOCHS,
            "rows": rows,
        }
        harness.write(args.json, figures)


if __name__ == "__main__":
    main()
