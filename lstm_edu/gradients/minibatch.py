"""One door to the three gradients, and the check that any of them is one."""

from typing import NamedTuple

import numpy as np

from ..cells.cell import is_by_rows
from ..files import InputError
from ..text import sentences
from ..text.hashing import check_texts
from ..text.sentences import Batch
from ..threads import one_blas_thread
from . import cost, printed

METHODS = "bptt", "autograd", "printed"


class Examples(NamedTuple):
    """A minibatch: the distinct texts of both sides, and who clicked what.

    Attributes
    ----------
    queries, documents : Batch
    query : (N,) of int
        Each pair's query, a row of queries.
    clicked : (N,) of int
        Each pair's clicked title, a row of documents.
    unclicked : (N, n) of int, or (N, M) of bool
        As in `lstm_edu.gradients.cost.cost_gradient`.
    """

    queries: Batch
    documents: Batch
    query: np.ndarray
    clicked: np.ndarray
    unclicked: np.ndarray


def minibatch_gradient(sides, examples, gamma, method="bptt", truncate=None, threads=None):
    """The loss of each pair and the gradient of their sum.

    Parameters
    ----------
    sides : pair of Side
        Query and document.
    method : {"bptt", "printed"} or function
        How errors go back through time; a function as for ``cell.backward``.
    threads : function, optional
        A ``map`` over two threads, as `lstm_edu.threads.two_threads` gives; the built-in if None.

    Returns
    -------
    l : (N,)
    gradient : list of two dicts of arrays
        For query and document, as the weights; of each W only the rows that the side's batch touched.
    """
    errors = errors_by(method)
    map_, batches = threads or map, (examples.queries, examples.documents)
    lanes = [
        sentences.lanes(batch, side.cell.size, threads) if threads else [batch]
        for batch, side in zip(batches, sides)
    ]
    work = [(k, lane) for k in (0, 1) for lane in lanes[k]]  # the sides meet only in the cost
    forward = list(map_(lambda k, lane: sides[k].cell.forward(sides[k].weights, lane), *zip(*work)))
    yq, yd = (
        np.empty((len(batch.order), side.cell.size), side.dtype)
        for side, batch in zip(sides, batches)
    )
    for (k, lane), result in zip(work, forward):
        (yq, yd)[k][lane.order] = result[0]
    l, dy = cost_gradient(yq, yd, examples, gamma)
    backward = map_(
        lambda k, lane, result: sides[k].cell.backward(
            sides[k].weights, lane, result[1], dy[k][lane.order], truncate, errors
        ),
        *zip(*work),
        forward,
    )
    del forward, result  # each tape is gone as soon as a thread is done with it
    gradient = []
    for k in (0, 1):  # the sums of the queries go before the last titles
        parts = [next(backward) for _ in lanes[k]]
        gradient.append(_sum(batches[k], lanes[k], parts, threads) if threads else parts[0])
    return l, gradient


def errors_by(method):
    """How a `minibatch_gradient`'s errors go back through time, as ``cell.backward`` takes it."""
    return method if callable(method) else {"bptt": None, "printed": printed.errors}[method]


def cost_gradient(yq, yd, examples, gamma):
    """The loss of each pair, (N,), and the gradient of their sum with respect to the embeddings of both batches, in their order."""
    l, dpair, dyd = cost.cost_gradient(
        yq[examples.query], yd, examples.clicked, examples.unclicked, gamma
    )
    return l, (sentences.sums(examples.query, len(yq), yq.dtype) @ dpair, dyd)


def _sum(batch, lanes, parts, threads):
    """The gradient of a batch from those of its lanes."""
    return {
        name: sentences.trigrams_gradient(batch, lanes, [part[name] for part in parts], threads)
        if is_by_rows(name)
        else sum(part[name] for part in parts)
        for name in parts[0]
    }


def check_lists(queries, clicked, unclicked):
    """The arguments of `cost_and_gradient` as lists; raises InputError if they do not fit each other."""
    queries, clicked = check_texts("queries", queries), check_texts("clicked", clicked)
    unclicked = [check_texts("unclicked", titles) for titles in unclicked]
    if not len(queries) == len(clicked) == len(unclicked):
        raise InputError(
            f"queries, clicked, unclicked: of lengths {len(queries)}, {len(clicked)}, {len(unclicked)}; must be equal"
        )
    if len({len(titles) for titles in unclicked}) != 1:
        raise InputError(
            "unclicked: must be a list of the same number of titles for every query, at least one query"
        )
    return queries, clicked, unclicked


def examples_of(model, queries, clicked, unclicked):
    """Texts to `Examples`; arguments as `check_lists` returns them."""
    row_q = {text: k for k, text in enumerate(dict.fromkeys(queries))}
    row_d = {
        text: k
        for k, text in enumerate(
            dict.fromkeys(clicked + [t for titles in unclicked for t in titles])
        )
    }
    batches = [
        sentences.batch(sentences.read(rows, model.hashing, model.dtype)) for rows in (row_q, row_d)
    ]
    return Examples(
        *batches,
        np.array([row_q[q] for q in queries]),
        np.array([row_d[d] for d in clicked]),
        np.array([[row_d[d] for d in titles] for titles in unclicked], int),
    )


def cost_and_gradient(model, queries, clicked, unclicked, gamma=10.0, method="bptt", truncate=None):
    """The cost, summed over the examples, Eq. (4)-(5), and its gradient.

    Parameters
    ----------
    model : DualEncoder
    queries, clicked : list of str
    unclicked : list of lists of str
        n titles for each query.
    gamma : float
        Scales the differences of cosines, above 0.
    method : {"bptt", "autograd", "printed"}
        Derived by hand and exact; by automatic differentiation; or as the appendix prints it,
        Eq. (14)-(44), which for an LSTM is an approximation (`lstm_edu.gradients.printed.errors` names what it drops).
    truncate : int, optional
        Errors go back at most so many steps from a text's last word: the last ``truncate + 1`` words
        contribute. All the way if None.

    Returns
    -------
    cost : float
        In nats.
    gradient : dict
        ``gradient["query"]["Wrec3"]``: names and shapes as in ``model.query.params``.

    Raises
    ------
    InputError
        An argument is out of range, or the lists do not fit each other.
    """
    if method not in METHODS:
        raise InputError(f"method: {method!r}; must be one of {', '.join(METHODS)}")
    cost.check_gamma(gamma)
    check_truncate(truncate)
    queries, clicked, unclicked = check_lists(queries, clicked, unclicked)
    with one_blas_thread():
        if method == "autograd":
            from . import autodiff  # here, so that importing lstm_edu stays quick

            total, gradient = autodiff.cost_and_gradient(
                model, queries, clicked, unclicked, float(gamma), truncate
            )
        else:
            examples, sides = (
                examples_of(model, queries, clicked, unclicked),
                (model.query, model.document),
            )
            l, touched = minibatch_gradient(sides, examples, float(gamma), method, truncate)
            total, gradient = (
                l.sum(),
                [
                    model.cell.params(_all_rows(g, side.weights, batch.touched))
                    for g, side, batch in zip(
                        touched, sides, (examples.queries, examples.documents)
                    )
                ],
            )
    return float(total), {"query": gradient[0], "document": gradient[1]}


def check_truncate(truncate):
    """Raise InputError unless truncate is None or a whole number from 0."""
    if truncate is not None and not (isinstance(truncate, (int, np.integer)) and truncate >= 0):
        raise InputError(f"truncate: {truncate!r}; must be None or a whole number from 0")


def _all_rows(gradient, weights, touched):
    full = {
        name: np.zeros_like(w) if is_by_rows(name) else gradient[name]
        for name, w in weights.items()
    }
    for name in filter(is_by_rows, full):
        full[name][touched] = gradient[name]
    return full
