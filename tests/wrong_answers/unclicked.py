"""Wrong answers for the checks of `lstm_course/exercises/unclicked.py`."""

import numpy as np
from wrong_answers._replaced import replaced, said


def next_for_a_clicked(clicked, n_titles, n, rng):
    """A clicked title is replaced by the next one that is free, which so comes oftener."""
    drawn = []
    for title in rng.permutation(n_titles)[:n]:
        while title in clicked or title in drawn:
            title = (title + 1) % n_titles
        drawn.append(title)
    return np.array(drawn)


def thrown_away(clicked, n_titles, n, rng):
    """Clicked ones are thrown away after the draw, and too few are left."""
    drawn = rng.choice(n_titles, n, replace=False)
    return drawn[~np.isin(drawn, clicked)]


def from_one(clicked, n_titles, n, rng):
    """Counts the titles from 1."""
    return rng.choice(np.setdiff1d(np.arange(1, n_titles + 1), clicked), n, replace=False)


DRAW = """
def draw_unclicked(clicked, n_titles, n, rng):
    unclicked = np.setdiff1d(np.arange(n_titles), clicked)
    return rng.choice(unclicked, n, replace=False)
"""


WRONG = {
    "check_draw_unclicked": [
        *said(
            (
                "Any titles.",
                lambda clicked, n_titles, n, rng: rng.choice(n_titles, n, replace=False),
            ),
            (
                "Only one of the clicked titles is left out.",
                lambda clicked, n_titles, n, rng: rng.choice(
                    np.setdiff1d(np.arange(n_titles), clicked[:1]), n, replace=False
                ),
            ),
            (
                "A title can come twice.",
                lambda clicked, n_titles, n, rng: rng.choice(
                    np.setdiff1d(np.arange(n_titles), clicked), n
                ),
            ),
            (
                "The same draw every time.",
                lambda clicked, n_titles, n, rng: np.random.default_rng(0).choice(
                    np.setdiff1d(np.arange(n_titles), clicked), n, replace=False
                ),
            ),
            (
                "Chance that the rng knows nothing of.",
                lambda clicked, n_titles, n, rng: np.random.permutation(
                    np.setdiff1d(np.arange(n_titles), clicked)
                )[:n],
            ),
            (
                "Nothing is drawn.",
                lambda clicked, n_titles, n, rng: np.setdiff1d(np.arange(n_titles), clicked)[:n],
            ),
        ),
        next_for_a_clicked,
        thrown_away,
        from_one,
        *replaced(
            DRAW,
            ("np.arange(n_titles)", "np.arange(n_titles - 1)"),
            ("np.arange(n_titles)", "np.arange(1, n_titles)"),
            (
                "rng.choice(unclicked, n, replace=False)",
                "np.roll(unclicked, rng.integers(len(unclicked)))[:n]",
            ),
            ("rng.choice(unclicked, n, replace=False)", "unclicked[rng.permutation(n)]"),
            ("clicked)\n", "clicked[-1:])\n"),
            (
                "rng.choice(unclicked, n, replace=False)",
                "rng.choice(unclicked, n - 1, replace=False)",
            ),
            ("rng.choice(unclicked, n, replace=False)", "rng.permutation(len(unclicked))[:n]"),
            ("np.setdiff1d(np.arange(n_titles), clicked)", "clicked"),
        ),
    ],
}
