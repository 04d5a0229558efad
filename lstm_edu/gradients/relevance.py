"""The relevance R(Q, D), by which a model ranks titles.

Training, gradient checks and ranking use ``model.relevance`` and never check the model's class.
This module has the paper's R, the cosine (3) of two embeddings; `lstm_edu.gradients.aligned` has an
R computed from aligned words. R is implemented twice: `cost_gradient` computes the hand-derived
gradient of a minibatch, and `of_pairs` is the plain form, to be differentiated with autograd or
complex steps.
"""

import numpy as np

from ..text import batch as batches
from . import cost
from .plain import Read, norm


class Cosine:
    """The relevance of Eq. (3): R(Q, D) is the cosine of the embeddings.

    Attributes
    ----------
    words : bool
        Whether R depends on the outputs at all words.
    """

    words = False

    def cost_gradient(self, q, d, examples, gamma):
        """Compute the pairs' losses, and the gradient of their sum with respect to the outputs.

        Parameters
        ----------
        q, d : Read
            The outputs of the queries and of the titles.
        examples : Examples
        gamma : float

        Returns
        -------
        l : (N,)
        errors : (Read, Read)
            The gradient of the summed loss with respect to q and d.
        """
        yq, given = q.y, (examples.clicked, examples.unclicked, gamma)
        l, dpair, dyd = cost.cost_gradient(yq[examples.query], d.y, *given)
        dyq = batches.sums(examples.query, len(yq), yq.dtype) @ dpair
        return l, (Read(dyq), Read(dyd))

    def of_pairs(self, xp, q, d, query, titles):
        """Compute R of each query with its titles, in plain form.

        Parameters
        ----------
        xp : module
            ``numpy`` or ``autograd.numpy``.
        q, d : Read
        query : (N,) of int
            Each pair's query, as an index into the texts of q.
        titles : (N, n) of int
            Each pair's titles, as indices into the texts of d.

        Returns
        -------
        (N, n)
        """
        products = xp.sum(q.y[query][:, None] * d.y[titles], axis=2)
        return products / norm(xp, q.y)[query] / norm(xp, d.y)[titles, 0]

    def encoded(self, cell, weights, batch):
        """Encode the texts of a batch for ranking; return them in their original order."""
        y, _ = cell.forward(weights, batch)
        return batches.as_asked_for(batch, y)

    def joined(self, parts):
        """Concatenate encoded texts."""
        return np.concatenate(parts)

    def chosen(self, encoded, which):
        """Select encoded texts by their indices ``which``, in that order."""
        return encoded[np.array(which, int)]

    def of_each(self, q, d):
        """Yield, for each encoded query, an (n_titles,) array of its R with all encoded titles."""
        yd = cost.normalise(d)[0]
        for y in cost.normalise(q)[0]:
            yield np.clip(yd @ y, -1, 1)


COSINE = Cosine()
