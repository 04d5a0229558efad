"""Exercise for lesson 06: draw unclicked titles uniformly.

Any method of sampling is accepted, so the check tests each draw's properties, and how often each
title is drawn.
"""

import numpy as np

from ..engine import slips
from ..engine.calling import call, passed
from ..engine.report import compare
from ..engine.sandbox import runner

EACH_DRAW, (OTHER_SOURCE, ALIKE, UNEVEN, TOGETHER) = slips.table(__file__).values()


@slips.register
def check_draw_unclicked(function):
    """Check a function that draws n different unclicked titles, all equally likely."""
    # include draws of all unclicked titles, and of a single title
    n_draws, cases = 3000, [(9, 1, 4), (9, 3, 2), (4, 2, 2), (12, 5, 3), (6, 2, 1)]
    with runner.timed():
        for seed in range(n_draws):
            np.random.default_rng(seed).choice(np.setdiff1d(np.arange(9), [0]), 4, replace=False)
    for seed, (n_titles, n_clicked, n) in enumerate(cases):
        # clicked titles in any order, possibly including the first and the last title
        clicked = (np.random.default_rng(seed).permutation(n_titles)[:n_clicked] - seed) % n_titles
        drawing = {"clicked": clicked, "n_titles": n_titles, "n": n}
        given = drawing | {"rng": f"np.random.default_rng({seed})"}
        drawing["rng"] = np.random.default_rng(seed)

        def drawn_often(times, drawing=drawing):
            def draws(*given):
                return [function(*given) for _ in range(times)]

            drawn = call("the titles", draws, drawing, changes=["rng"])
            return [np.copy(each) if np.size(each) > 1 else each for each in drawn]

        # a separate first call, so that an error message quotes the student's line
        call("the titles", function, drawing, changes=["rng"])
        many, again = drawn_often(n_draws), drawn_often(5)
        for drawn in many:
            _check_draw(drawn, given)
        label = "the titles, drawn with the same rng once more,"
        compare(label, np.array(again), np.array(many[:5]), given, OTHER_SOURCE, 1e-9)
        share = np.bincount(np.ravel(many).astype(int), minlength=n_titles) / n_draws
        n_unclicked = n_titles - n_clicked
        even = np.where(np.isin(np.arange(n_titles), clicked), 0, n / n_unclicked)
        reason = ALIKE if set(share) == {0, 1} != set(even) else UNEVEN
        label = f"the share of {n_draws} draws that hold title 0, title 1, …"
        compare(label, share, even, given, reason, 0.15)
        if n > 1:
            drawn = (np.array(many)[:, :, None] == np.arange(n_titles)).any(axis=1).astype(float)
            together = even[:, None] * (even > 0) * (n - 1) / max(n_unclicked - 1, 1)
            np.fill_diagonal(together, share)
            label = f"the share of {n_draws} draws that hold two titles together, row by row,"
            compare(label, drawn.T @ drawn / n_draws, together, given, TOGETHER, 0.4)
    passed("check_draw_unclicked", len(cases))


def _check_draw(drawn, given):
    """Raise `Wrong` unless a draw has n different unclicked titles."""
    clicked, n_titles, n, _ = given.values()
    if drawn is None:
        compare("what is drawn", None, f"{n} titles", given)
    outside, refused = ~np.isin(drawn, np.arange(n_titles)), np.isin(drawn, clicked)
    found = np.shape(drawn), int(outside.sum()), int(refused.sum()), len(np.unique(drawn))
    for came, expected, (label, reason) in zip(found, ((n,), 0, 0, n), EACH_DRAW):
        if came != expected:  # `compare` is too slow to be called for thousands of draws
            if np.ndim(drawn) == 1 and len(drawn) < n:
                reason = "if clicked titles are thrown away after the draw, too few are left"
            compare(label, came, expected, given | {"drawn": drawn}, reason, 0)
