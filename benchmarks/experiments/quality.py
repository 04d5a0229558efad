"""Measure nDCG@10 against training time for the defaults and other settings.

    python -m benchmarks.experiments.quality sample msrd onet [--seeds 1] [--json FILE]

For the curves, a tenth of the log's queries is held out as hard searches
(`lstm_tools.table_iv.held_out`), and each model ranks their titles after every epoch. The seconds
are those of training alone, one model at a time on all cores. Then the defaults, and those until
0.2, are trained on the whole log and evaluated once on the judged queries.

One training takes PyTorch's gradient with every shortcut (`torch_step`) within the same update. It
needs the extra `bench`, and is omitted without it.
"""

from unittest import mock

import numpy as np

import lstm_edu
from lstm_edu.training import loop

from ..speed.paper_scale import Others
from . import experiment

try:
    from ..speed import torch_step
except ImportError:
    torch_step = None

EPOCHS = {"sample": 24, "msrd": 10, "onet": 14}  # number of epochs of each curve
UNTIL_0_2 = {"optimizer": "nesterov", "step_size": 0.002}
LSTM, RNN = lstm_edu.LSTM(96), lstm_edu.RNN(96)
DEFAULTS, OLD, SHORTCUTS = "the defaults", "the defaults until 0.2", "PyTorch, every shortcut"
# maps a name to the cell and settings for `experiment.trained`
WAYS = {
    DEFAULTS: (LSTM, {}),
    "Nesterov's momentum, both sides alike": (LSTM, UNTIL_0_2),
    OLD: (LSTM, UNTIL_0_2 | {"tied": False}),
    "the paper's setting": (LSTM, lstm_edu.PAPER),
    "RNN": (RNN, {}),
}


def ours(way, pairs, epochs, seed, look):
    """Train a model, call `look` after every epoch, and return the seconds up to each epoch."""
    (cell, settings), seconds = WAYS[way], []

    def after_epoch(model, history):
        seconds.append(sum(history["seconds"]))
        look(model)

    experiment.trained(cell, pairs, seed, epochs=epochs, callback=after_epoch, **settings)
    return seconds


def trained(way, *how):
    """Train with the settings that ``way`` names; for `SHORTCUTS`, use PyTorch's gradient."""
    if way != SHORTCUTS:
        return ours(way, *how)
    with mock.patch.object(loop, "minibatch_gradient", torch_step.gradient):
        return ours(DEFAULTS, *how)


def curves(name, seeds, epochs):
    """Measure held-out nDCG@10 and seconds per setting, seed and epoch on one data set."""
    found = {way: [] for way in (*WAYS, *([SHORTCUTS] if torch_step else []))}
    for seed in range(seeds):
        kept, held = experiment.split(name, seed)
        for way, runs in found.items():
            ndcg, others = [], Others()
            look = lambda model: ndcg.append(round(lstm_edu.evaluate(model, held)["nDCG@10"], 4))
            seconds = np.round(trained(way, kept, epochs, seed, look), 2).tolist()
            runs.append({"ndcg": ndcg, "seconds": seconds, "others": others.share()})
            print(name, way, runs[-1], flush=True)
    return found


def judged(name, seeds, epochs):
    """Train with the defaults; return nDCG@10 per judged query and seconds per epoch.

    An epoch with the defaults until 0.2 is timed, too.
    """
    _, pairs, judgments = experiment.data(name)
    by_query, seconds, until_0_2 = [], [], []
    for seed in range(seeds):
        seen = []
        look = lambda model: seen.append(experiment.at_10(model, judgments))
        seconds.append(ours(DEFAULTS, pairs, epochs, seed, look))
        by_query.append(seen)
        until_0_2.append(ours(OLD, pairs, 3, seed, lambda model: None))
    by_query = np.mean(by_query, axis=0)  # shape (n_epochs, n_queries)
    by_query = by_query[:, ~np.isnan(by_query).any(axis=0)]
    return {
        "nDCG@10": experiment.over_queries(by_query[-1]),
        "by epoch": by_query.mean(axis=1).round(4).tolist(),
        "seconds": np.mean(seconds, axis=0).round(3).tolist(),
        "seconds of an epoch until 0.2": round(float(np.diff(until_0_2, prepend=0).min()), 4),
        "queries": by_query.shape[1],
    }


def soon(runs, level):
    """Format the seconds a setting needs to reach a mean nDCG@10, and its best nDCG@10."""
    ndcg, seconds = (np.mean([run[key] for run in runs], axis=0) for key in ("ndcg", "seconds"))
    there = np.flatnonzero(ndcg >= level)
    after = f"{seconds[there[0]]:.0f} s" if len(there) else "never"
    return f"{after} ({ndcg.max():.3f})"


def table(curves):
    """Format the README's table, whose target is half a point below version 0.2's best nDCG@10."""
    levels = {
        name: np.mean([run["ndcg"] for run in runs[OLD]], axis=0).max() - 0.005
        for name, runs in curves.items()
    }
    lines = []
    for way in next(iter(curves.values())):
        cells = [f"{name} {x:.3f}: {soon(curves[name][way], x)}" for name, x in levels.items()]
        lines.append(f"| {way} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    args = experiment.options(__doc__, experiment.SETS, seeds=1, epochs=0)
    figures = {"blas": experiment.blas(), "torch": torch_step and torch_step.torch.__version__}
    figures |= {"curves": {}, "judged": {}}
    for name in args.sets:
        folder = experiment.data(name).folder.name
        figures["curves"][folder] = curves(name, args.seeds, args.epochs or EPOCHS[name])
        figures["judged"][folder] = judged(name, args.seeds, args.epochs or None)
    experiment.write(args.json, figures)
    print(table(figures["curves"]))
