"""Checks of notebook 06: momentum, Eq. (6), clipping, unclicked titles, Algorithm 1, step size,
Adam.
"""

from itertools import product

import numpy as np

from ..training import adam, nesterov
from ..training.adam import BETA1, BETA2, TINY
from .report import call, hold_against, left, passed

RESTARTS = "change starts from 0 in every epoch: an epoch's end is no reason to stop"
HERE = "the gradient is taken at Lambda; (6) takes it at Lambda + mu change"
CLIPPED = {
    "gradient": "",
    "change": "the change is clipped; Algorithm 1 clips the gradient",
    "nothing": "nothing is clipped",
    "always": "a gradient below the threshold is made longer; it should stay as it is",
}


def check_momentum(momentum):
    """The schedule of mu in Algorithm 1.

    Parameters
    ----------
    momentum : function of k, n_updates
        Returns mu of update k = 0, 1, … n_updates - 1.

    Raises
    ------
    Wrong
    """
    for n in (137, 333, 1049):  # 2 % of them is no whole number: < or <= is all one
        mu = np.array([call("mu", momentum, {"k": k, "n_updates": n}) for k in range(n)])
        k = np.arange(n)
        first, last = k < 0.02 * n, k >= 0.98 * n
        expected = np.array([nesterov.momentum("schedule", j, n) for j in k])
        reasons = [
            ("0.9 and 0.995 are exchanged", 1.895 - expected),
            ("the last 2 % have 0.9, too", np.where(first, 0.9, 0.995)),
            ("the first 2 % have 0.9, too", np.where(last, 0.9, 0.995)),
            ("2 % is 0.02, not 0.2", np.where((k < 0.2 * n) | (k >= 0.8 * n), 0.9, 0.995)),
            ("2 % of the updates, not 2 updates", np.where((k < 2) | (k >= n - 2), 0.9, 0.995)),
            (
                "`and` where `or` is meant: no update is among the first and among the last",
                np.full(n, 0.995),
            ),
        ]
        given = {"k": f"0, 1, … {n - 1}, one after the other", "n_updates": n}
        hold_against("mu", None if all(m is None for m in mu) else mu, expected, given, reasons)
    passed("check_momentum", 3)


def check_update(update):
    """One update by Eq. (6).

    Parameters
    ----------
    update : function of Lambda, change, gradient_at, mu, epsilon
        Lambda and change (n,), gradient_at a function of (n,). Returns Lambda and change after the
        update.

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        rng = np.random.default_rng(seed)
        A, Lambda, change = rng.standard_normal((6, 6)), *rng.standard_normal((2, 6))
        mu, epsilon = rng.uniform(0.5, 0.95), rng.uniform(0.05, 0.5)

        def gradient_at(point):
            return A @ np.tanh(point)

        weights, velocity = {"b": Lambda.copy()}, {"b": change.copy()}
        nesterov.look_ahead(weights, velocity, mu)
        nesterov.correct(weights, velocity, {"b": gradient_at(weights["b"])}, epsilon, None)

        def by(new, start=Lambda):
            return start + new, new

        ahead = Lambda + mu * change
        g, g_here = gradient_at(ahead), gradient_at(Lambda)
        reasons = [
            (
                "the gradient is taken at Lambda; (6) takes it at Lambda + mu change",
                by(mu * change - epsilon * g_here),
            ),
            (
                "the gradient is taken at Lambda + change, without mu",
                by(mu * change - epsilon * gradient_at(Lambda + change)),
            ),
            (
                "with + epsilon the cost grows: (6) has a minus before the gradient",
                by(mu * change + epsilon * g),
            ),
            (
                "the momentum's part is added twice: change holds it already",
                by(mu * change - epsilon * g, ahead),
            ),
            ("mu is left out before the last change", by(change - epsilon * g)),
            ("epsilon is left out", by(mu * change - g)),
            ("the momentum, mu change, is left out of the new change", by(-epsilon * g)),
            (
                "mu and epsilon are exchanged",
                by(epsilon * change - mu * gradient_at(Lambda + epsilon * change)),
            ),
        ]
        given = {
            "Lambda": Lambda,
            "change": change,
            "gradient_at": gradient_at,
            "mu": mu,
            "epsilon": epsilon,
        }
        got = call("(Lambda, change)", update, given)
        hold_against("(Lambda, change)", got, (weights["b"], velocity["b"]), given, reasons)
    passed("check_update", 5)


def check_clip(clip):
    """Algorithm 1's clipping of a gradient.

    Parameters
    ----------
    clip : function of gradient, threshold
        gradient a dict of arrays. Returns such a dict.

    Raises
    ------
    Wrong
    """
    shapes = {"W": (4, 6), "Wrec": (3, 6), "b": (6,)}
    for seed in range(6):
        rng = np.random.default_rng(seed)
        # the last seed's is all 0
        gradient = {
            name: (seed != 5) * rng.standard_normal(shape) for name, shape in shapes.items()
        }
        norm = {name: np.linalg.norm(g) for name, g in gradient.items()}
        whole = np.sqrt(sum(n**2 for n in norm.values()))
        # every second gradient is short enough
        threshold = float((whole or 1) * (1.3 if seed % 2 else rng.uniform(0.2, 0.5)))
        expected = {name: g.copy() for name, g in gradient.items()}
        nesterov.clip(expected, threshold)

        def scaled(by):
            return {name: g * by for name, g in gradient.items()}

        def shorten(length):
            return threshold / length if length > threshold else 1.0

        with np.errstate(all="ignore"):
            reasons = [
                (
                    "every array is clipped by its own norm; "
                    "the norm is that of the whole gradient",
                    {name: g * shorten(norm[name]) for name, g in gradient.items()},
                ),
                (
                    "every element is clipped by itself, which turns the gradient; "
                    "all of it gets one factor",
                    {name: np.clip(g, -threshold, threshold) for name, g in gradient.items()},
                ),
                ("a gradient that is short enough stays as it is", scaled(threshold / whole)),
                ("a gradient that is too long is scaled down", gradient),
                (
                    "the norm is the root of the sum of all squares: the root is missing",
                    scaled(shorten(whole**2)),
                ),
                (
                    "the arrays' norms are added; add their squares and take the root",
                    scaled(shorten(sum(norm.values()))),
                ),
                (
                    "the norm is the root of the sum of squares, not the largest element",
                    scaled(shorten(max(np.abs(g).max() for g in gradient.values()))),
                ),
                (
                    "the gradient is divided by its norm; its length should be the threshold",
                    scaled(1 / whole),
                ),
                (
                    "the norm of b alone: the last array's has overwritten the others'",
                    scaled(shorten(norm["b"])),
                ),
            ]
        given = {"gradient": gradient, "threshold": threshold}
        hold_against("the gradient", call("the gradient", clip, given), expected, given, reasons)
    passed("check_clip", 6)


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
    n_draws, cases = 3000, [(9, 1, 4), (9, 3, 2), (8, 2, 6), (12, 5, 3)]
    for seed, (n_titles, n_clicked, n) in enumerate(cases):
        clicked = np.sort(np.random.default_rng(seed).permutation(n_titles)[:n_clicked])
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
        share = np.bincount(np.ravel(many), minlength=n_titles) / n_draws
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
        hold_against(what, came, expected, given | {"drawn": drawn}, [(reason, came)])


def check_algorithm_1(algorithm_1):
    """Algorithm 1, mended.

    Parameters
    ----------
    algorithm_1 : function of Lambda, batches, gradient_at, mu, epsilon, th_G
        Lambda (n,); batches a list of epochs, each a list of minibatches; gradient_at a function of
        parameters and a minibatch. Returns Lambda after the last update.

    Raises
    ------
    Wrong
    """
    for seed in range(4):
        rng = np.random.default_rng(seed)
        # gradients of all lengths: some are clipped, some are not
        X = rng.lognormal(sigma=1.5, size=(20, 1)) * rng.standard_normal((20, 5))
        target, Lambda = rng.standard_normal(20), rng.standard_normal(5)
        batches = [np.array_split(rng.permutation(20), 5) for _ in range(5)]
        mu, epsilon, th_G = rng.uniform(0.7, 0.95), 0.3, 2.0

        def gradient_at(Lambda, batch):
            return X[batch].T @ (np.tanh(X[batch] @ Lambda) - target[batch])

        weights, velocity = {"b": Lambda.copy()}, {"b": 0 * Lambda}
        for batch in (batch for epoch in batches for batch in epoch):
            nesterov.look_ahead(weights, velocity, mu)
            gradient = {"b": gradient_at(weights["b"], batch)}
            nesterov.clip(gradient, th_G)
            nesterov.correct(weights, velocity, gradient, epsilon, None)
        problem = batches, gradient_at, mu, epsilon, th_G
        bugs = list(product([False, True], [False, True], CLIPPED))[1:]
        reasons = [
            (
                left([RESTARTS * restarts, HERE * here, CLIPPED[clipped]], "Algorithm 1"),
                _with_bugs(Lambda, *problem, restarts, here, clipped),
            )
            for restarts, here, clipped in bugs
        ]
        reasons += [
            (
                f"this is after the first {of}: the `return` stands too far to the right",
                _with_bugs(Lambda, part, *problem[1:]),
            )
            for of, part in (("epoch", batches[:1]), ("minibatch", [batches[0][:1]]))
        ]
        given = {
            "Lambda": Lambda,
            "batches": batches,
            "gradient_at": gradient_at,
            "mu": mu,
            "epsilon": epsilon,
            "th_G": th_G,
        }
        hold_against("Lambda", call("Lambda", algorithm_1, given), weights["b"], given, reasons)
    passed("check_algorithm_1", 4)


def _with_bugs(
    Lambda, batches, gradient_at, mu, epsilon, th_G, restarts=False, here=False, clipped="gradient"
):
    """Algorithm 1 with some of its bugs; arguments that are not `algorithm_1`'s say which."""

    def clip(v):
        return v * (
            th_G / np.linalg.norm(v) if clipped == "always" else min(1, th_G / np.linalg.norm(v))
        )

    change = 0 * Lambda
    for epoch in batches:
        change = 0 * change if restarts else change
        for batch in epoch:
            g = gradient_at(Lambda if here else Lambda + mu * change, batch)
            change = mu * change - epsilon * (clip(g) if clipped in ("gradient", "always") else g)
            change = clip(change) if clipped == "change" else change
            Lambda = Lambda + change
    return Lambda


def check_largest_step(largest_step):
    """The step size below which Eq. (6) comes to rest in L = curvature w^2 / 2.

    Parameters
    ----------
    largest_step : function of curvature, mu
        Returns that epsilon.

    Raises
    ------
    Wrong
    """
    for seed in range(6):
        rng = np.random.default_rng(seed)
        h, mu = rng.uniform(0.5, 50), 0.0 if seed == 5 else rng.uniform(0.3, 0.95)
        given = {"curvature": h, "mu": mu}
        reasons = [
            ("2 / curvature is the limit of gradient descent, mu = 0", 2 / h),
            (
                "2 (1 + mu) / curvature is the limit of momentum without the look-ahead",
                2 * (1 + mu) / h,
            ),
            (
                "the effective step, epsilon / (1 - mu), is not what limits the steps across",
                2 * (1 - mu) / h,
            ),
            (
                "1 / curvature is the step that comes to rest at once if mu = 0; "
                "larger ones come to rest, too",
                1 / h,
            ),
            (
                "epsilon curvature is what is limited: divide by the curvature, don't multiply",
                h * 2 * (1 + mu) / (1 + 2 * mu),
            ),
            (
                "at -1 the lines of w(k-1) and w(k-2) add: "
                "1 + mu and mu, together 1 + 2 mu, times 1 - epsilon curvature",
                2 / (1 + 2 * mu) / h,
            ),
        ]
        hold_against(
            "the largest epsilon",
            call("the largest epsilon", largest_step, given),
            _by_bisection(h, mu),
            given,
            reasons,
            tolerance=1e-8,
        )
    passed("check_largest_step", 6)


def _by_bisection(h, mu):
    """The epsilon at which one update, a map of (w, change), begins to lengthen something."""

    def lengthens(epsilon):
        columns = []
        for w, change in np.eye(2):
            weights, velocity = {"b": np.array([w])}, {"b": np.array([change])}
            nesterov.look_ahead(weights, velocity, mu)
            nesterov.correct(weights, velocity, {"b": h * weights["b"]}, epsilon, None)
            columns.append([weights["b"][0], velocity["b"][0]])
        return max(abs(np.linalg.eigvals(np.array(columns).T))) > 1

    low, high = 0.1 / h, 10 / h
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if lengthens(middle) else (middle, high)
    return low


def check_adam(adam_update):
    """One update of Adam, as `lstm_edu.training.adam` has it.

    Parameters
    ----------
    adam_update : function of w, m, v, g, k, epsilon
        w, m, v and g (n,); k = 1, 2, …. Returns w, m and v after update k.

    Raises
    ------
    Wrong
    """
    # at k = 1 both averages are 0; at 50 m, at 20,000 v needs no correction any more; gradients of
    # the length of tiny tell where it stands
    updates = [(1, 1.0), (1, 1e-7), (2, 1.0), (3, 1e-7), (50, 1.0), (20_000, 1.0)]
    for seed, (k, length) in enumerate(updates):
        rng = np.random.default_rng(seed)
        w, g = rng.standard_normal(6), length * rng.standard_normal(6)
        m = length * rng.standard_normal(6) * (k > 1)
        v = m**2 + length**2 * rng.uniform(0.1, 1, 6) * (k > 1)
        # a weight that has never had a gradient: 0 / tiny, and it stays
        g[1] = m[1] = v[1] = 0
        epsilon = rng.uniform(0.001, 0.1)
        expected = tuple({"b": array.copy()} for array in (w, m, v))
        adam.correct(*expected, {"b": g}, epsilon, k, None)
        expected = tuple(array["b"] for array in expected)
        given = dict(w=w, m=m, v=v, g=g, k=k, epsilon=epsilon)
        got = call("(w, m, v)", adam_update, given)
        with np.errstate(all="ignore"):
            hold_against("(w, m, v)", got, expected, given, _not_adam(*given.values()))
    passed("check_adam", len(updates))


def _not_adam(w, m, v, g, k, epsilon):
    """What is likely to be written instead of Adam, and why it is not."""
    m_new, v_new = BETA1 * m + (1 - BETA1) * g, BETA2 * v + (1 - BETA2) * g**2
    c1, c2 = 1 - BETA1**k, 1 - BETA2**k  # for the start at 0

    def after(m_hat, root, m=m_new, v=v_new, by=-epsilon):
        return w + by * m_hat / (root + TINY), m, v

    m_hat, root = m_new / c1, np.sqrt(v_new / c2)
    exchanged = BETA2 * m + (1 - BETA2) * g, BETA1 * v + (1 - BETA1) * g**2
    not_squared, whole_m, whole_v = BETA2 * v + (1 - BETA2) * g, BETA1 * m + g, BETA2 * v + g**2
    return [
        (
            "neither m nor v is corrected for its start at 0: divide by 1 - beta^k",
            after(m_new, np.sqrt(v_new)),
        ),
        ("m is not corrected for its start at 0: divide it by 1 - beta1^k", after(m_new, root)),
        (
            "v is not corrected for its start at 0: divide it by 1 - beta2^k",
            after(m_hat, np.sqrt(v_new)),
        ),
        (
            "k counts from 1: the first correction is 1 - beta^1",
            after(m_new / (1 - BETA1 ** (k + 1)), np.sqrt(v_new / (1 - BETA2 ** (k + 1)))),
        ),
        (
            "k counts from 1: with k - 1 the first correction is 1 - beta^0, which is 0"
            if k == 1
            else "the corrections want the power of this update: 1 - beta^k",
            after(m_new / (1 - BETA1 ** (k - 1)), np.sqrt(v_new / (1 - BETA2 ** (k - 1)))),
        ),
        (
            "the corrections want the power of this update: 1 - beta^k",
            after(m_new / (1 - BETA1), np.sqrt(v_new / (1 - BETA2))),
        ),
        (
            "what is returned first is the change; it is to be added to w",
            (after(m_hat, root)[0] - w, m_new, v_new),
        ),
        (
            "the corrections want a power, beta ** k, not a product",
            after(m_new / (1 - BETA1 * k), np.sqrt(v_new / (1 - BETA2 * k))),
        ),
        (
            "the corrected averages are returned; what is kept for the next update is m and v",
            after(m_hat, root, m_hat, root**2),
        ),
        (
            "beta1 and beta2 are exchanged: beta1 is m's, beta2 is v's",
            after(exchanged[0] / c2, np.sqrt(exchanged[1] / c1), *exchanged),
        ),
        (
            "g is not squared in v",
            after(m_hat, np.sqrt(not_squared / c2), v=not_squared),
        ),
        ("the root of v is missing", after(m_hat, v_new / c2)),
        (
            "tiny stands beside the root, not under it",
            after(m_hat, np.sqrt(v_new / c2 + TINY) - TINY),
        ),
        ("without tiny, 0 is divided by 0", after(m_hat, root - TINY)),
        ("with + epsilon the cost grows", after(m_hat, root, by=epsilon)),
        ("epsilon is left out", after(m_hat, root, by=-1)),
        ("the step goes along m, not along g alone", after(g, root)),
        (
            "the new part of m, g, has the weight 1 - beta1",
            after(whole_m / c1, root, m=whole_m),
        ),
        (
            "the new part of v, g squared, has the weight 1 - beta2",
            after(m_hat, np.sqrt(whole_v / c2), v=whole_v),
        ),
        (
            "the step is taken with the averages of before: make the new ones first",
            after(m / c1, np.sqrt(v / c2)),
        ),
    ]
