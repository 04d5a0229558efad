"""The settings of `lstm_edu.train`, and those of the paper."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._util.arguments import choice, integer, number, refuse, seed
from .._util.files import InputError
from ..gradients.cost import checked_gamma

# The paper's setting, where it prints one: n = 4, the schedule of mu, no averaging. Of gamma it
# only says that it was "set empirically", of the step size that it was fixed, and of the threshold
# for clipping nothing; those are ours. The momentum of 0.995 adds up some 200 gradients: clipped at
# 10, where nearly every one is longer, all have a say of the same size, and no minibatch carries
# the weights away. The rows of Table IV are trained so. train(model, pairs, **PAPER)
PAPER: dict[str, Any] = {
    "n_negatives": 4,
    "gamma": 10.0,
    "optimizer": "nesterov",
    "step_size": 4e-4,
    "momentum": "schedule",
    "clip": 10.0,
    "average": None,
}
# And how its models start, of which it says "small random numbers": both sides alike.
# DualEncoder(cell, hashing, seed, **PAPER_START)
PAPER_START: dict[str, Any] = {"tied": True}

# What each optimizer keeps of every weight from one update to the next: the last change of (6);
# Adam's two averages
OPTIMIZERS = {"nesterov": ("velocity",), "adam": ("m", "v")}
MOMENTUM = 0.9  # of "nesterov", where none is given
PAIRS, LEAST, MOST = 400_000, 3, 15  # gone through where no epochs are given; epochs


def usual_epochs(n_pairs):
    """Return how many epochs a log of so many pairs gets where none are given.

    A long log learns as much in few as a short one in many, and they take as long.
    benchmarks/defaults.py measures it.
    """
    return max(LEAST, min(MOST, round(PAIRS / n_pairs)))


# By name, what checks the value.
CHECKS = {
    "epochs": lambda name, value: integer(name, value, 1, allow=[None]),
    "batch_size": lambda name, value: integer(name, value, 1),
    "n_negatives": lambda name, value: integer(name, value, 1, allow=["batch"]),
    "gamma": lambda _, gamma: checked_gamma(gamma),
    "optimizer": lambda name, value: choice(name, value, OPTIMIZERS),
    "step_size": lambda name, value: number(name, value, above=True),
    "momentum": lambda name, value: number(name, value, 0, 1, below=True, allow=[None, "schedule"]),
    "clip": lambda name, value: number(name, value, 0, np.inf, above=True),
    "truncate": lambda name, value: integer(name, value, allow=[None]),
    "average": lambda name, value: number(name, value, 0, 1, below=True, allow=[None]),
    "held_out": lambda name, value: number(name, value, 0, 1, below=True),
    "patience": lambda name, value: integer(name, value, 1, allow=[None]),
    "seed": lambda _, given: seed(given),
    "method": lambda name, value: choice(name, value, ["bptt", "printed"]),
}


@dataclass(frozen=True)
class Settings:
    """What `lstm_edu.train` was told, and of what: digests of the pairs and the first weights."""

    epochs: int | None
    batch_size: int
    n_negatives: int | str
    gamma: float
    optimizer: str
    step_size: float
    momentum: float | str | None
    clip: float
    truncate: int | None
    average: float | None
    held_out: float
    patience: int | None
    seed: int
    method: str
    data: str = ""
    start: str = ""


def checked(**given):
    """Return the `Settings` of what `lstm_edu.train` is given: plain numbers, mu if not given.

    Raises InputError at the first that is out of range.
    """
    settings = Settings(**{name: CHECKS[name](name, value) for name, value in given.items()})
    if settings.optimizer == "adam" and settings.momentum is not None:
        allowed = "None for the optimizer 'adam', which has none; 'nesterov' has"
        refuse("momentum", settings.momentum, allowed)
    if settings.n_negatives == "batch" and settings.batch_size == 1:
        raise InputError("batch_size: 1; with n_negatives 'batch' it must be at least 2")
    if settings.patience is not None and not settings.held_out:
        raise InputError("patience: needs held-out queries; give held_out a share of them")
    if settings.optimizer == "nesterov" and settings.momentum is None:
        return replace(settings, momentum=MOMENTUM)
    return settings
