"""What `lstm_edu.train` should do by default: how both sides start, which optimizer, its step, and
for how many epochs.

    python benchmarks/defaults.py LOG ... [--seeds 3] [--only WORDS] --json benchmarks/defaults.json

A LOG is a folder with a train_pairs.tsv, or a number: so many pairs by the sample's generator. Held
out is a tenth of the log's queries, as hard searches (`lstm_tools.table_iv.held_out`); after
every epoch the model, an LSTM of 96 cells, ranks their titles. No judgment is read. The momentum
and the average do not depend on the number of epochs, so a curve's beginning is a shorter training.
What the JSON holds already is not done again.
"""

import json
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

import harness

import lstm_edu
from lstm_course.sample import synthetic
from lstm_tools.table_iv import held_out

ADAM, NESTEROV = {"optimizer": "adam"}, {"optimizer": "nesterov", "momentum": 0.9}
# name: how the sides start, and settings of train
TRIED = {
    "nesterov .002": (False, NESTEROV | {"step_size": 0.002}),  # the defaults until 0.2
    "tied nesterov .001": (True, NESTEROV | {"step_size": 0.001}),
    "tied nesterov .002": (True, NESTEROV | {"step_size": 0.002}),
    "tied nesterov .002, no average": (
        True,
        NESTEROV | {"step_size": 0.002, "average": None},
    ),
    "tied nesterov .004": (True, NESTEROV | {"step_size": 0.004}),
    "tied adam .0005": (True, ADAM | {"step_size": 0.0005}),
    "tied adam .001": (True, ADAM | {"step_size": 0.001}),
    "tied adam .002": (True, ADAM | {"step_size": 0.002}),
    "tied adam .004": (True, ADAM | {"step_size": 0.004}),
    "tied adam .004, no average": (True, ADAM | {"step_size": 0.004, "average": None}),
    "tied adam .002, no average": (True, ADAM | {"step_size": 0.002, "average": None}),
    "tied adam .008": (True, ADAM | {"step_size": 0.008}),
    "adam .002": (False, ADAM | {"step_size": 0.002}),
}
SAME = {"n_negatives": "batch", "gamma": 10.0, "clip": 100.0, "average": 0.998, "batch_size": 256}
PAIRS = 600_000  # gone through in a training, but for short logs
LEAST, MOST, SEARCHES = 3, 60, 1500  # epochs, held-out searches


def pairs_of(log):
    """The pairs of a folder, or so many of the generator's."""
    if log.isdecimal():
        return synthetic.generate(0, n_pairs=int(log)).pairs
    return lstm_edu.read_pairs(os.path.join(log, "train_pairs.tsv"))


def curve(log, name, seed):
    """nDCG@10 on the held-out searches after every epoch, and the seconds of training till then."""
    kept, held = held_out.searches(pairs_of(log), most=SEARCHES, seed=seed)
    tied, settings = TRIED[name]
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in kept for text in pair)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(96), hashing, seed, tied=tied)
    found, seconds = [], []

    def after_epoch(model, history):
        seconds.append(round(sum(history["seconds"]), 2))
        found.append(round(lstm_edu.evaluate(model, held)["nDCG@10"], 4))

    epochs = max(LEAST, min(MOST, round(PAIRS / len(kept))))
    try:
        lstm_edu.train(
            model,
            kept,
            epochs=epochs,
            seed=seed,
            progress=False,
            callback=after_epoch,
            **SAME | settings,
        )
    except lstm_edu.InputError as error:  # a step so large that the cost overflows
        return {"error": str(error), "ndcg": found, "seconds": seconds}
    return {"ndcg": found, "seconds": seconds}


def main():
    parser = harness.parser(__doc__, required=True)
    parser.add_argument("logs", nargs="+", metavar="LOG")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", help="settings whose name holds this")
    args = parser.parse_args()
    stored = harness.stored(args.json, {"runs": {}})
    started = time.perf_counter()
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        pending = {}
        for log in args.logs:
            for name in TRIED:
                for seed in range(args.seeds):
                    key = f"{os.path.basename(os.path.normpath(log))}, {name}, seed {seed}"
                    if key not in stored["runs"] and args.only in name:
                        pending[pool.submit(curve, log, name, seed)] = key
        for future in as_completed(pending):
            found = stored["runs"][pending[future]] = future.result()
            shown = " ".join(f"{value:.3f}" for value in found["ndcg"])
            print(f"{pending[future]:38} {shown} {found.get('error', '')}", flush=True)
            figures = {
                "date": harness.today(),
                "command": "python benchmarks/defaults.py",
                "same": SAME,
                "tried": TRIED,
            }
            lines = ",\n".join(
                f"{json.dumps(key)}: {json.dumps(run)}" for key, run in stored["runs"].items()
            )
            text = json.dumps(figures)[:-1] + f', "runs": {{\n{lines}}}}}\n'
            lstm_edu._util.files.write_text(args.json, text)
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
