"""Wrong answers for the checks of `lstm_course/exercises/many_sentences.py`."""

import numpy as np
from wrong_answers._replaced import said


def _read(params, L, at=lambda t, lengths: t < lengths, otherwise=1, Wrec=lambda Wrec: Wrec.T):
    Y = np.zeros((len(L), len(params["b"])))
    for t in range(L.shape[1]):
        new = np.tanh(L[:, t] @ params["W"].T + Y @ Wrec(params["Wrec"]) + params["b"])
        Y = np.where(at(t)[:, None], new, otherwise * Y)
    return Y


def all_words(params, L, lengths):
    """y of all words."""
    Y, all_Y = np.zeros((len(L), len(params["b"]))), []
    for t in range(L.shape[1]):
        Y = np.tanh(L[:, t] @ params["W"].T + Y @ params["Wrec"].T + params["b"])
        all_Y.append(Y)
    return np.array(all_Y).transpose(1, 0, 2)


def no_tanh(params, L, lengths):
    """Linear. Told: the tanh is missing"""
    Y = np.zeros((len(L), len(params["b"])))
    for t in range(L.shape[1]):
        new = L[:, t] @ params["W"].T + Y @ params["Wrec"].T + params["b"]
        Y = np.where((t < lengths)[:, None], new, Y)
    return Y


WRONG = {
    "check_many_sentences": [
        no_tanh,
        *said(
            (
                "Zeros are read like words.",
                lambda params, L, lengths: _read(params, L, lambda t: lengths > -1),
            ),
            (
                "The last word is left out.",
                lambda params, L, lengths: _read(params, L, lambda t: t < lengths - 1),
            ),
            (
                "A zero is read after the last word.",
                lambda params, L, lengths: _read(params, L, lambda t: t <= lengths),
            ),
            (
                "Sentences that have ended are set to 0.",
                lambda params, L, lengths: _read(params, L, lambda t: t < lengths, otherwise=0),
            ),
            (
                "Y @ Wrec.",
                lambda params, L, lengths: _read(
                    params, L, lambda t: t < lengths, Wrec=lambda Wrec: Wrec
                ),
            ),
            (
                "A word without known trigrams is taken for padding.",
                lambda params, L, lengths: _read(params, L, lambda t: L[:, t].any(axis=1)),
            ),
        ),
        all_words,
    ],
}
