"""Compare the titles that are pushed away: how many, drawn how, which left out, which mined.

    python -m benchmarks.experiments.negatives [--seeds 5] [--jobs 1] [--json FILE]

An LSTM of 32 cells is trained for six epochs by the package's recipe, with one rule for the
unclicked titles after another (`lstm_course.lessons.negatives`). A tenth of the log's queries is
held out. There are four tests: the judged queries, and 600 held-out queries, whose clicked titles
are ranked above twenty titles that share words with the query, above twenty random ones, or among
all titles of the log. All rows have the step .004. In `recipes.py`, which chose it on held-out
queries, it is the best of four on the sample for n = 4 as for all of the minibatch, and less than
half a point below the best on msrd. No judgment chooses anything.

The logs are changed one at a time to find out why msrd gains nothing from more unclicked titles:

- foreign letters: each letter of a title is replaced by the letter 13 places on, so that no title
  shares letter trigrams with a query for being spelled alike;
- as many pairs: 18,000 of msrd's pairs, drawn at random, are nearly as many as the sample keeps,
  and the other changes of msrd start from them;
- one title per query: of all msrd's pairs, one per query, drawn at random;
- 3,000 titles: 20,000 pairs of the sample's generator whose titles are its 3,000 commonest.
"""

import string
from collections import Counter, defaultdict
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
    "sample": ("as it is", "foreign letters", "3,000 titles"),
    "msrd": ("as many pairs", "foreign letters", "one title per query"),
}
TESTS = "judged", "similar titles", "random titles", "all titles"
RULES = {
    FOUR: lambda log, _: drawn(4),
    ALL: lambda log, _: whole_batch,
    "all, 4 of the 20 nearest": lambda log, _: Hardest(4, 20, whole_batch),
    "the 4 nearest": lambda log, _: Hardest(4, 4),
    "all, 4 of the 20 nearest, " + WANTED: lambda log, wanted: Hardest(
        4, 20, without(wanted, whole_batch), wanted
    ),
    "all, " + WANTED: lambda log, wanted: without(wanted, whole_batch),
    "all, 4 drawn": lambda log, _: drawn(4, whole_batch),
    "32 of the minibatch": lambda log, _: part_of_batch(32),
    "4 drawn, M/n": lambda log, _: times(log.clicked.shape[1] / 4, drawn(4)),
    "all, M/n": lambda log, _: times(log.clicked.shape[1] / 251, whole_batch),
}
SIZES = 64, 1024  # of the minibatch, beside 256


@cache
def wanted_in_sample():
    """Return the titles that each query of the sample wants."""
    return wanted_titles(synthetic.generate(0))


@cache
def exam(name, changed):
    """Return the pairs to train on, three tests, and all titles, of a log, changed or not."""
    _, pairs, judged = experiment.data(name)
    rng = np.random.default_rng(0)
    if changed == "3,000 titles":
        pairs = synthetic.generate(0, 80_000).pairs
        common = {title for title, _ in Counter(t for _, t in pairs).most_common(3000)}
        pairs = [pair for pair in pairs if pair[1] in common][:20_000]
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
    """Return a search with its clicked titles and n random others."""
    clicked = [title for title, grade in zip(search.titles, search.grades) if grade]
    some = [titles[k] for k in rng.permutation(len(titles))[: 2 * n]]
    others = [title for title in some if title not in clicked][:n]
    grades = [1] * len(clicked) + [0] * len(others)
    docids = list(map(str, range(len(grades))))
    return Judged(search.qid, search.query, docids, clicked + others, grades)


def among_all(model, searches, titles):
    """Compute nDCG@10 per search, with its clicked titles ranked among all titles."""
    queries = model.encode_query([search.query for search in searches])
    scores, ndcg_10 = model.similarity(queries, model.encode_document(titles)), []
    for search, score in zip(searches, scores):
        clicked = {title for title, grade in zip(search.titles, search.grades) if grade}
        ndcg_10.append(ndcg(score, [int(title in clicked) for title in titles], 10))
    return np.array(ndcg_10)


def turned(search):
    """Return a search with the letters of its titles replaced."""
    return search._replace(titles=[title.translate(TURNED) for title in search.titles])


def tested(name, changed, rule, size, seed):
    """Train by a rule; return nDCG@10 per query of each test."""
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
    """List the trainings by name: set, changed how, rule, size of the minibatch."""
    on_sample = {rule: ("sample", "as it is", rule, 256) for rule in RULES}
    of_size = {f"minibatches of {n}": ("sample", "as it is", ALL, n) for n in SIZES}
    both = {
        f"{name}, {changed}, {rule}": (name, changed, rule, 256)
        for name, ways in CHANGED.items()
        for changed in ways
        for rule in (FOUR, ALL)
        if (name, changed) != ("sample", "as it is")
    }
    return on_sample | both | of_size


def lead(ours, theirs):
    """Summarise, per test, the difference of two rows in points of nDCG@10."""
    found = {}
    for of in TESTS:
        a, b = (np.array([run[of] for run in runs], float) for runs in (ours, theirs))
        found[of] = experiment.over_trainings(100 * (a - b)[:, ~np.isnan(a).any(axis=0)])
    return found


if __name__ == "__main__":
    args, found = experiment.options(__doc__, seeds=5, jobs=1), {}
    for n in range(1, args.seeds + 1):  # seed by seed, so that an interruption leaves whole rows
        found = experiment.by_row(tested, rows(), range(n), args.jobs)
    means = {
        row: {of: round(float(np.nanmean([run[of] for run in runs])), 4) for of in TESTS}
        for row, runs in found.items()
    }
    rules = [row for row in found if row in RULES or row.startswith("minibatches")]
    gains = {"sample, as it is": lead(found[ALL], found[FOUR])}
    gains |= {
        f"{name}, {changed}": lead(*(found[f"{name}, {changed}, {rule}"] for rule in (ALL, FOUR)))
        for name, ways in CHANGED.items()
        for changed in ways
        if (name, changed) != ("sample", "as it is")
    }
    figures = {
        "nDCG@10": means,
        f"points above {ALL}": {row: lead(found[row], found[ALL]) for row in rules if row != ALL},
        f"points of all of the minibatch above {FOUR}": gains,
    }
    experiment.write(args.json, figures)
