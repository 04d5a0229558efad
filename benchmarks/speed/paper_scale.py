"""Functions shared by the timings: two scales, a synthetic click log, alternating timings.

The paper's log is not public. The synthetic log has the same sizes: 200,000 pairs with 50,000
letter trigrams, and about 3.5 words per query and 9 per title. Letters and words follow Zipf's law.
A trigram's frequency is then a product of three such laws, which is close to Zipf's law for
trigrams: a minibatch of 5,000 titles touches the same number of trigrams with either (18,700 of
50,000).
"""

import os
import string
import time
from typing import NamedTuple

import numpy as np

import lstm_edu

LETTERS = string.ascii_lowercase + string.digits + "äöüß"
WORDS_A_TRIGRAM = 3  # number of distinct words per trigram in a log


class Scale(NamedTuple):
    """The sizes of a model and of its minibatches."""

    n_trigrams: int
    n_cells: int
    batch_size: int
    n_negatives: int


SCALES = {"paper": Scale(50_000, 96, 1024, 4), "classroom": Scale(3_000, 32, 256, 4)}


def model(scale):
    """Create an untrained dual encoder with LSTMs of a given scale."""
    return lstm_edu.DualEncoder(lstm_edu.LSTM(scale.n_cells), hashing(scale.n_trigrams))


def letters(n_trigrams):
    """Return the smallest alphabet that, with a word boundary, gives n_trigrams trigrams."""
    return next(LETTERS[:n] for n in range(1, len(LETTERS) + 1) if n * (n + 1) ** 2 >= n_trigrams)


def hashing(n_trigrams):
    """Return the n_trigrams most frequent trigrams of synthetic words, in alphabetical order."""
    rank = {letter: k for k, letter in enumerate("#" + letters(n_trigrams), 1)}
    every = [
        (rank[a] * rank[b] * rank[c], a + b + c)
        for a in rank
        for b in rank
        for c in rank
        if b != "#"
    ]
    return lstm_edu.LetterTrigrams(sorted(trigram for _, trigram in sorted(every)[:n_trigrams]))


def vocabulary(n_trigrams, rng):
    """Generate an array of distinct words of 2 to 9 letters, three words per trigram."""
    n, alphabet = WORDS_A_TRIGRAM * n_trigrams, np.array(list(letters(n_trigrams)))
    drawn = alphabet[_zipf(len(alphabet), 2 * n * 9, rng)].reshape(2 * n, 9)
    drawn[np.arange(9) >= rng.integers(2, 10, (2 * n, 1))] = ""
    words = drawn.view("U9")[:, 0]
    return words[np.sort(np.unique(words, return_index=True)[1])[:n]]


def texts(n, mean, words, rng, mixed=True):
    """Yield n texts with ``mean`` words each (on average if ``mixed``)."""
    for start in range(0, n, 10_000):  # generate in parts, to save memory
        m = min(10_000, n - start)
        lengths = np.maximum(rng.poisson(mean, m), 1) if mixed else np.full(m, mean)
        read, ends = words[_zipf(len(words), lengths.sum(), rng)].tolist(), np.cumsum(lengths)
        yield from (
            " ".join(read[end - length : end])
            for length, end in zip(lengths.tolist(), ends.tolist())
        )


def pairs(n, n_trigrams=50_000, seed=0):
    """Yield n random (query, title) pairs, like `lstm_edu.readers.iter_pairs` from a file."""
    rng = np.random.default_rng(seed)
    words = vocabulary(n_trigrams, rng)
    return zip(texts(n, 3.5, words, rng), texts(n, 9, words, np.random.default_rng([seed, 1])))


def _zipf(n, size, rng):
    """Draw ``size`` integers k < n with probability proportional to 1 / (k + 1)."""
    upto = np.cumsum(1 / np.arange(1, n + 1))
    return np.searchsorted(upto, rng.random(size) * upto[-1]).clip(0, n - 1)


def in_turn(ways, repeats):
    """Time implementations alternately, so that other programs slow all of them equally.

    Parameters
    ----------
    ways : dict of functions
        The implementations, keyed by name. Each is called with k = 0 (to warm up), 1, 2, …
    repeats : int, or dict of int
        An implementation with fewer repeats is timed in the first rounds only.

    Returns
    -------
    dict of lists
        The milliseconds of each call, keyed by name.
    """
    due = repeats if isinstance(repeats, dict) else dict.fromkeys(ways, repeats)
    found = {name: [] for name in ways}
    for name in [name for name in ways if due[name] > 1]:
        ways[name](0)  # warm up
    for k in range(1, max(due.values()) + 1):
        for name in [name for name in ways if k <= due[name]]:
            time.sleep(0.02)  # let the previous call's threads stop
            start = time.perf_counter()
            ways[name](k)
            found[name].append(1e3 * (time.perf_counter() - start))
    return found


class Others:
    """Meter of the processor time used by other programs since the meter's creation."""

    def __init__(self):
        self.at_first = self._now()

    def share(self):
        """Return the share of all processor time that other programs used, or None if unknown."""
        now = self._now()
        if now is None:
            return None
        all_, busy, ours = (after - before for before, after in zip(self.at_first, now))
        return round(max(busy - ours, 0) / max(all_, 1e-9), 3)

    @staticmethod
    def _now():
        try:
            with open("/proc/stat", encoding="ascii") as file:
                # fields: user nice system idle iowait irq softirq steal
                ticks = [int(n) for n in file.readline().split()[1:9]]
        except OSError:
            return None
        tick, ours = os.sysconf("SC_CLK_TCK"), os.times()
        return sum(ticks) / tick, (sum(ticks) - ticks[3] - ticks[4]) / tick, ours.user + ours.system


def spread(values):
    """Return the rounded median and quartiles, and the number of values."""
    low, median, high = np.percentile(values, [25, 50, 75]).round(2).tolist()
    return {"median": median, "quartiles": [low, high], "n": len(values)}
