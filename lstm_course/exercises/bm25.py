"""Exercise for lesson 10b: BM25 with an inverted index.

On the first input, every known mistake gives a different result, so that the check's message names
the mistake that was made.
"""

import numpy as np

from ..engine import slips

TRAVEL = "cheap flights to Boston and hotels near the airport".split()


def _indices():
    # (k1, b); the last three: empty query; single title; reversed postings and an empty title
    settings = [(1.2, 0.75)] * 3 + [(2.0, 0.5)] * 2 + [(1.2, 0.0), (1.2, 1.0), (0.0, 0.75)]
    settings += [(1.2, 0.75)] * 3
    return [_index(seed, k1, b) for seed, (k1, b) in enumerate(settings)]


def _index(seed, k1, b):
    rng = np.random.default_rng(seed)
    titles = [rng.choice(TRAVEL[:-1], size).tolist() for size in rng.integers(2, 9, 6)]
    # no title contains the last word of TRAVEL, which comes second or third in the query
    query = rng.choice(TRAVEL[:-1], 2, replace=False).tolist()
    query[1:1] = TRAVEL[-1:] if seed % 2 else [query[0], TRAVEL[-1]]
    query = [] if seed == 8 else query
    titles = titles[:1] if seed == 9 else titles
    titles = [*titles[1:], []] if seed == 10 else titles
    postings = {
        word: [(k, title.count(word)) for k, title in enumerate(titles) if word in title]
        for word in TRAVEL[:-1]
    }
    postings = {word: places[:: -1 if seed == 10 else 1] for word, places in postings.items()}
    postings = {word: places for word, places in postings.items() if places}
    given = {"query": query, "postings": postings, "lengths": np.array(list(map(len, titles)))}
    return given | {"k1": k1, "b": b}


@slips.check("bm25(query, postings, lengths, k1, b)", _indices)
def bm25(query, postings, lengths, k1, b):
    """Return the BM25 score of each title.

    Parameters
    ----------
    query : list of str
    postings : dict of str to list of (title, tf)
    lengths : (N,) of int
    k1, b : float

    Returns
    -------
    (N,)
    """
    N, mean_length = len(lengths), lengths.mean()
    scores = np.zeros(N)
    for word in query:
        n_w = len(postings.get(word, []))
        rarity = np.log(1 + (N - n_w + 0.5) / (n_w + 0.5))
        for title, tf in postings.get(word, []):
            damping = k1 * (1 - b + b * lengths[title] / mean_length)
            scores[title] += rarity * tf / (tf + damping)
    return scores
