"""Wrong answers for the checks of `lstm_course/exercises/nearest_word.py`."""

from collections import Counter

from lstm_edu import letter_trigrams


def _nearest(score):
    def nearest(word, known):
        of = Counter(letter_trigrams(word))
        return max(known, key=lambda other: score(of, Counter(letter_trigrams(other))))

    return nearest


def _product(a, b):
    return sum(a[t] * b[t] for t in a)


not_divided = _nearest(_product)
not_divided.__doc__ = "The product, not the cosine."


least = _nearest(lambda a, b: -_product(a, b) / _product(b, b) ** 0.5)
least.__doc__ = "The smallest in the place of the largest."


repeats_lost = _nearest(lambda a, b: len(a.keys() & b.keys()) / len(b) ** 0.5)
repeats_lost.__doc__ = "Sets in the place of counts."


by_sum = _nearest(lambda a, b: _product(a, b) / b.total())
by_sum.__doc__ = "Divided by the number of trigrams."


def the_place(word, known):
    """The index of the nearest word in the place of the word."""
    return known.index(_nearest(lambda a, b: _product(a, b) / _product(b, b) ** 0.5)(word, known))


dice = _nearest(lambda a, b: 2 * (a & b).total() / (a.total() + b.total()))
dice.__doc__ = "Dice's measure. Told: share of common trigrams"


by_root = _nearest(lambda a, b: _product(a, b) / b.total() ** 0.5)
by_root.__doc__ = (
    "Divided by the root of the number of letters. Told: root of the number of trigrams"
)


lengths_added = _nearest(
    lambda a, b: _product(a, b) / (_product(a, a) ** 0.5 + _product(b, b) ** 0.5)
)
lengths_added.__doc__ = "The lengths are added. Told: multiplied, not added"


most_in_common = _nearest(lambda a, b: (a & b).total())
most_in_common.__doc__ = "How many are common. Told: the most trigrams in common"


distance = _nearest(lambda a, b: -sum((a[t] - b[t]) ** 2 for t in a | b))
distance.__doc__ = "The Euclidean distance. Told: smallest distance"


def never_itself(word, known):
    """The word itself is left out. Told: leave none out"""
    others = [other for other in known if other != word]
    return _nearest(lambda a, b: _product(a, b) / _product(b, b) ** 0.5)(word, others)


WRONG = {
    "check_nearest_word": [
        dice,
        by_root,
        lengths_added,
        most_in_common,
        distance,
        never_itself,
        not_divided,
        least,
        repeats_lost,
        by_sum,
        the_place,
    ],
}
