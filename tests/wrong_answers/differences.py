"""Wrong answers for the checks of `lstm_course/exercises/differences.py`."""

from itertools import permutations

import numpy as np
from wrong_answers._replaced import replaced, said


def _both(values, roles):
    return [(v, role) for v, role in zip(values, roles) if {"c", "f"} <= set(role)]


def filler_minus_content(values, roles):
    """The other way round."""
    return np.array(
        [v[role == "f"].mean() - v[role == "c"].mean() for v, role in _both(values, roles)]
    )


def all_words_together(values, roles):
    """One difference over all words."""
    v, role = np.concatenate(values), np.concatenate(roles)
    return v[role == "c"].mean() - v[role == "f"].mean()


def one_kind_too(values, roles):
    """NaN where a query has no filler."""
    content, filler = (
        [v[role == kind].sum() / np.float64((role == kind).sum()) for v, role in zip(values, roles)]
        for kind in "cf"
    )
    return np.subtract(content, filler)


def nothing_counts_as_zero(values, roles):
    """The mean of no words as 0."""
    content, filler = (
        [v[role == kind].sum() / max(1, (role == kind).sum()) for v, role in zip(values, roles)]
        for kind in "cf"
    )
    return np.subtract(content, filler)


CONTENT = """
def content_minus_filler(values, roles):
    return np.array([v[role == 'c'].mean() - v[role == 'f'].mean()
                     for v, role in zip(values, roles)
                     if {'c', 'f'} <= set(role)])
"""


def one_order(content, filler):
    """The first factor is exchanged first."""
    return np.array(
        [
            content[:k].prod() * (content[k] - filler[k]) * filler[k + 1 :].prod()
            for k in range(len(content))
        ]
    )


def each_alone(content, filler):
    """Does not add up."""
    return np.array(
        [
            filler[:k].prod() * (content[k] - filler[k]) * filler[k + 1 :].prod()
            for k in range(len(content))
        ]
    )


def first_and_last(content, filler):
    """Right for two factors only."""
    alone = each_alone(content, filler)
    return (alone - each_alone(filler, content)) / 2


def at_the_middle(content, filler):
    """Right for two factors only."""
    middle = (content + filler) / 2
    return np.array(
        [np.delete(middle, k).prod() * (content[k] - filler[k]) for k in range(len(content))]
    )


def by_logarithms(content, filler):
    """Another way of dealing out."""
    logs = np.log(content / filler)
    return logs / logs.sum() * (content.prod() - filler.prod())


def not_divided(content, filler):
    """The sum over all orders."""
    parts = np.zeros(len(content))
    for order in permutations(range(len(content))):
        now = filler.copy()
        for k in order:
            before, now[k] = now.prod(), content[k]
            parts[k] += now.prod() - before
    return parts


def plain_differences(content, filler):
    """Without what the factor multiplies."""
    return content - filler


SPLIT = """
def split(content, filler):
    parts = np.zeros(len(content))
    orders = list(permutations(range(len(content))))
    for order in orders:
        now = np.array(filler)
        for k in order:
            before, now[k] = now.prod(), content[k]
            parts[k] += now.prod() - before
    return parts / len(orders)
"""


WRONG = {
    "check_content_minus_filler": [
        filler_minus_content,
        all_words_together,
        one_kind_too,
        nothing_counts_as_zero,
        *said(
            (
                "Medians for means.",
                lambda values, roles: np.array(
                    [
                        np.median(v[role == "c"]) - np.median(v[role == "f"])
                        for v, role in _both(values, roles)
                    ]
                ),
            ),
            (
                "Content against all words.",
                lambda values, roles: np.array(
                    [v[role == "c"].mean() - v.mean() for v, role in _both(values, roles)]
                ),
            ),
            (
                "Sums for means.",
                lambda values, roles: np.array(
                    [
                        v[role == "c"].sum() - v[role == "f"].sum()
                        for v, role in _both(values, roles)
                    ]
                ),
            ),
        ),
        *replaced(
            CONTENT,
            ("- v[role == 'f'].mean()", "/ v[role == 'f'].mean()"),
            ("- v[role == 'f'].mean()", ""),
            ("- v[role == 'f'].mean()", "+ v[role == 'f'].mean()"),
            ("- v[role == 'f'].mean()", "- v.mean()"),
            ("np.array([", "np.abs(["),
            ("np.array([", "np.sort(["),
            ("{'c', 'f'} <= set(role)", "'f' in role"),
            ("{'c', 'f'} <= set(role)", "len(role) > 1"),
            ("<= set(role)", "<= set(role) and v[role == 'c'].mean() != v[role == 'f'].mean()"),
            ("v[role == 'c'].mean()", "v[role == 'c'].max()"),
            ("v[role == 'c'].mean()", "v[role == 'c'][0]"),
            ("v[role == 'c'].mean()", "(v * (role == 'c')).mean()"),
        ),
    ],
    "check_split": [
        one_order,
        each_alone,
        first_and_last,
        at_the_middle,
        by_logarithms,
        not_divided,
        plain_differences,
        *replaced(
            SPLIT,
            ("now = np.array(filler)", "now = np.array(content)"),
            ("np.array(filler)", "filler"),
            ("parts[k] += now", "parts[k] = now"),
            ("parts / len(orders)", "parts / len(parts)"),
            ("- before", "+ before"),
            ("now.prod() - before", "now.prod() / before"),
            ("now.prod() - before", "before - now.prod()"),
            ("list(permutations(range(len(content))))", "[range(len(content))]"),
            (
                "return parts / len(orders)",
                "a, b = content, filler\n    return (a - b) * (a.prod() / a + b.prod() / b) / 2",
            ),
            (
                "    return parts / len(orders)",
                "    m = (content + filler) / 2\n    return m.prod() / m * (content - filler)",
            ),
            ("    return parts / len(orders)", "    return content.prod() - filler.prod()"),
            ("        now = np.array(filler)", "        now = parts + filler"),
        ),
    ],
}
