"""The search for a trained row's settings, the same for every row that is trained the paper's way.

It uses held-out training queries. Rows by Adam have another, `from_defaults`.

The paper prints n, the schedule of mu, and that gradients are clipped; it does not print the step
size, gamma, the threshold of the clipping, the size of a minibatch, the first weights, nor how many
epochs. Three of those are searched here; the others are the same for all rows that are trained the
paper's way.
"""

from contextlib import suppress

import numpy as np

from lstm_edu.cells import CLSM, DSSM, GRU, LSTM, RNN, Attention, Bag, Bidirectional
from lstm_edu.ranking.ndcg import evaluate
from lstm_edu.text.hashing import plain
from lstm_edu.training.loop import NotFiniteError, train

from . import held_out
from .trained import model_of, settings_of

# row: cell, n
TRAINED = {
    "dssm": (DSSM(288, 96), 4),
    "clsm_1": (CLSM(1, 288, 96), 4),
    "clsm_3": (CLSM(3, 288, 96), 4),
    "clsm_5": (CLSM(5, 288, 96), 4),
    "rnn": (RNN(288), 4),
    "lstm_32": (LSTM(32), 4),
    "lstm_64": (LSTM(64), 4),
    **{f"lstm_96_n{n}": (LSTM(96), n) for n in (2, 4, 6, 8)},
    "bilstm_96": (Bidirectional(LSTM(96)), 4),
    "lstm_96_adam": (LSTM(96), "batch"),
    "lstm_best": (Bidirectional(LSTM(96)), "batch"),
    "gru": (GRU(96), 4),
    # lstm_best but for one thing: what is made of the words' outputs
    "attention_96": (Attention(Bidirectional(LSTM(96))), "batch"),
    "align_96": (Bidirectional(LSTM(96)), "batch"),
    # lstm_96_adam but for the cell
    "bag_300": (Bag(300), "batch"),
    "dssm_batch": (DSSM(288, 96), "batch"),
    "clsm_1_batch": (CLSM(1, 288, 96), "batch"),
    "rnn_batch": (RNN(288), "batch"),
    "gru_batch": (GRU(96), "batch"),
}
ALIGNED = ("align_96",)  # rows of which each is a `lstm_edu.AlignedEncoder`
BUDGET = 6  # trainings on a part of the log that a row's search may take for step size and gamma
PATIENCE = 5  # epochs without a better one, after which a training on the whole log is given up
SEARCHES = 1500  # held-out ones, if the log has so many: fewer, and chance would choose


def search(cell, n, pairs, epochs, part=8_000, seed=0):
    """Choose step size, gamma and number of epochs by nDCG@10 on hard held-out searches of the log,
    by the same rule for every cell.

    Step size and gamma by at most `BUDGET` trainings of half the epochs on a part of the log: from
    a step of 4e-4 up or down by 4 for as long as it gets better, then gamma 5 and 20 beside 10.
    Each is judged when it ends, since the schedule of mu ends low and the weights come to rest only
    then. A part has few updates and so favours large steps. Therefore trainings on the whole log
    but for what is held out: with that step, with a quarter of it, and further down by 4 for as
    long as the smallest is the best. The best one at its best epoch gives the step and the number
    of epochs.

    Parameters
    ----------
    cell, n
        As in `TRAINED`.
    pairs : list of (query, title)
    epochs : int
        The most that a training may have.
    part : int
        So many pairs at the most to choose step size and gamma by; queries are taken whole.
    seed : int

    Returns
    -------
    chosen : dict
        Settings for `lstm_edu.train`.
    tried : dict
        nDCG@10 of every step size and gamma on the part, and after every epoch of the trainings on
        the whole.
    """
    kept, held = held_out.searches(pairs, most=SEARCHES, seed=seed)
    some, tried = some_queries(kept, part, seed), {}

    def curve(pairs, epochs, step_size, gamma, each):
        settings = settings_of(n, epochs) | {"step_size": step_size, "gamma": gamma, "seed": seed}
        return by_epoch(cell, pairs, held, settings, patience=PATIENCE, each=each)

    def quality(step_size, gamma):
        if (step_size, gamma) not in tried and len(tried) < BUDGET:
            half = max(1, epochs // 2)
            (tried[step_size, gamma],) = curve(some, half, step_size, gamma, each=False)
        return tried.get((step_size, gamma), 0.0)

    step_size, gamma = 4e-4, 10.0
    for factor in (4, 0.25):  # down only if up was no better: after a step up it is known
        while quality(factor * step_size, gamma) > quality(step_size, gamma):
            step_size *= factor
    gamma = max((gamma, 5.0, 20.0), key=lambda g: quality(step_size, g))
    whole = {step_size: curve(kept, epochs, step_size, gamma, each=True)}
    while step_size == min(whole):
        whole[step_size / 4] = curve(kept, epochs, step_size / 4, gamma, each=True)
        step_size = max(whole, key=lambda step: max(whole[step]))
    epochs = int(np.argmax(whole[step_size])) + 1
    told = {f"step {step:.2g}, gamma {g:g}": round(value, 4) for (step, g), value in tried.items()}
    for step, values in whole.items():
        told[f"step {step:.2g}, by epoch"] = [round(value, 4) for value in values]
    return {"step_size": step_size, "gamma": gamma, "epochs": epochs}, told


def by_epoch(cell, pairs, held, settings, aligned=False, patience=np.inf, each=True):
    """Train a row, and rank the held-out searches after each epoch.

    Parameters
    ----------
    cell
    pairs : list of (query, title)
    held : list of Judged
    settings : dict
        Of `lstm_edu.train`, seed and epochs among them.
    aligned : bool
    patience : int
        Epochs without a better one, after which it is given up.
    each : bool
        Or else after the last epoch alone.

    Returns
    -------
    list of float
        nDCG@10; a 0 if the step is so large that the cost overflows before the first.
    """
    found, model = [], model_of(cell, pairs, settings["seed"], aligned)

    def after_epoch(model, history):
        if each or len(history["cost"]) == settings["epochs"]:
            found.append(evaluate(model, held)["nDCG@10"])
        return len(found) - 1 - np.argmax(found or [0]) >= patience

    with suppress(NotFiniteError):
        train(model, pairs, progress=False, callback=after_epoch, **settings)
    return found or [0.0]


def some_queries(pairs, n_pairs, seed=0):
    """Draw queries at random, with all their pairs, about ``n_pairs`` of these at the most."""
    queries = np.array([plain(query) for query, _ in pairs])
    distinct, which = np.unique(queries, return_inverse=True)
    order = np.random.default_rng([seed, 3]).permutation(len(distinct))
    place = np.empty(len(distinct), int)
    place[order] = np.cumsum(np.bincount(which)[order])
    return [pair for pair, q in zip(pairs, which) if place[q] <= max(n_pairs, place[order[0]])]
