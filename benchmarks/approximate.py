"""The ten best of ten million titles by an approximate index, against the exact search.

    python benchmarks/approximate.py FOLDER [--titles 10000000] [--json [FILE]]

Needs faiss (``pip install faiss-cpu``), which is no part of the project. A title is two titles of
the sample data side by side, so that there are a hundred million different ones; queries are the
sample's judged ones; the model is an LSTM of 96 cells, trained as the README's ten lines do. The
folder (7 GB for ten million) keeps titles, model, vectors and index, and how long each took: what
is there is not made again.

*Recall* is the share of the ten places whose title is as near as the tenth of the exact search.
"""

import json
import os
import pathlib
import time

import numpy as np
import paper_scale

import lstm_edu
from lstm_edu._util import files
from lstm_edu._util.files import MissingError
from lstm_tools import nearest

SAMPLE = pathlib.Path(__file__).parent.parent / "data_samples"
PART = 100_000  # vectors added at a time
A_LIST = 40  # vectors for each list to be learned from
PROBES = 4, 16, 64, 256
EXACT = 100  # queries of the exact search
STRIDE = 7_919_993  # its multiples are all pairs of titles before one comes again
TIE = 1e-6  # cosines that differ by no more are of equally near titles


def make_titles(path, n):
    """Write n different titles: two of the sample's side by side."""
    titles = sorted({title for _, title in lstm_edu.read_pairs(SAMPLE / "train_pairs.tsv")})
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for k in range(n):
            first, second = divmod(k * STRIDE % len(titles) ** 2, len(titles))
            file.write(f"{titles[first]} {titles[second]}\n")


def make_model(path):
    """Train as the README does."""
    pairs = lstm_edu.read_pairs(SAMPLE / "train_pairs.tsv")
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(n_cells=96), hashing, seed=0)
    lstm_edu.train(model, pairs, seed=0)
    model.save(path)


def make_index(path, vectors):
    """Learn the lists from some of the vectors, then add all, some at a time."""
    faiss, n = load_faiss(), len(vectors)
    n_lists = 2 ** round(np.log2(4 * n**0.5))
    index = faiss.index_factory(
        vectors.shape[1], f"IVF{n_lists},SQfp16", faiss.METRIC_INNER_PRODUCT
    )
    index.train(unit(vectors[:: max(n // (A_LIST * n_lists), 1)]))
    for start in range(0, n, PART):
        index.add(unit(vectors[start : start + PART]))
    faiss.write_index(index, str(path))


def unit(vectors):
    """Of length 1, so that an inner product is a cosine."""
    vectors = np.array(vectors)
    load_faiss().normalize_L2(vectors)
    return vectors


def load_faiss():
    """The module, which is missing unless somebody has installed it."""
    try:
        import faiss
    except ImportError:
        raise MissingError("this benchmark needs faiss: pip install faiss-cpu") from None
    return faiss


def timed(path, make, *arguments):
    """Make a file unless it is there; seconds that took, by the clock and of processors.

    They are kept beside the file.
    """
    kept = path.with_name(path.name + ".seconds")
    if not path.exists():
        part = path.with_suffix(".making")
        start = time.perf_counter(), time.process_time()
        make(part, *arguments)
        now = time.perf_counter(), time.process_time()
        os.replace(part, path)
        files.write_text(kept, json.dumps([round(b - a) for a, b in zip(start, now)]))
    return json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else None


def measure(folder, n_titles):
    """The figures."""
    folder, others = pathlib.Path(folder), paper_scale.Others()
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / name for name in ("titles.txt", "model.npz", "titles.npy", "titles.faiss")]
    seconds = {
        "titles": timed(paths[0], make_titles, n_titles),
        "model": timed(paths[1], make_model),
    }
    model = lstm_edu.load(paths[1])
    seconds["vectors"] = timed(paths[2], lambda out: model.encode_titles(paths[0], out, n_jobs=2))
    vectors = np.load(paths[2], mmap_mode="r")
    seconds["index"] = timed(paths[3], make_index, vectors)
    searches = lstm_edu.read_judgments(SAMPLE / "judgments.tsv")
    queries = model.encode_query([search.query for search in searches])
    start = time.perf_counter(), time.process_time()
    exact = nearest.top(queries[:EXACT], vectors, 10)
    now = time.perf_counter(), time.process_time()
    faiss = load_faiss()
    index = faiss.read_index(str(paths[3]), faiss.IO_FLAG_MMAP)
    faiss.omp_set_num_threads(1)
    return {
        "titles": len(vectors),
        "cells": vectors.shape[1],
        "seconds": seconds,
        "vectors_mb": round(paths[2].stat().st_size / 2**20),
        "index_mb": round(paths[3].stat().st_size / 2**20),
        "exact_ms": round(1e3 * (now[0] - start[0]) / EXACT, 1),
        "exact_processor_ms": round(1e3 * (now[1] - start[1]) / EXACT, 1),
        "approximate": [searched(index, n, queries, vectors, exact) for n in PROBES],
        "others_share": others.share(),
    }


def searched(index, n_probes, queries, vectors, exact):
    """Time and recall of the index that looks into so many lists, one query after the other."""
    index.nprobe = n_probes
    queries, milliseconds, found = unit(queries), [], []
    index.search(queries, 10)  # warms up
    for k in range(len(queries)):
        start = time.perf_counter()
        found.append(index.search(queries[k : k + 1], 10)[1][0])
        milliseconds.append(1e3 * (time.perf_counter() - start))
    recall = []
    for q, rows, scores in zip(queries, found, exact[1]):
        near = nearest.top(q[None], vectors[np.sort(rows[rows >= 0])], 10)[1]
        recall.append((near >= scores[-1] - TIE).sum() / len(scores))
    spread = paper_scale.spread(milliseconds)
    return {"probes": n_probes, "recall": round(float(np.mean(recall)), 3), "ms": spread}


def table(found):
    """The figures as text."""
    f = found["approximate"]
    lines = [
        f"{f['titles']:,} titles, {f['cells']} numbers each; seconds {f['seconds']}; "
        f"vectors {f['vectors_mb']} MB, index {f['index_mb']} MB",
        f"exact: {f['exact_ms']} ms a query, {EXACT} at a time ({f['exact_processor_ms']} of "
        "processors)",
    ]
    for row in f["approximate"]:
        ms = row["ms"]["median"]
        lines.append(f"{row['probes']:4} lists: recall@10 {row['recall']}, {ms} ms a query")
    return "\n".join(lines)


if __name__ == "__main__":
    parser = paper_scale.parser(__doc__)
    parser.add_argument("folder")
    parser.add_argument("--titles", type=int, default=10_000_000)
    args = parser.parse_args()
    found = {"approximate": measure(args.folder, args.titles)}
    paper_scale.report(found, table(found), args.json)
