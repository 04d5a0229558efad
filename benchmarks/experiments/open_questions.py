"""Train the models needed to answer the open questions of lessons 07, 08 and 09.

    python -m benchmarks.experiments.open_questions [D7 …] [--json FILE]

D7 is question D of lesson 07. The worked answers at the end of the lessons' solutions read the
figures. All models are trained on the sample with the lessons' settings (Nesterov's momentum, the
step sizes of `curves_classroom.json`, both sides initialised independently), and with seed 0 unless
the question is about seeds.
"""

from functools import cache

import numpy as np

import lstm_edu
from lstm_edu.analysis import inspection

from . import experiment
from .curves import MOMENTUM, PAPER, SEARCH_EPOCHS

CELLS = {
    "RNN": lstm_edu.RNN(96),
    "LSTM": lstm_edu.LSTM(32),
    "LSTM, forget gate": lstm_edu.LSTM(24, forget_gate=True),
}
STEPS = {"RNN": 0.001, "LSTM": 0.002, "LSTM, forget gate": 0.002}


@cache
def kinds():
    """Map each kind of query to a Boolean mask of the judged queries, shape (n_queries,)."""
    order = np.array([need.order_decides for need in experiment.needs()])
    length = np.array([len(judged.query.split()) for judged in experiment.data().judgments])
    return {
        "all queries": length > 0,
        "1 to 3 words": length <= 3,
        "4 or 5 words": (length == 4) | (length == 5),
        "6 words or more": length > 5,
        "order decides": order,
        "order does not": ~order,
        "6 words or more, order does not": (length > 5) & ~order,
    }


def new(cell, seed=0):
    """Create an untrained model whose two sides are initialised independently."""
    return experiment.new(cell, experiment.data().pairs, seed, tied=False)


def trained(cell, seed=0, pairs=None, **settings):
    """Train a model with the lessons' settings; return the model and its history."""
    how = MOMENTUM | {"epochs": 10} | settings
    return experiment.trained(cell, pairs or experiment.data().pairs, seed, tied=False, **how)


def rounded(costs):
    """Round a list of costs."""
    return np.round(costs, 4).tolist()


def at_10(model, judgments=None):
    """Compute nDCG@10 per judged query, by default on the sample's judgments."""
    return experiment.at_10(model, judgments or experiment.data().judgments)


def ends(values):
    """Return [mean, low, high]: the mean of one value per query and its bootstrap interval."""
    return [*experiment.over_queries(values).values()]


def share_left(model, distance):
    """Return the median error some words before the last, relative to that at the last word."""
    long = [pair for pair in experiment.data().pairs if len(pair[1].split()) >= 9][:400]
    queries, titles = map(list, zip(*long))
    others = [[titles[k - 1]] for k in range(len(titles))]
    back, norm = inspection.error_norms(model, queries, titles, others, side="document")
    return round(float(np.median(norm[back == distance]) / np.median(norm[back == 0])), 5)


def content_minus_filler(measure):
    """Return each query's mean of a measure over content words minus that over filler words.

    Parameters
    ----------
    measure : function of a query
        Returns a value per word.

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


def of_gate(model, gate):
    """Compute each query's mean gate over content words minus its mean over filler words."""
    return content_minus_filler(lambda query: getattr(model.trace(query), gate).mean(axis=1))


def with_words_behind(n):
    """Append n random words to every title in the log and in the judgments."""
    _, pairs, judgments = experiment.data()
    words = np.array([word for _, title in pairs for word in title.split()])
    rng = np.random.default_rng(0)

    def longer(title):
        return " ".join([title, *rng.choice(words, n)])

    pairs = [(query, longer(title)) for query, title in pairs]
    return pairs, [j._replace(titles=[longer(title) for title in j.titles]) for j in judgments]


def active_cells(model):
    """Return each judged query's five most active cells, its embedding, and its topic."""
    y = model.encode_query([judged.query for judged in experiment.data().judgments])
    _, topics = np.unique([need.topic for need in experiment.needs()], return_inverse=True)
    return inspection.active(y, n=5), y, topics


def topic_shares(model, n_draws=500):
    """Return the commonest topic's mean share for cells, rotated axes and shuffled topics."""
    active, y, topics = active_cells(model)
    rng, square = np.random.default_rng(0), (y.shape[1], y.shape[1])

    def rotated():
        Q = np.linalg.qr(rng.standard_normal(square))[0]
        return inspection.topic_share(inspection.active(y @ Q, n=5), topics)

    shuffled = inspection.shuffled_topic_shares(active, topics, n_draws)
    return inspection.topic_share(active, topics), [rotated() for _ in range(n_draws)], shuffled


def step_of_the_other():
    """A7: train the LSTM in the paper's setting with the RNN's step size, and with the LSTM's."""
    found = {}
    for step_size in (2.5e-5, 0.0008):
        how = PAPER | {"epochs": SEARCH_EPOCHS, "step_size": step_size, "held_out": 0.1}
        _, history = trained(lstm_edu.LSTM(96), **how)
        found[f"{step_size:.1e}"] = rounded([history[of][-1] for of in ("cost", "held_out")])
    return found


def other_starts(seeds=3):
    """B7: train RNNs with initial Wrec = 0.9 I, or orthogonal, and measure the initial errors."""
    found = {"ours": [], "0.9 I": [], "orthogonal": []}
    how = MOMENTUM | {"step_size": STEPS["RNN"], "epochs": 5, "progress": False}
    for seed in range(seeds):
        for name, runs in found.items():
            model, rng = new(CELLS["RNN"], seed), np.random.default_rng(seed)
            for side in (model.query, model.document):
                if name == "0.9 I":
                    side.params["Wrec"][...] = 0.9 * np.eye(96)
                elif name == "orthogonal":
                    side.params["Wrec"][...] = np.linalg.qr(rng.standard_normal((96, 96)))[0]
            left = share_left(model, 8)
            costs = lstm_edu.train(model, experiment.data().pairs, seed=seed, **how)["cost"]
            ndcg = round(float(at_10(model).mean()), 4)
            runs.append({"left": left, "cost": rounded(costs), "nDCG@10": ndcg})
    return found


def other_seeds(seeds=(0, 1, 2)):
    """D7: repeat lesson 07's leads with other seeds. D8: repeat the gate's difference."""
    leads, gates, ndcg = {}, {}, {}
    for seed in seeds:
        models = {
            name: trained(cell, seed, step_size=STEPS[name])[0] for name, cell in CELLS.items()
        }
        of = {name: at_10(model) for name, model in models.items()}
        gates[seed] = ends(of_gate(models["LSTM"], "i"))
        ndcg[seed] = experiment.rounded({name: values.mean() for name, values in of.items()})
        for name, other in (("LSTM", "RNN"), ("LSTM, forget gate", "LSTM")):
            leads.setdefault(f"{name} - {other}", {})[seed] = {
                part: ends((of[name] - of[other])[mine]) for part, mine in kinds().items()
            }
    return {"nDCG@10": ndcg, "leads": leads, "D8": gates}


def forget_gate():
    """C8: train an LSTM of 32 cells with a forget gate; compare f at content and filler words."""
    model, history = trained(lstm_edu.LSTM(32, forget_gate=True), step_size=0.002)
    traces = [model.trace(judged.query) for judged in experiment.data().judgments]
    f = np.concatenate([trace.f for trace in traces])
    words, mean = np.array([word for trace in traces for word in trace.words]), f.mean(axis=1)
    known, counts = np.unique(words, return_counts=True)
    by_word = {str(word): float(mean[words == word].mean()) for word in known[counts >= 5]}
    in_order = sorted(by_word, key=by_word.get)
    return {
        "cost": rounded(history["cost"]),
        "nDCG@10": ends(at_10(model)),
        "f, percentiles 0 1 50 99 100": np.percentile(f, [0, 1, 50, 99, 100]).round(3).tolist(),
        "content - filler": ends(of_gate(model, "f")),
        "lowest": {word: round(by_word[word], 3) for word in in_order[:6]},
        "highest": {word: round(by_word[word], 3) for word in in_order[::-1][:6]},
    }


def cells_and_topics():
    """D9: repeat lesson 09's shuffle and rotation with the 96 cells of lesson 00's model."""
    model, _ = experiment.trained(lstm_edu.LSTM(96), experiment.data().pairs, epochs=8)
    share, rotated, shuffled = topic_shares(model)
    active, _, topics = active_cells(model)
    counts = inspection.cells_by_topic(active, topics)
    used = counts[counts.sum(axis=1) >= 5]
    largest = (used / used.sum(axis=1, keepdims=True)).max()
    return {
        "share": round(float(share), 4),
        "shuffled": np.percentile(shuffled, [2.5, 97.5]).round(4).tolist(),
        "rotated": np.percentile(rotated, [2.5, 97.5]).round(4).tolist(),
        "cells active in five queries or more": len(used),
        "largest share of a topic in one": round(float(largest), 4),
    }


QUESTIONS = {
    "A7": step_of_the_other,
    "B7": other_starts,
    "D7": other_seeds,
    "C8": forget_gate,
    "D9": cells_and_topics,
}


def answer(name):
    """Train the models of one question, such as D7, and return its figures."""
    return QUESTIONS[name]()


if __name__ == "__main__":
    args = experiment.options(__doc__, tuple(QUESTIONS))
    found = dict(zip(args.sets, experiment.run(answer, [(name,) for name in args.sets])))
    if "D7" in found:
        found["D8"] = found["D7"].pop("D8")
    experiment.write(args.json, found)
