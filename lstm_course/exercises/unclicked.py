"""Exercise of notebook 06: titles that were not clicked, drawn evenly.

Any way of drawing is right, so that what is drawn is held against no solution's numbers.
"""

import numpy as np

from ..engine import slips
from ..engine.report import call, compare, passed
from ..engine.sandbox import runner

EACH_DRAW, (OTHER_SOURCE, ALIKE, UNEVEN, TOGETHER) = slips.table(__file__).values()


@slips.register
def check_draw_unclicked(function):
    """n different titles that were not clicked, (n,), all equally likely."""
    # all of the unclicked ones, and a single one, are draws, too; what draws all of them again
    # until they are different and none is clicked does so ten times here, not more
    n_draws, cases = 3000, [(9, 1, 4), (9, 3, 2), (4, 2, 2), (12, 5, 3), (6, 2, 1)]
    with runner.timed():
        for seed in range(n_draws):
            np.random.default_rng(seed).choice(np.setdiff1d(np.arange(9), [0]), 4, replace=False)
    for seed, (n_titles, n_clicked, n) in enumerate(cases):
        # in no order, the first and the last title among them
        clicked = (np.random.default_rng(seed).permutation(n_titles)[:n_clicked] - seed) % n_titles
        drawing = {"clicked": clicked, "n_titles": n_titles, "n": n}
        given = drawing | {"rng": f"np.random.default_rng({seed})"}
        drawing["rng"] = np.random.default_rng(seed)

        def drawn_often(times, drawing=drawing):
            def draws(*given):
                return [function(*given) for _ in range(times)]

            drawn = call("the titles", draws, drawing, changes=["rng"])
            return [np.copy(each) if np.size(each) > 1 else each for each in drawn]

        # an error is named by the student's own line
        call("the titles", function, drawing, changes=["rng"])
        many, again = drawn_often(n_draws), drawn_often(5)
        for drawn in many:
            _hold_draw(drawn, given)
        what = "the titles, drawn with the same rng once more,"
        _hold(what, np.array(again), np.array(many[:5]), given, OTHER_SOURCE, 1e-9)
        share = np.bincount(np.ravel(many).astype(int), minlength=n_titles) / n_draws
        n_unclicked = n_titles - n_clicked
        even = np.where(np.isin(np.arange(n_titles), clicked), 0, n / n_unclicked)
        reason = ALIKE if set(share) == {0, 1} != set(even) else UNEVEN
        what = f"the share of {n_draws} draws that hold title 0, title 1, …"
        _hold(what, share, even, given, reason, 0.15)
        if n > 1:
            held = (np.array(many)[:, :, None] == np.arange(n_titles)).any(axis=1).astype(float)
            both = even[:, None] * (even > 0) * (n - 1) / max(n_unclicked - 1, 1)
            np.fill_diagonal(both, share)
            what = f"the share of {n_draws} draws that hold two titles together, row by row,"
            _hold(what, held.T @ held / n_draws, both, given, TOGETHER, 0.4)
    passed("check_draw_unclicked", len(cases))


def _hold_draw(drawn, given):
    """Whether one draw has n different unclicked titles."""
    clicked, n_titles, n, _ = given.values()
    if drawn is None:
        compare("what is drawn", None, f"{n} titles", given)
    outside, held = ~np.isin(drawn, np.arange(n_titles)), np.isin(drawn, clicked)
    found = np.shape(drawn), int(outside.sum()), int(held.sum()), len(np.unique(drawn))
    for came, expected, (what, reason) in zip(found, ((n,), 0, 0, n), EACH_DRAW):
        if came != expected:  # what is right is not looked at thousands of times
            if np.ndim(drawn) == 1 and len(drawn) < n:
                reason = "if clicked titles are thrown away after the draw, too few are left"
            _hold(what, came, expected, given | {"drawn": drawn}, reason)


def _hold(what, came, expected, given, reason, tolerance=0):
    compare(what, came, expected, given, [(reason, came)], tolerance)
