"""What attention and aligned words bring, what they cost, and whether the right words are aligned.

    python -m benchmarks.experiments.alignment sample [msrd onet] [--cells 96] [--epochs 12]
        [--seeds 3] [--json FILE]

The same cell in both directions, the same pairs and epochs, `lstm_edu.train`'s settings: a dual
encoder, one by attention, words aligned alone, and with the cosine of the embeddings. Told are
nDCG@10 on the judged queries, each counting with its mean over the seeds, and its paired difference
from the dual encoder's; the processor's seconds for an epoch; and what is kept of a title. Nothing
was chosen by these judgments. On the sample, whose word files know which words say the same, also
how often a query's word that the title has in other letters is aligned with a partner there
(`lstm_edu.analysis.alignment`). Sets but the sample lie in the folder that LSTM_EDU_DATA names. A
set that is measured takes its place in the JSON; the others stay as they are.
"""

import os
import time

import numpy as np

import lstm_edu
from lstm_course.sample.paraphrases import KINDS, partners
from lstm_course.sample.query_metadata import read_needs
from lstm_edu.analysis import alignment
from lstm_edu.ranking.ndcg import ndcg_by_query
from lstm_edu.ranking.statistics import interval

from . import experiment as harness

MODELS = {
    "dual encoder": (lstm_edu.DualEncoder, False, {}),
    "attention": (lstm_edu.DualEncoder, True, {}),
    "aligned words": (lstm_edu.AlignedEncoder, False, {}),
    "aligned words and embeddings": (lstm_edu.AlignedEncoder, False, {"with_embedding": True}),
}


def model_of(name, hashing, n_cells, seed):
    """One of `MODELS` before its first update."""
    kind, attends, more = MODELS[name]
    cell = lstm_edu.Bidirectional(lstm_edu.LSTM(n_cells))
    cell = lstm_edu.Attention(cell) if attends else cell
    return kind(cell, hashing, seed=seed, **more)


def aligned(cosines, judgments, needs):
    """By kind, of each query that has such words: how often its word's nearest is a partner, and
    how often by chance; NaN for the others. (n_queries, 2)

    Parameters
    ----------
    cosines : function of query, title
    """
    found = {kind: np.full((len(judgments), 2), np.nan) for kind in KINDS}
    for k, (search, need) in enumerate(zip(judgments, needs)):
        right = [title for title, grade in zip(search.titles, search.grades) if grade == 3]
        R = [cosines(search.query, title) for title in right]
        same = [partners(search.query, title, need.topic) for title in right]
        for kind in KINDS:
            words = [
                alignment.right_partners(of, says[kind], search.query, title)
                for of, says, title in zip(R, same, right)
            ]
            hit, chance = map(np.concatenate, zip(*words))
            if len(hit):
                found[kind][k] = hit.mean(), chance.mean()
    return found


def told(values):
    """Mean and 95 % interval over the queries that have a value, and how many these are."""
    values = np.asarray(values)
    mean, low, high = interval(values[~np.isnan(values)])
    found = {"mean": mean, "low": low, "high": high}
    return {name: round(float(x), 4) for name, x in found.items()} | {
        "queries": int((~np.isnan(values)).sum())
    }


def of_words(models, fresh, hashing, judgments, needs):
    """Whether the right words are aligned: by each model, at first, by letters and by chance."""
    by_letters = lambda query, title: alignment.letter_cosines(hashing, query, title)
    of = lambda model: lambda query, title: alignment.word_cosines(model, query, title)
    letters = aligned(by_letters, judgments, needs)
    runs = {name: [aligned(of(model), judgments, needs) for model in own] for name, own in models}
    runs |= {"untrained": [aligned(of(model), judgments, needs) for model in fresh]}
    runs |= {"letters": [letters]}
    rows = {}
    for kind in KINDS:
        means = {
            name: np.mean([run[kind][:, 0] for run in own], axis=0) for name, own in runs.items()
        }
        rows[kind] = {name: told(of_query) for name, of_query in means.items()}
        rows[kind]["chance"] = told(letters[kind][:, 1])
        rows[kind]["above letters"] = {
            name: told(of_query - means["letters"])
            for name, of_query in means.items()
            if name != "letters"
        }
    return rows


def measure(name, n_cells, epochs, seeds):
    """All figures of one set."""
    folder = (
        lstm_edu.sample() if name == "sample" else os.path.join(os.environ["LSTM_EDU_DATA"], name)
    )
    pairs = lstm_edu.read_pairs(os.path.join(folder, "train_pairs.tsv"))
    judgments = lstm_edu.read_judgments(os.path.join(folder, "judgments.tsv"))
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    titles = sorted({title for _, title in pairs})
    models, found, costs = {row: [] for row in MODELS}, {}, {}
    for row in MODELS:
        seconds = []
        for seed in range(seeds):
            model = model_of(row, hashing, n_cells, seed)
            start = time.process_time()
            lstm_edu.train(model, pairs, epochs=epochs, seed=seed, progress=False)
            seconds.append((time.process_time() - start) / epochs)
            models[row].append(model)
        found[row] = np.mean(
            [ndcg_by_query(model, judgments)[:, 2] for model in models[row]], axis=0
        )
        kept = models[row][0].encode_document(titles)
        arrays = kept if isinstance(kept, tuple) else (kept,)
        costs[row] = {
            "seconds of the processor an epoch": round(float(np.median(seconds)), 2),
            "bytes kept of a title": round(
                sum(a.nbytes for a in arrays if a is not None) / len(titles)
            ),
        }
        print(name, row, told(found[row]), costs[row], flush=True)
    baseline = found["dual encoder"]
    figures = {
        "date": harness.today(),
        "cell": f"Bidirectional(LSTM({n_cells}))",
        "epochs": epochs,
        "seeds": seeds,
        "pairs": len(pairs),
        "nDCG@10": {row: told(values) for row, values in found.items()},
        "above the dual encoder": {row: told(values - baseline) for row, values in found.items()},
        "cost": costs,
    }
    if name == "sample":
        needs = read_needs(os.path.join(folder, "needs.tsv"), judgments)
        fresh = [model_of("aligned words", hashing, n_cells, seed) for seed in range(seeds)]
        figures["aligned"] = of_words(models.items(), fresh, hashing, judgments, needs)
    return figures


def main(arguments=None):
    parser = harness.parser(__doc__)
    parser.add_argument("sets", nargs="+", choices=("sample", "msrd", "onet"))
    parser.add_argument("--cells", type=int, default=96)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args(arguments)
    figures = harness.stored(options.json, {"interval": "95 % bootstrap over queries", "sets": {}})
    for name in options.sets:
        figures["sets"][name] = measure(name, options.cells, options.epochs, options.seeds)
        harness.write(options.json, figures)


if __name__ == "__main__":
    main()
