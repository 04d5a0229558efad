"""Check of notebook 07: how far errors reach back, as medians over texts."""

import numpy as np

from ..engine.minimize import hold
from ..engine.report import passed


def check_share_left(share_left):
    """How much of the last word's error reaches the words before, the median over texts.

    Parameters
    ----------
    share_left : function of errors, n
        errors a list of (n_words, n_units), one for each text. Returns (n + 1,), by the distance
        from the last word.

    Raises
    ------
    Wrong
    """
    # numbers of words, and n; texts of one word, no distance but 0, a single text, an even number
    cases = [
        *((rng.integers(3, 9, 9), 4) for rng in map(np.random.default_rng, range(5))),
        (np.array([1, 4, 1, 2, 3, 1]), 3),
        (np.array([2, 1, 5, 3]), 0),
        (np.array([6]), 5),
    ]
    for seed, (n_words, n) in enumerate(cases):
        rng = np.random.default_rng(seed)
        factor = 1.5 if seed in (4, 5) else 0.6  # errors may grow on the way back
        errors = [
            rng.lognormal() * rng.standard_normal((T, 5)) * factor ** np.arange(T)[::-1, None]
            for T in n_words
        ]
        # of each text by distance, NaN where it has no such word
        norms = np.full((len(errors), n_words.max()), np.nan)
        for row, e in zip(norms, errors):
            row[: len(e)] = np.linalg.norm(e, axis=1)[::-1]
        start, zeros = np.full_like(norms, np.nan), np.nan_to_num(norms)
        for row, e in zip(start, errors):
            row[: len(e)] = np.linalg.norm(e, axis=1)
        long = norms[n_words > n]

        def relative(by_distance):
            return by_distance[: n + 1] / by_distance[0]

        median = np.nanmedian(norms, axis=0)
        sums = [
            np.median([np.abs(e[-1 - d]).sum() for e in errors if len(e) > d]) for d in range(n + 1)
        ]
        largest = [
            np.median([np.abs(e[-1 - d]).max() for e in errors if len(e) > d]) for d in range(n + 1)
        ]
        reasons = [
            (
                "the distance is counted from the first word; it is that to the last",
                relative(np.nanmedian(start, axis=0)),
            ),
            ("this is not relative to the last word: divide by the median there", median[: n + 1]),
            (
                "the mean; a few texts with large errors decide it, so the median is asked for",
                relative(np.nanmean(norms, axis=0)),
            ),
            (
                "each text is divided by its own last word's norm first; "
                "divide the median by the median",
                np.nanmedian(norms / norms[:, :1], axis=0)[: n + 1],
            ),
            (
                "a text that has no word so far back counts as 0; leave it out",
                relative(np.median(zeros, axis=0)),
            ),
            (
                "texts of n words or fewer are left out altogether; "
                "they count at the distances they have",
                relative(np.median(long, axis=0)),
            ),
            (
                "the squares of the norms: the root is missing",
                relative(np.nanmedian(norms**2, axis=0)),
            ),
            (
                "the sum of the elements is no length: take np.linalg.norm along the last axis",
                relative(np.array(sums)),
            ),
            (
                "in the order of the distance: that of the last word, 1, comes first",
                relative(median)[::-1],
            ),
            ("n + 1 distances, 0, 1, … n: the last is missing", relative(median)[:-1]),
            ("n + 1 distances, 0, 1, … n: 0 is missing", relative(median)[1:]),
            (
                "each is divided by the one before it; divide all by that at distance 0",
                np.append(1, median[1 : n + 1] / median[:n]),
            ),
            (
                "divided by the largest; divide by that at distance 0",
                median[: n + 1] / median[: n + 1].max(),
            ),
            ("divided the wrong way round", 1 / relative(median)),
            (
                "all errors at a distance have one norm here; take a norm for each text",
                relative(np.sqrt(np.nansum(norms**2, axis=0))),
            ),
            (
                "the largest element is no length: take np.linalg.norm",
                relative(np.array(largest)),
            ),
        ]
        one = [errors[int(n_words.argmax())]]
        simpler = [
            (
                "with one text and n = 0 it is wrong already: an array of one number, 1",
                {"errors": one, "n": 0},
                np.ones(1),
            ),
            (
                "with a single text it is wrong already: "
                "the norms from its last word back, divided by the last word's",
                {"errors": one, "n": n},
                np.linalg.norm(one[0], axis=1)[::-1][: n + 1] / np.linalg.norm(one[0][-1]),
            ),
            (
                "with a single text it is right: at each distance take the median over those "
                "texts that have a word there, and divide in the end",
                {"errors": errors, "n": n},
                relative(median),
            ),
        ]
        given = {"errors": errors, "n": n}
        hold(
            "the share of the error",
            share_left,
            given,
            relative(median),
            reasons,
            simpler,
            show=_texts_by_length,
        )
    passed("check_share_left", len(cases))


def _texts_by_length(given):
    of = ", ".join(str(len(e)) for e in given["errors"])
    return given | {"errors": f"{len(given['errors'])} texts, of {of} words"}
