"""How a training should end: for how many epochs, with which average of the weights, and with a
step that stays or goes down to zero.

    python benchmarks/ends.py FOLDER ... [--splits 3] --json benchmarks/ends.json

A FOLDER has a train_pairs.tsv. Held out is a tenth of the log's queries, as hard searches
(`lstm_tools.table_iv.held_out.searches`); an LSTM of 96 cells is trained as `lstm_edu.train` does,
but for what is tried. While the step stays, every epoch's end is a shorter training; a step that
goes down to zero, in a line over the updates, is a training of its own for each number of epochs.
No judgment is read. What the JSON holds already is not done again.
"""

import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

import harness

import lstm_edu
from lstm_edu.training import lazy_adam, optimizers
from lstm_tools.table_iv import held_out

AVERAGES = None, 0.99, 0.995, 0.998, 0.999
MOST, DECAYING, SEARCHES = 15, (3, 5, 7, 9), 1500
TRIED = {f"stays, average {average}": (average, MOST, False) for average in AVERAGES} | {
    f"to zero in {epochs}, average {average}": (average, epochs, True)
    for epochs in DECAYING
    for average in (None, 0.99, 0.998)
}


class Decaying(optimizers.Adam):
    """Adam with a step that goes down to zero over the updates of the training."""

    def correct(self, at, gradient, rows, map_=map):
        kept = self.weights, self.m, self.v, self.mean
        step = self.settings.step_size * (1 - self.k / self.n_updates)
        how = step, optimizers.share_kept(self.settings.average, self.k)
        self.k += 1
        lazy_adam.correct(self.coasting, *kept, at, gradient, *how, rows, self.k, map_)


def curve(folder, name, split):
    """nDCG@10 on the held-out searches after every epoch, and the seconds of training."""
    average, epochs, decays = TRIED[name]
    optimizers.KINDS["adam"] = Decaying if decays else optimizers.Adam
    pairs = lstm_edu.read_pairs(os.path.join(folder, "train_pairs.tsv"))
    kept, held = held_out.searches(pairs, most=SEARCHES, seed=split)
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in kept for text in pair)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(96), hashing, split)
    found = []

    def after_epoch(model, history):
        found.append(round(lstm_edu.evaluate(model, held)["nDCG@10"], 4))

    how = {"epochs": epochs, "average": average, "seed": split, "progress": False}
    history = lstm_edu.train(model, kept, callback=after_epoch, **how)
    return {"ndcg": found, "seconds": round(sum(history["seconds"]), 1)}


def main():
    parser = harness.parser(__doc__, required=True)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--splits", type=int, default=3)
    args = parser.parse_args()
    figures = harness.stored(args.json, {"runs": {}})
    figures |= {"command": "python benchmarks/ends.py", "tried": len(TRIED)}
    started = time.perf_counter()
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        pending = {}
        for split in range(args.splits):
            for name in TRIED:
                for folder in args.folders:
                    log = os.path.basename(os.path.normpath(folder))
                    key = f"{log}, {name}, split {split}"
                    if key not in figures["runs"]:
                        pending[pool.submit(curve, folder, name, split)] = key
        for future in as_completed(pending):
            figures["runs"][pending[future]] = run = future.result()
            print(f"{pending[future]:45}", *(f"{value:.3f}" for value in run["ndcg"]), flush=True)
            harness.write(args.json, figures | {"date": harness.today()})
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
