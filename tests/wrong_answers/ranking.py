"""Wrong answers to the exercises of notebook 10a, and to BM25 of 10b."""

import itertools

import numpy as np
from scipy import stats
from wrong_answers._replaced import replaced


def _discounts(n):
    return 1 / np.log2(np.arange(n) + 2)


def _ratio(real, ideal):
    return real / ideal if ideal > 0 else np.nan


def _in_order(grades, order, k, gain=lambda grades: 2.0**grades - 1):
    gains, discounts = gain(grades), _discounts(len(grades))
    best = np.sort(gains)[::-1]
    return _ratio((gains[order] * discounts)[:k].sum(), (best * discounts)[:k].sum())


def ideal_of_the_shown(grades, k):
    """The stub's first mistake alone: the ideal order knows only what is shown."""
    gains, discounts = 2.0 ** grades[:k] - 1, _discounts(len(grades[:k]))
    return _ratio(gains @ discounts, np.sort(gains)[::-1] @ discounts)


def perfect_if_nothing_is_relevant(grades, k):
    """The stub's second mistake alone."""
    return _in_order(grades, np.arange(len(grades)), k) if grades.any() else 1.0


def zero_if_nothing_is_relevant(grades, k):
    """As many programs do."""
    return _in_order(grades, np.arange(len(grades)), k) if grades.any() else 0.0


def ideal_of_all_depths(grades, k):
    """The ideal order isn't cut at k."""
    gains, discounts = 2.0**grades - 1, _discounts(len(grades))
    return _ratio((gains * discounts)[:k].sum(), np.sort(gains)[::-1] @ discounts)


def linear_gain(grades, k):
    """The grade as the gain."""
    return _in_order(grades, np.arange(len(grades)), k, lambda grades: grades)


def ascending_ideal(grades, k):
    """np.sort without turning it around."""
    gains, discounts = 2.0**grades - 1, _discounts(len(grades))
    return _ratio((gains * discounts)[:k].sum(), (np.sort(gains) * discounts)[:k].sum())


def in_file_order(scores, grades, k):
    """Ties as the file has them."""
    return _in_order(grades, np.argsort(-scores, kind="stable"), k)


def file_from_behind(scores, grades, k):
    """An ascending sort, turned around."""
    return _in_order(grades, np.argsort(scores, kind="stable")[::-1], k)


def best_of_the_equals_first(scores, grades, k):
    """Ties by grade."""
    return _in_order(grades, np.lexsort((-grades, -scores)), k)


def lowest_score_first(scores, grades, k):
    """The scores the wrong way round."""
    gains, discounts = 2.0**grades - 1, _discounts(len(grades))
    shared = np.array([gains[scores == score].mean() for score in np.sort(scores)])
    return _ratio((shared * discounts)[:k].sum(), (np.sort(gains)[::-1] * discounts)[:k].sum())


def discount_of_the_first(scores, grades, k):
    """All equals have the rank of the first, as in a competition."""
    order = np.argsort(-scores, kind="stable")
    rank = np.array([(scores > score).sum() for score in scores[order]])
    gains, mean = (
        2.0**grades - 1,
        [(2.0 ** grades[scores == score] - 1).mean() for score in scores[order]],
    )
    return _ratio(
        (mean / np.log2(rank + 2))[:k].sum(),
        (np.sort(gains)[::-1] * _discounts(len(gains)))[:k].sum(),
    )


def mean_of_the_grades(scores, grades, k):
    """The gain of the mean grade instead of the mean gain."""
    gains = 2.0 ** np.array([grades[scores == score].mean() for score in np.sort(scores)[::-1]]) - 1
    discounts, best = _discounts(len(gains)), np.sort(2.0**grades - 1)[::-1]
    return _ratio((gains * discounts)[:k].sum(), (best * discounts)[:k].sum())


def mean_within_k(scores, grades, k):
    """Sorts, cuts at k, and only then averages."""
    order = np.argsort(-scores, kind="stable")[:k]
    gains = [(2.0 ** grades[order][scores[order] == score] - 1).mean() for score in scores[order]]
    best = np.sort(2.0**grades - 1)[::-1][:k]
    return _ratio(gains @ _discounts(len(gains)), best @ _discounts(len(best)))


def all_orders(scores, grades, k):
    """Right, and too slow: 15! orders of fifteen equals."""
    if len(scores) > 9:
        raise AssertionError("the check must have noticed before")
    orders = np.array(list(itertools.permutations(range(len(scores)))))
    allowed = orders[(np.diff(scores[orders]) <= 0).all(axis=1)]
    return np.mean([_in_order(grades, order, k) for order in allowed])


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


def no_one_in_the_logarithm(query, postings, lengths, k1, b):
    """The rarity of older texts, which can be negative."""
    return _bm25(
        query, postings, lengths, k1, b, lambda n: np.log((len(lengths) - n + 0.5) / (n + 0.5))
    )


def all_words_alike(query, postings, lengths, k1, b):
    """No rarity."""
    return _bm25(query, postings, lengths, k1, b, lambda n: 1)


def times_k1_plus_1(query, postings, lengths, k1, b):
    """Another convention."""
    return _bm25(query, postings, lengths, k1, b, times=k1 + 1)


def length_not_divided(query, postings, lengths, k1, b):
    """The mean length is forgotten."""
    return _bm25(query, postings, lengths, k1, b, mean=1)


def replaces_the_sum(query, postings, lengths, k1, b):
    """= for +=: the last word decides."""
    scores = np.zeros(len(lengths))
    for word in query:
        found = _bm25([word], postings, lengths, k1, b)
        scores[found > 0] = found[found > 0]
    return scores


def fails_at_an_unknown_word(query, postings, lengths, k1, b):
    """KeyError where no title has a word of the query."""
    return _bm25([word for word in query if postings[word]], postings, lengths, k1, b)


def each_word_once(query, postings, lengths, k1, b):
    """A repeated word counts once."""
    return _bm25(dict.fromkeys(query), postings, lengths, k1, b)


def _signs(differences):
    return np.array(list(itertools.product([-1, 1], repeat=len(differences))))


def one_sided(differences):
    """Only sums above."""
    return (_signs(differences) @ differences >= differences.sum()).mean()


def strictly_above(differences):
    """> for >=."""
    return (abs(_signs(differences) @ differences) > abs(differences.sum())).mean()


def counted_as_if_drawn(differences):
    """1 / (1 + n), where nothing is drawn."""
    larger = abs(_signs(differences) @ differences) >= abs(differences.sum())
    return (1 + larger.sum()) / (1 + len(larger))


def all_signs_tried(differences):
    """Right, and too slow."""
    if len(differences) > 20:
        raise AssertionError("the check must have noticed before")
    return (abs(_signs(differences) @ differences) >= abs(differences.sum())).mean()


def counts_of_64_bits(differences):
    """2^64 choices and more are counted as if there were none."""
    most = np.abs(differences).sum()
    count = np.zeros(2 * most + 1, np.int64)
    count[most] = 1
    for d in differences:
        count = np.roll(count, d) + np.roll(count, -d)
    far = np.abs(np.arange(-most, most + 1)) >= abs(differences.sum())
    return count[far].sum() / 2.0 ** len(differences)


def random_signs(differences):
    """10,000 draws."""
    signs = np.random.default_rng(0).choice([-1, 1], (10_000, len(differences)))
    return (abs(signs @ differences) >= abs(differences.sum())).mean()


def sign_test(differences):
    """Counts the signs only."""
    return stats.binomtest(int((differences > 0).sum()), int((differences != 0).sum())).pvalue


def t_test(differences):
    """Another test."""
    return stats.ttest_1samp(differences, 0).pvalue


NDCG_OF_ORDER = """
def ndcg_of_order(grades, k):
    gain = 2.0 ** grades - 1
    discount = np.log2(np.arange(len(grades)) + 2)
    ideal = (np.sort(gain)[::-1] / discount)[:k].sum()
    return (gain / discount)[:k].sum() / ideal if ideal > 0 else np.nan
"""

NDCG = """
def ndcg(scores, grades, k):
    gain = 2.0 ** grades - 1
    discount = np.log2(np.arange(len(gain)) + 2)
    best_first = np.sort(scores)[::-1]
    shared = np.array([gain[scores == score].mean() for score in best_first])
    ideal = (np.sort(gain)[::-1] / discount)[:k].sum()
    return (shared / discount)[:k].sum() / ideal if ideal > 0 else np.nan
"""

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

EXACT_P = """
def exact_p(differences):
    most = np.abs(differences).sum()
    share = np.zeros(2 * most + 1)
    share[most] = 1
    for d in differences:
        share = (np.roll(share, d) + np.roll(share, -d)) / 2
    sums = np.arange(-most, most + 1)
    return share[np.abs(sums) >= abs(differences.sum())].sum()
"""


WRONG = {
    "check_ndcg_of_order": [
        ideal_of_the_shown,
        perfect_if_nothing_is_relevant,
        zero_if_nothing_is_relevant,
        ideal_of_all_depths,
        linear_gain,
        ascending_ideal,
        *replaced(
            NDCG_OF_ORDER,
            ("2.0 ** grades - 1", "2.0 ** grades"),
            ("2.0 ** grades - 1", "grades ** 2"),
            ("+ 2)", "+ 3)"),
            ("np.log2(np.arange(len(grades)) + 2)", "np.arange(len(grades)) + 1"),
            ("np.log2(np.arange(len(grades)) + 2)", "np.ones(len(grades))"),
            ("return (gain / discount)[:k]", "return (gain / discount)[:k + 1]"),
            ("return (gain / discount)[:k]", "return (gain / discount)"),
            ("gain)[::-1] / discount", "gain)[::-1] * discount"),
            ("[::-1] / discount)[:k]", "[::-1][:k] / discount[:k])[::-1][:1]"),
            ("ideal > 0", "ideal > 1"),
            ("else np.nan", "else None"),
            ("/ ideal if", "* ideal if"),
            ("else np.nan", "else 0.5"),
        ),
    ],
    "check_ndcg": [
        in_file_order,
        file_from_behind,
        best_of_the_equals_first,
        lowest_score_first,
        discount_of_the_first,
        mean_of_the_grades,
        mean_within_k,
        all_orders,
        *replaced(
            NDCG,
            (".mean() for score", ".sum() for score"),
            (".mean() for score", ".max() for score"),
            ("gain[scores == score].mean()", "np.median(gain[scores == score])"),
            ("np.sort(scores)[::-1]", "np.sort(scores)"),
            ("np.sort(scores)[::-1]", "np.sort(np.abs(scores))[::-1]"),
            ("scores == score", "np.abs(scores - score) < 0.6"),
            ("scores == score", "scores >= score"),
            ("2.0 ** grades - 1", "2.0 ** grades"),
            ("2.0 ** grades - 1", "grades + 0.0"),
            ("+ 2)", "+ 1.5)"),
            ("ideal > 0", "ideal > 1"),
            ("/ ideal if", "/ shared.sum() if"),
            ("return (shared / discount)[:k]", "return (shared / discount)"),
        ),
    ],
    "check_bm25": [
        no_one_in_the_logarithm,
        all_words_alike,
        times_k1_plus_1,
        length_not_divided,
        replaces_the_sum,
        fails_at_an_unknown_word,
        each_word_once,
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
    "check_exact_p": [
        one_sided,
        strictly_above,
        counted_as_if_drawn,
        all_signs_tried,
        random_signs,
        counts_of_64_bits,
        sign_test,
        t_test,
        *replaced(
            EXACT_P,
            ("np.abs(sums) >=", "sums >="),
            ("np.abs(sums) >=", "np.abs(sums) >"),
            ("np.abs(sums) >=", "np.abs(sums) <="),
            ("abs(differences.sum())", "differences.sum()"),
            ("abs(differences.sum())", "np.abs(differences).sum()"),
            (
                "return share[np.abs(sums) >= abs(differences.sum())].sum()",
                "return 2 * share[sums >= abs(differences.sum())].sum()",
            ),
            (
                "return share[np.abs(sums) >= abs(differences.sum())].sum()",
                "return share[most + differences.sum()]",
            ),
            ("np.roll(share, -d)) / 2", "np.roll(share, -d))"),
            ("np.roll(share, -d)) / 2", "np.roll(share, -d) + share) / 3"),
            ("share[most] = 1", "share[0] = 1"),
            ("np.abs(differences).sum()\n", "abs(differences.sum())\n"),
            ("np.abs(differences).sum()\n", "5 * np.abs(differences).max()\n"),
            ("].sum()", "].mean()"),
            ("].sum()", "].sum().round(3)"),
        ),
    ],
}
