"""Time an epoch, embedding and search at the paper's scale: 50,000 letter trigrams, 96 cells.

    python -m benchmarks.speed.at_scale epoch [--json FILE]
    python -m benchmarks.speed.at_scale encode [--json FILE]
    python -m benchmarks.speed.at_scale search [--json FILE]

- epoch: `lstm_edu.train` with 200,000 pairs of a synthetic log (`paper_scale`), minibatches of
  1,024, n = 4 and the paper's setting. Texts are converted to numbers once per training, which is
  timed separately; they are read one by one, as from a file.
- encode: `model.encode_document(titles, n_jobs=2)` with titles of 9 words, from texts to vectors in
  two threads.
- search: the exact ten best of a million titles for 100 queries at a time, in blocks
  (`lstm_tools.nearest`).

Memory is the peak of the whole process, as Linux reports it.
"""

import time

import numpy as np

import lstm_edu
from lstm_tools import nearest

from ..experiments import experiment
from . import paper_scale

try:
    import resource
except ModuleNotFoundError:  # Windows lacks this module
    resource = None

SCALE = paper_scale.SCALES["paper"]
REPEATS, BATCH = 5, 100


def epoch(n_pairs):
    """Time an epoch of training on n_pairs pairs."""
    model, pairs = paper_scale.model(SCALE), paper_scale.pairs(n_pairs, SCALE.n_trigrams)
    how = {"n_negatives": SCALE.n_negatives, "batch_size": SCALE.batch_size}
    start = time.perf_counter()
    history = lstm_edu.train(model, pairs, epochs=1, **lstm_edu.PAPER | how)
    whole = time.perf_counter() - start
    return {
        "pairs": n_pairs,
        "parameters": model.n_parameters,
        "epoch_s": round(history["seconds"][0], 2),
        "reading_s": round(whole - history["seconds"][0], 2),
        "cost": [round(cost, 4) for cost in history["cost"]],
    }


def encode(n_titles):
    """Time the embedding of n_titles titles."""
    model, rng = paper_scale.model(SCALE), np.random.default_rng(0)
    words = paper_scale.vocabulary(SCALE.n_trigrams, rng)
    blocks = [
        list(paper_scale.texts(n_titles, 9, words, rng, mixed=False)) for _ in range(REPEATS + 1)
    ]
    way = {"whole": lambda k: model.encode_document(blocks[k], n_jobs=2)}
    whole = paper_scale.spread(paper_scale.in_turn(way, REPEATS)["whole"])
    return {
        "titles": n_titles,
        "titles_per_second": round(1e3 * n_titles / whole["median"]),
        "ms": whole,
    }


def search(n_titles):
    """Time an exact search for each query's ten best titles among n_titles."""
    model, rng = paper_scale.model(SCALE), np.random.default_rng(0)
    words = paper_scale.vocabulary(SCALE.n_trigrams, rng)
    titles = np.empty((n_titles, model.cell.size), model.dtype)
    for start in range(0, n_titles, 20_000):  # generate and embed in parts, to save memory
        part = titles[start : start + 20_000]
        texts = list(paper_scale.texts(len(part), 9, words, rng))
        part[:] = model.encode_document(texts)
    queries = list(paper_scale.texts(BATCH * (4 * REPEATS + 1), 3.5, words, rng))

    def batch(k):
        asked = queries[k * BATCH : (k + 1) * BATCH]
        nearest.top(model.encode_query(asked), titles, 10)

    spread = paper_scale.spread(paper_scale.in_turn({"batch": batch}, 4 * REPEATS)["batch"])
    return {
        "titles": n_titles,
        "queries a batch": BATCH,
        "ms_per_query": round(spread["median"] / BATCH, 3),
        "batch_ms": spread,
    }


MEASURED = {"epoch": (epoch, 200_000), "encode": (encode, 50_000), "search": (search, 1_000_000)}


if __name__ == "__main__":
    args = experiment.options(__doc__, tuple(MEASURED), n=0)
    found, others = {"blas": experiment.blas()}, paper_scale.Others()
    for name in args.sets:
        measure, n = MEASURED[name]
        found[name] = measure(args.n or n)
        peak_kb = resource and resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        found[name]["peak_mb"] = peak_kb and round(peak_kb / 2**10)
        found[name]["others_share"] = others.share()
    experiment.write(args.json, found)
