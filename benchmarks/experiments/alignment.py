"""Compare attention and word alignment with a dual encoder: nDCG and aligned words.

    python -m benchmarks.experiments.alignment sample [msrd onet] [--cells 96] [--epochs 12]
        [--seeds 3] [--json FILE]

The four models are a dual encoder, a dual encoder with attention, a model that aligns words, and a
model that also adds the cosine of the embeddings. All have the same bidirectional cell, pairs and
epochs, and the settings of `lstm_edu.train`. The figures are nDCG@10 on the judged queries,
averaged over the seeds per query, and the paired difference from the dual encoder. No setting was
tuned on the judgments. On the sample, whose word files list synonyms, we also measure how often a
query's word is aligned with a differently spelled synonym in the title
(`lstm_edu.analysis.alignment`).
"""

import numpy as np

import lstm_edu
from lstm_course.sample.paraphrases import KINDS, partners
from lstm_edu.analysis import alignment

from . import experiment

BASELINE = "dual encoder"
MODELS = {
    BASELINE: (lstm_edu.DualEncoder, False, {}),
    "attention": (lstm_edu.DualEncoder, True, {}),
    "aligned words": (lstm_edu.AlignedEncoder, False, {}),
    "aligned words and embeddings": (lstm_edu.AlignedEncoder, False, {"with_embedding": True}),
}


def new(row, pairs, n_cells, seed):
    """Create an untrained model of a kind named in `MODELS`."""
    kind, attends, more = MODELS[row]
    cell = lstm_edu.Bidirectional(lstm_edu.LSTM(n_cells))
    cell = lstm_edu.Attention(cell) if attends else cell
    return experiment.new(cell, pairs, seed, kind, **more)


def aligned(cosines):
    """Measure how often a query word's nearest word in a relevant title is its synonym.

    Parameters
    ----------
    cosines : function
        Takes a query and a title; returns an (n_query_words, n_title_words) array of the cosines
        between their words.

    Returns
    -------
    dict of (n_queries, 2) lists
        Keyed by kind of synonym: for each query, the share of its words whose nearest word is the
        synonym, and the share expected by chance; NaN for a query without such synonyms.
    """
    judgments = experiment.data().judgments
    found = {kind: np.full((len(judgments), 2), np.nan) for kind in KINDS}
    for k, (search, need) in enumerate(zip(judgments, experiment.needs())):
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


def measured(name, row, n_cells, epochs, seed):
    """Train a model; return its nDCG@10 per query and, on the sample, the result of `aligned`."""
    _, pairs, judgments = experiment.data(name)
    model, cosines = new(row, pairs, n_cells, seed), None
    if epochs:
        lstm_edu.train(model, pairs, epochs=epochs, seed=seed, progress=False)
    if name == "sample":
        cosines = aligned(lambda query, title: alignment.word_cosines(model, query, title))
    return {"by_query": experiment.at_10(model, judgments).tolist(), "aligned": cosines}


def summary(values):
    """Summarise values per query, ignoring NaN, and count the remaining queries."""
    values = np.asarray(values)[~np.isnan(values)]
    return experiment.over_queries(values) | {"queries": len(values)}


def of_words(runs):
    """Compare how often models, letter-trigram cosines and chance align synonyms.

    Parameters
    ----------
    runs : dict of lists
        For each model, the results of `aligned`, one per seed.
    """
    hashing = experiment.hashing_of(experiment.data().pairs)
    letters = aligned(lambda *texts: alignment.letter_cosines(hashing, *texts))
    rows = {}
    for kind in KINDS:
        means = {
            row: np.mean([run[kind] for run in every], axis=0)[:, 0]
            for row, every in (runs | {"letters": [letters]}).items()
        }
        rows[kind] = {row: summary(mean) for row, mean in means.items()}
        rows[kind]["chance"] = summary(np.array(letters[kind])[:, 1])
        rows[kind]["above letters"] = {row: summary(means[row] - means["letters"]) for row in runs}
    return rows


def measure(name, n_cells, epochs, seeds):
    """Compare the four models on one data set."""
    rows = {row: (name, row, n_cells, epochs) for row in MODELS}
    found = experiment.by_row(measured, rows, seeds)
    ndcg = {row: np.mean([run["by_query"] for run in runs], 0) for row, runs in found.items()}
    leads = {row: values - ndcg[BASELINE] for row, values in ndcg.items()}
    figures = {
        "cell": f"Bidirectional(LSTM({n_cells}))",
        "epochs": epochs,
        "seeds": len(seeds),
        "pairs": len(experiment.data(name).pairs),
        "nDCG@10": {row: summary(values) for row, values in ndcg.items()},
        "above the dual encoder": {row: summary(lead) for row, lead in leads.items()},
    }
    if name == "sample":
        start = {"untrained": (name, "aligned words", n_cells, 0)}
        found |= experiment.by_row(measured, start, seeds)
        words = {row: [run["aligned"] for run in runs] for row, runs in found.items()}
        figures["aligned"] = of_words(words)
    return figures


if __name__ == "__main__":
    args = experiment.options(__doc__, experiment.SETS, cells=96, epochs=12, seeds=3)
    how = args.cells, args.epochs, range(args.seeds)
    experiment.write(args.json, {"sets": {name: measure(name, *how) for name in args.sets}})
