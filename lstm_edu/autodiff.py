"""The same gradient by automatic differentiation: nothing here is derived by hand but one sparse product.

The forward pass is written again in autograd's NumPy, without in-place writes, on the same batches.
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
    """The summed cost (4) of a minibatch and its gradient with respect to both sides' weights.

    Parameters
    ----------
    query, document : Side
    examples : Examples

    Returns
    -------
    cost : float
    gradient : tuple of two dicts of arrays
        As the weights of the two sides.
    """
    def cost(weights):
        yq = embed(query.cell, weights[0], examples.queries, truncate)[examples.query]
        yd = embed(document.cell, weights[1], examples.documents, truncate)
        return click_cost(yq, yd, examples.clicked, examples.unclicked, gamma)

    return value_and_grad(cost)((query.weights, document.weights))


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


def embed(cell, weights, batch, truncate=None):
    """Embeddings of a batch in the order in which its texts were given, (N, size)."""
    if isinstance(cell, Bidirectional):
        turned = batch, sentences.backwards(batch)
        return np.concatenate([embed(cell.cell, part(weights, direction), b, truncate)
                               for direction, b in zip(DIRECTIONS, turned)], axis=1)
    P = sparse_product(batch.Wh, weights["W"]) + weights["b"]
    n_texts, T = len(batch.order), len(batch.offsets) - 1
    y = c = np.zeros((0 if T == 0 else int(batch.offsets[1]), cell.n_cells), weights["b"].dtype)
    finished = []                              # sentences that end at t, longest first within one t
    for t in range(T):
        rows = sentences.rows(batch, t, truncate)
        z = sparse_product(_one_hot(batch, t), P) + np.dot(y[:rows.stop], weights["Wrec"])
        y_new, c_new = (np.tanh(z), None) if isinstance(cell, RNN) else _lstm(cell, weights, z, c[:rows.stop])
        finished.append(y[rows.stop:])
        y = _cut(y_new, rows.start)
        c = None if c_new is None else _cut(c_new, rows.start)
    finished.append(y)
    n_empty = n_texts - (int(batch.offsets[1]) if T else 0)
    by_length = np.concatenate(finished[::-1] + [np.zeros((n_empty, cell.n_cells))])
    position = np.argsort(batch.order)
    return by_length[position]


def _lstm(cell, weights, z, c):
    """Eq. (2) from the sums without peepholes."""
    def sigmoid(x):
        return 0.5 * (1 + np.tanh(0.5 * x))

    def peephole(k, c):
        if not cell.peepholes:
            return 0.
        Wp = weights["Wp" + k]
        return np.dot(c, Wp.T) if cell.peepholes == "full" else c * Wp

    z = {k: z[:, part] for k, part in cell.gates.items()}
    yg = np.tanh(z["4"])
    i = sigmoid(z["3"] + peephole("3", c))
    f = sigmoid(z["2"] + peephole("2", c)) if cell.forget_gate else 1.
    c = f * c + i * yg
    o = sigmoid(z["1"] + peephole("1", c))
    return o * np.tanh(c), c


def _cut(y, start):
    """Rows before ``start`` as constants: sentences that time t is too far from the end of."""
    return y if start == 0 else np.concatenate([constant(y[:start]), y[start:]])


def _one_hot(batch, t):
    token = batch.token[batch.offsets[t]:batch.offsets[t + 1]]
    n = len(token)
    return sentences.scipy.sparse.csr_array((np.ones(n, batch.Wh.dtype), token, np.arange(n + 1)),
                                            shape=(n, batch.Wh.shape[0]))


def _normalise(y):
    """As `lstm_edu.cost.normalise`: a zero embedding stays zero, and so does its gradient."""
    squared = np.sum(y * y, axis=1, keepdims=True)
    zero = constant(squared) < np.finfo(y.dtype).tiny
    return np.where(zero, 0., y / np.sqrt(np.where(zero, 1., squared)))
