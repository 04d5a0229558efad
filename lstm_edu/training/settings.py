"""What `lstm_edu.train` may be told, and the paper's setting."""

import numpy as np

from ..files import InputError
from ..gradients.cost import check_gamma

# The paper's setting, where it prints one: n = 4, the schedule of mu, no averaging. Of gamma it
# only says that it was "set empirically", of the step size that it was fixed, and of the threshold
# for clipping nothing; those are ours. The momentum of 0.995 adds up some 200 gradients: clipped at
# 10, where nearly every one is longer, all have a say of the same size, and no minibatch carries
# the weights away. The rows of Table IV are trained so. train(model, pairs, **PAPER)
PAPER = {
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
PAPER_START = {"tied": True}

# What each optimizer keeps of every weight from one update to the next: the last change of (6);
# Adam's two averages
OPTIMIZERS = {"nesterov": ("velocity",), "adam": ("m", "v")}
MOMENTUM = 0.9  # of "nesterov", where none is given
PAIRS, LEAST, MOST = 400_000, 3, 15  # gone through where no epochs are given; epochs


def usual_epochs(n_pairs):
    """How many epochs a log of so many pairs gets where none are given: a long log learns as much
    in few as a short one in many, and they take as long. benchmarks/defaults.py measures it.
    """
    return max(LEAST, min(MOST, round(PAIRS / n_pairs)))


def whole(value, low):
    """Whether a value is a whole number from ``low``."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= low


def share(value, low=0.0, below=1.0):
    """Whether a value is a number from ``low`` to below ``below``."""
    number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    return number and low <= value < below


def above_0(value):
    """Whether a value is a number above 0; it may be infinite."""
    return share(value, below=np.inf) and value > 0 or isinstance(value, float) and value == np.inf


# By name: what is allowed, and whether a value is. gamma is checked where it is used.
ALLOWED = {
    "epochs": ("None or a whole number from 1", lambda v: v is None or whole(v, 1)),
    "batch_size": ("a whole number from 1", lambda v: whole(v, 1)),
    "optimizer": ("'nesterov' or 'adam'", lambda v: isinstance(v, str) and v in OPTIMIZERS),
    "step_size": ("a number above 0", lambda v: above_0(v) and v < np.inf),
    "clip": ("a number above 0", above_0),
    "average": ("None or a number from 0 to below 1", lambda v: v is None or share(v)),
    "held_out": ("a number from 0 to below 1", share),
    "patience": ("None or a whole number from 1", lambda v: v is None or whole(v, 1)),
    "seed": ("a whole number from 0", lambda v: whole(v, 0)),
    "method": ("'bptt' or 'printed'", lambda v: v in ("bptt", "printed")),
    "momentum": (
        "None, 'schedule' or a number from 0 to below 1",
        lambda v: v is None or (v == "schedule" if isinstance(v, str) else share(v)),
    ),
    "n_negatives": (
        "'batch' or a whole number from 1",
        lambda v: v == "batch" if isinstance(v, str) else whole(v, 1),
    ),
    "truncate": ("None or a whole number from 0", lambda v: v is None or whole(v, 0)),
}


def checked(settings):
    """The settings of `lstm_edu.train` as plain numbers, and mu where none is given.

    Raises InputError at the first that is out of range.
    """
    settings = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in settings.items()
    }
    for name, (allowed, is_allowed) in ALLOWED.items():
        if not is_allowed(settings[name]):
            raise InputError(f"{name}: {settings[name]!r}; must be {allowed}")
    check_gamma(settings["gamma"])
    if settings["optimizer"] == "adam" and settings["momentum"] is not None:
        raise InputError(
            f"momentum: {settings['momentum']!r}; must be None for the optimizer 'adam', "
            "which has none; 'nesterov' has"
        )
    if settings["n_negatives"] == "batch" and settings["batch_size"] == 1:
        raise InputError("batch_size: 1; with n_negatives 'batch' it must be at least 2")
    if settings["patience"] is not None and not settings["held_out"]:
        raise InputError("patience: needs held-out queries; give held_out a share of them")
    if settings["optimizer"] == "nesterov" and settings["momentum"] is None:
        settings["momentum"] = MOMENTUM
    return settings
