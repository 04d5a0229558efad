"""Gradient of a text's embedding, and the errors at each word, computed with autograd.

Autograd differentiates a cell's `step`. To obtain the errors, zeros are added to each word's states
and pre-activations; the derivatives with respect to these zeros are the errors.
"""

import autograd.numpy as anp
import numpy as np
from autograd import grad
from autograd.extend import notrace_primitive

constant = notrace_primitive(lambda x: x)  # makes autograd treat x as a constant


def by_autograd(cell, p, L, v, truncate=None, mean=False, fixed=False):
    """Return the gradient of v · y(T) with respect to p, and the errors at every word.

    The gradient is keyed by parameter. The errors are (T + 1, m) arrays, whose row t is for word t
    (row 0: the initial state), keyed by name: "y" is the error of y(t); "c", the error that word
    t + 1 sends to c(t); "z" or "z1" … "z4", the errors of the gates' pre-activations; "Wp1" …
    "Wp3", each word's term of the peepholes' gradient.

    Parameters
    ----------
    truncate : int, optional
        The maximum number of steps that errors go back from the last word.
    mean : bool
        Whether the embedding is the mean of y(1) … y(T) instead of y(T).
    fixed : bool
        Whether each step treats y(t-1) as a constant.
    """
    added = {name.replace("b", "z"): name for name in p if name.startswith(("b", "Wp"))}
    start = 0 if truncate is None else len(L) - truncate

    def cost(p, zeros):
        y = outputs(cell, p, L, zeros, added, start, fixed)
        return v @ (sum(y) / len(y) if mean else y[-1])

    zeros = {name: np.zeros((len(L) + 1, len(v))) for name in (*cell.carries, *added)}
    return grad(cost, (0, 1))(p, zeros)


def outputs(cell, p, L, zeros, added, start=0, fixed=False):
    """Compute y(1) … y(T), adding row t of ``zeros`` to the states and parameters at word t.

    States of words before ``start`` are constants, so that no error is propagated past them.
    """
    states, found = [zeros[name][:1] for name in cell.carries], []
    for t, l in enumerate(L, 1):
        moved = {name: p[name] + zeros[place][t] for place, name in added.items()}
        y_before = constant(states[0]) if fixed else states[0]
        state = cell.step({**p, **moved}, l[None], y_before, *states[1:], xp=anp)
        states = [getattr(state, name) + zeros[name][t] for name in cell.carries]
        states = [constant(state) for state in states] if t < start else states
        found.append(states[0][0])
    return found
