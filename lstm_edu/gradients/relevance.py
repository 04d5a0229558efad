"""R(Q, D), by which a model ranks: what it keeps of texts that were read, and what it makes of it.

A model has one, ``model.relevance``; whoever trains, proves or ranks asks it, and not the model for
its class. Here the paper's, the cosine (3) of two embeddings; `lstm_edu.gradients.aligned` has
another. As with a cell's word, R is written three times: `cost_gradient` by hand, for a minibatch;
`of_many` for autograd; `of_all` as it is printed, of complex numbers, too.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..cells.cell import Cell, Weights
from ..text import batch as batches
from ..text.batch import Batch
from ..text.hashing import LetterTrigrams
from . import cost


class Read(NamedTuple):
    """Texts of one side that were read, or the error of what they became.

    Attributes
    ----------
    y : (N, size)
        The embeddings, in the order in which the texts were given.
    words : (n_tokens, size), or None
        The output at every word, in the batch's order, where the relevance wants it.
    """

    y: np.ndarray
    words: np.ndarray | None = None


def unit(y):
    """Scale rows to length 1, (n, size), of complex numbers, too; 0 stays 0."""
    norm = np.sqrt((y * y).sum(axis=1, keepdims=True))
    return y / np.where(norm == 0, 1, norm)


class Relevance(Protocol):
    """What an R(Q, D) has; `Cosine` says more of each method."""

    @property
    def words(self) -> bool:
        """Tell whether the outputs at all words are wanted."""
        ...

    def cost_gradient(
        self, q: Read, d: Read, examples: Any, gamma: float
    ) -> tuple[NDArray, tuple[Read, ...]]:
        """Return the loss of each pair, (N,), and the errors of both sides."""
        ...

    def of_many(self, q: Any, d: Any) -> Any:
        """Compute R row by row, (N,), in what autograd can differentiate."""
        ...

    def of_all(self, q: Any, d: Any) -> NDArray:
        """Compute R of every query with every title, as printed."""
        ...

    def encoded(self, cell: Cell, weights: Weights, batch: Batch) -> Any:
        """Return what is kept of texts to be ranked."""
        ...

    def joined(self, parts: list) -> Any:
        """Join some of `encoded`."""
        ...

    def of_each(self, q: Any, d: Any) -> Iterator[NDArray]:
        """Yield R of each query with all titles, (n_titles,)."""
        ...


class Model(Protocol):
    """What `lstm_edu.DualEncoder` and `lstm_edu.AlignedEncoder` both have."""

    cell: Cell
    hashing: LetterTrigrams
    dtype: np.dtype
    query: Any
    document: Any
    training: dict

    @property
    def relevance(self) -> Relevance:
        """The model's R(Q, D)."""
        ...


class Cosine:
    """Eq. (3): R(Q, D) is the cosine of the embeddings."""

    words = False  # whether the outputs at all words are wanted

    def cost_gradient(self, q, d, examples, gamma):
        """Return the loss of each pair, (N,), and the gradient of their sum by what was read.

        Parameters
        ----------
        q, d : Read
            Of both batches.
        examples : Examples
        gamma : float

        Returns
        -------
        l : (N,)
        errors : pair of Read
        """
        yq, given = q.y, (examples.clicked, examples.unclicked, gamma)
        l, dpair, dyd = cost.cost_gradient(yq[examples.query], d.y, *given)
        dyq = batches.sums(examples.query, len(yq), yq.dtype) @ dpair
        return l, (Read(dyq), Read(dyd))

    def of_many(self, q, d):
        """Compute R row by row, (N,), of `autodiff.Read`, in what autograd can differentiate."""
        from .autodiff import cosine  # here, so that importing lstm_edu stays quick

        return cosine(q.y, d.y)

    def of_all(self, q, d):
        """Compute R of every query with every title, as printed; of lists of Read, a text each."""

        y, yd = (unit(np.array([text.y for text in texts])) for texts in (q, d))
        return y @ yd.T

    def encoded(self, cell, weights, batch):
        """Return what is kept of texts to be ranked, in the order in which they were given."""
        y, _ = cell.forward(weights, batch)
        return batches.as_asked_for(batch, y)

    def joined(self, parts):
        """Join some of `encoded`."""
        return np.concatenate(parts)

    def of_each(self, q, d):
        """Yield R of each query with all titles, (n_titles,); of `encoded` both."""
        yd = cost.normalise(d)[0]
        for y in cost.normalise(q)[0]:
            yield yd @ y


COSINE = Cosine()
