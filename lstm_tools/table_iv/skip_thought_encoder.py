"""Skip-Thought's encoder (Kiros et al. 2015) in NumPy: three GRUs and their last states."""

import re
from itertools import groupby
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from lstm_edu._util.files import InputError
from lstm_edu._util.threads import two_threads
from lstm_edu.gradients.plain import norm
from lstm_edu.text.hashing import words

# the authors' tokens for the end of a sentence and for unknown words
END, UNKNOWN = "<eos>", "UNK"
BATCH = 128, 4096  # maximum numbers of texts and of words in a batch


class Model(NamedTuple):
    """The weights of the encoders, and their vocabulary.

    Attributes
    ----------
    uni, bi : list of dicts of arrays
        The float32 weights of each GRU, keyed by the authors' names.
    utable, btable : (n_words, word size)
        Word embeddings. Tables from files are memory-mapped.
    row : dict
        The row of each word.
    """

    uni: list
    bi: list
    utable: np.ndarray
    btable: np.ndarray
    row: dict


def shapes(d, n):
    """Return the shapes of a GRU's weights, keyed by name, for embeddings of size d and n units.

    In W, U and b, the first half belongs to r, the second to u.
    """
    return {"W": (d, 2 * n), "U": (n, 2 * n), "b": (2 * n,), "Wx": (d, n), "Ux": (n, n), "bx": (n,)}


def part(weights, prefix):
    """Return the weights whose names have this prefix, keyed by their names without the prefix."""
    return {name: weights[f"{prefix}_{name}"] for name in shapes(0, 0)}


def encode(model, texts):
    """Compute skip-thought vectors: the normalised vectors of uni and bi, concatenated.

    The authors call this model "combine-skip".

    Parameters
    ----------
    model : Model
    texts : iterable of str

    Returns
    -------
    (n_texts, uni size + bi size) of float32
        Zeros for texts without words. As in the authors' default, the encoders do not read the
        end-of-sentence token.
    """
    read_as = [tokens(text, model.row) for text in texts]
    size = sum(len(gru["Ux"]) for gru in (*model.uni, *model.bi))
    vectors = np.zeros((len(read_as), size), np.float32)

    def one(batch):
        ids, parts = np.array([read_as[k] for k in batch]).T, []  # ids: (n_words, n_texts)
        for table, grus in ((model.utable, model.uni), (model.btable, model.bi)):
            x, h = _look_up(table, ids), []
            for weights, read in zip(grus, (x, x[::-1])):
                start = np.zeros((len(batch), len(weights["Ux"])), np.float32)
                h.append(gru(read, start, **weights)[-1])
            y = np.concatenate(h, axis=1)
            parts.append(y / norm(np, y))
        vectors[batch] = np.concatenate(parts, axis=1)

    with two_threads() as threads:
        list(threads(one, _by_length(read_as)))
    return vectors


def tokens(text, row):
    """Lower-case a text, split it at white space, and return the table row of each word.

    The released dictionary has words and punctuation as separate entries, as NLTK's tokenizer
    splits them. A word that is not in the dictionary, such as "hotel,", is therefore split at its
    punctuation; unknown parts get the row of UNK.
    """
    found = []
    for word in words(text):
        found += [word] if word in row else re.findall(r"\w+|[^\w\s]", word)
    return [row.get(word, row[UNKNOWN]) for word in found]


def gru(x, h, W, U, b, Wx, Ux, bx):
    """Compute the states of a GRU::

        [r, u] = sigmoid(x(t) W + h(t-1) U + b)
        h~     = tanh(x(t) Wx + r * (h(t-1) Ux) + bx)
        h(t)   = u * h(t-1) + (1 - u) * h~

    Parameters
    ----------
    x : (n_words, N, d)
    h : (N, n)
        The state before the first word.
    W, U, b : (d, 2n), (n, 2n), (2n,)
        The weights of both gates; the first n columns belong to r, the others to u.
    Wx, Ux, bx : (d, n), (n, n), (n,)

    Returns
    -------
    (n_words, N, n)
    """
    H, n = np.empty((len(x), *h.shape), h.dtype), len(Ux)
    for t, x_t in enumerate(x):
        gates = expit(x_t @ W + h @ U + b)
        r, u = gates[:, :n], gates[:, n:]
        H[t] = h = u * h + (1 - u) * np.tanh(x_t @ Wx + r * (h @ Ux) + bx)
    return H


def _by_length(read_as):
    """Yield batches of nonempty texts, as indices; texts in a batch have equal lengths."""
    order = sorted((k for k, text in enumerate(read_as) if text), key=lambda k: len(read_as[k]))
    for length, group in groupby(order, key=lambda k: len(read_as[k])):
        alike, at_once = list(group), max(1, min(BATCH[0], BATCH[1] // length))
        for start in range(0, len(alike), at_once):
            yield alike[start : start + at_once]


def _look_up(table, ids):
    distinct, place = np.unique(ids, return_inverse=True)
    found = np.asarray(table[distinct], np.float32)
    if not np.isfinite(found).all():
        raise InputError("Skip-Thought: a word's embedding is not finite; is a table damaged?")
    return found[place.reshape(ids.shape)]
