"""Train a Transformer of one layer for lesson 17, with its controls, and measure its cost.

    python -m benchmarks.experiments.transformer [--seeds 5] [--jobs 1] [--json FILE]

The cell is `lstm_course.transformer.Transformer`, trained by the package's recipe with settings
that Table IV's search chooses. Its controls are the same Transformer without positions, with the
same settings, and an LSTM with about as many parameters, with the settings that the search chose
for Table IV's LSTM. The rows are like the rows of Table IV: nDCG@10 of each training run, and of
each judged query. Two rows are also trained on a quarter of the log, with the default number of
epochs. The lesson's small models, trained as in the lesson, show how far an embedding moves, as 1
minus the cosine, if a query's words are read back to front. The cost is the time and memory of a
forward and backward pass over texts of T words, as multiples of the cost at 8 words. No setting was
tuned on the judgments.
"""

import time
import tracemalloc
from functools import cache

import numpy as np

import lstm_edu
from book.build import stored
from lstm_course.lessons import claims
from lstm_course.sample import synthetic
from lstm_course.transformer import Transformer
from lstm_edu._util.threads import one_blas_thread
from lstm_edu.text.batch import side_by_side
from lstm_edu.text.sentences import from_texts
from lstm_tools.table_iv.search import search
from lstm_tools.table_iv.trained import TRAINED, Row

from . import experiment

EPOCHS = 16  # maximum number of epochs in Table IV's search
ROWS = {
    "transformer_96": Row(Transformer(96), "batch"),
    "lstm_37": Row(lstm_edu.LSTM(37), "batch"),
    "without_positions": Row(Transformer(96, positions=False), "batch"),
}
OF_SIZES = {"transformer_96": ROWS["transformer_96"], "lstm_96_adam": TRAINED["lstm_96_adam"]}
SIZES = (5_000,)  # the sample has 20,000 pairs
SMALL = {"Transformer": (Transformer(32, 4, 64), 0.01), "LSTM": (lstm_edu.LSTM(32), 0.004)}
LENGTHS = 8, 16, 32, 64, 128, 256, 512
N_TEXTS = 16


@cache
def pairs_of(log, size):
    """Return the first pairs of a log; generate pairs if the sample has fewer than ``size``."""
    if log == "sample" and size:
        return synthetic.generate(0, max(size, 20_000)).pairs[:size]
    return experiment.data(log).pairs[:size]


def chosen(name, log):
    """Choose a row's settings by searching on held-out training queries of a log."""
    return search(ROWS[name], pairs_of(log, None), EPOCHS)


def ranked(name, settings, log, size, seed):
    """Train a row's model on a log's first ``size`` pairs.

    Return its nDCG@10 per judged query, its number of parameters, and the seconds of training.
    """
    pairs, started = pairs_of(log, size), time.process_time()
    model = (ROWS | OF_SIZES)[name].fit(pairs, seed, **settings)
    seconds = round(time.process_time() - started, 1)
    ndcg = experiment.at_10(model, experiment.data(log).judgments).tolist()
    return {"by_query": ndcg, "parameters": model.n_parameters, "seconds": seconds}


def moved(name, seed):
    """Train a small model; return how far its embeddings move if queries are reversed."""
    cell, step_size = SMALL[name]
    pairs, how = experiment.data().pairs, {"epochs": 2, "step_size": step_size}
    return distance(experiment.trained(cell, pairs, seed, **how)[0])


def untrained(name, seed):
    """Return how far a small untrained model's embeddings move if queries are reversed."""
    return distance(experiment.new(SMALL[name][0], experiment.data().pairs, seed))


def distance(model):
    """Return the mean 1 - cosine between queries whose word order matters and their reversals."""
    every = zip(experiment.data().judgments, experiment.needs())
    asked = [judged.query for judged, need in every if need.order_decides]
    back = [" ".join(reversed(query.split())) for query in asked]
    R = model.similarity(model.encode_query(asked), model.encode_query(back))
    return round(float(1 - np.diag(R).mean()), 4)


def rows_of(tasks, seeds, jobs):
    """Train rows with several seeds; return their results in the format of Table IV's rows."""
    found = {}
    for name, runs in experiment.by_row(ranked, tasks, seeds, jobs).items():
        row = experiment.row_of([run["by_query"] for run in runs])
        found[name] = {
            "settings": tasks[name][1],
            "parameters": runs[0]["parameters"],
            "seconds": float(np.median([run["seconds"] for run in runs])),
            "by_seed": np.round(row["by_seed"], 4).tolist(),
            "by_query": row["by_query"].round(4).tolist(),
        }
    return found


def cost_of_length(cell, T):
    """Measure the seconds and megabytes of a forward and backward pass over texts of T words."""
    rng, words = np.random.default_rng(0), "abc bca cab cc ab ba".split()
    hashing = lstm_edu.LetterTrigrams.fit(words)
    texts = [" ".join(rng.choice(words, T)) for _ in range(N_TEXTS)]
    batch = side_by_side(from_texts(texts, hashing, "float32"))
    weights = lstm_edu.DualEncoder(cell, hashing).query.weights

    def both():
        y, tape = cell.forward(weights, batch)
        cell.backward(weights, batch, tape, y)

    def seconds():
        started = time.process_time()
        both()
        return time.process_time() - started

    with one_blas_thread():
        least = min(seconds() for _ in range(7))
    tracemalloc.start()
    both()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return least, most / 2**20


def by_length(cell):
    """Return time and memory by number of words, as multiples of the shortest texts' cost."""
    costs = {T: np.array(cost_of_length(cell, T)) for T in LENGTHS}
    ratios = {str(T): (cost / costs[LENGTHS[0]]).round(1) for T, cost in costs.items()}
    kinds = enumerate(("time", "memory"))
    return {kind: {T: float(ratio[k]) for T, ratio in ratios.items()} for k, kind in kinds}


if __name__ == "__main__":
    args = experiment.options(__doc__, seeds=5, jobs=1)
    how = range(args.seeds), args.jobs
    (ours,) = experiment.run(chosen, [("transformer_96", "sample")], args.jobs)
    lstm = claims.by_row(stored("table_iv_sample"))["lstm_96_adam"]["chosen"]
    settings = dict.fromkeys(ROWS, ours) | {"lstm_37": lstm, "lstm_96_adam": lstm}
    rows = rows_of({name: (name, settings[name], "sample", None) for name in ROWS}, *how)
    small = {name: (name,) for name in SMALL}
    turned = {of.__name__: experiment.by_row(of, small, *how) for of in (untrained, moved)}
    sizes = {}
    for size in SIZES:
        steps = {name: settings[name] | {"epochs": None} for name in OF_SIZES}
        sizes[str(size)] = rows_of(
            {name: (name, steps[name], "sample", size) for name in OF_SIZES}, *how
        )
    costs = {"Transformer": ROWS["transformer_96"].cell, "LSTM": TRAINED["lstm_96_adam"].cell}
    lengths = {name: by_length(cell) for name, cell in costs.items()}
    experiment.write(
        args.json, {"rows": rows, "by size": sizes, "turned around": turned, "by length": lengths}
    )
