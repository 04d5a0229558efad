"""The settings of `lstm_edu.train`, each in one place: its default, its range, its explanation.

The signature and the docstring of `lstm_edu.train`, the checks, and the command line's options are
made from `Settings`: from its docstring, and from the ``metadata`` of its fields, `ABOUT`.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from .._util import arguments
from .._util.files import InputError
from ..gradients.cost import LARGEST_GAMMA
from .adam import Adam
from .nesterov import Lazy, Nesterov

# The paper's settings where it prints them: n = 4, the schedule of mu, no averaging. It says that
# gamma was "set empirically" and that the step size was fixed, and gives no threshold for clipping;
# those three are ours. The momentum of 0.995 adds up some 200 gradients: clipped at 10, where
# nearly all are longer, they have equal influence, and no minibatch carries the weights away. The
# rows of Table IV are trained with train(model, pairs, **PAPER).
PAPER: dict[str, Any] = {
    "n_negatives": 4,
    "gamma": 10.0,
    "optimizer": "nesterov",
    "step_size": 4e-4,
    "momentum": "schedule",
    "clip": 10.0,
    "average": None,
}

OPTIMIZERS: dict[str, type[Lazy]] = {"adam": Adam, "nesterov": Nesterov}
MOMENTUM = 0.9  # the default for "nesterov"
PAIRS, LEAST, MOST = 400_000, 3, 15  # pairs to train on by default; bounds of the epochs
CHECKS: dict[type, Callable] = {
    int: arguments.integer,
    float: arguments.number,
    str: lambda name, value, allow: arguments.choice(name, value, allow),
}


def usual_epochs(n_pairs):
    """Return the default number of epochs for a log of ``n_pairs``.

    A few epochs of a long log teach as much as many of a short one, and take as long.
    benchmarks/README.md says how the default was chosen.
    """
    return max(LEAST, min(MOST, round(PAIRS / n_pairs)))


def _setting(default, kind, *words, **bounds) -> Any:
    """Make a field of `Settings`.

    Parameters
    ----------
    default
    kind : type
        int or float; or str, if only the words are allowed.
    words : None or str
        Allowed in place of a number.
    bounds
        Bounds of a number, as `arguments.integer` and `arguments.number` take them.
    """
    return field(default=default, metadata={"kind": kind, "words": words, "bounds": bounds})


@dataclass(frozen=True)
class Settings:
    """Settings of `lstm_edu.train`, checked; InputError names the first that is out of range.

    Parameters
    ----------
    epochs : int, optional
        Passes over the pairs. By default so many that some 400,000 pairs are read in all: at least
        3, at most 15.
    batch_size : int
        Pairs per minibatch.
    n_negatives : int or "batch"
        Unclicked titles per pair, or "batch": all of the minibatch's. A number of them is drawn
        from the training titles that the pair's query has not clicked; "batch", past the paper,
        takes every title of the minibatch that it has not.
    gamma : float
        Scale of the differences of cosines in (5).
    optimizer : "adam" or "nesterov"
        Adam, or Nesterov's momentum as in (6). Adam is past the paper; `lstm_edu.training.adam` has
        its equations, and its treatment of trigrams that a minibatch does not touch.
    step_size : float
        Adam's step size, or epsilon of (6). With Adam it is about how far a weight moves in an
        update; epsilon is for the cost summed over the minibatch.
    momentum : float or "schedule", optional
        Mu of (6), or the paper's "schedule"; Adam has none. It is 0.9 if not given; the schedule is
        0.9 in the first and last 2 % of all updates, 0.995 between.
    clip : float
        Largest norm of a side's gradient, Th_G. A longer gradient is scaled down to it.
    truncate : int, optional
        Words that errors go back at most, T. All the way if None.
    average : float or None
        Share kept in the average of the weights, at each update. The model gets that average; with
        None the last weights, as in the paper.
    held_out : float
        Share of the queries to hold out, with all their pairs. After each epoch the titles that
        they clicked are ranked among the training titles (nDCG@10), and the best epoch's weights
        are kept.
    patience : int, optional
        Epochs without a better held-out nDCG@10 before training stops.
    seed : int
        Seed of all that is random. That is the order of the pairs, the unclicked titles, and the
        held-out queries.
    method : "bptt" or "printed"
        Which gradient, exact or as printed; see `lstm_edu.cost_and_gradient`.
    """

    epochs: int | None = _setting(None, int, None, low=1)
    batch_size: int = _setting(256, int, low=1)
    n_negatives: int | str = _setting("batch", int, "batch", low=1)
    gamma: float = _setting(10.0, float, high=LARGEST_GAMMA, above=True)
    optimizer: str = _setting("adam", str, *OPTIMIZERS)
    step_size: float = _setting(0.002, float, above=True)
    momentum: float | str | None = _setting(None, float, None, "schedule", high=1, below=True)
    clip: float = _setting(100.0, float, high=np.inf, above=True)
    truncate: int | None = _setting(None, int, None)
    average: float | None = _setting(0.998, float, None, high=1, below=True)
    held_out: float = _setting(0.0, float, high=1, below=True)
    patience: int | None = _setting(None, int, None, low=1)
    seed: int = _setting(0, int, high=arguments.SEEDS)
    method: str = _setting("bptt", str, "bptt", "printed")

    def __post_init__(self):
        for name, about in ABOUT.items():
            check, bounds = CHECKS[about["kind"]], about["bounds"]
            value = check(name, getattr(self, name), allow=about["words"], **bounds)
            object.__setattr__(self, name, value)
        if self.optimizer == "adam" and self.momentum is not None:
            allowed = "None for the optimizer 'adam', which has none; 'nesterov' has"
            arguments.refuse("momentum", self.momentum, allowed)
        if self.n_negatives == "batch" and self.batch_size == 1:
            raise InputError("batch_size: 1; must be at least 2 to have unclicked titles in it")
        if self.patience is not None and not self.held_out:
            raise InputError("patience: needs held-out queries; hold out a share of them")
        if self.optimizer == "nesterov" and self.momentum is None:
            object.__setattr__(self, "momentum", MOMENTUM)


ABOUT = {each.name: each.metadata for each in fields(Settings)}


def from_keywords(given):
    """Make `Settings` of the keyword arguments of `lstm_edu.train`; TypeError at an unknown one."""
    for name in given.keys() - ABOUT.keys():
        known = ", ".join(ABOUT)
        raise TypeError(f"train() got an unexpected keyword argument {name!r}; it knows {known}")
    return Settings(**given)


def with_settings(train):
    """Show every setting in the signature and the docstring of `lstm_edu.train`."""
    model, pairs, *others, _ = inspect.signature(train).parameters.values()
    _, *ours = inspect.signature(Settings.__init__).parameters.values()
    ours = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in ours]
    shown = inspect.signature(train)
    train.__signature__ = shown.replace(parameters=[model, pairs, *ours, *others])
    # `getdoc` removes the indentation, which Python keeps in docstrings until 3.12
    _, _, explained = (inspect.getdoc(Settings) or "").partition("----------\n")
    train.__doc__ = (inspect.getdoc(train) or "").replace("**settings\n", f"{explained}\n")
    return train
