"""Wrong answers to the exercises of notebook 10."""

import itertools

import numpy as np
from scipy import stats

from lstm_edu.ranking.ndcg import ndcg


def _discounts(n):
    return 1 / np.log2(np.arange(n) + 2)


def _ratio(real, ideal):
    return real / ideal if ideal > 0 else np.nan


def ideal_of_the_shown(grades, k):
    """The stub's first mistake alone: the ideal order knows only what is shown."""
    gains, discounts = 2.0 ** grades[:k] - 1, _discounts(len(grades[:k]))
    return _ratio(gains @ discounts, np.sort(gains)[::-1] @ discounts)


def perfect_if_nothing_is_relevant(grades, k):
    """The stub's second mistake alone."""
    return ndcg(-np.arange(len(grades)), grades, k) if grades.any() else 1.0


def zero_if_nothing_is_relevant(grades, k):
    """As many programs do."""
    return ndcg(-np.arange(len(grades)), grades, k) if grades.any() else 0.0


def ideal_of_all_depths(grades, k):
    """The ideal order isn't cut at k."""
    gains, discounts = 2.0**grades - 1, _discounts(len(grades))
    return _ratio((gains * discounts)[:k].sum(), np.sort(gains)[::-1] @ discounts)


def linear_gain(grades, k):
    """The grade as the gain."""
    return ndcg(-np.arange(len(grades)), grades, k, "linear")


def ascending_ideal(grades, k):
    """np.sort without turning it around."""
    gains, discounts = 2.0**grades - 1, _discounts(len(grades))
    return _ratio((gains * discounts)[:k].sum(), (np.sort(gains) * discounts)[:k].sum())


def _in_order(grades, order, k):
    return ndcg(-np.arange(len(order)), grades[order], k)


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
    return ndcg(-scores, grades, k)


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


WRONG = {
    "check_ndcg_of_order": [
        ideal_of_the_shown,
        perfect_if_nothing_is_relevant,
        zero_if_nothing_is_relevant,
        ideal_of_all_depths,
        linear_gain,
        ascending_ideal,
    ],
    "check_ndcg": [
        in_file_order,
        file_from_behind,
        best_of_the_equals_first,
        lowest_score_first,
        discount_of_the_first,
        mean_of_the_grades,
        mean_within_k,
    ],
    "check_bm25": [
        no_one_in_the_logarithm,
        all_words_alike,
        times_k1_plus_1,
        length_not_divided,
        replaces_the_sum,
        fails_at_an_unknown_word,
        each_word_once,
    ],
    "check_exact_p": [
        one_sided,
        strictly_above,
        counted_as_if_drawn,
        all_signs_tried,
        random_signs,
        sign_test,
        t_test,
    ],
}
