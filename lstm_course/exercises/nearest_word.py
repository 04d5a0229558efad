"""Exercise for lesson 01: the word with the most similar letter trigrams.

On the fourth input, nearly every known mistake gives a different result, so that the check's
message names the mistake that was made.
"""

import random
from collections import Counter

import numpy as np

from lstm_edu.text.hashing import letter_trigrams

from ..engine import slips
from ..sample.wordings import misspell

KNOWN = """
    accommodation banana bandana boston breakfast cabana denver desert dessert discount hostel
    hostels hotel hotels lodging map maps motel museum museums recipe recipes reservation
    reservations shanghai statistics weather
""".split()
OF_A_AND_N = """
    aanna naaaaaaanna aaaaa nnanaaaaannnna anaaaaaaaaana nnnaanannannan aaaa anannnaanaaan aanannna
    aaannnnna aaa aaaaaaanaaa n nnaaaaannnnann naaaannaaaaana
""".split()


def _known():
    cases = [
        # the first two reveal answers that compare first or single letters, the fourth most others
        ("otels", ["xyz", "oats", "hotels"]),
        ("stop", ["xyz", "pots", "stops"]),
        ("bnnaaanabnn", ["aaaanb", "nbnnbbanbbbn", "nbaaanb"]),
        ("aaaannan", OF_A_AND_N),
        ("banana", ["bananas", "banana", "bandana"]),
        ("bananan", ["ban", "bananabanana", "banana", "cabana"]),
        ("hotl", ["hotelhotels", "hot", "hotel", "motel"]),
        ("zzz", ["boston", "denver", "zz"]),
        ("zoo", ["hotel"]),
        ("annnaa", ["nnnn", "naaan", "naaa"]),
        *map(misspelled, range(4)),
        ("shangai", ["SHANGHAI", "hangar"]),
    ]
    return [{"word": word, "known": known} for word, known in cases]


@slips.check("the nearest word", _known, name="nearest_word")
def nearest(word, known):
    """Return the known word whose trigram counts have the largest cosine with the word's."""
    l = Counter(letter_trigrams(word))
    length = np.sqrt(sum(count**2 for count in l.values()))

    def cosine(other):
        l2 = Counter(letter_trigrams(other))
        length2 = np.sqrt(sum(count**2 for count in l2.values()))
        product = sum(l[trigram] * l2[trigram] for trigram in l)
        return product / (length * length2)

    return max(known, key=cosine)


def misspelled(seed):
    """Generate a misspelled word and eight known words, one of which is clearly the nearest."""
    rng = random.Random(seed)
    while True:
        known = rng.sample(KNOWN, 8)
        word = misspell(known[0], rng)
        found = nearest(word, known)
        others = [other for other in known if other != found]
        rng.shuffle(known)
        if _cosine(word, found) - _cosine(word, nearest(word, others)) > 0.05:
            return word, known


def _cosine(word, other):
    l, l2 = Counter(letter_trigrams(word)), Counter(letter_trigrams(other))
    lengths = [sum(count**2 for count in counts.values()) for counts in (l, l2)]
    return sum(l[trigram] * l2[trigram] for trigram in l) / np.sqrt(np.prod(lengths))
