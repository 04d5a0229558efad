"""Checks of a gradient against complex steps of the cost.

The cost is computed in plain form (`lstm_edu.gradients.plain`), which shares no code with the
hand-derived gradient: the plain form uses neither batches of mixed lengths nor fused gates.
"""

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._util import arguments
from .._util.files import InputError
from . import plain
from .cost import checked_gamma
from .methods import Method, check_lists, cost_and_gradient
from .minibatch import check_method

TOLERANCE = 1e-9  # smaller errors are due to rounding
COMPLEX_STEP = 1e-30  # any small step works, because nothing is subtracted


class Check(NamedTuple):
    """The result of `check_gradient`.

    Attributes
    ----------
    error : float
        The error of the worst element: abs(value - expected), divided by
        max(abs(expected), a thousandth of the largest abs(expected) in its array).
    side, name, index
        Where the worst element is: in ``model.query.params[name][index]`` if ``side`` is "query".
    value, expected : float
        The worst element, as computed by the method and with a complex step.
    n_elements : int
        The number of elements compared.
    """

    error: float
    side: str
    name: str
    index: tuple
    value: float
    expected: float
    n_elements: int


def check_gradient(
    model: Any,
    queries: Sequence[str],
    clicked: Sequence[str],
    unclicked: Sequence[Sequence[str]],
    gamma: float = 10.0,
    method: Method = "bptt",
    truncate: int | None = None,
    verbose: bool = True,
) -> Check:
    """Compare each element of a gradient with complex steps of the cost; print the worst element.

    A complex step, Im L(w + ih) / h, is exact to rounding, because nothing is subtracted.

    Parameters
    ----------
    model : DualEncoder
        A model of ``dtype="float64"``. It should be small, because each parameter takes a forward
        pass.
    queries, clicked, unclicked, gamma, method, truncate
        As for `lstm_edu.cost_and_gradient`.
    verbose : bool
        Whether to print the result.

    Returns
    -------
    Check

    Raises
    ------
    InputError
        The model's dtype is not float64, or `lstm_edu.cost_and_gradient` refuses an argument.
    """
    verbose = arguments.boolean("verbose", verbose)
    if arguments.model(model).dtype != np.float64:
        raise InputError(f"model: of {model.dtype.name}; gradients are checked in float64 only")
    _, gradient = cost_and_gradient(model, queries, clicked, unclicked, gamma, method, truncate)
    expected = differences(model, queries, clicked, unclicked, gamma, truncate)
    errors = {
        (side, name): relative_errors(gradient[side][name], by_differences)
        for side in expected
        for name, by_differences in expected[side].items()
    }
    side, name = max(errors, key=lambda array: errors[array].max())
    of_worst = errors[side, name], gradient[side][name], expected[side][name]
    index = np.unravel_index(np.argmax(of_worst[0]), of_worst[0].shape)
    error, value, by_differences = (float(array[index]) for array in of_worst)
    n_elements = sum(each.size for each in errors.values())
    place = tuple(int(k) for k in index)
    if verbose:
        print(
            f"{method} against complex steps, {n_elements:,} elements: "
            f"{'agree' if error < TOLERANCE else 'DIFFER'} (tolerance {TOLERANCE:.0e})\n"
            f"worst: {side} {name}[{', '.join(map(str, place))}]  "
            f"{value:+.15e}  {by_differences:+.15e}  error {error:.1e}"
        )
    return Check(error, side, name, place, value, by_differences, n_elements)


def relative_errors(value, expected):
    """Compute the error of each element of an array, as `Check` defines it.

    The error is infinite where either array is not finite. If all expected values are 0 up to
    rounding, the error is 0 where the value is also 0 up to rounding, and infinite elsewhere.
    """
    size = np.abs(expected)
    scale = np.maximum(size, size.max() / 1000)
    off = np.abs(value - expected)
    of_zeros = np.where(off > 1e-12, np.inf, 0.0)
    error = np.divide(off, scale, out=of_zeros, where=size.max() > 1e-14)
    return np.where(np.isfinite(value) & np.isfinite(expected), error, np.inf)


def compare(name: str, value: ArrayLike, expected: ArrayLike, tolerance: float = 1e-12) -> bool:
    """Print and return whether two arrays are equal up to rounding.

    Parameters
    ----------
    name : str
    value, expected : arrays of the same shape
    tolerance : float
        Upper bound on the largest absolute difference, relative to the largest ``abs(expected)``.

    Returns
    -------
    bool
        Whether the arrays are equal up to ``tolerance``.

    Raises
    ------
    InputError
        The shapes differ; arrays are never broadcast.
    """
    equal, line = compared(name, value, expected, tolerance)
    print(line)
    return equal


def compared(name, value, expected, tolerance):
    """Return whether two arrays are equal up to rounding, and the line that `compare` prints."""
    name, tolerance = arguments.text("name", name), arguments.number("tolerance", tolerance)
    value, expected = (
        arguments.array(label, given, finite=False)
        for label, given in (("value", value), ("expected", expected))
    )
    if value.shape != expected.shape:
        raise InputError(f"{name}: of shape {value.shape}; expected {expected.shape}")
    largest = np.abs(expected).max(initial=0)
    difference = np.abs(value - expected).max(initial=0) / (largest or 1)
    equal = bool(difference < tolerance)  # also False for NaN
    agree, differ = f"equal    to {tolerance:.0e}", f"DIFFERS  by {difference:.1e} of the largest"
    return equal, f"{name:10} {value.shape!s:10} {agree if equal else differ}"


def differences(model, queries, clicked, unclicked, gamma=10.0, truncate=None):
    """Compute the gradient with complex steps of the cost.

    The arguments are those of `check_gradient`. The result has the form of the gradient that
    `cost_and_gradient` returns.
    """
    truncate = check_method(arguments.model(model), "bptt", truncate)
    texts, gamma = check_lists(queries, clicked, unclicked), checked_gamma(gamma)

    def counts(words):
        return model.hashing.operator(words).toarray()

    cost_at, params = plain.cost_of(np, model, texts, counts, truncate, gamma)
    params = dict(zip(("query", "document"), params))

    def gradient(side, name):
        w = params[side][name]
        every = (params[side] | {name: moved} for moved in each_moved(w, 1j * COMPLEX_STEP))
        costs = [cost_at((params | {side: moved}).values()) for moved in every]
        return np.imag(costs).reshape(w.shape) / COMPLEX_STEP

    with warnings.catch_warnings(action="ignore"):  # every step could warn about zero embeddings
        return {side: {name: gradient(side, name) for name in params[side]} for side in params}


def each_moved(w, h):
    """Yield, for each element of an array, a copy with h added to that element."""
    for index in np.ndindex(w.shape):
        moved = w.astype(type(h))
        moved[index] += h
        yield moved


def state_derivatives(cell, params, L, name):
    """Differentiate each state at each word with respect to each element of a parameter.

    The derivatives are computed with complex steps through the plain step.

    Parameters
    ----------
    cell : Cell
    params : mapping of arrays, keyed by the paper's names
    L : (n_words, n_trigrams)
    name : str
        The parameter's name.

    Returns
    -------
    dict of arrays
        The derivatives, keyed by the state's name: ``"y"``, and for an LSTM ``"c"``, ``"o"``,
        ``"f"``, ``"i"``, ``"yg"``. Each array has the shape (n_words, n_cells, *shape of the
        parameter), except that n_cells is missing for the state a(t) of attention.
    """
    w = params[name]
    runs = [cell.read(dict(params) | {name: each}, L) for each in each_moved(w, 1j * COMPLEX_STEP)]
    found = {}
    for state in runs[0][0]._fields:
        moved = [[np.imag(getattr(s, state)) for s in states] for states in runs]
        by_element = np.stack(moved, axis=-1) / COMPLEX_STEP
        found[state] = by_element.reshape(*by_element.shape[:-1], *w.shape)
    return found
