"""The settings of `lstm_edu.train`, with their defaults, ranges and explanations.

The docstring of `Settings` and the ``metadata`` of its fields (`ABOUT`) also provide the signature
and docstring of `lstm_edu.train`, the checks, and the options of the command line.
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

# The paper gives n = 4 and the schedule of mu, and does not average weights. It gives no values for
# gamma ("set empirically"), the step size (fixed) and the clipping threshold, so we chose these
# three. A momentum of 0.995 sums about 200 gradients. Nearly all gradients have a norm above 10, so
# clipping at 10 gives them equal influence, and no minibatch dominates. The rows of Table IV that
# are trained as in the paper start from these settings.
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
MOMENTUM = 0.9  # default for optimizer="nesterov"
PAIRS, LEAST, MOST = 400_000, 3, 15  # default number of epochs: PAIRS / n_pairs, bounded
CHECKS: dict[type, Callable]
CHECKS = {int: arguments.integer, float: arguments.number, str: arguments.choice}


def usual_epochs(n_pairs):
    """Return the default number of epochs for a log of ``n_pairs``.

    A few epochs on a long log take as long, and teach as much, as many epochs on a short log.
    benchmarks/README.md explains how the default was chosen.
    """
    return max(LEAST, min(MOST, round(PAIRS / n_pairs)))


def _setting(default, kind, *words, **bounds) -> Any:
    """Define a field of `Settings`, with its default and its check.

    Parameters
    ----------
    default
    kind : type
        int or float, or str if only ``words`` are allowed.
    words : None or str
        Values that are allowed in place of a number.
    bounds
        A number's bounds, as keyword arguments of `arguments.integer` or `arguments.number`.
    """
    return field(default=default, metadata={"kind": kind, "words": words, "bounds": bounds})


@dataclass(frozen=True)
class Settings:
    """The settings of `lstm_edu.train`, which are checked on creation.

    An InputError names the first setting that is out of range.

    Parameters
    ----------
    epochs : int, optional
        Passes over the pairs. By default 3 to 15, chosen to read about 400,000 pairs in all.
    batch_size : int
        Pairs per minibatch.
    n_negatives : int or "batch"
        Unclicked titles per pair, drawn from the training titles that the pair's query has not
        clicked; or "batch", which is not in the paper, for all such titles of the minibatch.
    gamma : float
        Scale of the differences of cosines in (5).
    optimizer : "adam" or "nesterov"
        Adam, which is not in the paper, or Nesterov's momentum as in (6). `lstm_edu.training.adam`
        has Adam's equations and explains its treatment of trigrams that a minibatch lacks.
    step_size : float
        Adam's step size, which is about the distance that a weight moves in an update; or epsilon
        of (6), for the cost summed over the minibatch.
    momentum : float or "schedule", optional
        Mu of (6), 0.9 if not given; Adam has none. The paper's "schedule" is 0.9 in the first and
        last 2 % of all updates and 0.995 between.
    clip : float
        Largest norm Th_G of the gradient of each side (query or document). Longer gradients are
        scaled down to this norm.
    truncate : int, optional
        Number of words T after which backpropagation stops; None for all words of a text.
    average : float or None
        Decay of the running average of the weights, which the model gets. With None it gets the
        last weights, as in the paper.
    held_out : float
        Share of the queries to hold out, with all their pairs. After each epoch their clicked
        titles are ranked among the training titles (nDCG@10), and the best epoch's weights are
        kept.
    patience : int, optional
        Epochs without a better held-out nDCG@10 before training stops.
    seed : int
        Seed of the order of the pairs, the unclicked titles, and the held-out queries.
    method : "bptt" or "printed"
        The exact gradient, or the one printed in the paper; see `lstm_edu.cost_and_gradient`.
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
            allowed = "None for the optimizer 'adam', which has no momentum; 'nesterov' has"
            arguments.refuse("momentum", self.momentum, allowed)
        if self.n_negatives == "batch" and self.batch_size == 1:
            raise InputError("batch_size: 1; must be at least 2 to have unclicked titles in it")
        if self.patience is not None and not self.held_out:
            raise InputError("patience: needs held-out queries; hold out a share of them")
        if self.optimizer == "nesterov" and self.momentum is None:
            object.__setattr__(self, "momentum", MOMENTUM)


ABOUT = {each.name: each.metadata for each in fields(Settings)}


def with_settings(train):
    """Add every setting to the signature and the docstring of `lstm_edu.train`."""
    model, pairs, *others, _ = inspect.signature(train).parameters.values()
    _, *ours = inspect.signature(Settings.__init__).parameters.values()
    ours = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in ours]
    shown = inspect.signature(train)
    train.__signature__ = shown.replace(parameters=[model, pairs, *ours, *others])
    # `getdoc` removes the indentation, which docstrings keep before Python 3.13
    _, _, explained = (inspect.getdoc(Settings) or "").partition("----------\n")
    train.__doc__ = (inspect.getdoc(train) or "").replace("**settings\n", f"{explained}\n")
    return train
