"""How many titles a second a model embeds, and where the time goes.

    python benchmarks/encode.py [--json [benchmarks/encode.json]]

Titles of 9 words each (`paper_scale`), an LSTM of 96 cells, 50,000 letter trigrams; through `model.encode_document`, from texts to vectors. Then its parts,
one after the other: to split texts into words and those into trigrams, and to lay the sentences side by side and run the network over them. (Together they
are less than the whole, which also looks for equal texts.)
"""
import time

import numpy as np

import lstm_edu
import paper_scale
from lstm_edu import dual_encoder, sentences
from lstm_edu.threads import one_blas_thread

N, REPEATS = 50_000, 5


def measure():
    """The figures."""
    scale = paper_scale.SCALES["paper"]
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(scale.n_cells), paper_scale.hashing(scale.n_trigrams))
    rng = np.random.default_rng(0)
    words = paper_scale.vocabulary(scale.n_trigrams, rng)
    parts = [list(paper_scale.texts(N, 9, words, rng, mixed=False)) for _ in range(REPEATS + 1)]
    others = paper_scale.Others()
    whole = paper_scale.in_turn({"whole": lambda k: model.encode_document(parts[k])}, REPEATS)["whole"]
    split = {"hashing": [], "side by side": [], "network": []}
    for texts in parts[1:]:
        at = [time.perf_counter()]
        read = sentences.read(texts, model.hashing, model.dtype)
        at.append(time.perf_counter())
        batches = [sentences.batch(read, range(start, min(start + dual_encoder.BLOCK, N))) for start in range(0, N, dual_encoder.BLOCK)]
        at.append(time.perf_counter())
        with one_blas_thread():
            for batch in batches:
                model.document.embed(batch)
        at.append(time.perf_counter())
        for name, seconds in zip(split, np.diff(at)):
            split[name].append(1e3 * seconds)
    spread = paper_scale.spread(whole)
    return {"titles": N, "titles_per_second": round(1e3 * N / spread["median"]), "ms": spread,
            "parts_ms": {name: paper_scale.spread(values)["median"] for name, values in split.items()},
            "peak_mb": paper_scale.peak_megabytes(), "others_share": others.share()}


def table(found):
    """The figures as text."""
    f = found["encode"]
    parts = ", ".join(f"{name} {ms / f['titles'] * 1e3:.1f}" for name, ms in f["parts_ms"].items())
    return f"{f['titles_per_second']:,} titles a second; microseconds a title: {f['ms']['median'] / f['titles'] * 1e3:.1f}, of which {parts}"


if __name__ == "__main__":
    args = paper_scale.parser(__doc__).parse_args()
    found = {"encode": measure()}
    paper_scale.report(found, table(found), args.json)
