"""Train an RNN, an LSTM and a GRU with the same number of input connections (Fig. 7).

    python -m benchmarks.experiments.curves [--seeds 5] [--epochs 50] [--json FILE]
    python -m benchmarks.experiments.curves --setting classroom --epochs 30 [--json FILE]

The first command uses the paper's sizes and setting: an RNN of 288 units and an LSTM of 96 cells, n
= 4, gamma = 10, and the schedule of mu; we add a GRU of 96 cells. The classroom's setting has 96
units and 32 cells, and the defaults of `lstm_edu.train` before version 0.2: Nesterov's momentum,
all other titles of the minibatch as negatives, averaged weights. The query and document networks
are initialised independently. A search chooses each step size: it doubles or halves the step while
nDCG@10 on held-out queries, a tenth of the training queries, improves. Then all networks are
trained on all pairs of the sample, with several seeds, and evaluated once. The figures are training
curves and nDCG@10.
"""

import numpy as np

import lstm_edu
from lstm_edu.training.loop import NotFiniteError
from lstm_tools.table_iv.search import climb

from . import experiment

CELLS = {"RNN": lstm_edu.RNN(288), "LSTM": lstm_edu.LSTM(96), "GRU": lstm_edu.GRU(96)}
CLASSROOM = {"RNN": lstm_edu.RNN(96), "LSTM": lstm_edu.LSTM(32), "GRU": lstm_edu.GRU(32)}
MOMENTUM = {"optimizer": "nesterov", "momentum": 0.9}  # other settings keep their defaults
# the stored results were trained with clipping at 100; lstm_edu.PAPER now clips as Table IV does
PAPER = lstm_edu.PAPER | {"clip": 100.0}
SETTINGS = {"paper": (CELLS, PAPER), "classroom": (CLASSROOM, MOMENTUM)}
SEARCH_EPOCHS = 15


def search(cell, setting, epochs):
    """Double or halve the setting's step size until held-out nDCG@10 no longer improves."""
    found = {}

    def held_out(step_size):
        if step_size not in found:
            how = setting | {"epochs": epochs, "step_size": step_size, "held_out": 0.1}
            try:
                _, history = experiment.trained(cell, experiment.data().pairs, tied=False, **how)
                found[step_size] = round(history["held_out"][-1], 4)
            except NotFiniteError:  # the cost overflows because the step is too large
                found[step_size] = 0.0
        return found[step_size]

    first = setting.get("step_size", 0.002)
    best = climb(first, 2, lambda step, other: held_out(step) > held_out(other))
    return best, sorted(found.items())


def curve(cell, setting, step_size, epochs, seed):
    """Train on all pairs; return the number of parameters, costs, and nDCG@10 per query."""
    how = setting | {"step_size": step_size, "epochs": epochs}
    model, history = experiment.trained(cell, experiment.data().pairs, seed, tied=False, **how)
    costs = [round(cost, 5) for cost in history["cost"]]
    return model.n_parameters, costs, experiment.at_10(model).tolist()


if __name__ == "__main__":
    args = experiment.options(__doc__, setting="paper", seeds=5, epochs=50)
    cells, setting = SETTINGS[args.setting]
    tasks = [(cell, setting, SEARCH_EPOCHS) for cell in cells.values()]
    steps = dict(zip(cells, experiment.run(search, tasks)))
    rows = {name: (cell, setting, steps[name][0], args.epochs) for name, cell in cells.items()}
    by_query, models = {}, {}
    for name, runs in experiment.by_row(curve, rows, range(args.seeds)).items():
        parameters, costs, ndcg = zip(*runs)
        by_query[name] = np.mean(ndcg, axis=0)
        models[name] = {
            "cell": str(cells[name]),
            "parameters": parameters[0],
            "step_size": steps[name][0],
            "held_out_by_step_size": {f"{step:.1e}": value for step, value in steps[name][1]},
            "cost": costs,
            "nDCG@10": experiment.over_queries(by_query[name]),
        }
    lead = experiment.over_queries(by_query["LSTM"] - by_query["RNN"])
    figures = {"setting": setting, "epochs": args.epochs, "seeds": args.seeds, "models": models}
    figures["LSTM - RNN"] = {"nDCG@10": lead}
    experiment.write(args.json, figures)
