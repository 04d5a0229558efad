"""Analyses of how a model reads a text (section V-A): active cells, keywords, topics,
and how far back errors reach.

A bidirectional model has separate cells for each direction. The most active cells are those with
the largest |y| after the last word that their direction reads. The first word never counts,
because y starts at 0 and that word changes every cell (footnote 3).
"""

import numpy as np

from .._util import arguments
from .._util.files import InputError
from ..gradients.cost import checked_gamma
from ..gradients.methods import check_lists
from ..gradients.minibatch import examples_of, minibatch_gradient
from ..text.batch import sentence, time

# a cell is assigned to a word that changes the cell's y by more than this fraction of the most
# active cells' mean final |y|
LARGE = 0.2
MOST_TOPICS = 10**6


def most_active_cells(y, n=10):
    """Return the n cells with the largest |y| after the last word, largest first (Figs. 6, 11, 12).

    Parameters
    ----------
    y : (n_words, n_cells)
        The outputs in one reading direction, as in ``model.trace(text).y``.
    n : int

    Returns
    -------
    (n,) of int
    """
    y, n = _states(y), arguments.integer("n", n, 1)
    return np.argsort(-np.abs(y[-1]), kind="stable")[:n]


def _states(y):
    """Return y as an array; raise InputError unless it has at least one word and one cell."""
    found = arguments.array("y", y, "n_words", "n_cells")
    return found if found.size else arguments.refuse("y", y, "of at least one word and cell")


def detections(y, cells, large=LARGE):
    """Mark the words assigned to each cell: those that change its y by a large amount.

    A change |y(t) - y(t-1)| is large if it exceeds ``large`` times the mean final |y| of the given
    cells.

    The bound is relative, so that models with outputs of different size can be compared: an RNN's
    outputs fill (-1, 1), while the output gate keeps an LSTM's small. The paper says "a large
    enough change" and gives no number.

    Parameters
    ----------
    y : (n_words, n_cells)
        The outputs in reading order.
    cells : (n,) of int
        The cells to examine, for instance `most_active_cells`.
    large : float, at least 0

    Returns
    -------
    (n_words, n) of bool
        The first row, for the word that is read first, is always False.

    Raises
    ------
    InputError
        ``large`` is below 0, or a cell does not exist.
    """
    y, large = _states(y), arguments.number("large", large)
    cells = arguments.wholes("cells", cells, "n", high=y.shape[1] - 1)
    if not len(cells):
        arguments.refuse("cells", cells, "at least one")
    change = np.abs(np.diff(y[:, cells], axis=0, prepend=0))
    found = change > large * np.abs(y[-1, cells]).mean()
    found[0] = False
    return found


def readings(model, text, side="query"):
    """Return the outputs of each reading direction, in the order of reading.

    Returns
    -------
    list of (n_words, n_cells) arrays
        The outputs from left to right; for a bidirectional model also the outputs from right to
        left.
    """
    y = arguments.model(model).trace(text, side).y
    if model.cell.directions == 1:
        return [y]
    forward, backward = np.hsplit(y, 2)
    return [forward, backward[::-1]]


def assigned_cells(model, text, side="query", n=10, large=LARGE):
    """Count how many of the n most active cells are assigned to each word (Tables I, II, V-X).

    Parameters
    ----------
    model : DualEncoder
    text : str
    side : "query" or "document"
    n : int
    large : float
        See `detections`.

    Returns
    -------
    (n_directions, n_words) of float
        The counts in the order of the text; NaN for the word that a direction reads first.
    """
    counts = []
    for y in readings(model, text, side):
        found = detections(y, most_active_cells(y, n), large).sum(axis=1).astype(float)
        found[0] = np.nan
        counts.append(found)
    return np.array([counts[0], *(found[::-1] for found in counts[1:])])


def keywords(counts, n=10, share=0.4):
    """Return which words are keywords: those assigned more than a given fraction of the n cells.

    A keyword must meet this condition in every direction that counts the word.

    Parameters
    ----------
    counts : (n_directions, n_words)
        The result of `assigned_cells`.
    n : int
        As for `assigned_cells`.
    share : float
        The fraction of the n cells that a keyword must exceed. The paper uses 0.4, i.e. more than 4
        of 10 cells.

    Returns
    -------
    (n_words,) of bool
        Whether each word is a keyword; False if no direction counts it.
    """
    counts = arguments.array("counts", counts, "n_directions", "n_words", finite=False)
    if np.isinf(counts).any():
        arguments.refuse("counts", counts, "numbers, or NaN")
    n, share = arguments.integer("n", n, 1), arguments.number("share", share, 0, 1)
    counted = ~np.isnan(counts)
    return ((counts > share * n) | ~counted).all(axis=0) & counted.any(axis=0)


def words_by_cell(model, text, side="query", n=5, large=LARGE):
    """Return the words that each of the n most active cells is assigned to (Table III).

    Parameters
    ----------
    model : DualEncoder
        A model whose cell reads left to right.
    text, side, n, large
        As for `assigned_cells`.

    Returns
    -------
    dict
        Lists of words keyed by cell number, most active first; cells without words are left out.

    Raises
    ------
    InputError
        The model reads in two directions.
    """
    check_left_to_right(model)
    trace = model.trace(text, side)
    cells = most_active_cells(trace.y, n)
    found = detections(trace.y, cells, large)
    return {
        int(cell): [word for word, hit in zip(trace.words, column) if hit]
        for cell, column in zip(cells, found.T)
        if column.any()
    }


def active(embeddings, n=5):
    """Return an (n_texts, n_cells) mask of the n most active cells for each text.

    Parameters
    ----------
    embeddings : (n_texts, n_cells)
        Embeddings, as from ``model.encode_query``.
    n : int
    """
    embeddings = arguments.array("embeddings", embeddings, "n_texts", "n_cells")
    n = arguments.integer("n", n, 1)
    top = np.argsort(-np.abs(embeddings), axis=1, kind="stable")[:, :n]
    found = np.zeros(embeddings.shape, bool)
    np.put_along_axis(found, top, True, axis=1)
    return found


def cells_by_topic(found, topics):
    """Count the texts of each topic for which each cell is active.

    Parameters
    ----------
    found : (n_texts, n_cells) of bool
        The result of `active`.
    topics : (n_texts,) of int
        The number of each text's topic, from 0.

    Returns
    -------
    (n_cells, n_topics) of int
    """
    found = arguments.flags("found", found, "n_texts", "n_cells")
    topics = _topics(topics)
    arguments.same_number(found=found, topics=topics)
    return found.T.astype(int) @ (np.arange(topics.max(initial=-1) + 1) == topics[:, None])


def _topics(topics):
    return arguments.wholes("topics", topics, "n_texts", high=MOST_TOPICS)


def topic_share(found, topics):
    """Measure how well active cells predict topics.

    A cell's value is the share of the commonest topic among the texts for which it is active.

    Parameters
    ----------
    found, topics
        As for `cells_by_topic`.

    Returns
    -------
    float
        The mean over all cells, weighted by the number of texts for which each is active. Compare
        it with `shuffled_topic_shares`, because chance gives neither 0 nor 1 / n_topics.
    """
    counts = cells_by_topic(found, topics)
    if not counts.any():
        arguments.refuse("found", found, "of a cell that is active for a text")
    return float(counts.max(axis=1).sum() / counts.sum())


def shuffled_topic_shares(found, topics, n_draws=1000, seed=0):
    """Compute `topic_share` for random permutations of the topics; return an (n_draws,) array."""
    n_draws, topics = arguments.integer("n_draws", n_draws, 1), _topics(topics)
    rng = np.random.default_rng(arguments.seed(seed))
    return np.array([topic_share(found, rng.permutation(topics)) for _ in range(n_draws)])


def error_norms(model, queries, clicked, unclicked, gamma=10.0, side="query"):
    """Compute the norm of each word's error and the word's distance to the end of its text.

    The error is the gradient of the summed cost with respect to a word's W l(t), over all gates:
    delta(t) of Eq. (10) for an RNN, dL/dz_1 ... dL/dz_4 together for an LSTM. It trains the weights
    of the word's trigrams and may vanish with distance.

    Parameters
    ----------
    model : DualEncoder
        A model whose cell reads left to right.
    queries, clicked, unclicked, gamma
        As for `lstm_edu.cost_and_gradient`.
    side : "query" or "document"

    Returns
    -------
    distance : (n_tokens,) of int
        The number of words after this one; 0 for a text's last word.
    norm : (n_tokens,)
        The norm of the error at the word.

    Raises
    ------
    InputError
        The model reads in two directions, or the lists do not match.
    """
    check_left_to_right(model)
    gamma, side = checked_gamma(gamma), arguments.choice("side", side, ["query", "document"])
    kept, sides = [], (model.query, model.document)
    chosen = sides[side == "document"].weights

    def errors(cell, weights, batch, *given, **extra):
        found = cell.errors(weights, batch, *given, **extra)
        if weights is chosen:
            distance = batch.lengths[sentence(batch)] - 1 - time(batch)
            kept.append((distance, np.linalg.norm(np.hstack(list(found.values())), axis=1)))
        return found

    examples = examples_of(model, *check_lists(queries, clicked, unclicked))
    minibatch_gradient(sides, examples, gamma, errors, relevance=model.relevance)
    distance, norm = map(np.concatenate, zip(*kept))
    return distance, norm


def check_left_to_right(model):
    """Raise InputError unless a model reads word by word, from left to right only."""
    if arguments.model(model).cell.directions != 1:
        raise InputError("model: bidirectional; must read left to right")
    if not model.cell.recurrent:
        name = type(model.cell).__name__
        raise InputError(f"model: a {name}; must read word by word, from left to right")
