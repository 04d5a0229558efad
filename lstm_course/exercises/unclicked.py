"""Check of notebook 06: titles that were not clicked, drawn evenly."""

import numpy as np

from ..engine.report import call, hold_against, passed


def check_draw_unclicked(draw_unclicked):
    """Unclicked titles for a query of Algorithm 1, drawn evenly.

    Parameters
    ----------
    draw_unclicked : function of clicked (n_clicked,) of int, n_titles, n, rng
        Returns (n,) of int.

    Raises
    ------
    Wrong
    """
    # all of the unclicked ones, and a single one, are draws, too; what draws all of them again
    # until they are different and none is clicked does so ten times here, not more
    n_draws, cases = 3000, [(9, 1, 4), (9, 3, 2), (4, 2, 2), (12, 5, 3), (6, 2, 1)]
    for seed, (n_titles, n_clicked, n) in enumerate(cases):
        # in no order, the first and the last title among them
        clicked = (np.random.default_rng(seed).permutation(n_titles)[:n_clicked] - seed) % n_titles
        given = {
            "clicked": clicked,
            "n_titles": n_titles,
            "n": n,
            "rng": np.random.default_rng(seed),
        }
        # an error is named by the student's own line
        call("the titles", draw_unclicked, given, changes=["rng"])
        many, again = (
            [
                np.copy(drawn) if np.size(drawn) > 1 else drawn
                for drawn in call(
                    "the titles",
                    lambda *given: [draw_unclicked(*given) for _ in range(times)],
                    given,
                    changes=["rng"],
                )
            ]
            for times in (n_draws, 5)
        )
        given |= {"rng": f"np.random.default_rng({seed})"}
        for drawn in many:
            _check_draw(drawn, given)
        hold_against(
            "the titles, drawn with the same rng once more,",
            np.array(again),
            np.array(many[:5]),
            given,
            [
                (
                    "the numbers do not come from rng alone: use no other source of chance",
                    np.array(again),
                )
            ],
        )
        n_unclicked = n_titles - n_clicked
        share = np.bincount(np.ravel(many).astype(int), minlength=n_titles) / n_draws
        expected = np.where(np.isin(np.arange(n_titles), clicked), 0, n / n_unclicked)
        reason = (
            "every draw is the same: draw with the rng that is given, and make none inside"
            if set(share) == {0, 1} != set(expected)
            else "some titles are likelier than others: draw evenly from all that are not clicked, "
            "and put no fixed one in a clicked one's place"
        )
        hold_against(
            f"the share of {n_draws} draws that hold title 0, title 1, …",
            share,
            expected,
            given,
            [(reason, share)],
            tolerance=0.15,
        )
        if n > 1:
            held = (np.array(many)[:, :, None] == np.arange(n_titles)).any(axis=1).astype(float)
            together = held.T @ held / n_draws
            both = expected[:, None] * (expected > 0) * (n - 1) / max(n_unclicked - 1, 1)
            np.fill_diagonal(both, share)
            hold_against(
                f"the share of {n_draws} draws that hold two titles together, row by row,",
                together,
                both,
                given,
                [
                    (
                        "some titles come together too often, or never: "
                        "draw each without looking at the others",
                        together,
                    )
                ],
                tolerance=0.4,
            )
    passed("check_draw_unclicked", len(cases))


def _check_draw(drawn, given):
    """Whether one draw has n different unclicked titles."""
    clicked, n_titles, n, _ = given.values()
    if drawn is None:
        hold_against("what is drawn", None, f"{n} titles", given)
    few = np.ndim(drawn) == 1 and len(drawn) < n
    outside = np.size(drawn) - int(np.isin(drawn, np.arange(n_titles)).sum())
    for what, came, expected, reason in [
        (
            "the shape of what is drawn",
            np.shape(drawn),
            (n,),
            "if clicked titles are thrown away after the draw, too few are left"
            if few
            else "return an array of n title numbers",
        ),
        (
            "the number of drawn titles that do not exist",
            outside,
            0,
            "titles are numbered 0, 1, … n_titles - 1",
        ),
        (
            "the number of drawn titles that the query has clicked",
            int(np.isin(drawn, clicked).sum()),
            0,
            (
                "all that the query has clicked must stay out, not only one of them: "
                "draw from the others (np.setdiff1d)"
            ),
        ),
        (
            "the number of different titles",
            len(np.unique(drawn)),
            n,
            "a title is drawn twice: rng.choice(…, replace=False) does not",
        ),
    ]:
        if came != expected:
            hold_against(what, came, expected, given | {"drawn": drawn}, [(reason, came)])
