"""The forward and backward pass of a minibatch, split into lanes for two threads.

A lane is a part of a batch; a small batch is one lane. At the paper's scale two threads take one
half to two thirds of the time of one thread. The two sides (query and document) share only the
cost, so a free thread can process any lane of either side. Between the passes,
`lstm_edu.gradients.minibatch` computes the cost.
"""

from itertools import islice

import numpy as np

from ..text.lanes import lanes, places, trigrams_gradient
from . import printed
from .plain import Read

ENOUGH = 1 << 20  # use two threads only if tokens times cells are at least this many


def worth(threads, sides, batches):
    """Choose the map function for a minibatch: ``threads`` if it is large, else ``map``.

    In a small minibatch two threads wait for each other longer than they work: an epoch of the
    sample data (LSTM of 32 cells) takes 0.7 times as long on one thread.
    """
    n = sum(len(batch.token) * side.cell.size for side, batch in zip(sides, batches))
    return threads if n >= ENOUGH else map


def read_in_lanes(threads, sides, batches, words):
    """Run the forward passes of all batches, and return a function for the backward passes.

    Parameters
    ----------
    threads : function
        A ``map`` over threads, as `lstm_edu._util.threads.two_threads` returns it.
    sides : sequence of Side
    batches : sequence of Batch
    words : bool
        Whether to return the outputs at all words in addition to the embeddings.

    Returns
    -------
    outputs : list of Read
    go_back : function
        Runs the backward passes. It takes three arguments (the errors of ``outputs``, ``method``,
        ``truncate``) and returns the gradient of each side.
    """
    threads = worth(threads, sides, batches)
    parts = [
        (k, lane)
        for k, (side, batch) in enumerate(zip(sides, batches))
        for lane in lanes(batch, side.cell.size, threads)
    ]

    def forward(k, lane):
        return sides[k].cell.forward(sides[k].weights, lane)

    y, tapes = map(list, zip(*threads(forward, *zip(*parts))))
    outputs = (Read(of_lane, tape.y if words else None) for of_lane, tape in zip(y, tapes))
    outputs = joined(sides, batches, words, zip(parts, outputs))

    def go_back(errors, method, truncate):
        def of_lane(n):
            (k, lane), tape = parts[n], tapes[n]
            tapes[n] = None  # free the tape as soon as the lane is done
            error = part_of(errors[k], batches[k], lane)
            return backward(sides[k], lane, tape, error, method, truncate)

        found, gradients = threads(of_lane, range(len(parts))), []
        # sum the gradients of queries while threads still work on titles
        for k, side in enumerate(sides):
            on_side = [lane for of, lane in parts if of == k]
            gradients.append(_sum(side.cell, on_side, list(islice(found, len(on_side))), threads))
        return gradients

    return outputs, go_back


def backward(side, batch, tape, error, method, truncate):
    """Compute a side's gradient from the errors of its outputs, which are in the batch's order."""
    as_printed = method == "printed" and side.cell.printed == "approximate"
    errors = printed.errors if as_printed else method if callable(method) else None
    return side.cell.backward(side.weights, batch, tape, error.y, truncate, errors, error.words)


def joined(sides, batches, words, outputs):
    """Join the outputs of parts of batches into one `Read` per side.

    ``outputs`` yields ((k, part), read): the number of the side, a part of its batch, and the
    part's `Read`.
    """
    whole = []
    for side, batch in zip(sides, batches):
        n = len(batch.order), len(batch.token) if words else 0
        y, at_words = (np.empty((n_rows, side.cell.size), side.dtype) for n_rows in n)
        whole.append(Read(y, at_words if words else None))
    for (k, part), read in outputs:
        whole[k].y[part.order] = read.y
        if words:
            whole[k].words[places(batches[k], part)] = read.words
    return whole


def part_of(error, batch, part):
    """Select the errors of one part's outputs, and sort them by sentence length, longest first."""
    words = None if error.words is None else error.words[places(batch, part)]
    return Read(error.y[part.order], words)


def _sum(cell, lanes, gradients, threads):
    """Sum the gradients of all lanes of a batch."""
    total = {}
    for name in gradients[0]:
        every = [gradient[name] for gradient in gradients]
        sparse = name in cell.sparse
        total[name] = trigrams_gradient(lanes, every, threads) if sparse else sum(every)
    return total
