"""Search for a trained row's settings with the best nDCG@10 on held-out searches of the log.

The paper gives n and the schedule of mu, and says that gradients are clipped. It does not give the
step size, gamma, the clipping threshold, the size of a minibatch, the initial weights, or the
number of epochs. This module chooses step size, gamma and number of epochs: `by_budget` for rows
that are trained as in the paper, `from_defaults` for rows that are trained with Adam.
"""

from contextlib import suppress

import numpy as np

from lstm_edu.ranking.ndcg import evaluate
from lstm_edu.text.hashing import plain
from lstm_edu.training.loop import NotFiniteError
from lstm_edu.training.settings import Settings, usual_epochs

from . import held_out

SEARCHES = 1500  # maximum number of held-out searches; with few, the choice would be noise
BUDGET = 6  # maximum number of training runs `by_budget` may use to choose step size and gamma
PATIENCE = 5  # a training run on the whole log stops after this many epochs without improvement
STEP_SIZE, GAMMA = Settings.step_size, Settings.gamma  # the defaults of `lstm_edu.train`
SPLITS = 3


def search(row, pairs, epochs, part=8_000):
    """Choose step size, gamma and number of epochs.

    Parameters
    ----------
    row : lstm_tools.table_iv.trained.Row
    pairs : list of (query, title)
    epochs : int
        Maximum number of epochs per training run.
    part : int
        Maximum number of pairs on which `by_budget` chooses step size and gamma. A query is used
        with all its pairs or not at all.

    Returns
    -------
    dict
        Settings for `lstm_edu.train`.
    """
    if row.n == "batch":
        return from_defaults(row, pairs, epochs)
    return by_budget(row, pairs, epochs, part)


def climb(step_size, factor, is_better):
    """Multiply a step size by a factor as long as this helps; if it never helps, divide instead."""
    for by in (factor, 1 / factor):  # if multiplying has helped, dividing can't
        while is_better(by * step_size, step_size):
            step_size *= by
    return step_size


def by_budget(row, pairs, epochs, part, seed=0):
    """Choose the settings of a row that is trained as in the paper.

    At most `BUDGET` training runs on a part of the log, each with half the epochs, choose step size
    and gamma: the step size 4e-4 is repeatedly multiplied or divided by 4 as long as this helps;
    then gamma 5 and 20 are compared with 10. Each run is evaluated at its end, because the weights
    settle only when the schedule of mu ends with a low value.

    A part of the log gives few updates, which favours large step sizes. So further training runs,
    on the whole log except the held-out queries, try the chosen step size, a quarter of it, and
    further quarters as long as the smallest step size is the best. The best epoch of these runs
    gives the step size and the number of epochs.
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
    """Return the pairs of random queries: at most ``n_pairs``, but all pairs of the first query."""
    queries = np.array([plain(query) for query, _ in pairs])
    distinct, which = np.unique(queries, return_inverse=True)
    order = np.random.default_rng([seed, 3]).permutation(len(distinct))
    place = np.empty(len(distinct), int)
    place[order] = np.cumsum(np.bincount(which)[order])
    return [pair for pair, q in zip(pairs, which) if place[q] <= max(n_pairs, place[order[0]])]


def from_defaults(row, pairs, epochs):
    """Choose the settings of a row trained with Adam; keep the defaults unless all splits improve.

    `by_budget` trains once per setting, on a part of the log. For the log "onet" it chose a step
    size and a gamma that rank worse than the defaults on other held-out queries. Here each setting
    is trained three times on the whole log except the held-out queries, with different held-out
    queries and seeds. A setting replaces another only if it is better in all three splits.

    The step size is repeatedly doubled or halved as long as this helps; then gamma 5 and 20 are
    tried. A setting is evaluated at the epoch with the best mean over the three splits. The best
    setting's epoch replaces the default number of epochs only if it, too, is better in all three
    splits.
    """
    splits = [held_out.searches(pairs, most=SEARCHES, seed=seed) for seed in range(SPLITS)]
    curves = {}  # for each setting, an (n_splits, n_epochs) array of nDCG@10

    def at_best(setting, to_beat=(-np.inf,) * SPLITS):
        """Return the nDCG@10 of each split at the epoch with the best mean.

        Training stops after a split in which no epoch exceeds ``to_beat``. The remaining splits
        are left at 0.
        """
        if setting not in curves:
            curves[setting] = found = np.zeros((SPLITS, epochs))
            chosen = dict(zip(("step_size", "gamma"), setting)) | {"epochs": epochs}
            for seed, (kept, held) in enumerate(splits):
                of_split = row.ndcg_by_epoch(kept, held, seed, **chosen)
                # of_split is shorter if the cost overflowed
                found[seed, : len(of_split)] = of_split
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
