"""Measure nDCG@10 against training time for the defaults and other settings.

    python -m benchmarks.experiments.quality sample msrd onet [--seeds 1] [--json FILE]

A tenth of the log's queries is held out as hard searches (`lstm_tools.table_iv.held_out`), and each
model ranks their titles after every epoch. The seconds count only training, one model at a time on
all cores.

One model is trained with the same update, but with PyTorch's gradient and the package's shortcuts
(`torch_step`). It needs the extra `bench`, and is omitted without it.
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
LSTM = lstm_edu.LSTM(96)
SHORTCUTS = "PyTorch, every shortcut"
# maps a name to the cell and settings for `experiment.trained`
WAYS = {
    "the defaults": (LSTM, {}),
    "Nesterov's momentum, both sides alike": (LSTM, UNTIL_0_2),
    "the defaults until 0.2": (LSTM, UNTIL_0_2 | {"tied": False}),
    "the paper's setting": (LSTM, lstm_edu.PAPER),
    "RNN": (lstm_edu.RNN(96), {}),
} | ({SHORTCUTS: (LSTM, {})} if torch_step else {})


def curve(way, pairs, held, epochs, seed):
    """Train a model; return held-out nDCG@10 and training seconds after each epoch.

    Also return the share of processor time that other programs used.
    """
    (cell, settings), ndcg, others = WAYS[way], [], Others()

    def look(model, history):
        ndcg.append(round(lstm_edu.evaluate(model, held)["nDCG@10"], 4))

    gradient = torch_step.gradient if way == SHORTCUTS else loop.minibatch_gradient
    with mock.patch.object(loop, "minibatch_gradient", gradient):
        how = {"epochs": epochs, "callback": look}
        _, history = experiment.trained(cell, pairs, seed, **how, **settings)
    seconds = np.cumsum(history["seconds"]).round(2).tolist()
    return {"ndcg": ndcg, "seconds": seconds, "others": others.share()}


def curves(name, seeds, epochs):
    """Measure held-out nDCG@10 and seconds per setting, seed and epoch on one data set."""
    found = {way: [] for way in WAYS}
    for seed in range(seeds):
        kept, held = experiment.split(name, seed)
        for way, runs in found.items():
            runs.append(curve(way, kept, held, epochs, seed))
            print(name, way, runs[-1], flush=True)
    return found


if __name__ == "__main__":
    args = experiment.options(__doc__, experiment.SETS, seeds=1, epochs=0)
    figures = {"blas": experiment.blas(), "torch": torch_step and torch_step.torch.__version__}
    figures["curves"] = {
        experiment.data(name).folder.name: curves(name, args.seeds, args.epochs or EPOCHS[name])
        for name in args.sets
    }
    experiment.write(args.json, figures)
