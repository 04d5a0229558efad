"""How many times as fast the gradient by hand is as autograd's, on the same minibatches.

    python benchmarks/gradient.py [--json PATH]

Classroom scale: LSTM of 32 cells, 3,000 trigrams, 256 pairs with n = 4 unclicked titles, float32, one BLAS
thread. Words follow a Zipf law; queries have 1 to 6 words, titles 4 to 12. Autograd runs on the whole batch, on
Eq. (1)-(5) as the paper has them, with the sparse product as a primitive (`lstm_edu.autodiff`). Costs and
gradients are compared each time, and the two timed in alternation, so that the machine's moods fall on both.
"""
import argparse
import datetime
import json
import statistics
import time

import numpy as np
import scipy.sparse

from lstm_edu import LSTM, autodiff, sentences
from lstm_edu.dual_encoder import Side
from lstm_edu.gradients import Examples, minibatch_gradient
from lstm_edu.threads import two_threads

N_CELLS, N_TRIGRAMS, N_WORDS, N_PAIRS, N_UNCLICKED, GAMMA = 32, 3_000, 8_000, 256, 4, 10.0


def random_examples(rng):
    """A minibatch of random texts."""
    length = rng.integers(3, 10, N_WORDS)
    columns = rng.zipf(1.1, length.sum()) % N_TRIGRAMS
    Wh = scipy.sparse.csr_array((np.ones(length.sum(), np.float32), columns.astype(np.int32), np.append(0, np.cumsum(length))),
                                shape=(N_WORDS, N_TRIGRAMS))
    Wh.sum_duplicates()

    def texts(n, shortest, longest):
        words = rng.integers(shortest, longest + 1, n)
        ids = np.minimum(rng.zipf(1.3, words.sum()), N_WORDS) - 1
        return sentences.batch(sentences.Sentences(Wh, ids, np.append(0, np.cumsum(words))))

    row = np.arange(N_PAIRS * (1 + N_UNCLICKED)).reshape(N_PAIRS, -1)
    return Examples(texts(N_PAIRS, 1, 6), texts(row.size, 4, 12), np.arange(N_PAIRS), row[:, 0], row[:, 1:])


def measure(repeats=15):
    rng = np.random.default_rng(0)
    cell = LSTM(N_CELLS)
    sides = tuple(Side(cell, {name: (0.1 * rng.standard_normal(shape)).astype(np.float32)
                              for name, shape in cell.shapes(N_TRIGRAMS).items()}) for _ in range(2))
    seconds = {"bptt": [], "autograd": []}
    with two_threads() as map:
        for k in range(repeats + 1):
            examples = random_examples(rng)
            start = time.perf_counter()
            l, by_hand = minibatch_gradient(sides, examples, GAMMA, map=map)
            middle = time.perf_counter()
            total, by_autograd = autodiff.cost_and_gradient(*sides, examples, GAMMA)
            end = time.perf_counter()
            np.testing.assert_allclose(l.sum(), total, rtol=1e-4)
            for batch, g, expected in zip((examples.queries, examples.documents), by_hand, by_autograd):
                W = np.zeros((N_TRIGRAMS, g["W"].shape[1]), np.float32)
                W[batch.touched] = g["W"]
                for name, array in cell.params(g | {"W": W}).items():
                    np.testing.assert_allclose(array, expected[name], atol=1e-4 * np.abs(expected[name]).max())
            if k:                                                        # the first warms up
                seconds["bptt"].append(middle - start)
                seconds["autograd"].append(end - middle)
    ratio = [a / b for a, b in zip(seconds["autograd"], seconds["bptt"])]
    return {"bptt_ms": round(1e3 * statistics.median(seconds["bptt"]), 2), "autograd_ms": round(1e3 * statistics.median(seconds["autograd"]), 1),
            "ratio": round(statistics.median(ratio), 1), "ratio_range": [round(min(ratio), 1), round(max(ratio), 1)]}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json")
    args = parser.parse_args()
    found = {"date": datetime.date.today().isoformat(), "classroom": measure()}
    print(json.dumps(found))
    if args.json:
        with open(args.json, "w") as file:
            json.dump(found, file, indent=1)
