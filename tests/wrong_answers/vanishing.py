"""Wrong answers for the checks of `lstm_course/exercises/vanishing.py`."""

import numpy as np
from wrong_answers._replaced import replaced


def _norms(errors):
    return [np.linalg.norm(e, axis=1)[::-1] for e in errors]


def _medians(norms, n):
    return np.array([np.median([v[d] for v in norms if len(v) > d]) for d in range(n + 1)])


def from_the_front(errors, n):
    """Counts the distance from the first word."""
    median = _medians([v[::-1] for v in _norms(errors)], n)
    return median / median[0]


def not_relative(errors, n):
    """The median norms themselves."""
    return _medians(_norms(errors), n)


def means(errors, n):
    """Means for medians."""
    norms = _norms(errors)
    mean = np.array([np.mean([v[d] for v in norms if len(v) > d]) for d in range(n + 1)])
    return mean / mean[0]


def each_relative(errors, n):
    """Divides within each text."""
    return _medians([v / v[0] for v in _norms(errors)], n)


def zeros_for_missing_words(errors, n):
    """Short texts are filled up with zeros."""
    padded = [np.append(v, np.zeros(20)) for v in _norms(errors)]
    return _medians(padded, n) / _medians(padded, n)[0]


def long_texts_only(errors, n):
    """Short texts are left out everywhere."""
    median = _medians([v for v in _norms(errors) if len(v) > n], n)
    return median / median[0]


def runs_out_of_words(errors, n):
    """Short texts have no word so far back."""
    return np.array([np.median([np.linalg.norm(e[-1 - d]) for e in errors]) for d in range(n + 1)])


SHARE_LEFT = """
def share_left(errors, n):
    median = np.zeros(n + 1)
    for d in range(n + 1):
        at_d = [np.linalg.norm(e[-1 - d]) for e in errors if len(e) > d]
        median[d] = np.median(at_d)
    return median / median[0]
"""


WRONG = {
    "check_share_left": [
        from_the_front,
        not_relative,
        means,
        each_relative,
        zeros_for_missing_words,
        long_texts_only,
        runs_out_of_words,
        *replaced(
            SHARE_LEFT,
            ("range(n + 1)", "range(n)"),
            ("range(n + 1)", "range(1, n + 1)"),
            ("e[-1 - d]", "e[-d]"),
            ("e[-1 - d]", "e[d]"),
            ("np.linalg.norm(e[-1 - d])", "np.linalg.norm(e[-1 - d]) ** 2"),
            ("np.linalg.norm(e[-1 - d])", "np.abs(e[-1 - d]).max()"),
            ("np.linalg.norm(e[-1 - d])", "e[-1 - d].sum()"),
            ("np.median(at_d)", "sorted(at_d)[len(at_d) // 2]"),
            ("np.median(at_d)", "np.mean(at_d)"),
            ("np.median(at_d)", "np.max(at_d)"),
            ("len(e) > d", "len(e) > d + 1"),
            ("/ median[0]", ""),
            ("/ median[0]", "/ median.max()"),
            ("/ median[0]", "/ median.sum()"),
            ("/ median[0]", "- median[0]"),
            ("/ median[0]", "/ median"),
        ),
    ],
}
