"""One side's weights in training, and what moves them: three calls, whichever optimizer it is.

`look_ahead` comes before the gradient, `correct` after it, for the rows of W that the minibatch
touches; `catch_up` comes before all rows are looked at. How is in `lazy`, for (6), and `lazy_adam`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from ..cells.cell import Weights
from . import lazy, lazy_adam, nesterov
from .settings import Settings


class Optimizer(Protocol):
    """What moves one side's weights."""

    def look_ahead(self, rows: NDArray, map_: Any = map, /) -> Weights:
        """Return the weights at which the gradient is taken; of each W the given ``rows``."""
        ...

    def correct(self, at: Weights, gradient: Weights, rows: NDArray, map_: Any = map, /) -> None:
        """Take the step down the gradient, from what `look_ahead` returned."""
        ...

    def catch_up(self, map_: Any = map, /) -> None:
        """Move the rows that have waited."""
        ...


@dataclass
class Nesterov:
    """A side that moves by (6).

    Attributes
    ----------
    weights, velocity : dict of arrays
    mean : dict of arrays, or None
        The average of the weights, where one is kept.
    coasting : lstm_edu.training.lazy.Coasting
    settings : Settings
    k, n_updates : int
        Updates done, and how many the training has.
    """

    weights: dict
    velocity: dict
    mean: dict | None
    coasting: lazy.Coasting
    settings: Settings
    k: int
    n_updates: int

    def look_ahead(self, rows, map_=map):
        """Return the weights at which (6) takes the gradient."""
        mu = nesterov.momentum(self.settings.momentum, self.k, self.n_updates)
        return lazy.look_ahead(self.coasting, self.weights, self.velocity, mu, rows, map_)

    def correct(self, ahead, gradient, rows, map_=map):
        """Take the step down the gradient."""
        kept = self.weights, self.velocity, self.mean
        how = self.settings.step_size, share_kept(self.settings.average, self.k)
        lazy.correct(self.coasting, *kept, ahead, gradient, *how, rows, map_)
        self.k += 1

    def catch_up(self, map_=map):
        """Move the rows that have waited."""
        lazy.bring_up_to_date(self.coasting, self.weights, self.velocity, self.mean, map_)


@dataclass
class Adam:
    """A side that moves by Adam: as `Nesterov`, with its ``m`` and ``v`` for the velocity."""

    weights: dict
    m: dict
    v: dict
    mean: dict | None
    coasting: lazy.Coasting
    settings: Settings
    k: int
    n_updates: int

    def look_ahead(self, rows, map_=map):
        """Return the weights at which Adam takes the gradient, the weights themselves."""
        return lazy_adam.look_ahead(self.coasting, self.weights, self.m, self.v, rows, map_)

    def correct(self, at, gradient, rows, map_=map):
        """Take the step, each weight by its own size."""
        kept = self.weights, self.m, self.v, self.mean
        how = self.settings.step_size, share_kept(self.settings.average, self.k)
        self.k += 1
        lazy_adam.correct(self.coasting, *kept, at, gradient, *how, rows, self.k, map_)

    def catch_up(self, map_=map):
        """Move the average of the rows that have waited."""
        kept = self.weights, self.m, self.v, self.mean
        lazy_adam.bring_up_to_date(self.coasting, *kept, map_)


KINDS: dict[str, Callable[..., Optimizer]] = {"adam": Adam, "nesterov": Nesterov}


def share_kept(average, k):
    """Return the share of the average kept at update k: little while there is little of it."""
    return 1 if average is None else min(average, k / (k + 1))


def of_run(run, per_epoch) -> list[Optimizer]:
    """Make both sides of a run, at the beginning of an epoch of so many updates."""
    kind = KINDS[run.settings.optimizer]
    own = run.model.query, run.model.document
    means = [None if run.settings.average is None else side.weights for side in own]
    done, n_updates = len(run.history["cost"]) * per_epoch, run.settings.epochs * per_epoch
    how = run.settings, done, n_updates
    waiting = run.model.hashing.size, per_epoch, own[0].cell.sparse
    return [
        kind(side.weights, *state, mean, lazy.start(*waiting), *how)
        for side, *state, mean in zip(run.sides, *run.state.values(), means)
    ]
