"""Compare rules for choosing unclicked titles: number, sampling, exclusions, hard negatives.

    python -m benchmarks.experiments.negatives [--seeds 5] [--jobs 1] [--json FILE]

An LSTM of 32 cells is trained for six epochs with the package's recipe, once per seed with each
rule for the unclicked titles (`lstm_course.lessons.negatives`). A tenth of the log's queries is
held out. There are four tests: the judged queries, and 600 held-out queries, whose clicked titles
compete with twenty titles that share words with the query, with twenty random titles, or with all
titles of the log. All rows have the step .004, which `recipes.py` chose on held-out queries. It is
the best of four steps on the sample, both for n = 4 and for all of the minibatch, and less than
half a point below the best step on msrd. Earlier, about twenty kinds of training were tried with
one seed and evaluated on the judgments, but no setting was chosen by these results.

The logs are changed in one way at a time, to find out why msrd gains nothing from more unclicked
titles:

- foreign letters: each letter of a title is replaced by the letter 13 places on, so that a
  title's words share no letter trigrams with the same words in a query;
- as many pairs: 18,000 of msrd's pairs, drawn at random, are nearly as many as the sample keeps;
  msrd in foreign letters has the same 18,000;
- one title per query: one of each query's pairs, drawn at random, which leaves 11,950 of msrd's
  pairs.
"""

import string
from collections import defaultdict
from functools import cache

import numpy as np

import lstm_edu
from lstm_course.lessons.negatives import (
    Hardest,
    drawn,
    marked,
    part_of_batch,
    times,
    train_by,
    whole_batch,
    without,
)
from lstm_course.sample import synthetic
from lstm_course.sample.wanted import wanted_titles
from lstm_edu.ranking.ndcg import ndcg
from lstm_edu.readers import Judged
from lstm_edu.text.hashing import plain
from lstm_edu.training import minibatches
from lstm_tools.table_iv import held_out

from . import experiment

STEP, EPOCHS, N_SEARCHES, N_PAIRS = 0.004, 6, 600, 18_000
ALL, FOUR, WANTED = "all of the minibatch", "4 drawn", "without wanted titles"
TURNED = str.maketrans(
    string.ascii_lowercase, string.ascii_lowercase[13:] + string.ascii_lowercase[:13]
)
CHANGED = {
    "sample": ("as it is", "foreign letters"),
    "msrd": ("as many pairs", "foreign letters", "one title per query"),
}
TESTS = "judged", "similar titles", "random titles", "all titles"
RULES = {
    FOUR: lambda log, _: drawn(4),
    ALL: lambda log, _: whole_batch,
    "all, 4 of the 20 nearest": lambda log, _: Hardest(4, 20, whole_batch),
    "all, 4 of the 20 nearest, " + WANTED: lambda log, wanted: Hardest(
        4, 20, without(wanted, whole_batch), wanted
    ),
    "all, the 4 nearest": lambda log, _: Hardest(4, 4, whole_batch),
    "all, the 4 nearest, " + WANTED: lambda log, wanted: Hardest(
        4, 4, without(wanted, whole_batch), wanted
    ),
    "all, " + WANTED: lambda log, wanted: without(wanted, whole_batch),
    "the 4 nearest": lambda log, _: Hardest(4, 4),
    "all, 4 drawn": lambda log, _: drawn(4, whole_batch),
    "32 of the minibatch": lambda log, _: part_of_batch(32),
    "4 drawn, M/n": lambda log, _: times(log.clicked.shape[1] / 4, drawn(4)),
    "all, M/n": lambda log, _: times(log.clicked.shape[1] / 251, whole_batch),
}
SIZES = 64, 1024  # sizes of the minibatch besides 256


@cache
def wanted_in_sample():
    """Return the titles relevant to each query of the sample, with their grades."""
    return wanted_titles(synthetic.generate(0))


@cache
def exam(name, changed):
    """Return a log's training pairs, three tests and all titles, after a change in `CHANGED`."""
    _, pairs, judged = experiment.data(name)
    rng = np.random.default_rng(0)
    kept, similar = held_out.searches(pairs, most=N_SEARCHES)
    titles = list(dict.fromkeys(plain(title) for _, title in pairs))
    if changed == "one title per query":
        by_query = defaultdict(list)
        for query, title in kept:
            by_query[query].append(title)
        kept = [(query, some[rng.integers(len(some))]) for query, some in by_query.items()]
    kept = [kept[k] for k in np.sort(rng.permutation(len(kept))[:N_PAIRS])]
    tests = {"judged": judged, "similar titles": similar}
    tests["random titles"] = [against(search, titles, rng, 20) for search in similar]
    if changed == "foreign letters":
        kept = [(query, title.translate(TURNED)) for query, title in kept]
        titles = [title.translate(TURNED) for title in titles]
        tests = {of: list(map(turned, searches)) for of, searches in tests.items()}
    return kept, tests, titles


def against(search, titles, rng, n):
    """Return a search with its clicked titles and n random other titles."""
    clicked = [title for title, grade in zip(search.titles, search.grades) if grade]
    some = [titles[k] for k in rng.permutation(len(titles))[: 2 * n]]
    others = [title for title in some if title not in clicked][:n]
    grades = [1] * len(clicked) + [0] * len(others)
    docids = list(map(str, range(len(grades))))
    return Judged(search.qid, search.query, docids, clicked + others, grades)


def among_all(model, searches, titles):
    """Compute nDCG@10 per search, with its clicked titles ranked among all titles."""
    number, ndcg_10 = {title: k for k, title in enumerate(titles)}, []
    queries = model.encode_query([search.query for search in searches])
    scores = model.similarity(queries, model.encode_document(titles))
    first = np.argpartition(-scores, 20, axis=1)[:, :20]  # includes the ten best titles
    for search, score, top in zip(searches, scores, first):
        clicked = [number[title] for title, grade in zip(search.titles, search.grades) if grade]
        every = np.union1d(top, clicked)
        ndcg_10.append(ndcg(score[every], np.isin(every, clicked).astype(int), 10))
    return np.array(ndcg_10)


def turned(search):
    """Return a search with the letters of its titles replaced."""
    return search._replace(titles=[title.translate(TURNED) for title in search.titles])


def tested(name, changed, rule, size, seed):
    """Train with a rule for unclicked titles; return nDCG@10 per query of each test."""
    pairs, tests, titles = exam(name, changed)
    model = experiment.new(lstm_edu.LSTM(32), pairs, seed)
    log, wanted = minibatches.from_pairs(pairs, model.hashing, model.dtype), None
    if WANTED in rule:
        wanted = marked(log, pairs, wanted_in_sample())
    how = {"step_size": STEP, "batch_size": size, "epochs": EPOCHS}
    train_by(RULES[rule](log, wanted), model, pairs, seed=seed, **how)
    found = {of: experiment.at_10(model, searches) for of, searches in tests.items()}
    found["all titles"] = among_all(model, tests["similar titles"], titles)
    return {of: ndcg_10.round(4).tolist() for of, ndcg_10 in found.items()}


def rows():
    """Return the arguments of `tested`, except the seed, keyed by the name of each row."""
    changed = {
        f"{name}, {how}, {rule}": (name, how, rule, 256)
        for name, ways in CHANGED.items()
        for how in ways
        for rule in (FOUR, ALL)
    }
    rules = {rule: ("sample", "as it is", rule, 256) for rule in RULES}
    return changed | rules | {f"minibatches of {n}": ("sample", "as it is", ALL, n) for n in SIZES}


def minus(ours, theirs):
    """Subtract one row from another, test by test."""
    return {of: ours[of] - theirs[of] for of in TESTS}


def points(differences):
    """Summarise the result of `minus` per test, in points of nDCG@10."""
    return {of: experiment.over_trainings(100 * values) for of, values in differences.items()}


if __name__ == "__main__":
    args = experiment.options(__doc__, seeds=5, jobs=1)
    found = experiment.by_row(tested, rows(), range(args.seeds), args.jobs)
    found = {
        row: {of: np.array([run[of] for run in runs], float) for of in TESTS}
        for row, runs in found.items()
    }
    means = {
        row: experiment.rounded({of: np.nanmean(values) for of, values in tests.items()})
        for row, tests in found.items()
    }
    logs = [f"{name}, {how}" for name, ways in CHANGED.items() for how in ways]
    gains = {log: minus(found[f"{log}, {ALL}"], found[f"{log}, {FOUR}"]) for log in logs}
    above_all = {
        row: points(minus(tests, found[ALL]))
        for row, tests in found.items()
        if row != ALL and not row.startswith(tuple(logs))
    }
    spared = minus(found[f"all, the 4 nearest, {WANTED}"], found["all, the 4 nearest"])
    letters = minus(gains["msrd, foreign letters"], gains["msrd, as many pairs"])
    figures = {
        "nDCG@10": means,
        f"points above {ALL}": above_all,
        f"points of {ALL} above {FOUR}": {log: points(gain) for log, gain in gains.items()},
        "points by which msrd gains more with foreign letters": points(letters),
        f"points of {FOUR}, M/n above {FOUR}": points(minus(found[f"{FOUR}, M/n"], found[FOUR])),
        "points of the 4 nearest without wanted titles above the 4 nearest": points(spared),
    }
    experiment.write(args.json, figures)
