"""Test the paper's claims about what its networks learn, with five training runs each.

    python -m benchmarks.experiments.claims_asked [--epochs 10] [--seeds 5] [--json FILE]

The networks have about a million weights, as in lesson 07: an RNN of 96 units, LSTMs of 32 cells
without peepholes, with diagonal and with full peepholes, and an LSTM of 24 cells with a forget
gate. They are trained on the sample. As in `curves.py`, a search chooses each network's step size
on a held-out tenth of the training queries; then the network is trained on all pairs with five
seeds. No choice uses the judgments. `experiment.over_trainings` computes the figures.
"""

import copy

import numpy as np
from scipy import stats

import lstm_edu
from lstm_edu.analysis import inspection

from . import experiment
from .curves import MOMENTUM, search

NETWORKS = {
    "RNN": lstm_edu.RNN(96),
    "LSTM": lstm_edu.LSTM(32),
    "diagonal peepholes": lstm_edu.LSTM(32, peepholes="diagonal"),
    "full peepholes": lstm_edu.LSTM(32, peepholes="full"),
    "forget gate": lstm_edu.LSTM(24, forget_gate=True),
}
OF_TOPICS = [
    "share of the commonest topic, cells",
    "share of the commonest topic, turned axes",
    "share of the commonest topic, shuffled topics",
    "as many food and health cells, topics dealt out",
]
# number of most active cells to keep: 10 of 32, 30 of 96, about the same share
MOST_ACTIVE = {"LSTM": 10, "RNN": 30}


def share_left(model, distance=8):
    """Return the ratio of the median error norm ``distance`` words back to the last word's."""
    long = [pair for pair in experiment.data().pairs if len(pair[1].split()) >= 9][:400]
    queries, titles = map(list, zip(*long))
    others = [[titles[k - 1]] for k in range(len(titles))]
    back, norm = inspection.error_norms(model, queries, titles, others, side="document")
    return round(float(np.median(norm[back == distance]) / np.median(norm[back == 0])), 5)


def content_minus_filler(measure):
    """Return each query's mean of a measure over content words minus its mean over filler words.

    Parameters
    ----------
    measure : function
        Takes a query; returns an array with a value per word.

    Returns
    -------
    (n,) array
        For the n judged queries with both kinds of words.
    """
    found = []
    for judged, need in zip(experiment.data().judgments, experiment.needs()):
        if {"c", "f"} <= set(need.roles):
            values = measure(judged.query)
            found.append(values[need.roles == "c"].mean() - values[need.roles == "f"].mean())
    return np.array(found)


def left_out(model):
    """Measure how much more a content word changes the embedding than a filler word does.

    The change is 1 minus the cosine of the query's embeddings with and without the word.
    """

    def turned(query):
        words = query.split()
        without = [" ".join(words[:k] + words[k + 1 :]) for k in range(len(words))]
        y = model.encode_query([query, *without])
        return 1 - model.similarity(y[0], y[1:])[0]

    return content_minus_filler(turned)


def gate_held(model):
    """Return each query's change in nDCG@10 if the query network's input gates are held constant.

    Each cell's gate is held at its mean over all words of the judged queries.
    """
    held = copy.deepcopy(model)
    gates = [model.trace(judged.query).i for judged in experiment.data().judgments]
    mean = np.concatenate(gates).mean(axis=0)
    for name, value in (("W3", 0), ("Wrec3", 0), ("b3", np.log(mean) - np.log(1 - mean))):
        held.query.params[name][...] = value
    return experiment.at_10(held) - experiment.at_10(model)


def cells_of(model, kind, n=10):
    """Count how many of the n most active cells are assigned to a word of one kind.

    Ignoring the first word of each query, return the mean count over its words of the kind "c"
    (content) or "f" (filler). Queries that then lack either kind are left out.
    """
    found = []
    for judged, need in zip(experiment.data().judgments, experiment.needs()):
        roles = need.roles[1:]
        if {"c", "f"} <= set(roles):
            counts = inspection.assigned_cells(model, judged.query, n=n)[0, 1:]
            found.append(counts[roles == kind].mean())
    return np.array(found)


def same_cells(model, n_others=20):
    """Compare a word's cells with its cells in other queries, and with other words' cells.

    The overlap of two words is the number of cells assigned to both, divided by the number assigned
    to either. Return, per query, the mean overlap of the same word in two queries minus the mean
    overlap of different words; NaN if no other query has a word of the query.
    """
    judgments, occurs = experiment.data().judgments, []  # (query, word, cells assigned to the word)
    for k, judged in enumerate(judgments):
        found = inspection.words_by_cell(model, judged.query, n=10)
        for word in sorted({word for words in found.values() for word in words}):
            occurs.append((k, word, {cell for cell, words in found.items() if word in words}))
    rng, of_query = np.random.default_rng(0), [[] for _ in judgments]
    for k, word, cells in occurs:
        same = [theirs for at, other, theirs in occurs if other == word and at != k]
        others = [occurs[j] for j in rng.integers(len(occurs), size=2 * n_others)]
        others = [theirs for at, other, theirs in others if other != word and at != k][:n_others]
        if same:
            shared = [
                np.mean([len(cells & theirs) / len(cells | theirs) for theirs in group])
                for group in (same, others)
            ]
            of_query[k].append(shared[0] - shared[1])
    return np.array([np.mean(leads) if leads else np.nan for leads in of_query])


def as_many_dealt(model, n_draws=1000):
    """Test whether cells prefer food or health queries, with a permutation test.

    The topics are shuffled over the queries. A cell is one-sided if it prefers a topic at least as
    strongly as do both the first and the last cell of lesson 09's table. Return the share of
    shuffles with at least as many one-sided cells as without shuffling.
    """
    topic = np.array([need.topic for need in experiment.needs()])
    of_two = np.flatnonzero(np.isin(topic, ["food", "health"]))
    queries = [experiment.data().judgments[k].query for k in of_two]
    found = [inspection.words_by_cell(model, query, n=5) for query in queries]
    takes = np.array([[cell in words for cell in range(model.cell.size)] for words in found])
    takes = takes[:, takes.sum(axis=0) >= 5]
    food, rng = topic[of_two] == "food", np.random.default_rng(0)

    def one_sided(food):
        return abs(takes[food].sum(axis=0) / takes.sum(axis=0) - 0.5)

    share = takes[food].sum(axis=0) / takes.sum(axis=0)
    bound = min(share.max(), 1 - share.min()) - 0.5 - 1e-9
    n_found = (one_sided(food) >= bound).sum()
    dealt = [(one_sided(rng.permutation(food)) >= bound).sum() for _ in range(n_draws)]
    return np.mean(np.array(dealt) >= n_found)


def of_topics(model, n_draws=500):
    """Measure how specific cells are to topics; return the numbers that `OF_TOPICS` names."""
    y = model.encode_query([judged.query for judged in experiment.data().judgments])
    _, topics = np.unique([need.topic for need in experiment.needs()], return_inverse=True)
    rng, square = np.random.default_rng(0), (y.shape[1], y.shape[1])

    def rotated():
        Q = np.linalg.qr(rng.standard_normal(square))[0]
        return inspection.topic_share(inspection.active(y @ Q, n=5), topics)

    active = inspection.active(y, n=5)
    turned = np.mean([rotated() for _ in range(n_draws)])
    shuffled = inspection.shuffled_topic_shares(active, topics, n_draws).mean()
    share = inspection.topic_share(active, topics)
    return np.array([share, turned, shuffled, as_many_dealt(model)])


def ordered_right(model):
    """Compute, per query, the share of differently graded title pairs ranked in the right order."""
    judgments = experiment.data().judgments
    scores = model.scores([j.query for j in judgments], [j.titles for j in judgments])
    # Somers' D: the share of these pairs in the right order minus the share in the wrong order
    leads = [stats.somersd(j.grades, score).statistic for j, score in zip(judgments, scores)]
    return (1 + np.array(leads)) / 2


OF_GATES = {
    "left out, content - filler": left_out,
    "input gate, content - filler": lambda model: content_minus_filler(
        lambda query: model.trace(query).i.mean(axis=1)
    ),
    "nDCG@10, queries' gate held - free": gate_held,
    "cells assigned, content - filler": lambda model: cells_of(model, "c") - cells_of(model, "f"),
    "cells shared, same word - other words": same_cells,
}


def measured(name, step_size, epochs, seed):
    """Train a network with a seed; return its measurements, keyed by name."""
    pairs, how = experiment.data().pairs, {"step_size": step_size, "epochs": epochs}
    start = share_left(experiment.new(NETWORKS[name], pairs, seed, tied=False))
    model, _ = experiment.trained(NETWORKS[name], pairs, seed, tied=False, **MOMENTUM | how)
    found = {"nDCG@10": experiment.at_10(model), "left": np.array([start, share_left(model)])}
    if n := MOST_ACTIVE.get(name):
        found |= {"filler": cells_of(model, "f", n) / n, "right": ordered_right(model)}
    if name == "LSTM":
        found |= {question: ask(model) for question, ask in OF_GATES.items()}
        found["topics"] = of_topics(model)
    return {question: values.tolist() for question, values in found.items()}


def answers(runs):
    """Summarise the results of `measured`, given as a list of runs per network, per question."""

    def of(name, question):
        return np.array([run[question] for run in runs[name]])

    summary, asked = experiment.over_trainings, {}
    others = "forget gate", "diagonal peepholes", "full peepholes"
    for one, other in (("LSTM", "RNN"), *((name, "LSTM") for name in others)):
        for kind, mine in experiment.kinds().items():
            lead = of(one, "nDCG@10") - of(other, "nDCG@10")
            asked[f"nDCG@10, {one} - {other}, {kind.split(' queries')[0]}"] = summary(lead[:, mine])
    for name in MOST_ACTIVE:
        for when, left in zip(("before training", "after"), of(name, "left").T):
            asked[f"error left eight words back, {name}, {when}"] = {"by_seed": left.tolist()}
    asked |= {question: summary(of("LSTM", question)) for question in OF_GATES}
    for question, values in zip(OF_TOPICS, of("LSTM", "topics").T):
        asked[question] = {"by_seed": values.round(4).tolist()}
    filler, right = (of("LSTM", name) - of("RNN", name) for name in ("filler", "right"))
    asked["share of cells assigned to filler, RNN - LSTM"] = summary(-filler)
    asked["pairs of titles in the right order, LSTM - RNN"] = summary(right)
    return asked


if __name__ == "__main__":
    args = experiment.options(__doc__, epochs=10, seeds=5)
    searches = [(cell, MOMENTUM, args.epochs) for cell in NETWORKS.values()]
    steps = dict(zip(NETWORKS, experiment.run(search, searches)))
    rows = {name: (name, best, args.epochs) for name, (best, _) in steps.items()}
    asked = answers(experiment.by_row(measured, rows, range(args.seeds)))
    tried = {name: dict(by_step) for name, (_, by_step) in steps.items()}
    experiment.write(args.json, {"held out by step": tried, "asked": asked})
