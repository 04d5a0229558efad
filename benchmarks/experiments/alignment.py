"""Compare attention and aligned words with a dual encoder: nDCG, costs, and the aligned words.

    python -m benchmarks.experiments.alignment sample [msrd onet] [--cells 96] [--epochs 12]
        [--seeds 3] [--json FILE]

There are four models: a dual encoder, one with attention, one that aligns words, and one that adds
the cosine of the embeddings to that. All have the same cell in both directions, the same pairs and
epochs, and `lstm_edu.train`'s settings. The figures are nDCG@10 on the judged queries, averaged
over the seeds per query, and its paired difference from the dual encoder's; the processor's seconds
per epoch; and the bytes stored per title. Nothing was chosen by these judgments. On the sample,
whose word files list synonyms, we also measure how often a query's word is aligned with a synonym
in the title, spelled differently (`lstm_edu.analysis.alignment`).
"""

import time

import numpy as np

import lstm_edu
from lstm_course.sample.paraphrases import KINDS, partners
from lstm_course.sample.query_metadata import read_needs
from lstm_edu.analysis import alignment

from . import experiment

BASELINE = "dual encoder"
MODELS = {
    BASELINE: (lstm_edu.DualEncoder, False, {}),
    "attention": (lstm_edu.DualEncoder, True, {}),
    "aligned words": (lstm_edu.AlignedEncoder, False, {}),
    "aligned words and embeddings": (lstm_edu.AlignedEncoder, False, {"with_embedding": True}),
}


def model_of(row, pairs, n_cells, seed):
    """Make an untrained model, one of `MODELS`."""
    kind, attends, more = MODELS[row]
    cell = lstm_edu.Bidirectional(lstm_edu.LSTM(n_cells))
    cell = lstm_edu.Attention(cell) if attends else cell
    return experiment.new(cell, pairs, seed, kind, **more)


def aligned(cosines):
    """Measure how often a query's word is nearest to a partner in right titles, by kind of word.

    Parameters
    ----------
    cosines : function of query, title
        Returns the cosines of their words.

    Returns
    -------
    dict of (n_queries, 2)
        Share by the cosines and by chance; NaN for a query without such words.
    """
    folder, _, judgments = experiment.data()
    found = {kind: np.full((len(judgments), 2), np.nan) for kind in KINDS}
    for k, (search, need) in enumerate(zip(judgments, read_needs(folder / "needs.tsv", judgments))):
        query, right = search.query, np.array(search.titles)[np.array(search.grades) == 3].tolist()
        same = [partners(query, title, need.topic) for title in right]
        R = [cosines(query, title) for title in right]
        for kind in KINDS:
            words = [
                alignment.right_partners(of, says[kind], query, title)
                for of, says, title in zip(R, same, right)
            ]
            hit, chance = map(np.concatenate, zip(*words))
            if len(hit):
                found[kind][k] = hit.mean(), chance.mean()
    return {kind: values.tolist() for kind, values in found.items()}


def by_model(model):
    """Align words by a model's cosines."""
    return aligned(lambda query, title: alignment.word_cosines(model, query, title))


def measured(name, row, n_cells, epochs, seed):
    """Train a model; return nDCG@10 per query, costs, and the words that it aligns."""
    _, pairs, judgments = experiment.data(name)
    model, start = model_of(row, pairs, n_cells, seed), time.process_time()
    lstm_edu.train(model, pairs, epochs=epochs, seed=seed, progress=False)
    seconds = (time.process_time() - start) / epochs
    titles = sorted({title for _, title in pairs})
    kept = model.encode_document(titles)
    arrays = kept if isinstance(kept, tuple) else (kept,)
    return {
        "by_query": experiment.at_10(model, judgments).tolist(),
        "seconds": seconds,
        "bytes": round(sum(a.nbytes for a in arrays if a is not None) / len(titles)),
        "aligned": by_model(model) if name == "sample" else None,
    }


def untrained(n_cells, seed):
    """Align the sample's words by an untrained model."""
    return by_model(model_of("aligned words", experiment.data().pairs, n_cells, seed))


def summary(values):
    """Summarise and count the queries that have a value."""
    values = np.asarray(values)[~np.isnan(values)]
    return experiment.over_queries(values) | {"queries": len(values)}


def of_words(runs):
    """Compare the words aligned by models, letters and chance, from runs of `aligned` by row."""
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in experiment.data().pairs for text in pair)
    letters = aligned(lambda *texts: alignment.letter_cosines(hashing, *texts))
    rows = {}
    for kind in KINDS:
        means = {
            row: np.mean([run[kind] for run in every], axis=0)[:, 0]
            for row, every in (runs | {"letters": [letters]}).items()
        }
        above = {row: mean - means["letters"] for row, mean in means.items() if row != "letters"}
        rows[kind] = {row: summary(mean) for row, mean in means.items()}
        rows[kind]["chance"] = summary(np.array(letters[kind])[:, 1])
        rows[kind]["above letters"] = {row: summary(lead) for row, lead in above.items()}
    return rows


def measure(name, n_cells, epochs, seeds):
    """Measure all figures of one set."""
    tasks = [(name, row, n_cells, epochs, seed) for row in MODELS for seed in seeds]
    runs = iter(experiment.run(measured, tasks))
    found = {row: [next(runs) for _ in seeds] for row in MODELS}
    ndcg = {row: np.mean([run["by_query"] for run in of_row], 0) for row, of_row in found.items()}
    figures = {
        "cell": f"Bidirectional(LSTM({n_cells}))",
        "epochs": epochs,
        "seeds": len(seeds),
        "pairs": len(experiment.data(name).pairs),
        "nDCG@10": {row: summary(values) for row, values in ndcg.items()},
        "above the dual encoder": {
            row: summary(values - ndcg[BASELINE]) for row, values in ndcg.items()
        },
        "cost": {
            row: {
                "seconds of the processor an epoch": round(
                    float(np.median([run["seconds"] for run in of_row])), 2
                ),
                "bytes kept of a title": of_row[0]["bytes"],
            }
            for row, of_row in found.items()
        },
    }
    if name == "sample":
        words = {row: [run["aligned"] for run in of_row] for row, of_row in found.items()}
        words["untrained"] = experiment.run(untrained, [(n_cells, seed) for seed in seeds])
        figures["aligned"] = of_words(words)
    return figures


def main():
    args = experiment.options(__doc__, experiment.SETS, cells=96, epochs=12, seeds=3)
    how = args.cells, args.epochs, range(args.seeds)
    experiment.write(args.json, {"sets": {name: measure(name, *how) for name in args.sets}})


if __name__ == "__main__":
    main()
