"""Checks of notebook 08: content against filler, and whose doing a difference is.

What is expected comes from regression lines, and from the subsets of Shapley's formula.
"""

from itertools import combinations
from math import factorial

import numpy as np

from ..engine.minimize import hold
from ..engine.report import passed


def check_content_minus_filler(content_minus_filler):
    """The difference of content and filler words, query by query.

    Parameters
    ----------
    content_minus_filler : function of values, roles
        Lists with an array (n_words,) for each query; roles of "c" and "f". Returns (n_queries with
        both kinds,).

    Raises
    ------
    Wrong
    """
    for seed in range(7):
        rng = np.random.default_rng(seed)
        roles = [rng.choice(["c", "f"], n, p=[0.7, 0.3]) for n in rng.integers(2, 9, 8)] + [
            np.array(list(text)) for text in ("cc", "f", "cfc", "fcff", "cf")
        ]
        # what is measured may be below 0, and be no different
        values = [rng.random(len(role)) - 0.4 * (seed == 5) for role in roles]
        values[-1][:] = 0.25
        if seed == 6:  # one query has both kinds
            values, roles = values[8:11], roles[8:11]
        both = [len(set(role)) == 2 for role in roles]
        # with 0 for filler and 1 for content, the slope of the line through a query's words is the
        # difference of its means
        expected = np.array(
            [np.polyfit(role == "c", v, 1)[0] for v, role, b in zip(values, roles, both) if b]
        )

        def each(statistic, keep=both):
            with np.errstate(all="ignore"):
                return np.array(
                    [
                        statistic(v[role == "c"]) - statistic(v[role == "f"])
                        for v, role, k in zip(values, roles, keep)
                        if k
                    ]
                )

        all_v, all_roles = np.concatenate(values), np.concatenate(roles)
        pooled = all_v[all_roles == "c"].mean() - all_v[all_roles == "f"].mean()
        every = [True] * len(both)
        content, filler = (
            np.array([v[role == kind].mean() for v, role, b in zip(values, roles, both) if b])
            for kind in "cf"
        )
        with np.errstate(all="ignore"):
            ratio = content / filler
        with_nan = each(lambda v: v.sum() / np.float64(len(v)), every)
        reasons = [
            ("content minus filler, not filler minus content", -expected),
            (
                "a query with one kind of words only is in it: "
                "of the other it has no mean; leave it out",
                with_nan,
            ),
            (
                "a query with one kind of words only is in it, as 0: "
                "it has no difference; leave it out",
                np.nan_to_num(with_nan),
            ),
            (
                "a query with one kind of words only is in it, "
                "with 0 for the mean of no words; leave it out",
                each(lambda v: v.sum() / max(1, len(v)), every),
            ),
            (
                "all words of all queries are thrown together; take a difference in each query",
                pooled,
            ),
            ("the mean over the queries; return the difference of each of them", expected.mean()),
            ("sums, which are larger where there are more words; take means", each(np.sum)),
            ("the median; the mean is asked for", each(np.median)),
            (
                "the filler words are compared with all words; compare them with the content words",
                np.array(
                    [
                        v.mean() - v[role == "f"].mean()
                        for v, role, b in zip(values, roles, both)
                        if b
                    ]
                ),
            ),
            (
                "the content words are compared with all words; compare them with the filler words",
                np.array(
                    [
                        v[role == "c"].mean() - v.mean()
                        for v, role, b in zip(values, roles, both)
                        if b
                    ]
                ),
            ),
        ]
        reasons += [
            ("content minus filler is a difference, not a ratio", ratio),
            ("content minus filler is a difference, not a sum", content + filler),
            ("only the content words are there: take the mean of the filler words off", content),
            ("only the filler words are there", filler),
            ("the difference is no distance: keep its sign", np.abs(expected)),
            ("the largest of each kind; take means", each(np.max)),
            ("in the order of the queries", expected[::-1]),
            ("in the order of the queries", np.sort(expected)),
            ("a query whose difference is 0 has both kinds, and is in it", expected[expected != 0]),
            (
                "a query whose difference is 0 has both kinds, and is in it",
                expected[np.abs(expected) > 1e-12],
            ),
        ]
        given = {"values": values, "roles": roles}
        short_one = {"values": [np.array([0.5, 0.1])], "roles": [np.array(["f", "c"])]}
        longer_one = {
            "values": [np.array([0.5, 0.1, 0.3, 0.2])],
            "roles": [np.array(["f", "c", "c", "f"])],
        }
        simpler = [
            (
                "of one query of two words it is wrong already: an array of one number, "
                "the content word's value minus the filler word's",
                short_one,
                np.array([-0.4]),
            ),
            (
                "of one query it is wrong already: "
                "the mean over the content words minus the mean over the filler words",
                longer_one,
                np.array([-0.15]),
            ),
            (
                "of one query it is right: one number for each query that has both kinds, in order",
                given,
                expected,
            ),
        ]
        hold(
            "content minus filler",
            content_minus_filler,
            given,
            expected,
            reasons,
            simpler,
            show=_queries,
        )
    passed("check_content_minus_filler", 7)


def _queries(given):
    values, roles = given.values()
    shown = [str(np.round(v, 2)) for v in values]
    return {
        "values": f"[{' … '.join(shown[:: max(1, len(shown) - 1)])}], {len(values)} queries",
        "roles": " ".join("".join(role) for role in roles),
    }


def check_split(split):
    """Whose doing a difference of two products is.

    Parameters
    ----------
    split : function of content, filler, both (n_factors,)
        Returns (n_factors,), which add up to the product of content minus that of filler.

    Raises
    ------
    Wrong
    """
    # numbers of factors; in the last four some factor is 0, below 0, the same, or there is one
    cases = [2, 2, 3, 3, 4, 3, 3, 3, 1]
    for seed, n in enumerate(cases):
        rng = np.random.default_rng(seed)
        content, filler = rng.uniform(0.1, 1, (2, n))
        if seed == 5:
            content[0] = filler[1] = 0
        if seed == 6:
            content[0] *= -1
        if seed == 7:
            content = filler[[1, 0, 2]]  # the products are the same
        # Shapley: what a factor changes, for each set of the others that have been exchanged, by
        # how many orders begin with that set
        expected = np.zeros(n)
        for k in range(n):
            others = [j for j in range(n) if j != k]
            for size in range(n):
                share = factorial(size) * factorial(n - 1 - size) / factorial(n)
                for exchanged in combinations(others, size):
                    mixed = np.prod([content[j] if j in exchanged else filler[j] for j in others])
                    expected[k] += share * mixed * (content[k] - filler[k])
        gap, step = content.prod() - filler.prod(), content - filler
        in_turn = np.array(
            [content[:k].prod() * step[k] * filler[k + 1 :].prod() for k in range(n)]
        )
        turned = np.array([filler[:k].prod() * step[k] * content[k + 1 :].prod() for k in range(n)])
        first, last, each_alone = (
            np.array([np.delete(others, k).prod() * step[k] for k in range(n)])
            for others in (filler, content, (content + filler) / 2)
        )
        with np.errstate(all="ignore"):
            logs = np.log(content / filler)
            by_logs, shares = logs / logs.sum() * gap, expected / gap
        reasons = [
            (
                "one order of exchange only, the first factor first; take the mean over all orders",
                in_turn,
            ),
            (
                "one order of exchange only, the last factor first; take the mean over all orders",
                turned,
            ),
            (
                "each factor is exchanged alone, from filler: "
                "these do not add up to the difference",
                first,
            ),
            (
                "each factor is exchanged alone, from content: "
                "these do not add up to the difference",
                last,
            ),
            (
                "first and last in the order alone; with three factors there are places between",
                (first + last) / 2,
            ),
            (
                "one order and its reverse; with three factors there are more orders",
                (in_turn + turned) / 2,
            ),
            (
                "the others at the middle between content and filler: "
                "right for two factors, but with three these do not add up to the difference",
                each_alone,
            ),
            (
                "shares by the logarithms add up, too; "
                "asked for is the mean over all orders of exchange",
                by_logs,
            ),
            (
                "the differences of the factors by themselves; "
                "what one does depends on what it multiplies",
                step,
            ),
            ("the difference is dealt out evenly", np.full(n, gap / n)),
            ("filler minus content: from filler to content is asked for", -expected),
            ("shares of 1; they should add up to the difference of the products", shares),
            ("the sum over all orders; divide by how many there are", expected * factorial(n)),
            (
                "divided by the number of factors; there are n! orders",
                expected * factorial(n) / n,
            ),
            ("the difference of the products; it is to be shared out", gap),
            ("the parts are shares of the difference: they add up to it", expected / n),
        ]
        given = {"content": content, "filler": filler}
        one, two = ({"content": content[:k], "filler": filler[:k]} for k in (1, 2))
        a, b = np.resize(content, 2), np.resize(filler, 2)
        simpler = [
            (
                "of a single factor it is wrong already: all of the difference is its part",
                one,
                content[:1] - filler[:1],
            ),
            (
                "of two factors it is wrong already: "
                "the part of each is its difference times the mean of the other's two values",
                two if n > 1 else {"content": a, "filler": b},
                (a - b) * (a + b)[::-1] / 2,
            ),
            (
                "of two factors it is right: with more, begin each order with a copy of filler, "
                "and exchange one factor after the other",
                given,
                expected,
            ),
        ]
        hold("the array of parts", split, given, expected, reasons, simpler)
    passed("check_split", len(cases))
