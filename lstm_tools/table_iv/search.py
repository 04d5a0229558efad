"""The search for the settings of a trained row, by nDCG@10 of hard held-out searches of the log.

The paper gives n, the schedule of mu, and that gradients are clipped. It gives neither the step
size, gamma, the threshold of the clipping, the size of a minibatch, the first weights, nor the
number of epochs. Step size, gamma and the number of epochs are searched here, by one rule for all
rows that are trained the paper's way and by another for the rows that are trained by Adam.
"""

from contextlib import suppress

import numpy as np

from lstm_edu.ranking.ndcg import evaluate
from lstm_edu.text.hashing import plain
from lstm_edu.training.loop import NotFiniteError
from lstm_edu.training.settings import Settings, usual_epochs

from . import held_out

SEARCHES = 1500  # held-out searches at most; a choice by few would be random
BUDGET = 6  # trainings on a part of the log to choose step size and gamma of a paper's row
PATIENCE = 5  # epochs without a better one until a training on the whole log is stopped
STEP_SIZE, GAMMA = Settings.step_size, Settings.gamma  # the defaults
SPLITS = 3


def search(row, pairs, epochs, part=8_000):
    """Choose step size, gamma and number of epochs.

    Parameters
    ----------
    row : lstm_tools.table_iv.trained.Row
    pairs : list of (query, title)
    epochs : int
        Maximum of epochs per training.
    part : int
        Maximum of pairs to search step size and gamma of a paper's row on; a query is taken with
        all its pairs.

    Returns
    -------
    dict
        Settings for `lstm_edu.train`.
    """
    if row.n == "batch":
        return from_defaults(row, pairs, epochs)
    return by_budget(row, pairs, epochs, part)


def climb(step_size, factor, is_better):
    """Multiply a step size by a factor as long as that is better, or else divide it."""
    for by in (factor, 1 / factor):  # after a step up, one down is known to be worse
        while is_better(by * step_size, step_size):
            step_size *= by
    return step_size


def by_budget(row, pairs, epochs, part, seed=0):
    """Search for a row that is trained the paper's way.

    At most `BUDGET` trainings of half the epochs on a part of the log choose step size and gamma:
    from a step of 4e-4 up or down by 4 as long as it gets better, then gamma 5 and 20 as well as
    10. Each training is evaluated at its end, because mu's schedule ends low and the weights settle
    only then. A part has few updates and so favours large steps. Therefore trainings on the whole
    log except the held-out queries follow: with that step, with a quarter of it, and further down
    by 4 as long as the smallest step is the best. The best training at its best epoch gives the
    step and the number of epochs.
    """
    kept, held = held_out.searches(pairs, most=SEARCHES, seed=seed)
    sample, tried = some_queries(kept, part, seed), {}

    def quality(step_size, gamma):
        chosen = {"step_size": step_size, "gamma": gamma}
        if (step_size, gamma) not in tried and len(tried) < BUDGET:
            tried[step_size, gamma] = 0.0
            with suppress(NotFiniteError):
                model = row.fit(sample, seed, epochs=max(1, epochs // 2), **chosen)
                tried[step_size, gamma] = evaluate(model, held)["nDCG@10"]
        return tried.get((step_size, gamma), 0.0)

    step_size = climb(4e-4, 4, lambda step, other: quality(step, GAMMA) > quality(other, GAMMA))
    gamma = max((GAMMA, 5.0, 20.0), key=lambda gamma: quality(step_size, gamma))

    def by_epoch(step_size):
        chosen = {"step_size": step_size, "gamma": gamma, "epochs": epochs}
        return row.ndcg_by_epoch(kept, held, seed, PATIENCE, **chosen)

    whole = {step_size: by_epoch(step_size)}
    while step_size == min(whole):
        whole[step_size / 4] = by_epoch(step_size / 4)
        step_size = max(whole, key=lambda step: max(whole[step]))
    best = int(np.argmax(whole[step_size])) + 1
    return {"step_size": step_size, "gamma": gamma, "epochs": best}


def some_queries(pairs, n_pairs, seed=0):
    """Draw queries at random, with all their pairs: about ``n_pairs`` pairs at most."""
    queries = np.array([plain(query) for query, _ in pairs])
    distinct, which = np.unique(queries, return_inverse=True)
    order = np.random.default_rng([seed, 3]).permutation(len(distinct))
    place = np.empty(len(distinct), int)
    place[order] = np.cumsum(np.bincount(which)[order])
    return [pair for pair, q in zip(pairs, which) if place[q] <= max(n_pairs, place[order[0]])]


def from_defaults(row, pairs, epochs):
    """Search for a row by Adam: start from the package's defaults, and keep them unless another
    setting is surely better.

    `by_budget` chooses by one training on a part of the log; on onet it chose a step and a gamma
    that rank worse than the defaults on other held-out queries. Here each candidate is trained on
    the whole log except the held-out queries, three times, each with other held-out queries and
    another seed. It replaces another candidate only if it is better all three times.

    The step goes up or down by 2 as long as that is better; then gamma 5 and 20 are tried. Each
    candidate is evaluated at its best epoch, by the mean of the splits. By the same rule, that
    epoch replaces the one that `lstm_edu.train` would end with.
    """
    splits = [held_out.searches(pairs, most=SEARCHES, seed=seed) for seed in range(SPLITS)]
    curves = {}  # nDCG@10 by split and epoch, of each setting

    def at_best(setting, to_beat=(-np.inf,) * SPLITS):
        """Return nDCG@10 by split, at the best epoch.

        After a split in which no epoch beats the other setting, the rest is 0: it has lost.
        """
        if setting not in curves:
            curves[setting] = found = np.zeros((SPLITS, epochs))
            chosen = dict(zip(("step_size", "gamma"), setting)) | {"epochs": epochs}
            for seed, (kept, held) in enumerate(splits):
                of_split = row.ndcg_by_epoch(kept, held, seed, **chosen)
                found[seed, : len(of_split)] = of_split  # fewer where the cost overflows
                if found[seed].max() <= to_beat[seed]:
                    break
        return curves[setting][:, curves[setting].mean(axis=0).argmax()]

    def is_better(setting, other):
        to_beat = at_best(other)
        return bool((at_best(setting, to_beat) > to_beat).all())

    step_size = climb(STEP_SIZE, 2, lambda step, other: is_better((step, GAMMA), (other, GAMMA)))
    others = [(step_size, gamma) for gamma in (5.0, 20.0)]
    others = [setting for setting in others if is_better(setting, (step_size, GAMMA))]
    best = max([(step_size, GAMMA), *others], key=lambda setting: at_best(setting).mean())
    usual = min(epochs, usual_epochs(len(splits[0][0])))
    n_epochs = int(curves[best].mean(axis=0).argmax()) + 1
    if not (curves[best][:, n_epochs - 1] > curves[best][:, usual - 1]).all():
        n_epochs = usual
    return {"step_size": best[0], "gamma": best[1], "epochs": n_epochs}
