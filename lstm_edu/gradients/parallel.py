"""The forward and backward pass of a minibatch in parts, by two threads or by many machines.

At the paper's scale a step takes half to two thirds of the time of one thread. The two sides share
only the cost, so any free thread can run the forward or the backward pass of any part;
`lstm_edu.gradients.minibatch` does the rest. tests/edu/test_batches.py compares the two.
"""

import functools
from itertools import islice

import numpy as np

from ..text.lanes import lanes, places, trigrams_gradient
from .minibatch import backward, minibatch_gradient
from .plain import Read

ENOUGH = 1 << 20  # tokens times cells of a minibatch


def worth(threads, sides, examples):
    """Return ``threads`` for a large minibatch, ``map`` for a small one.

    In a small one two threads would wait for each other longer than they work: for an epoch of the
    sample (LSTM of 32 cells) one thread takes .7 of their time.
    """
    batches = examples.queries, examples.documents
    n = sum(len(batch.token) * side.cell.size for side, batch in zip(sides, batches))
    return threads if n >= ENOUGH else map


def gradient_in_lanes(*step, threads=map, **how):
    """Call `minibatch_gradient` with `read_in_lanes`.

    Parameters
    ----------
    *step, **how
        The arguments of `minibatch_gradient`.
    threads : function
        A ``map`` over two threads, as `lstm_edu._util.threads.two_threads` returns it.
    """
    threads = worth(threads, *step[:2])
    return minibatch_gradient(*step, **how, read=functools.partial(read_in_lanes, threads))


def read_in_lanes(threads, sides, batches, words):
    """Do as `lstm_edu.gradients.minibatch.read_whole`, in lanes, by threads."""
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
            tapes[n] = None  # free each tape as soon as its lane is done
            error = part_of(errors[k], batches[k], lane)
            return backward(sides[k], lane, tape, error, method, truncate)

        found, gradients = threads(of_lane, range(len(parts))), []
        for k, side in enumerate(sides):  # sums the queries while threads still read titles
            on_side = [lane for of, lane in parts if of == k]
            gradients.append(_sum(side.cell, on_side, list(islice(found, len(on_side))), threads))
        return gradients

    return outputs, go_back


def joined(sides, batches, words, outputs):
    """Join the outputs of parts, each ((side, part), Read), into one Read per side."""
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
    """Return the error of a part's outputs, the longest sentences first."""
    words = None if error.words is None else error.words[places(batch, part)]
    return Read(error.y[part.order], words)


def _sum(cell, lanes, gradients, threads):
    """Sum the gradients of a batch's lanes."""
    total = {}
    for name in gradients[0]:
        every = [gradient[name] for gradient in gradients]
        sparse = name in cell.sparse
        total[name] = trigrams_gradient(lanes, every, threads) if sparse else sum(every)
    return total
