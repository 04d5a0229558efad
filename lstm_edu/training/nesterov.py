"""Nesterov's momentum, Eq. (6), and its exact lazy form, which delays updates of untouched rows.

(6) takes the gradient at the point that the momentum alone would reach. So an update has two
halves: before the gradient is taken, `look_ahead` moves all weights; afterwards, `correct` moves
only the weights with a gradient::

    velocity = mu velocity;  weights += velocity          # at Lambda + mu dLambda
    velocity -= step g;      weights -= step g            # g taken there

A row of W without a gradient moves by its momentum only, so its updates can be delayed and applied
together. Let s be the update that last touched the row. At update k its velocity v, its weights w
and their optional average over the updates, m_k = a_k m_{k-1} + (1 - a_k) w_k, are

    v_k = P v_s
    w_k = w_s + S v_s
    m_k = A m_s + (1 - A) w_k + D v_s

where P, S, A and D depend only on s and k. If mu is constant, P = mu^(k-s) and
S = mu (1 - P) / (1 - mu). For any schedule of mu, one more update changes

    P to mu P,   S to S + P,   D to D - (1 - A) P,   and then   A to a A,   D to a D

`Lazy` therefore keeps a table of P, S, A and D for every s, updates it with a few short vector
operations, and brings a row up to date when it is touched. The time of an update does not depend on
the number of untouched rows. tests/edu/test_lazy.py compares lazy updates with updates of all rows.
"""

import numpy as np

BLOCK = 512  # rows to update at a time, so that their arrays fit in the cache
PART = 2048  # number of rows in each task for a thread
UP_TO_DATE = 1.0, 0.0, 1.0, 0.0  # P, S, A and D of a row without delayed updates


def momentum(mu, k, n_updates):
    """Return mu for update ``k`` = 0 … ``n_updates`` - 1.

    Parameters
    ----------
    mu : float or "schedule"
        A constant, or the paper's schedule: 0.9 in the first and last 2 % of all updates, 0.995
        in between.
    """
    if mu != "schedule":
        return mu
    return 0.995 if 0.02 * n_updates <= k < 0.98 * n_updates else 0.9


def look_ahead(weights, velocity, mu):
    """Move the weights along the momentum, to where (6) takes the gradient."""
    for name, w in weights.items():
        velocity[name] *= mu
        w += velocity[name]


def correct(weights, velocity, gradient, step_size, touched):
    """Take the step down the gradient, which for sparse weights has only the rows ``touched``."""
    for name, g in gradient.items():
        g *= step_size
        rows = slice(None) if g.shape == weights[name].shape else touched
        velocity[name][rows] -= g
        weights[name][rows] -= g


def clip(gradient, threshold):
    """Scale one side's gradient in place to the norm ``threshold``, if its norm is larger.

    This is the clipping of Algorithm 1.

    Returns
    -------
    float
        The norm before clipping.
    """
    norm = float(np.sqrt(sum(np.vdot(g, g).astype(float) for g in gradient.values())))
    if norm > threshold:
        for g in gradient.values():
            g *= threshold / norm
    return norm


def average(mean, weights, keep):
    """Update the running average of the weights in place, with decay ``keep``."""
    for name, m in mean.items():
        m *= keep
        m += (1 - keep) * weights[name]


class Lazy:
    """The weights and optimizer state of one side (query or document), with lazy updates.

    Updates of a row of W are delayed until a minibatch touches the row. Call `ahead` before
    computing the gradient and `move` afterwards, with the rows that the minibatch touches. Call
    `catch_up` before reading all rows.

    Parameters
    ----------
    weights : dict of arrays
    mean : dict of arrays, or None
        The average of the weights over the updates; None for no average.
    settings : Settings
        The settings of `lstm_edu.train`.
    n_updates : int
        The total number of updates in the training run.
    sparse : collection of str
        The names of the weights whose rows are updated lazily.

    Attributes
    ----------
    state : dict of dicts of arrays
        The arrays that the optimizer keeps between updates, keyed first by an entry of ``names``,
        then by the weight's name.
    k : int
        The number of finished updates.
    since : (n_rows,) of int
        The last update of each row, counted from the last `catch_up`.
    table : (n + 1, 4)
        P, S, A and D for each possible value of ``since``, 0 to n; n is the number of updates since
        the last `catch_up`.
    """

    names: tuple[str, ...] = ()

    def __init__(self, weights, mean, settings, n_updates, sparse=("W",)):
        self.weights, self.settings, self.n_updates = weights, settings, n_updates
        self.means, self.sparse, self.k = [] if mean is None else [mean], sparse, 0
        self.state = {kind: {name: 0 * w for name, w in weights.items()} for kind in self.names}
        self._start_table()

    def _start_table(self):
        n_rows = len(self.weights[[*self.sparse][0]])
        self.table, self.since = np.array([UP_TO_DATE]), np.zeros(n_rows, np.int32)

    # ---- Methods that optimizers override

    def begin(self):
        """Prepare an update: move the dense weights and the table before the gradient is taken."""

    def update(self, weights, state, gradient):
        """Apply the optimizer's update to the given arrays in place."""
        raise NotImplementedError

    def weights_now(self, name, rows, table, out=None):
        """Return rows of a weight with their delayed updates applied."""
        # mode="clip" is faster than the default, "raise"
        return self.weights[name].take(rows, axis=0, out=out, mode="clip")

    def rest_now(self, name, rows, table, w):
        """Return rows of the state and of the average with their delayed updates applied.

        ``w`` is the result of `weights_now`.

        Returns
        -------
        state : list of arrays
            One per entry of ``names``.
        means : list of arrays
            The average; empty if none is kept.
        """
        _, _, A, _ = table
        kept = *self.state.values(), *self.means
        found = [arrays[name].take(rows, axis=0, mode="clip") for arrays in kept]
        state, means = found[: len(self.names)], found[len(self.names) :]
        for mean in means:
            mean *= A
            mean += (1 - A) * w
        return state, means

    # ---- An update

    def ahead(self, rows, map_=map):
        """Return the weights at which to take the gradient; sparse weights have only ``rows``.

        Parameters
        ----------
        rows : (n,) of int
        map_ : function
            A ``map`` over threads, which share the rows.
        """
        self.begin()
        at = dict(self.weights)
        for name in self.sparse:
            at[name] = np.empty((len(rows), at[name].shape[1]), at[name].dtype)

        def take(name, block, now, table):
            self.weights_now(name, now, table, at[name][block])

        self._each_block(take, rows, map_)
        return at

    def move(self, at, gradient, rows, map_=map):
        """Apply the update, given the weights that `ahead` returned and the gradient at them."""
        keep = min(self.settings.average, self.k / (self.k + 1)) if self.means else 1
        self.update(self._dense(self.weights), self.state.values(), self._dense(gradient))
        for mean in self.means:
            average(self._dense(mean), self.weights, keep)

        def move_rows(name, block, now, table):
            w = at[name][block]
            state, means = self.rest_now(name, now, table, w)
            self.update({name: w}, [{name: kept} for kept in state], {name: gradient[name][block]})
            for mean in means:
                average({name: mean}, {name: w}, keep)
            self._put(name, now, w, state, means)

        self._each_block(move_rows, rows, map_)
        self.k += 1
        self.table[:, 2:] *= keep
        self.since[rows] = len(self.table)
        self.table = np.append(self.table, [UP_TO_DATE], axis=0)

    def catch_up(self, map_=map):
        """Apply all delayed updates."""

        def move_rows(name, block, now, table):
            w = self.weights_now(name, now, table)
            self._put(name, now, w, *self.rest_now(name, now, table, w))

        self._each_block(move_rows, np.flatnonzero(self.since < len(self.table) - 1), map_)
        self._start_table()

    def _put(self, name, rows, w, state, means):
        """Store rows of a weight, of its state and of its average."""
        arrays = self.weights, *self.state.values(), *self.means
        for array, found in zip(arrays, (w, *state, *means)):
            array[name][rows] = found

    def _dense(self, arrays):
        """Return the arrays of all weights that are not sparse."""
        return {name: array for name, array in arrays.items() if name not in self.sparse}

    def _each_block(self, work, rows, map_):
        """Call ``work`` for each block of ``rows`` of each sparse weight."""

        def do_part(task):
            name, start = task
            for first in range(start, min(start + PART, len(rows)), BLOCK):
                block = slice(first, min(first + BLOCK, start + PART, len(rows)))
                table = self.table[self.since[rows[block]]].astype(self.weights[name].dtype)
                work(name, block, rows[block], table.T[:, :, None])

        tasks = [(name, start) for name in self.sparse for start in range(0, len(rows), PART)]
        list(map_(do_part, tasks))


class Nesterov(Lazy):
    """The weights and velocities of one side, for training with Eq. (6)."""

    names = ("velocity",)

    def begin(self):
        """Apply the first half of Eq. (6); see `Lazy.begin`."""
        mu = momentum(self.settings.momentum, self.k, self.n_updates)
        look_ahead(self._dense(self.weights), self.state["velocity"], mu)
        P, S, A, D = self.table.T
        P *= mu
        S += P
        D -= (1 - A) * P

    def update(self, weights, state, gradient):
        """Apply the second half of Eq. (6); see `Lazy.update`."""
        (velocity,) = state
        correct(weights, velocity, gradient, self.settings.step_size, None)

    def weights_now(self, name, rows, table, out=None):
        """Return w + S v; see `Lazy.weights_now`."""
        w, (_, S, _, _) = super().weights_now(name, rows, table, out), table
        w += S * self.state["velocity"][name].take(rows, axis=0, mode="clip")
        return w

    def rest_now(self, name, rows, table, w):
        """Return P v and A m + (1 - A) w + D v; see `Lazy.rest_now`."""
        (v,), means = super().rest_now(name, rows, table, w)
        P, _, _, D = table
        for mean in means:
            mean += D * v
        v *= P
        return [v], means
