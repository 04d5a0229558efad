"""How many times as fast the gradient by hand is as autograd's, on the same minibatches.

    python benchmarks/gradient.py [--json benchmarks/gradient.json]

Classroom scale: an LSTM of 32 cells, the 3,000 commonest letter trigrams of the sample data, 256 of
its pairs with n = 4 unclicked titles each, float32, one thread. Three ways, timed in turn on each
minibatch, after their costs and gradients were compared:

- bptt: `lstm_edu.cost_and_gradient`, from texts to gradient;
- autograd: the same with method="autograd", the minibatch column by column of Fig. 13, the sparse
  product a primitive;
- autograd, distinct: autograd given the shortcut that saves most, to read each distinct title of
  the minibatch once, all in one batch.

Beside them what remains of bptt in training, where texts are numbered once and for all. (Autograd's
times hold its own handling of the texts, a few milliseconds.)
"""

import argparse
import datetime
import json
import os
import statistics
import time
from collections import Counter

import autograd
import autograd.numpy as anp
import numpy as np

import lstm_edu
from lstm_edu._util.threads import one_blas_thread
from lstm_edu.gradients import autodiff
from lstm_edu.gradients.minibatch import examples_of, minibatch_gradient
from lstm_edu.text.hashing import letter_trigrams, words
from lstm_edu.training import minibatches

SAMPLE = os.path.join(os.path.dirname(__file__), "..", "data_samples", "train_pairs.tsv")
GAMMA = 10.0


def autograd_on_distinct(model, queries, clicked, unclicked):
    """The cost and its gradient by autograd, every distinct title read once."""
    titles = list(dict.fromkeys([*clicked, *(title for some in unclicked for title in some)]))
    row = {title: k for k, title in enumerate(titles)}
    rows = [[row[title] for title in column] for column in (clicked, *zip(*unclicked))]

    def cost(params):
        Q, D = (
            autodiff.embed(model.cell, p, [words(text) for text in texts], model.hashing)
            for p, texts in zip(params, (queries, titles))
        )
        Q, D = (y / anp.sqrt(anp.sum(y * y, axis=1, keepdims=True)) for y in (Q, D))
        R = [anp.sum(Q * D[np.array(r)], axis=1) for r in rows]
        return autodiff.loss(R[0], R[1:], GAMMA)

    with one_blas_thread():
        return autograd.value_and_grad(cost)(
            (dict(model.query.params), dict(model.document.params))
        )


def measure(repeats):
    """Median milliseconds of each way, and the ratios within each repeat."""
    pairs = lstm_edu.read_pairs(SAMPLE)
    counts = Counter(
        t for pair in pairs for text in pair for word in words(text) for t in letter_trigrams(word)
    )
    hashing = lstm_edu.LetterTrigrams(sorted(t for t, _ in counts.most_common(3_000)))
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(32), hashing)
    log = minibatches.from_pairs(pairs, hashing)
    titles = list(dict.fromkeys(title for _, title in pairs))
    rng = np.random.default_rng(0)
    seconds = {"bptt": [], "autograd": [], "autograd, distinct": [], "bptt, in training": []}
    for k in range(repeats + 1):
        chosen = rng.choice(len(pairs), 256, replace=False)
        unclicked = minibatches.sample_unclicked(log, log.query[chosen], 4, rng)
        texts = (
            [pairs[p][0] for p in chosen],
            [pairs[p][1] for p in chosen],
            [[titles[t] for t in row] for row in unclicked],
        )
        examples = examples_of(model, *texts)
        ways = {
            "bptt": lambda: lstm_edu.cost_and_gradient(model, *texts, GAMMA),
            "autograd": lambda: lstm_edu.cost_and_gradient(model, *texts, GAMMA, method="autograd"),
            "autograd, distinct": lambda: autograd_on_distinct(model, *texts),
            "bptt, in training": lambda: minibatch_gradient(
                (model.query, model.document), examples, GAMMA
            ),
        }
        results = {}
        with one_blas_thread():
            for name, way in ways.items():
                start = time.perf_counter()
                results[name] = way()
                if k:  # the first warms up
                    seconds[name].append(1e3 * (time.perf_counter() - start))
        agree(*(results[name] for name in ("bptt", "autograd", "autograd, distinct")))
    ratio = {
        f"{name} / {by}": [b / a for a, b in zip(seconds[by], seconds[name])]
        for name in ("autograd", "autograd, distinct")
        for by in ("bptt", "bptt, in training")
    }
    return {
        "milliseconds": {
            name: round(statistics.median(values), 2) for name, values in seconds.items()
        },
        "ratio": {
            name: {
                "median": round(statistics.median(r), 1),
                "lowest": round(min(r), 1),
                "highest": round(max(r), 1),
            }
            for name, r in ratio.items()
        },
    }


def agree(bptt, column_by_column, distinct):
    """Stop unless the three costs and gradients agree to 1e-4."""
    distinct = distinct[0], dict(zip(("query", "document"), distinct[1]))
    for total, gradient in (column_by_column, distinct):
        np.testing.assert_allclose(total, bptt[0], rtol=1e-4)
        for side in gradient:
            for name, g in gradient[side].items():
                np.testing.assert_allclose(
                    g, bptt[1][side][name], atol=1e-4 * np.abs(g).max(), rtol=0
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=25)
    parser.add_argument("--json")
    args = parser.parse_args()
    found = {"date": datetime.date.today().isoformat(), "classroom": measure(args.repeats)}
    print(json.dumps(found, indent=1))
    if args.json:
        with open(args.json, "w", encoding="utf-8", newline="\n") as file:
            json.dump(found, file, indent=1)
