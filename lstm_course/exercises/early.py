"""The short answers that core lessons ask for in their first third (06, 07)."""

from ..engine import slips


def _sizes():
    sizes = (3, 5), (1, 4), (4, 4), (96, 5299), (2, 1)
    return [{"n_cells": m, "n_trigrams": n} for m, n in sizes]


@slips.check("number of parameters", _sizes)
def rnn_parameters(n_cells, n_trigrams):
    """Count the numbers in W, Wrec and b of one RNN, Eq. (1)."""
    return n_cells * (n_trigrams + n_cells + 1)


def _points():
    points = (1.0, 0.02), (-0.3, 0.01), (0.5, 0.06), (2.0, 0.001), (0.0, 0.02)
    return [{"w": w, "epsilon": epsilon} for w, epsilon in points]


@slips.check("w after one step", _points)
def descent_step(w, epsilon):
    """Take one step of gradient descent on the cost L(w) = 20 w^2."""
    return w - epsilon * 40 * w
