"""The gradient computed with autograd, and the autograd functions that other modules use.

This is the only module of `lstm_edu` and `lstm_tools` that imports autograd. From here, other
modules import `numpy`, `value_and_grad` and autograd's functions for defining derivatives. The only
derivative defined here is the derivative of a sparse product.
"""

# autograd creates its functions at run time, so that pyright cannot see them:
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false

import autograd.numpy as numpy
from autograd import value_and_grad
from autograd.extend import defvjp, defvjp_argnums, primitive

from . import plain

__all__ = ["defvjp", "defvjp_argnums", "numpy", "primitive", "value_and_grad"]


@primitive
def sparse_product(S, x):
    """Multiply a constant sparse matrix S by x."""
    return S @ x


defvjp(sparse_product, None, lambda ans, S, x: lambda g: S.T @ g)


class Counts:
    """Trigram counts l, one row per word; autograd can differentiate the product ``l @ W.T``."""

    def __init__(self, S):
        self.S = S

    def __matmul__(self, x):
        return sparse_product(self.S, x)


def cost_and_gradient(model, queries, clicked, unclicked, gamma, truncate=None):
    """Compute the cost and its gradient with autograd; see `lstm_edu.cost_and_gradient`.

    Returns
    -------
    cost : float
    gradient : tuple of two dicts of arrays
        The gradients of the query and document sides, keyed by the paper's names.
    """

    def counts(words):
        return Counts(model.hashing.operator(words, model.dtype))

    texts = queries, clicked, unclicked
    cost, params = plain.cost_of(numpy, model, texts, counts, truncate, gamma)
    return value_and_grad(cost)(params)
