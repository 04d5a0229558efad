"""Measure what position bias costs a model, and whether weighting clicks repairs it.

    python -m benchmarks.experiments.clicks [--seeds 5] [--jobs 1] [--json FILE]

A search engine shows ten results (`lstm_course.sample.positions`). Its ranking helps ("words"), is
worthless ("long") or harms ("upside down"). People look at rank k with probability theta = 1, 1/k
or 1/k². An LSTM of 32 cells learns from the first 1,000, 10,000 or 100,000 clicks in 15, 10 or 1
epochs, otherwise with the defaults; the last two make equally many updates. A click has the weight
1 ("plain"), 1/theta ("known", the control), 1/theta but at most 3 ("clipped"), or 1/theta estimated
from pages of the same log whose first result changed places, but at most 20 ("estimated"). The
searches of an engine are the same for all seeds; clicks and training differ. No setting was tuned
on the judgments.
"""

import random
from functools import cache

import numpy as np

import lstm_edu
from lstm_course.lessons.weighted import train_weighted
from lstm_course.sample import positions, synthetic
from lstm_edu.ranking.ndcg import ndcg

from . import experiment

RANKS = np.arange(1, 1 + synthetic.N_SHOWN)
BIAS = {"no bias": 0, "1/k": 1, "1/k²": 2}
THETA = {bias: [1 / k**power for k in range(1, 11)] for bias, power in BIAS.items()}
EPOCHS = {1_000: 15, 10_000: 10, 100_000: 1}
ALL, TWO = tuple(EPOCHS), ("plain", "known")
FOUR = *TWO, "clipped", "estimated"
# for each engine and bias: the log sizes, and how clicks are weighted at each size
ENGINES = {
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
ROWS = [
    (engine, bias, size, how)
    for engine, by_bias in ENGINES.items()
    for bias, sizes in by_bias.items()
    for size, hows in sizes.items()
    for how in hows
]
OLD = {"words": synthetic.shared_words, "long": positions.ENGINES["long"]}


@cache
def logs(engine, n_seeds):
    """Simulate clicks on the same pages for each bias and seed, until every log is full.

    Returns
    -------
    dict of lists
        The clicks as tuples (query, title, rank), keyed by (bias, seed).
    dict of dicts
        An array of theta per rank, estimated from the first results that changed places; keyed by
        (bias, seed), then by size of the log.
    """
    asked = synthetic.generate().asked
    judged = {search.query for search in experiment.data().judgments}
    keys = [(bias, seed) for bias in ENGINES[engine] for seed in range(n_seeds)]
    rng = {key: random.Random(f"clicks {key}") for key in keys}
    log, estimate = {key: [] for key in keys}, {key: {} for key in keys}
    # count, per rank, how often the engine's top result was shown there, and clicked there
    seen = {key: np.zeros((2, len(RANKS))) for key in keys}
    for page in positions.pages(asked, judged, engine=engine):
        left = [key for key in keys if len(log[key]) < max(ENGINES[engine][key[0]])]
        if not left:
            return log, estimate
        first = page.ranked.index(1)
        for key in left:
            clicked = positions.clicks(page, rng[key], THETA[key[0]])
            seen[key][:, first] += 1, clicked[first]
            for k in np.flatnonzero(clicked):
                log[key].append((page.query, page.titles[k], k + 1))
                if len(log[key]) in EPOCHS:
                    rate = seen[key][1] / np.maximum(seen[key][0], 1)
                    estimate[key][len(log[key])] = rate / rate[0]


def weights_of(how, rank, bias, estimate):
    """Return the weight of each click, given its rank."""
    known = rank.astype(float) ** BIAS[bias]
    return {
        "plain": np.ones(len(rank)),
        "known": known,
        "clipped": np.minimum(known, 3),
        "estimated": 1 / np.maximum(estimate, 1 / 20)[rank - 1],
    }[how]


def agreement(scores, old_score):
    """Return, for each judged query, how often the model agrees with an engine's order of titles.

    Only pairs of titles with equal grades and different scores of the engine are counted. A query
    without such pairs gets None.
    """
    found = []
    for judged, new in zip(experiment.data().judgments, scores):
        grades = np.array(judged.grades)
        old = np.array([old_score(judged.query, title) for title in judged.titles])
        above = (grades[:, None] == grades) & (old[:, None] > old)
        found.append((new[:, None] > new)[above].mean() if above.any() else None)
    return found


def learned(engine, bias, size, how, n_seeds, seed):
    """Train on a log with a weight per click; return the results on the judged queries."""
    log, estimate = logs(engine, n_seeds)
    *texts, rank = zip(*log[bias, seed][:size])
    pairs = list(zip(*texts))
    weights = weights_of(how, np.array(rank), bias, estimate[bias, seed][size])
    model = experiment.new(lstm_edu.LSTM(32), pairs, seed)
    train_weighted(model, pairs, weights, epochs=EPOCHS[size], seed=seed, progress=False)
    searches = experiment.data().judgments
    scores = [np.array(model.score(j.query, j.titles)) for j in searches]
    at_10 = [round(ndcg(score, j.grades, 10), 5) for score, j in zip(scores, searches)]
    agrees = {f"agrees with {name}": agreement(scores, old) for name, old in OLD.items()}
    return {"nDCG@10": at_10} | agrees


def summary(runs, others=None):
    """Summarise a row's results, or their lead over another row's, paired by query and seed."""
    found = {}
    for measure in runs[0]:
        ours = np.array([run[measure] for run in runs], float)
        theirs = np.array([run[measure] for run in others], float) if others else 0
        found[measure] = experiment.over_trainings(ours - theirs)
    return found


def leads(rows):
    """Compare one engine's rows with and without position bias, and with and without weights."""
    found = {}
    for name, runs in rows.items():
        bias, size, how = name.split(", ")
        if bias != "no bias":
            found[f"{name} - no bias"] = summary(runs, rows[f"no bias, {size}, plain"])
        if how != "plain":
            found[f"{name} - plain"] = summary(runs, rows[f"{bias}, {size}, plain"])
    return found


if __name__ == "__main__":
    args = experiment.options(__doc__, seeds=5, jobs=1)
    tasks = {row: (*row, args.seeds) for row in ROWS}
    runs = experiment.by_row(learned, tasks, range(args.seeds), args.jobs)
    by_engine = {engine: {} for engine in ENGINES}
    for (engine, bias, size, how), of_row in runs.items():
        by_engine[engine][f"{bias}, {size:,} clicks, {how}"] = of_row
    figures = {
        engine: {
            "rows": {name: summary(of_row) for name, of_row in rows.items()},
            "leads": leads(rows),
        }
        for engine, rows in by_engine.items()
    }
    experiment.write(args.json, figures | {"variants tried": len(ROWS)})
