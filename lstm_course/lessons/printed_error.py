"""Error of the gradient printed in the paper, or of another inexact gradient (lesson 05b)."""

from typing import NamedTuple

import numpy as np
import scipy.sparse

from lstm_edu.cells.lstm import Tape
from lstm_edu.gradients import cost
from lstm_edu.gradients.methods import cost_and_gradient
from lstm_edu.text.batch import Batch, side_by_side
from lstm_edu.text.sentences import Sentences

N_TRIGRAMS, DENSITY = 40, 0.15  # a word has 6 of 40 trigrams on average
LONGER = 3  # the document has this many more words than the query


class Case(NamedTuple):
    """A query, its forward pass, and the error of its embedding.

    Attributes
    ----------
    weights : dict of arrays
        The weights of the query's network, as the cell stores them.
    batch : Batch
        The query only.
    tape : Tape
        From `LSTM.forward`.
    v : (1, n_cells)
        v_Q of Eq. (15): the gradient of R(Q, D) with respect to y_Q(T_Q).
    """

    weights: dict
    batch: Batch
    tape: Tape
    v: np.ndarray


def draw(cell, scale, n_words, seed):
    """Generate a random query, document and weights; return the query's `Case` in float64.

    Parameters
    ----------
    cell : LSTM
    scale : float
        The standard deviation of all parameters, for the query and for the document.
    n_words : int
        The length of the query.
    seed : int
    """
    rng = np.random.default_rng(seed)
    shapes = cell.shapes(N_TRIGRAMS).items()
    sides = [{name: scale * rng.standard_normal(shape) for name, shape in shapes} for _ in range(2)]
    batches = []
    for n in (n_words, n_words + LONGER):
        L = scipy.sparse.csr_array((rng.random((n, N_TRIGRAMS)) < DENSITY).astype(float))
        batches.append(side_by_side(Sentences(L, np.arange(n), np.array([0, n]))))
    (yq, tape), (yd, _) = (cell.forward(weights, batch) for weights, batch in zip(sides, batches))
    (q, norm), (d, _) = cost.normalise(yq), cost.normalise(yd)
    return Case(sides[0], batches[0], tape, (d - (q * d).sum() * q) / norm)


def by_name(cell, case, errors=None, without=(), truncate=None):
    """Compute a case's gradient dR/dLambda_Q, keyed by the paper's names.

    Parameters
    ----------
    errors : function, optional
        As for `LSTM.backward`, such as `lstm_edu.gradients.printed.errors`; by default the exact
        errors.
    without : tuple of str
        Prefixes of the names of weights to set to zero in the backward pass: "Wrec" stops all
        errors of y(t-1), "Wp" all errors through peepholes.
    truncate : int, optional
        As for `LSTM.backward`.
    """
    weights = {
        name: np.zeros_like(w) if name.startswith(tuple(without)) else w
        for name, w in case.weights.items()
    }
    found = cell.backward(weights, case.batch, case.tape, case.v, truncate, errors)
    W = np.zeros_like(weights["W"])
    W[case.batch.touched] = found["W"]
    return cell.params(found | {"W": W})


def gradient(cell, case, errors=None, **how):
    """Compute the gradient as `by_name` does, and flatten it to (n_parameters,)."""
    return np.concatenate([g.ravel() for g in by_name(cell, case, errors, **how).values()])


def error_and_cosine(value, expected):
    """Compute a vector's relative error and its cosine with the expected vector.

    Returns
    -------
    error : float
        |value - expected| / |expected|.
    cosine : float
    """
    of_value, of_expected = np.linalg.norm(value), np.linalg.norm(expected)
    error = np.linalg.norm(value - expected) / of_expected
    return error, np.vdot(value, expected) / of_value / of_expected


def sweep(cell, scale, n_words, seeds, **how):
    """Compute `error_and_cosine` of an inexact gradient for random cases, by seed and length.

    Parameters
    ----------
    cell, scale
        As for `draw`.
    n_words : sequence of int
        The lengths of the query.
    seeds : int
        The number of cases per length.
    how
        Arguments of `gradient` that make it inexact.

    Returns
    -------
    (seeds, n_lengths, 2) array
    """

    def off(n, seed):
        case = draw(cell, scale, n, seed)
        return error_and_cosine(gradient(cell, case, **how), gradient(cell, case))

    return np.array([[off(n, seed) for n in n_words] for seed in range(seeds)])


def of_model(model, queries, clicked, unclicked):
    """Compute `error_and_cosine` of the gradient printed in the paper, over all parameters.

    The arguments are those of `lstm_edu.cost_and_gradient`.
    """

    def by(method):
        _, both = cost_and_gradient(model, queries, clicked, unclicked, method=method)
        return np.concatenate([g.ravel() for side in both.values() for g in side.values()])

    return error_and_cosine(by("printed"), by("bptt"))
