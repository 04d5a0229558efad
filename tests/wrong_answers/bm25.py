"""Wrong answers for the checks of `lstm_course/exercises/bm25.py`."""

import numpy as np
from wrong_answers._replaced import replaced, said


def _bm25(query, postings, lengths, k1, b, rarity=None, times=1, mean=None):
    scores, N = np.zeros(len(lengths)), len(lengths)
    rarity = rarity or (lambda n: np.log(1 + (N - n + 0.5) / (n + 0.5)))
    for word in query:
        for title, tf in postings.get(word, []):
            scores[title] += (
                times
                * rarity(len(postings[word]))
                * tf
                / (tf + k1 * (1 - b + b * lengths[title] / (mean or lengths.mean())))
            )
    return scores


def replaces_the_sum(query, postings, lengths, k1, b):
    """= for +=: the last word decides."""
    scores = np.zeros(len(lengths))
    for word in query:
        found = _bm25([word], postings, lengths, k1, b)
        scores[found > 0] = found[found > 0]
    return scores


BM25 = """
def bm25(query, postings, lengths, k1, b):
    N, mean_length = len(lengths), lengths.mean()
    scores = np.zeros(N)
    for word in query:
        n_w = len(postings.get(word, []))
        rarity = np.log(1 + (N - n_w + 0.5) / (n_w + 0.5))
        for title, tf in postings.get(word, []):
            damping = k1 * (1 - b + b * lengths[title] / mean_length)
            scores[title] += rarity * tf / (tf + damping)
    return scores
"""


WRONG = {
    "check_bm25": [
        *said(
            (
                "The rarity of older texts, which can be negative.",
                lambda query, postings, lengths, k1, b: _bm25(
                    query,
                    postings,
                    lengths,
                    k1,
                    b,
                    lambda n: np.log((len(lengths) - n + 0.5) / (n + 0.5)),
                ),
            ),
            (
                "No rarity.",
                lambda query, postings, lengths, k1, b: _bm25(
                    query, postings, lengths, k1, b, lambda n: 1
                ),
            ),
            (
                "Another convention.",
                lambda query, postings, lengths, k1, b: _bm25(
                    query, postings, lengths, k1, b, times=k1 + 1
                ),
            ),
            (
                "The mean length is forgotten.",
                lambda query, postings, lengths, k1, b: _bm25(
                    query, postings, lengths, k1, b, mean=1
                ),
            ),
        ),
        replaces_the_sum,
        *said(
            (
                "KeyError where no title has a word of the query.",
                lambda query, postings, lengths, k1, b: _bm25(
                    [word for word in query if postings[word]], postings, lengths, k1, b
                ),
            ),
            (
                "A repeated word counts once.",
                lambda query, postings, lengths, k1, b: _bm25(
                    dict.fromkeys(query), postings, lengths, k1, b
                ),
            ),
        ),
        *replaced(
            BM25,
            ("np.log(1 + ", "np.log10(1 + "),
            ("(N - n_w + 0.5) / (n_w + 0.5)", "N / (n_w + 0.5)"),
            ("1 + (N - n_w + 0.5) / (n_w + 0.5)", "N / max(n_w, 1)"),
            ("N - n_w + 0.5", "n_w + 0.5 + 0 * N"),
            ("rarity * tf /", "rarity /"),
            ("/ (tf + damping)", "/ damping"),
            ("/ (tf + damping)", "/ (1 + damping)"),
            ("rarity * tf / (tf + damping)", "rarity * tf"),
            ("scores[title] +=", "scores[title] ="),
            ("for word in query", "for word in set(query)"),
            ("for word in query", "for word in query[:1]"),
            ("k1 * (1", "(1"),
            ("k1 * (1 - b +", "k1 * (1 - b) + ("),
            ("lengths[title] / mean_length", "mean_length / lengths[title]"),
            ("lengths[title] / mean_length", "lengths[title]"),
            ("lengths[title] / mean_length", "lengths[title] // mean_length"),
            ("1 - b + b *", "b + (1 - b) *"),
            ("lengths.mean()", "np.median(lengths)"),
            ("for title, tf in postings.get(word, [])", "for title, tf in postings[word]"),
            ("np.zeros(N)", "np.zeros(len(postings))"),
        ),
    ],
}
