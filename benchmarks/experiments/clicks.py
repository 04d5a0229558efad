"""Measure what position bias costs a model, and whether weighting clicks repairs it.

    python -m benchmarks.experiments.clicks [--seeds 5] [--jobs 1] [--json FILE]

A search engine shows ten results (`lstm_course.sample.positions`). Its ranking helps ("words"), is
worthless ("long") or harms ("upside down"). People look at rank k with probability 1, 1/k or 1/k².
An LSTM of 32 cells learns from the first 1,000, 10,000 or 100,000 clicks in 15, 10 or 1 epochs,
otherwise with the defaults; the last two make equally many updates. A click has the weight 1
("plain"), 1/theta ("known", the control), 1/theta but at most 3 ("clipped"), or 1/theta as the
exchanged results of the same log estimate it, but at most 20 ("estimated"). The searches of an
engine are the same for all seeds; clicks and training differ. No judgment chooses anything.
"""

import random
from functools import cache

import numpy as np

import lstm_edu
from lstm_course.lessons.weighted import train_weighted
from lstm_course.sample import positions, synthetic

from . import experiment
from .open_questions import at_10, kinds

RANKS = np.arange(1, 1 + synthetic.N_SHOWN)
BIAS = {"no bias": 0, "1/k": 1, "1/k²": 2}
THETA = {bias: [1 / k**power for k in range(1, 11)] for bias, power in BIAS.items()}
EPOCHS = {1_000: 15, 10_000: 10, 100_000: 1}
ALL, TWO = tuple(EPOCHS), ("plain", "known")
FOUR = *TWO, "clipped", "estimated"
# for each engine and bias: the log sizes, and how clicks are weighted at each size
ROWS = {
    "words": {
        "no bias": dict.fromkeys(ALL, ("plain",)),
        "1/k": {1_000: TWO, 10_000: FOUR, 100_000: TWO},
        "1/k²": {10_000: TWO, 100_000: ("plain",)},
    },
    "long": {"no bias": {10_000: ("plain",)}, "1/k": {10_000: TWO}},
    "upside down": {
        "no bias": dict.fromkeys(ALL, ("plain",)),
        "1/k": {1_000: TWO, 10_000: FOUR, 100_000: TWO},
    },
}
OLD = {"words": synthetic.shared_words, "long": positions.ENGINES["long"]}
MEASURES = "nDCG@10", *(f"agrees with {old}" for old in OLD)


@cache
def logs(engine, n_seeds):
    """Draw clicks from the same pages with each bias and seed, until every log is full.

    Returns
    -------
    dict
        By bias and seed, the rows (query, title, rank, grade) of the clicks.
    dict
        By bias and seed, then by size of the log: the theta that its exchanged results give.
    """
    asked = synthetic.generate().asked
    judged = {search.query for search in experiment.data().judgments}
    keys = [(bias, seed) for bias in ROWS[engine] for seed in range(n_seeds)]
    rng = {key: random.Random(f"clicks {key}") for key in keys}
    log, estimate = {key: [] for key in keys}, {key: {} for key in keys}
    seen = {key: np.zeros((2, len(RANKS))) for key in keys}  # counts by rank: shown, clicked
    for page in positions.pages(asked, judged, engine=engine):
        left = [key for key in keys if len(log[key]) < max(ROWS[engine][key[0]])]
        if not left:
            return log, estimate
        first = page.ranked.index(1)
        for key in left:
            clicked = positions.clicks(page, rng[key], THETA[key[0]])
            seen[key][:, first] += 1, clicked[first]
            for k, _ in filter(lambda one: one[1], enumerate(clicked)):
                log[key].append((page.query, page.titles[k], k + 1, page.grades[k]))
                if len(log[key]) in EPOCHS:
                    rate = seen[key][1] / np.maximum(seen[key][0], 1)
                    estimate[key][len(log[key])] = rate / rate[0]


def names(rows):
    """Return the names of an engine's rows, made of bias, log size and weights."""
    return [
        f"{bias}, {size:,} clicks, {how}"
        for bias, sizes in rows.items()
        for size, hows in sizes.items()
        for how in hows
    ]


def weights_of(how, rank, bias, estimate):
    """Return the weight of each click, given its rank."""
    known = rank.astype(float) ** BIAS[bias]
    return {
        "plain": np.ones(len(rank)),
        "known": known,
        "clipped": np.minimum(known, 3),
        "estimated": 1 / np.maximum(estimate, 1 / 20)[rank - 1],
    }[how]


class Scored:
    """The scores of a model for all judged titles, computed once."""

    def __init__(self, model):
        searches = experiment.data().judgments
        self.scores = {j.query: np.array(model.score(j.query, j.titles)) for j in searches}

    def score(self, query, titles):
        """Return the scores of a judged query's titles."""
        return self.scores[query]


def agreement(scored, score):
    """Return for each judged query how often the model agrees with an old engine's order.

    It counts pairs of titles of the same grade with different old scores; a query without such
    pairs gets None.
    """
    found = []
    for judged in experiment.data().judgments:
        new, grades = scored.scores[judged.query], np.array(judged.grades)
        old = np.array([score(judged.query, title) for title in judged.titles])
        above = (grades[:, None] == grades) & (old[:, None] > old)
        found.append((new[:, None] > new)[above].mean() if above.any() else None)
    return found


def learned(pairs, weights, epochs, seed):
    """Train on a log with a weight per click; return the results on the judged queries."""
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(32), hashing, seed=seed)
    how = {"epochs": epochs, "seed": seed, "progress": False}
    if weights is None:
        lstm_edu.train(model, pairs, **how)
    else:
        train_weighted(model, pairs, weights, **how)
    scored = Scored(model)
    found = {f"agrees with {name}": agreement(scored, score) for name, score in OLD.items()}
    return {"nDCG@10": at_10(scored).round(5).tolist()} | found


def of_engine(engine, n_seeds, seed):
    """Train all rows of an engine with one seed; return their results, keyed by the rows' names."""
    log, estimate = logs(engine, n_seeds)
    found = {}
    for bias, sizes in ROWS[engine].items():
        for size, hows in sizes.items():
            pairs = [row[:2] for row in log[bias, seed][:size]]
            rank, grade = np.array([row[2:] for row in log[bias, seed][:size]]).T
            by_exchange = estimate[bias, seed][size]
            for how in hows:
                w = weights_of(how, rank, bias, by_exchange)
                weights = None if how == "plain" else w
                found[f"{bias}, {size:,} clicks, {how}"] = {
                    "right": float(w[grade == 3].sum() / w.sum()),
                    "effective": float(w.sum() ** 2 / (w**2).sum()),
                    "theta": by_exchange.tolist(),
                    **learned(pairs, weights, EPOCHS[size], seed),
                }
    return found


def values(runs, name):
    """Return an (n_runs, n_queries) array of a result, without the queries that lack it."""
    array = np.array([run[name] for run in runs], float)
    return array[:, ~np.isnan(array).any(axis=0)]


def summary(runs):
    """Summarise a row's results and clicks over its queries and training runs."""
    found = {"right": round(float(np.mean([run["right"] for run in runs])), 4)}
    found["effective"] = round(float(np.mean([run["effective"] for run in runs])))
    for name in MEASURES:
        found[name] = experiment.over_trainings(values(runs, name))
    order = kinds()["order decides"]
    for part, mask in (("order decides", order), ("order does not", ~order)):
        found[part] = experiment.over_trainings(values(runs, "nDCG@10")[:, mask])
    return found


def lead(ours, theirs):
    """Compare two rows, paired by query and seed."""
    return {
        name: experiment.over_trainings(values(ours, name) - values(theirs, name))
        for name in MEASURES
    }


def leads(rows):
    """Compare one engine's rows with and without position bias, and with and without weights."""
    found = {}
    for name, runs in rows.items():
        bias, size, how = name.split(", ")
        if bias != "no bias":
            found[f"{name} - no bias"] = lead(runs, rows[f"no bias, {size}, plain"])
        if how != "plain":
            found[f"{name} - plain"] = lead(runs, rows[f"{bias}, {size}, plain"])
    return found


def of_table(results, rows):
    """Summarise an engine's rows, given the results of each seed."""
    runs = {name: [run[name] for run in results] for name in names(rows)}
    thetas = {
        name: [np.round(run["theta"], 3).tolist() for run in of_row]
        for name, of_row in runs.items()
        if name.endswith("estimated")
    }
    found = {name: summary(of_row) for name, of_row in runs.items()}
    return {"rows": found, "leads": leads(runs), "estimated theta": thetas}


if __name__ == "__main__":
    args = experiment.options(__doc__, seeds=5, jobs=1)
    given = [(args.seeds, seed) for seed in range(args.seeds)]
    tasks = [(engine, *how) for how in given for engine in ROWS]
    results = dict(zip(tasks, experiment.run(of_engine, tasks, args.jobs)))
    figures = {
        engine: of_table([results[engine, *how] for how in given], rows)
        for engine, rows in ROWS.items()
    }
    figures["variants tried"] = sum(len(table["rows"]) for table in figures.values())
    experiment.write(args.json, figures)
