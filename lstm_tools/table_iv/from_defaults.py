"""The search for the settings of a row by Adam: from the package's defaults, and back to them where
nothing is surely better.

The search of the paper's rows chooses by a part of the log and by one training; on onet it so took
a step and a gamma that rank worse than the defaults on queries that chose nothing. Here the
defaults are among the candidates, each candidate is trained on all of the log but for what is held
out, three times with other queries held out and another seed, and one takes the place of another
only if it is better all three times.
"""

import numpy as np

from lstm_edu.training.settings import usual_epochs

from . import held_out
from .trained import settings_of
from .tuning import SEARCHES, by_epoch

STEP_SIZE, GAMMA = 0.002, 10.0  # of `lstm_edu.train`
SPLITS = 3


def search(cell, pairs, epochs, aligned=False):
    """Choose step size, gamma and number of epochs by nDCG@10 on hard held-out searches of the log.

    The step goes up or down by 2 for as long as that is better; then gamma 5 and 20 are tried
    beside 10. Each stands for itself at its best epoch, by the mean of the splits. That epoch takes
    the place of the one that `lstm_edu.train` would end with by the same rule.

    Parameters
    ----------
    cell
    pairs : list of (query, title)
    epochs : int
        The most that a training may have.
    aligned : bool
        As `lstm_tools.table_iv.trained.fit` has it.

    Returns
    -------
    chosen : dict
        Settings for `lstm_edu.train`.
    tried : dict
        By setting, nDCG@10 after every epoch of each split that was tried.
    """
    splits = [held_out.searches(pairs, most=SEARCHES, seed=seed) for seed in range(SPLITS)]
    curves = {}

    def curve(setting, to_beat=(-np.inf,) * SPLITS):
        """Of each split by epoch, (n_splits, epochs).

        Zeros after a split in which no epoch beats the other setting: it cannot win any more.
        """
        if setting not in curves:
            how = settings_of("batch", epochs) | dict(zip(("step_size", "gamma"), setting))
            curves[setting] = found = np.zeros((SPLITS, epochs))  # or where the cost overflows
            for seed, (kept, held) in enumerate(splits):
                of_split = by_epoch(cell, kept, held, how | {"seed": seed}, aligned)
                found[seed, : len(of_split)] = of_split
                if found[seed].max() <= to_beat[seed]:
                    break
        return curves[setting]

    def at_best(setting, *to_beat):
        found = curve(setting, *to_beat)
        return found[:, found.mean(axis=0).argmax()]

    def better(setting, other):
        to_beat = at_best(other)
        return bool((at_best(setting, to_beat) > to_beat).all())

    step_size = STEP_SIZE
    for factor in (2, 0.5):  # down only if up was no better: after a step up it is known
        while better((factor * step_size, GAMMA), (step_size, GAMMA)):
            step_size *= factor
    chosen = step_size, GAMMA
    others = [(step_size, gamma) for gamma in (5.0, 20.0)]
    others = [setting for setting in others if better(setting, chosen)]
    chosen = max([chosen, *others], key=lambda setting: at_best(setting).mean())
    usual = min(epochs, usual_epochs(len(splits[0][0])))
    best = int(curve(chosen).mean(axis=0).argmax()) + 1
    if not (curve(chosen)[:, best - 1] > curve(chosen)[:, usual - 1]).all():
        best = usual
    told = {
        f"step {step:.2g}, gamma {gamma:g}, by epoch": values[values.any(axis=1)].round(4).tolist()
        for (step, gamma), values in curves.items()
    }
    return {"step_size": chosen[0], "gamma": chosen[1], "epochs": best}, told
