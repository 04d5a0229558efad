"""The paper's claims about what its networks learn, asked of five trainings each on the sample.

    python -m benchmarks.experiments.claims_asked [--json benchmarks/results/claims_asked.json]

Networks of about a million weights, as in lesson 07: an RNN of 96 units, LSTMs of 32 cells without
peepholes, with diagonal and with full ones, and one of 24 cells with a forget gate. Each has the
step that ranks best on a tenth of the training queries, held out, of `STEPS`, and is then trained
on all pairs with five seeds. No judgment chooses anything.

Told of each question: the mean over queries and trainings; its 95 % interval, of the variance over
the queries and that over the trainings together, by Student's t with a degree of freedom less than
there are trainings; and the mean of each training. Three trainings each where words are added.
"""

import numpy as np
from scipy import stats

import lstm_edu
from lstm_edu.analysis import inspection

from . import experiment as harness
from .open_questions import JUDGMENTS, NEEDS, PAIRS, at_10, content_minus_filler, new, share_left

NETWORKS = {
    "RNN": lstm_edu.RNN(96),
    "LSTM": lstm_edu.LSTM(32),
    "diagonal peepholes": lstm_edu.LSTM(32, peepholes="diagonal"),
    "full peepholes": lstm_edu.LSTM(32, peepholes="full"),
    "forget gate": lstm_edu.LSTM(24, forget_gate=True),
}
STEPS = 0.0005, 0.001, 0.002, 0.004
SEEDS, MORE_WORDS = range(5), (0, 5, 10, 20)
HOW = {"epochs": 10, "optimizer": "nesterov", "momentum": 0.9, "progress": False}
BOTH = [{"c", "f"} <= set(need.roles) for need in NEEDS]
ORDER = np.array([need.order_decides for need in NEEDS])
TOPIC = np.array([need.topic for need in NEEDS])
LENGTH = np.array([len(judged.query.split()) for judged in JUDGMENTS])
KINDS = {
    "all": LENGTH > 0,
    "order decides": ORDER,
    "order does not": ~ORDER,
    "1 to 3 words": LENGTH <= 3,
    "4 or 5 words": (LENGTH == 4) | (LENGTH == 5),
    "6 words or more": LENGTH > 5,
    "6 words or more, order does not": (LENGTH > 5) & ~ORDER,
}
OF_TOPICS = [
    "share of the commonest topic, cells",
    "share of the commonest topic, turned axes",
    "share of the commonest topic, shuffled topics",
    "as many food and health cells, topics dealt out",
]
# of the most active cells, as many of each as of all: ten of 32, thirty of 96
MOST_ACTIVE = {"LSTM": 10, "RNN": 30}


def best_step(cell):
    """The step of `STEPS`, or further up, that ranks best on held-out training queries, and how
    each does.
    """
    found, best = {}, None
    for step_size in (*STEPS, *(2**k * STEPS[-1] for k in range(1, 9))):
        if step_size > STEPS[-1] and best != max(found):
            break
        history = lstm_edu.train(new(cell), PAIRS, step_size=step_size, held_out=0.1, **HOW)
        found[step_size] = round(history["held_out"][-1], 4)
        best = max(found, key=found.__getitem__)
    return best, found


def trained(cell, step_size, seed, pairs=PAIRS):
    model = new(cell, seed)
    lstm_edu.train(model, pairs, step_size=step_size, seed=seed, **HOW)
    return model


def told(values):
    """Mean, interval and means of the trainings, of (n_trainings, n_queries)."""
    values = np.asarray(values, float)
    of_seeds, of_queries = values.mean(axis=1), values.mean(axis=0)
    variance = of_queries.var(ddof=1) / len(of_queries) + of_seeds.var(ddof=1) / len(of_seeds)
    half = stats.t.ppf(0.975, len(of_seeds) - 1) * np.sqrt(variance)
    mean = of_seeds.mean()
    numbers = {"mean": mean, "low": mean - half, "high": mean + half}
    rounded = {name: round(float(value), 4) for name, value in numbers.items()}
    return rounded | {"by_seed": of_seeds.round(4).tolist(), "queries": len(of_queries)}


def left_out(model):
    """How far a content word turns a query's embedding when it is left out, minus a filler word."""
    found = []
    for judged, need, both in zip(JUDGMENTS, NEEDS, BOTH):
        if both:
            words = judged.query.split()
            without = [" ".join(words[:k] + words[k + 1 :]) for k in range(len(words))]
            y = model.encode_query([judged.query, *without])
            turned = 1 - model.similarity(y[0], y[1:])[0]
            found.append(turned[need.roles == "c"].mean() - turned[need.roles == "f"].mean())
    return found


def gate_held(model):
    """nDCG@10 of each query with the queries' input gate held at its mean, minus that of now."""
    held = new(model.query.cell)
    for side in ("query", "document"):
        for name, w in getattr(model, side).params.items():
            getattr(held, side).params[name][...] = w
    mean = np.concatenate([model.trace(judged.query).i for judged in JUDGMENTS]).mean(axis=0)
    for name, value in (("W3", 0), ("Wrec3", 0), ("b3", np.log(mean) - np.log(1 - mean))):
        held.query.params[name][...] = value
    return at_10(held) - at_10(model)


def cells_of(model, kind, n=10):
    """Of the n most active cells, how many are assigned to a word of a kind: the mean of each query
    that has both kinds behind its first word, which is not counted.
    """
    found = []
    for judged, need in zip(JUDGMENTS, NEEDS):
        roles = need.roles[1:]
        if {"c", "f"} <= set(roles):
            counts = inspection.assigned_cells(model, judged.query, n=n)[0, 1:]
            found.append(counts[roles == kind].mean())
    return np.array(found)


def same_cells(model, n_others=20):
    """How much of its cells (shared, of those of either) a word has in common with itself in other
    queries, minus what it has with other words there, drawn at random; the mean of each query.
    """
    occurs = []  # query, word, the cells assigned to it
    for k, judged in enumerate(JUDGMENTS):
        found = inspection.words_by_cell(model, judged.query, n=10)
        for word in {word for words in found.values() for word in words}:
            occurs.append((k, word, {cell for cell, words in found.items() if word in words}))
    rng, of_query = np.random.default_rng(0), {}
    for k, word, cells in occurs:
        same = [own for at, other, own in occurs if other == word and at != k]
        others = [occurs[j] for j in rng.integers(len(occurs), size=2 * n_others)]
        others = [own for at, other, own in others if other != word and at != k][:n_others]
        if same:
            shared = [
                np.mean([len(cells & own) / len(cells | own) for own in some])
                for some in (same, others)
            ]
            of_query.setdefault(k, []).append(shared[0] - shared[1])
    return {k: np.mean(found) for k, found in of_query.items()}


def topic_shares(model, n_draws=500):
    """Measure the share of the commonest topic: of the cells, of axes turned at random, of topics
    shuffled among the queries; of the last two the mean over the draws.
    """
    y = model.encode_query([judged.query for judged in JUDGMENTS])
    _, topics = np.unique(TOPIC, return_inverse=True)
    rng, square = np.random.default_rng(0), (y.shape[1], y.shape[1])

    def share(y):
        return inspection.topic_share(inspection.active(y, n=5), topics)

    turned = [share(y @ np.linalg.qr(rng.standard_normal(square))[0]) for _ in range(n_draws)]
    shuffled = inspection.shuffled_topic_shares(inspection.active(y, n=5), topics, n_draws)
    return share(y), np.mean(turned), shuffled.mean()


def as_many_dealt(model, n_draws=1000):
    """Deal food and health out at random to their queries: how often are at least as many cells as
    one-sided as the first and the last of lesson 09's table?
    """
    of_two = np.flatnonzero(np.isin(TOPIC, ["food", "health"]))
    found = [inspection.words_by_cell(model, JUDGMENTS[k].query, n=5) for k in of_two]
    takes = np.array([[cell in words for cell in range(model.cell.size)] for words in found])
    takes = takes[:, takes.sum(axis=0) >= 5]
    food, rng = TOPIC[of_two] == "food", np.random.default_rng(0)

    def shares(food):
        return takes[food].sum(axis=0) / takes.sum(axis=0)

    bound = min(shares(food).max(), 1 - shares(food).min())

    def n_one_sided(food):
        return (abs(shares(food) - 0.5) >= bound - 0.5 - 1e-9).sum()

    dealt = [n_one_sided(rng.permutation(food)) for _ in range(n_draws)]
    return np.mean(np.array(dealt) >= n_one_sided(food))


def ordered_right(model):
    """Of each query's pairs of titles of different grades, the share in the right order."""
    asked, titles = [j.query for j in JUDGMENTS], [j.titles for j in JUDGMENTS]
    shares = []
    for judged, score in zip(JUDGMENTS, model.scores(asked, titles)):
        better = np.array(judged.grades)[:, None] > np.array(judged.grades)
        above = (score[:, None] > score) + 0.5 * (score[:, None] == score)
        shares.append(above[better].mean())
    return np.array(shares)


def with_more_words(n, seeds, steps):
    """nDCG@10 of RNN and LSTM where so many random words of the log stand behind every title."""
    words = np.array([word for _, title in PAIRS for word in title.split()])
    rng, found = np.random.default_rng(0), {}

    def longer(title):
        return " ".join([title, *rng.choice(words, n)])

    pairs = [(query, longer(title)) for query, title in PAIRS]
    judgments = [j._replace(titles=[longer(title) for title in j.titles]) for j in JUDGMENTS]
    for name in ("RNN", "LSTM"):
        models = [trained(NETWORKS[name], steps[name], seed, pairs) for seed in seeds]
        found[name] = np.array([at_10(model, judgments) for model in models])
    return found


def main():
    args = harness.parser(__doc__).parse_args()
    figures = {"date": harness.today(), "command": "python -m benchmarks.experiments.claims_asked"}
    steps, figures["held out by step"], figures["parameters"] = {}, {}, {}
    for name, cell in NETWORKS.items():
        steps[name], figures["held out by step"][name] = best_step(cell)
        figures["parameters"][name] = new(cell).n_parameters
        print(name, steps[name], figures["held out by step"][name], flush=True)
    models = {
        name: [trained(cell, steps[name], seed) for seed in SEEDS]
        for name, cell in NETWORKS.items()
    }
    ndcg = {name: np.array([at_10(model) for model in own]) for name, own in models.items()}
    lstms, rnns = models["LSTM"], models["RNN"]
    asked = figures["asked"] = {}

    def ask(what, values):
        asked[what] = told(values)
        print(what, asked[what], flush=True)

    for name, own in ndcg.items():
        ask(f"nDCG@10 of {name}", own)
    for one, other in (
        ("LSTM", "RNN"),
        ("forget gate", "LSTM"),
        ("diagonal peepholes", "LSTM"),
        ("full peepholes", "LSTM"),
    ):
        for kind, mine in KINDS.items():
            ask(f"nDCG@10, {one} - {other}, {kind}", (ndcg[one] - ndcg[other])[:, mine])
    for name in ("RNN", "LSTM"):
        fresh = [new(NETWORKS[name], seed) for seed in SEEDS]
        for when, some in (("before training", fresh), ("after", models[name])):
            left = [share_left(model, 8) for model in some]
            asked[f"error left eight words back, {name}, {when}"] = {"by_seed": left}
            print(name, when, left, flush=True)
    ask("left out, content - filler", [left_out(model) for model in lstms])
    gates = [content_minus_filler(model, "i") for model in lstms]
    ask("input gate, content - filler", gates)
    ask("nDCG@10, queries' gate held - free", [gate_held(model) for model in lstms])
    content, filler = ([cells_of(model, kind) for model in lstms] for kind in "cf")
    ask("cells assigned, content - filler", np.subtract(content, filler))
    shares = [
        [cells_of(model, "f", n) / n for model in models[name]] for name, n in MOST_ACTIVE.items()
    ]
    ask("share of cells assigned to filler, RNN - LSTM", shares[1] - np.array(shares[0]))
    shared = [same_cells(model) for model in lstms]
    common = sorted(set.intersection(*map(set, shared)))
    ask("cells shared, same word - other words", [[own[k] for k in common] for own in shared])
    of_topics = np.array([[*topic_shares(model), as_many_dealt(model)] for model in lstms])
    for what, values in zip(OF_TOPICS, of_topics.T):
        asked[what] = {"by_seed": values.round(4).tolist()}
        print(what, asked[what], flush=True)
    right = [[ordered_right(model) for model in own] for own in (lstms, rnns)]
    ask("pairs of titles in the right order, LSTM - RNN", np.subtract(*right))
    for n in MORE_WORDS:
        longer = with_more_words(n, SEEDS[:3], steps)
        ask(f"nDCG@10, LSTM - RNN, {n} words behind each title", longer["LSTM"] - longer["RNN"])
        asked[f"nDCG@10 with {n} words more"] = {
            name: round(float(own.mean()), 4) for name, own in longer.items()
        }
    harness.write(args.json, figures)


if __name__ == "__main__":
    main()
