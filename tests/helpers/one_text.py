"""Function that runs a forward and a backward pass for one text, given as trigram counts."""

import numpy as np
import scipy.sparse

from lstm_edu.text.batch import side_by_side
from lstm_edu.text.sentences import Sentences


def gradient_of_text(cell, weights, L, v, errors=None, without=()):
    """Return the gradient of v · y(T) for one text, keyed by parameter.

    ``L`` holds the text's trigram counts, (n_words, n_trigrams). ``errors`` is passed to the cell's
    `backward`. So are the weights, but with zeros for names that start with ``without``.
    """
    words = np.arange(len(L))
    batch = side_by_side(Sentences(scipy.sparse.csr_array(L), words, np.array([0, len(L)])))
    _, tape = cell.forward(weights, batch)
    kept = {name: w * (not name.startswith(without)) for name, w in weights.items()}
    found = cell.backward(kept, batch, tape, v[None], errors=errors)
    W = np.zeros_like(weights["W"])
    W[batch.touched] = found["W"]
    return cell.params(found | {"W": W})
