"""How many titles a second a model embeds, and where the time goes.

    python -m benchmarks.speed.encode [--json [benchmarks/results/encode.json]]

Titles of 9 words each (`paper_scale`), an LSTM of 96 cells, 50,000 letter trigrams; through
`model.encode_document(titles, n_jobs=2)`, from texts to vectors in two threads. Then its parts, one
after the other in one: to split texts into words and those into trigrams, to take W_h W of the
distinct words, and to lay the sentences side by side and run the network over them. (The whole also
looks for equal texts.)
"""

import time

import numpy as np

import lstm_edu
from lstm_edu._util.threads import one_blas_thread
from lstm_edu.gradients.relevance import COSINE
from lstm_edu.models import encoder
from lstm_edu.text import sentences
from lstm_tools.table_iv import memory

from . import paper_scale

N, REPEATS = 50_000, 5


def measure():
    """The figures."""
    scale = paper_scale.SCALES["paper"]
    model = lstm_edu.DualEncoder(
        lstm_edu.LSTM(scale.n_cells), paper_scale.hashing(scale.n_trigrams)
    )
    rng = np.random.default_rng(0)
    words = paper_scale.vocabulary(scale.n_trigrams, rng)
    parts = [list(paper_scale.texts(N, 9, words, rng, mixed=False)) for _ in range(REPEATS + 1)]
    others = paper_scale.Others()
    way = {"whole": lambda k: model.encode_document(parts[k], n_jobs=2)}
    whole = paper_scale.in_turn(way, REPEATS)["whole"]
    split = {"hashing": [], "W_h W": [], "network": []}
    side, task = model.document, encoder.TASK
    for texts in parts[1:]:
        with one_blas_thread():
            at = [time.perf_counter()]
            read = [
                sentences.from_texts(texts[start : start + task], model.hashing, model.dtype)
                for start in range(0, N, task)
            ]
            at.append(time.perf_counter())
            of_words = [some.Wh @ side.weights["W"] for some in read]
            at.append(time.perf_counter())
            for some, W in zip(read, of_words):
                encoder.encode_words(COSINE, side.cell, side.weights | {"W": W}, some)
            at.append(time.perf_counter())
        for name, seconds in zip(split, np.diff(at)):
            split[name].append(1e3 * seconds)
    spread = paper_scale.spread(whole)
    return {
        "titles": N,
        "titles_per_second": round(1e3 * N / spread["median"]),
        "ms": spread,
        "parts_ms": {name: paper_scale.spread(values)["median"] for name, values in split.items()},
        "peak_mb": memory.peak_megabytes(),
        "others_share": others.share(),
    }


def table(found):
    """The figures as text."""
    f = found["encode"]
    parts = ", ".join(f"{name} {ms / f['titles'] * 1e3:.1f}" for name, ms in f["parts_ms"].items())
    return (
        f"{f['titles_per_second']:,} titles a second; microseconds a title: "
        f"{f['ms']['median'] / f['titles'] * 1e3:.1f}, of which {parts}"
    )


if __name__ == "__main__":
    args = paper_scale.parser(__doc__).parse_args()
    found = {"encode": measure()}
    paper_scale.report(found, table(found), args.json)
