"""The gradient of a minibatch: forward on both sides, the cost (4)-(5), backward on both sides."""

from .._util import arguments
from .._util.files import InputError
from ..text import sentences
from ..text.batch import as_asked_for, side_by_side
from . import plain, printed
from .plain import Examples, Read
from .relevance import COSINE


def read_whole(sides, batches, words):
    """Run the forward pass of batches, each on its side.

    Parameters
    ----------
    sides : sequence of Side
    batches : sequence of Batch
    words : bool
        Whether to return the outputs at all words, too.

    Returns
    -------
    outputs : list of Read
    go_back : function
        The backward pass: takes the errors of ``outputs``, ``method`` and ``truncate``; returns
        the gradient of each side.
    """
    y, tapes = zip(*(side.cell.forward(side.weights, batch) for side, batch in zip(sides, batches)))
    in_order = map(as_asked_for, batches, y)
    outputs = [Read(y, tape.y if words else None) for y, tape in zip(in_order, tapes)]

    def go_back(errors, method, truncate):
        longest_first = [Read(e.y[batch.order], e.words) for batch, e in zip(batches, errors)]
        return [
            backward(*of_side, method, truncate)
            for of_side in zip(sides, batches, tapes, longest_first)
        ]

    return outputs, go_back


def backward(side, batch, tape, error, method, truncate):
    """Return a side's gradient from the error of its outputs, the longest sentences first."""
    errors = errors_by(method, side.cell)
    return side.cell.backward(side.weights, batch, tape, error.y, truncate, errors, error.words)


def errors_by(method, cell):
    """Return the ``errors`` of ``cell.backward`` for a method."""
    if callable(method):
        return method
    as_printed = printed.errors if cell.printed == "approximate" else None
    return {"bptt": None, "printed": as_printed}[method]


def minibatch_gradient(
    sides, examples, gamma, method="bptt", truncate=None, relevance=COSINE, read=read_whole
):
    """Compute the loss of each pair and the gradient of their sum.

    Parameters
    ----------
    sides : pair of Side
        Query and document.
    examples : Examples
    gamma : float
    method : {"bptt", "printed"} or function
        How errors go back through time; a function replaces ``errors`` of ``cell.backward``.
    truncate : int, optional
    relevance : Cosine or Aligned
        The model's, which computes the cost and its errors from the outputs.
    read : function, optional
        Runs the forward and the backward pass, as `read_whole`; those in
        `lstm_edu.gradients.parallel` use two threads.

    Returns
    -------
    l : (N,)
    gradient : list of two dicts of arrays
        For query and document, like the weights; for sparse weights only the rows that the side's
        batch touches.
    """
    batches = examples.queries, examples.documents
    outputs, go_back = read(sides, batches, relevance.words)
    l, errors = relevance.cost_gradient(*outputs, examples, gamma)
    return l, go_back(errors, method, truncate)


def check_method(model, method, truncate):
    """Check and return ``truncate``; raise InputError if the model lacks such a gradient."""
    cell, name = model.cell, type(model.cell).__name__
    truncate = arguments.integer("truncate", truncate, allow=[None])
    if truncate is not None and not cell.recurrent:
        arguments.refuse("truncate", truncate, f"None, as a {name} does not read word by word")
    if method == "printed" and (cell.printed is None or model.relevance.words):
        name = "aligned words" if model.relevance.words else f"a {name}"
        raise InputError(f"method: 'printed'; the appendix prints no gradient for {name}")
    return truncate


def examples_of(model, queries, clicked, unclicked):
    """Read texts into `Examples`.

    Parameters
    ----------
    model : DualEncoder
    queries, clicked : list of str
    unclicked : list of lists of str
    """
    texts = plain.examples_of(queries, clicked, unclicked)
    sides = [sentences.from_texts(side, model.hashing, model.dtype) for side in texts[:2]]
    return Examples(*map(side_by_side, sides), *texts[2:])
