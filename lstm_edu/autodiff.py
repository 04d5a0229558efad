"""The same gradient by automatic differentiation; the only derivative written here is that of a sparse product.

The forward pass is Eq. (1)-(5) once more, for many texts at once and as a reader of the paper would
write them: each gate by the paper's names, every sentence padded to the longest, and a mask that keeps y
and c after the last word. It shares neither layout nor shortcut with the gradient by hand, which is held against it.
"""
import autograd.numpy as np
from autograd import value_and_grad
from autograd.extend import defvjp, notrace_primitive, primitive

from . import sentences
from .bidirectional import DIRECTIONS, Bidirectional, part
from .rnn import RNN


@primitive
def sparse_product(S, x):
    """S x for a constant sparse S."""
    return S @ x


defvjp(sparse_product, None, lambda ans, S, x: lambda g: S.T @ g)


@notrace_primitive
def constant(x):
    """x, through which no error goes back."""
    return x


def cost_and_gradient(query, document, examples, gamma, truncate=None):
    """The summed cost (4) of a minibatch and its gradient with respect to both sides' parameters.

    Parameters
    ----------
    query, document : Side
    examples : Examples

    Returns
    -------
    cost : float
    gradient : tuple of two dicts of arrays
        By the paper's names.
    """
    def cost(params):
        yq = embed(query.cell, params[0], examples.queries, truncate)[examples.query]
        yd = embed(document.cell, params[1], examples.documents, truncate)
        return click_cost(yq, yd, examples.clicked, examples.unclicked, gamma)

    return value_and_grad(cost)((dict(query.params), dict(document.params)))


def click_cost(yq, yd, clicked, unclicked, gamma):
    """Eq. (3)-(5); arguments as in `lstm_edu.cost.cost_gradient`."""
    q, d = _normalise(yq), _normalise(yd)
    R_clicked = np.sum(q * d[clicked], axis=1)
    if unclicked.dtype == bool:
        exponent = np.where(unclicked, gamma * (np.dot(q, d.T) - R_clicked[:, None]), -np.inf)
    else:
        exponent = gamma * (np.einsum("rm,rjm->rj", q, d[unclicked]) - R_clicked[:, None])
    largest = constant(np.maximum(np.max(exponent, axis=1, initial=0), 0))[:, None]
    return np.sum(largest[:, 0] + np.log(np.exp(-largest[:, 0]) + np.sum(np.exp(exponent - largest), axis=1)))


def embed(cell, params, batch, truncate=None):
    """Embeddings of a batch in the order in which its texts were given, (N, size)."""
    if isinstance(cell, Bidirectional):
        return np.concatenate([embed(cell.cell, part(params, direction), turned, truncate) for direction, turned
                               in zip(DIRECTIONS, (batch, sentences.backwards(batch)))], axis=1)
    step = rnn_step if isinstance(cell, RNN) else lstm_step
    dtype = params["Wrec" if isinstance(cell, RNN) else "Wrec1"].dtype
    y = c = np.zeros((len(batch.order), cell.n_cells), dtype)
    for t, l in enumerate(_words(batch)):
        y_new, c_new = step(params, l, y, c)
        left = (batch.lengths - 1 - t)[:, None]                      # words after this one
        y, c = np.where(left >= 0, y_new, y), np.where(left >= 0, c_new, c)
        if truncate is not None:
            y, c = (np.where(left > truncate, constant(state), state) for state in (y, c))
    return y[np.argsort(batch.order)]


def rnn_step(p, l, y, c):
    """Eq. (1) for many sentences; c goes along unused."""
    return np.tanh(sparse_product(l, p["W"].T) + np.dot(y, p["Wrec"].T) + p["b"]), c


def lstm_step(p, l, y, c):
    """Eq. (2) for many sentences, l of (N, n_trigrams), y and c of (N, n_cells)."""
    def z(k):
        return sparse_product(l, p["W" + k].T) + np.dot(y, p["Wrec" + k].T) + p["b" + k]

    def peephole(k, c):
        if "Wp" + k not in p:
            return 0.
        return np.dot(c, p["Wp" + k].T) if p["Wp" + k].ndim == 2 else c * p["Wp" + k]

    yg = np.tanh(z("4"))
    i = _sigmoid(z("3") + peephole("3", c))
    f = _sigmoid(z("2") + peephole("2", c)) if "W2" in p else 1.
    c = f * c + i * yg
    o = _sigmoid(z("1") + peephole("1", c))
    return o * np.tanh(c), c


def _words(batch):
    """l(t) of all sentences, time by time: sparse, (N, n_trigrams), zero rows after the last word."""
    for t in range(len(batch.offsets) - 1):
        token = batch.token[batch.offsets[t]:batch.offsets[t + 1]]
        l = batch.Wh[token]
        l.resize(len(batch.order), l.shape[1])
        yield l


def _sigmoid(x):
    return 0.5 * (1 + np.tanh(0.5 * x))


def _normalise(y):
    """As `lstm_edu.cost.normalise`: a zero embedding stays zero, and so does its gradient."""
    squared = np.sum(y * y, axis=1, keepdims=True)
    zero = constant(squared) < np.finfo(y.dtype).tiny
    return np.where(zero, 0., y / np.sqrt(np.where(zero, 1., squared)))
