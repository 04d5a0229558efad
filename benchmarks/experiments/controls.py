"""Check the lessons' findings with other random words, step sizes, network sizes and seeds.

    python -m benchmarks.experiments.controls [--epochs 10] [--seeds 5] [--jobs 2] [--json FILE]

Lesson 07 appends random words to every title. Here the words are the same in each epoch, as in 07,
or drawn again, so that a network can't recognise a pair by its random words. Lesson 07 compares an
RNN and an LSTM with equally many parameters; here they have equally many cells. Lesson 13 finds
that the LSTM answers no question that names its two places in reverse order; here it has other
sizes and seeds. No setting was tuned on the judgments: step sizes are lesson 07's, or fixed
variants, or chosen on held-out training queries by a search as in `curves.py`.
"""

import itertools
from contextlib import nullcontext
from unittest import mock

import numpy as np

import lstm_edu
from lstm_course.sample.answer_values import fact_of
from lstm_edu.training import minibatches

from . import experiment
from .curves import MOMENTUM, search

NETWORKS = {"RNN": lstm_edu.RNN, "LSTM": lstm_edu.LSTM}
IN_LESSON_07 = {"RNN": (96, 0.001), "LSTM": (32, 0.002)}  # (units or cells, step size)
HOW = {
    "lesson 07": {},
    "step .0005": {"step_size": 0.0005},
    "step .00025": {"step_size": 0.00025},
    "Adam": {"optimizer": "adam", "momentum": None, "step_size": 0.002},
}
# for each number of random words, the ways of training (keys of `HOW`)
RANDOM_WORDS = {5: ["lesson 07"], 10: [*HOW], 20: ["lesson 07", "Adam"]}
FRESH = {"drawn anew in each epoch": True, "the same in each epoch": False}
SIZES, QUESTION_SIZES = (32, 96), (32, 64, 96)
PARTS = "order decides", "order does not", "all queries"


def with_words_behind(n, seed=0):
    """Append n random words to every title in the log and in the judgments."""
    _, pairs, judgments = experiment.data()
    words = np.array([word for _, title in pairs for word in title.split()])
    rng = np.random.default_rng(seed)

    def longer(title):
        return " ".join([title, *rng.choice(words, n)])

    pairs = [(query, longer(title)) for query, title in pairs]
    return pairs, [j._replace(titles=[longer(title) for title in j.titles]) for j in judgments]


def redrawn(n, seed):
    """Return a context manager; within it, training gives titles n new random words per epoch."""
    of_epoch, epochs = minibatches.of_epoch, itertools.count()
    hashing = experiment.hashing_of(experiment.data().pairs)

    def with_new_words(log, *how):
        pairs, _ = with_words_behind(n, [seed, 2, next(epochs)])
        return of_epoch(minibatches.from_pairs(pairs, hashing), *how)

    return mock.patch.object(minibatches, "of_epoch", with_new_words)


def ranked(kind, size, settings, n, fresh, seed):
    """Train with n random words behind every title; return nDCG@10 per judged query."""
    pairs, judgments = with_words_behind(n)
    with redrawn(n, seed) if fresh else nullcontext():
        how = MOMENTUM | settings
        model, _ = experiment.trained(NETWORKS[kind](size), pairs, seed, tied=False, **how)
    return experiment.at_10(model, judgments).tolist()


def first_named(size, seed):
    """Train on the questions; count right answers by which place a question names first.

    Return {"start": [right, asked], "end": [right, asked]}.
    """
    folder = lstm_edu.sample() / "questions"
    pairs = lstm_edu.read_pairs(folder / "train_pairs.tsv")
    model, _ = experiment.trained(lstm_edu.LSTM(size), pairs, seed, epochs=4)
    found = {"start": [], "end": []}
    for asked in lstm_edu.read_judgments(folder / "judgments.tsv"):
        facts = [fact_of(answer) for answer in asked.titles]
        wanted = facts[asked.grades.index(1)]
        named = [asked.query.find(name) for name, _ in wanted.places]
        if len(set(named)) < 2 or -1 in named:  # one place, equal names, or misspelled
            continue
        best = facts[int(np.argmax(model.score(asked.query, asked.titles)))]
        found["start" if named[0] < named[1] else "end"].append(best == wanted)
    return {first: [int(sum(r)), len(r)] for first, r in found.items()}


def leads(rnn, lstm, mine=slice(None)):
    """Summarise both networks' nDCG@10, and its difference, over runs and the queries ``mine``."""
    rnn, lstm = (np.array(ndcg)[:, mine] for ndcg in (rnn, lstm))
    values = {"RNN": rnn, "LSTM": lstm, "LSTM - RNN": lstm - rnn}
    return {name: experiment.over_trainings(of) for name, of in values.items()}


def random_words(epochs, seeds, jobs):
    """Compare RNN and LSTM with random words after titles, fixed or redrawn in each epoch."""
    cases = {
        f"{n} random words, {words}, {how}": (how, n, fresh)
        for n, hows in RANDOM_WORDS.items()
        for how in hows
        for words, fresh in FRESH.items()
    }
    rows = {}
    for case, (how, n, fresh) in cases.items():
        for kind, (size, step_size) in IN_LESSON_07.items():
            settings = {"step_size": step_size, "epochs": epochs} | HOW[how]
            rows[case, kind] = kind, size, settings, n, fresh
    ndcg = experiment.by_row(ranked, rows, seeds, jobs)
    return {case: leads(*(ndcg[case, kind] for kind in NETWORKS)) for case in cases}


def equal_sizes(epochs, seeds, jobs):
    """Compare RNN and LSTM with equal numbers of cells, each with its best step size."""
    networks = [(kind, size) for size in SIZES for kind in NETWORKS]
    searches = [(NETWORKS[kind](size), MOMENTUM, epochs) for kind, size in networks]
    steps = dict(zip(networks, experiment.run(search, searches, jobs)))
    rows = {
        network: (*network, {"step_size": best, "epochs": epochs}, 0, False)
        for network, (best, _) in steps.items()
    }
    ndcg, found = experiment.by_row(ranked, rows, seeds, jobs), {}
    for size in SIZES:
        two = [ndcg[kind, size] for kind in NETWORKS]
        found[f"{size} cells each"] = {
            **{part: leads(*two, experiment.kinds()[part]) for part in PARTS},
            "step size": {kind: steps[kind, size][0] for kind in NETWORKS},
            "held out by step": {kind: dict(steps[kind, size][1]) for kind in NETWORKS},
        }
    return found


if __name__ == "__main__":
    args = experiment.options(__doc__, epochs=10, seeds=5, jobs=2)
    how = args.epochs, range(args.seeds), args.jobs
    found = random_words(*how) | equal_sizes(*how)
    rows = {str(size): (size,) for size in QUESTION_SIZES}
    named = experiment.by_row(first_named, rows, *how[1:])
    found["questions by the place named first, right and asked"] = named
    experiment.write(args.json, found)
