"""Check the lessons' findings with other random words, step sizes, network sizes and seeds.

    python -m benchmarks.experiments.controls [--epochs 10] [--seeds 5] [--jobs 2] [--json FILE]

Lesson 07 appends random words to every title. Here they are the same in each epoch, as in 07, or
drawn again, so that a network can't recognise a pair by its random words. Lesson 07 compares an RNN
and an LSTM with equally many parameters; here they have equally many cells. Lesson 13 finds that
the LSTM answers no question that names the end first; here it has other sizes and seeds. No
judgment chooses anything: the step sizes are those of lesson 07, or rank best on held-out training
queries.
"""

import re

import numpy as np

import lstm_edu
from lstm_course.sample.answer_values import fact_of
from lstm_course.sample.questions import read_words
from lstm_edu._util.threads import two_threads
from lstm_edu.gradients.minibatch import minibatch_gradient
from lstm_edu.training import loop, minibatches, runs
from lstm_edu.training.settings import Settings

from . import experiment
from .open_questions import CELLS, MOMENTUM, STEPS, at_10, kinds, new, trained, with_words_behind

NETWORKS = {name: CELLS[name] for name in ("RNN", "LSTM")}
HOW = {
    "lesson 07": {},
    "step .0005": {"step_size": 0.0005},
    "step .00025": {"step_size": 0.00025},
    "Adam": {"optimizer": "adam", "momentum": None, "step_size": 0.002},
}
# ways of training for each number of random words
RANDOM_WORDS = {5: ["lesson 07"], 10: [*HOW], 20: ["lesson 07", "Adam"]}
SIZES, QUESTION_SIZES = (32, 96), (32, 64, 96)
STEP_SIZES = 0.0005, 0.001, 0.002, 0.004
PARTS = "order decides", "order does not", "all queries"


def with_random_words(name, how, fresh, n, epochs, seed):
    """Compute nDCG@10 per query with n random words appended to every title."""
    pairs, judgments = with_words_behind(n)
    settings = {"step_size": STEPS[name], "epochs": epochs} | HOW[how]
    if fresh:
        model = new(NETWORKS[name], seed)
        train_with_new_words(model, n, seed, Settings(**MOMENTUM | settings))
    else:
        model, _ = trained(NETWORKS[name], seed, pairs, **settings)
    return at_10(model, judgments).tolist()


def train_with_new_words(model, n, seed, settings):
    """Train a model like `lstm_edu.train`, but redraw the n words after each title every epoch."""
    pairs = experiment.data().pairs
    words = np.array([word for _, title in pairs for word in title.split()])
    size, negatives, every = settings.batch_size, settings.n_negatives, np.arange(len(pairs))
    run = runs.Run(model, settings, "", -(-len(pairs) // size))
    with two_threads() as threads:
        for epoch in range(settings.epochs):
            rng = np.random.default_rng([seed, 2, epoch])
            longer = [(query, " ".join([title, *rng.choice(words, n)])) for query, title in pairs]
            log = minibatches.from_pairs(longer, model.hashing)
            rng = np.random.default_rng([seed, 1, epoch])
            for examples in minibatches.of_epoch(log, every, size, negatives, rng):
                loop.update(run, examples, threads, minibatch_gradient)
            for side in run.sides:
                side.catch_up(threads)


def leads(rnn, lstm, mine=slice(None)):
    """Summarise both networks' nDCG@10 per training run and query, and the difference."""
    rnn, lstm = (np.array(ndcg)[:, mine] for ndcg in (rnn, lstm))
    values = {"RNN": rnn, "LSTM": lstm, "LSTM - RNN": lstm - rnn}
    return {name: experiment.over_trainings(of) for name, of in values.items()}


def held_out(kind, size, step_size, epochs):
    """Train a model without a tenth of the queries; return nDCG@10 on those queries."""
    how = {"step_size": step_size, "held_out": 0.1, "epochs": epochs}
    pairs, cell = experiment.data().pairs, getattr(lstm_edu, kind)(size)
    _, history = experiment.trained(cell, pairs, tied=False, **MOMENTUM | how)
    return round(history["held_out"][-1], 4)


def of_equal_size(kind, size, step_size, epochs, seed):
    """Train a network with the given size; return nDCG@10 per judged query."""
    cell = getattr(lstm_edu, kind)(size)
    model, _ = trained(cell, seed, step_size=step_size, epochs=epochs)
    return at_10(model).tolist()


def first_named(size, seed):
    """Train on the questions; count right answers by which place a question names first."""
    folder = lstm_edu.sample() / "questions"
    pairs = lstm_edu.read_pairs(folder / "train_pairs.tsv")
    model, _ = experiment.trained(lstm_edu.LSTM(size), pairs, seed, epochs=4)
    found = {"start": [], "end": []}
    words = read_words()
    called = {name for some in words["kinds"].values() for name in re.split(r" > | \| ", some)}
    names, called = "|".join(words["names"]), "|".join(sorted(called, key=len, reverse=True))
    a_place = re.compile(rf"(?:the )?(?:{names}) (?:{called})")
    for search in lstm_edu.read_judgments(folder / "judgments.tsv"):
        facts = [fact_of(answer) for answer in search.titles]
        wanted = facts[search.grades.index(1)]
        if len(wanted.places) < 2:
            continue
        start, end = wanted.places
        named = a_place.findall(search.query)
        if len(named) < 2 or start[0] == end[0]:
            continue
        first = "start" if start[0] in named[0] else "end"
        best = facts[int(np.argmax(model.score(search.query, search.titles)))]
        found[first].append(best == wanted)
    return {first: [int(sum(r)), len(r)] for first, r in found.items()}


def random_words(epochs, seeds, jobs):
    """Compare RNN and LSTM with random words after titles, fixed or redrawn in each epoch."""
    cases = [
        (how, fresh, n)
        for n, hows in RANDOM_WORDS.items()
        for how in hows
        for fresh in (True, False)
    ]
    rows = {(name, *case): (name, *case, epochs) for case in cases for name in NETWORKS}
    ndcg, found = experiment.by_row(with_random_words, rows, seeds, jobs), {}
    for how, fresh, n in cases:
        words = "drawn anew in each epoch" if fresh else "the same in each epoch"
        two = (ndcg[name, how, fresh, n] for name in NETWORKS)
        found[f"{n} random words, {words}, {how}"] = leads(*two)
    return found


def equal_sizes(epochs, seeds, jobs):
    """Compare RNN and LSTM with equal numbers of cells, each with its best step size."""
    networks = [(kind, size) for size in SIZES for kind in NETWORKS]
    tasks = [(*network, step, epochs) for network in networks for step in STEP_SIZES]
    values = iter(experiment.run(held_out, tasks, jobs))
    tried = {network: {step: next(values) for step in STEP_SIZES} for network in networks}
    best = {network: max(by_step, key=by_step.get) for network, by_step in tried.items()}
    rows = {network: (*network, best[network], epochs) for network in networks}
    ndcg, found = experiment.by_row(of_equal_size, rows, seeds, jobs), {}
    for size in SIZES:
        two = [ndcg[kind, size] for kind in NETWORKS]
        found[f"{size} cells each"] = {
            **{part: leads(*two, kinds()[part]) for part in PARTS},
            "step size": {kind: best[kind, size] for kind in NETWORKS},
            "held out by step": {
                kind: {str(step): value for step, value in tried[kind, size].items()}
                for kind in NETWORKS
            },
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
