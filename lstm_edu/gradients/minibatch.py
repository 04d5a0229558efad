"""The gradient of a minibatch: forward passes, the cost, Eq. (4)-(5), and backward passes."""

from .._util import arguments
from .._util.files import InputError
from ..text import sentences
from ..text.batch import side_by_side
from . import plain
from .parallel import read_in_lanes
from .plain import Examples
from .relevance import COSINE


def minibatch_gradient(
    sides,
    examples,
    gamma,
    method="bptt",
    truncate=None,
    relevance=COSINE,
    threads=map,
    read=read_in_lanes,
):
    """Compute the loss of each pair, and the gradient of the summed loss.

    Parameters
    ----------
    sides : pair of Side
        The query side and the document side.
    examples : Examples
    gamma : float
    method : {"bptt", "printed"} or function
        The method of the backward pass; a function is passed to `Cell.backward` as ``errors``.
    truncate : int, optional
    relevance : Cosine or Aligned
        The model's relevance, which computes the cost and its errors from the outputs.
    threads : function
        A ``map`` over two threads, as `lstm_edu._util.threads.two_threads` returns it.
    read : function
        Runs the forward and the backward pass, like `lstm_edu.gradients.parallel.read_in_lanes`.

    Returns
    -------
    l : (N,)
    gradient : list of two dicts of arrays
        The gradients of the query and document sides, keyed by weight; for sparse weights only the
        rows that the side's batch touches.
    """
    batches = examples.queries, examples.documents
    outputs, go_back = read(threads, sides, batches, relevance.words)
    l, errors = relevance.cost_gradient(*outputs, examples, gamma)
    return l, go_back(errors, method, truncate)


def check_method(model, method, truncate):
    """Check and return ``truncate``; raise InputError if the model does not support the method."""
    cell, name = model.cell, type(model.cell).__name__
    truncate = arguments.integer("truncate", truncate, allow=[None])
    if truncate is not None and not cell.recurrent:
        arguments.refuse("truncate", truncate, f"None, as a {name} does not read word by word")
    if method == "printed" and (cell.printed is None or model.relevance.words):
        name = "aligned words" if model.relevance.words else f"a {name}"
        raise InputError(f"method: 'printed'; the appendix prints no gradient for {name}")
    return truncate


def examples_of(model, queries, clicked, unclicked):
    """Convert texts to `Examples` whose queries and documents are batches.

    Parameters
    ----------
    model : DualEncoder
    queries, clicked : list of str
    unclicked : list of lists of str
    """
    texts = plain.examples_of(queries, clicked, unclicked)
    sides = [sentences.from_texts(side, model.hashing, model.dtype) for side in texts[:2]]
    return Examples(*map(side_by_side, sides), *texts[2:])
