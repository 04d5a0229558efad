"""Time a training step with `lstm_edu`'s handwritten gradient, autograd and PyTorch eager.

    python -m benchmarks.speed.step [--json FILE]

A step of Algorithm 1 looks ahead, computes the gradient, clips it and corrects the weights. The
step is timed on a synthetic log (`paper_scale`) at two scales: the paper's (50,000 letter trigrams,
96 cells, 1,024 pairs, n = 4, the paper's settings) and the classroom's (3,000, 32, 256, 4). First,
costs and gradients are compared, to 1e-4. Then the implementations are timed alternately on the
same minibatches, with two threads each.

- bptt: `lstm_edu.training.loop`, with the handwritten gradient;
- torch: PyTorch's gradient on the same deduplicated words (`torch_step`); null without the
  extra `bench`;
- autograd: the gradient by `lstm_edu.gradients.autodiff` (`autograd_step`);
- floor: an estimate of the least time on this machine, from arithmetic and memory traffic
  (`floor`).

At the paper's scale, the step is also timed with ten times the trigrams and the same touched rows,
and with the dense update instead of the lazy one.
"""

from types import SimpleNamespace

import numpy as np
import scipy.sparse

import lstm_edu
from lstm_edu._util.threads import two_threads
from lstm_edu.gradients.minibatch import examples_of, minibatch_gradient
from lstm_edu.gradients.relevance import COSINE
from lstm_edu.models.encoder import Side
from lstm_edu.training import loop as training
from lstm_edu.training import minibatches, nesterov

from ..experiments import experiment
from . import autograd_step, floor, paper_scale

try:
    from . import torch_step
except ImportError:
    torch_step = None

SETTINGS = {"truncate": None, "method": "bptt", "held_out": 0.0} | lstm_edu.PAPER
N_UPDATES = 196  # number of updates in an epoch of 200,000 pairs
MINIBATCHES = 6
TIMES = {"bptt": 30, "torch": 30, "autograd": 3}


def examples_at(scale, model):
    """Yield a few random minibatches, each as texts and as `Examples`."""
    pairs = list(paper_scale.pairs(20 * scale.batch_size, scale.n_trigrams))
    log, rng = minibatches.from_pairs(pairs, model.hashing), np.random.default_rng(0)
    titles = list(dict.fromkeys(title for _, title in pairs))
    for _ in range(MINIBATCHES):
        chosen = rng.choice(len(pairs), scale.batch_size, replace=False)
        asked, n = log.query[chosen], scale.n_negatives
        unclicked = minibatches.sample_unclicked(log, asked, n, rng)
        queries, clicked = zip(*(pairs[k] for k in chosen))
        others = [[titles[t] for t in row] for row in unclicked]
        texts = list(queries), list(clicked), others
        yield texts, examples_of(model, *texts)


class Training:
    """A training run that starts from a copy of a model's weights.

    Parameters
    ----------
    model : DualEncoder
    threads : function
        A ``map`` over two threads.
    gradient : function, optional
        Replaces the handwritten gradient; takes the arguments of `minibatch_gradient`.
    times : int
        How often each row of W is repeated, for a larger vocabulary.
    """

    def __init__(self, model, threads, gradient=None, times=1):
        self.threads, self.gradient, self.k = threads, gradient or self.by_hand, 0
        settings, sides = SimpleNamespace(**SETTINGS), []
        for side in (model.query, model.document):
            weights = {name: w.copy() for name, w in side.weights.items()}
            weights["W"] = np.repeat(weights["W"], times, axis=0)
            sides.append(Side(side.cell, weights))
        ours = SimpleNamespace(query=sides[0], document=sides[1], relevance=COSINE)
        moved = [nesterov.Nesterov(side.weights, None, settings, N_UPDATES) for side in sides]
        self.run = SimpleNamespace(model=ours, sides=moved, settings=settings)

    def by_hand(self, *step):
        """Compute the handwritten gradient, with two threads where that is faster."""
        return minibatch_gradient(*step, threads=self.threads)

    def step(self, examples):
        """Take a step like `lstm_edu.train`, updating only the rows of W in the minibatch."""
        return training.update(self.run, examples, self.threads, self.gradient)

    def dense(self, examples):
        """Take a step of Algorithm 1 that updates every row of W."""
        self.k += 1
        mu = nesterov.momentum(SETTINGS["momentum"], self.k, N_UPDATES)
        sides = self.run.model.query, self.run.model.document
        velocity = [side.state["velocity"] for side in self.run.sides]

        def look_ahead(side, velocity):
            nesterov.look_ahead(side.weights, velocity, mu)

        list(self.threads(look_ahead, sides, velocity))
        _, gradient = self.gradient(sides, examples, SETTINGS["gamma"])

        def correct(side, velocity, g, batch):
            nesterov.clip(g, SETTINGS["clip"])
            step_size = SETTINGS["step_size"]
            nesterov.correct(side.weights, velocity, g, step_size, batch.touched)

        batches = examples.queries, examples.documents
        list(self.threads(correct, sides, velocity, gradient, batches))


def apart(examples, times):
    """Return a minibatch of the same texts for a vocabulary that is ``times`` times as large."""

    def wider(batch):
        n, width = batch.Wh.shape
        parts = batch.Wh.data, batch.Wh.indices * times, batch.Wh.indptr
        Wh = scipy.sparse.csr_array(parts, shape=(n, width * times))
        return batch._replace(Wh=Wh)

    queries, documents = map(wider, examples[:2])
    return examples._replace(queries=queries, documents=documents)


def agree(model, examples, gradients):
    """Check that all ``gradients`` (functions keyed by name) equal the handwritten one to 1e-4."""
    rows, (queries, documents) = zip(*(batch.compact() for batch in examples[:2]))
    sides = [
        Side(side.cell, side.weights | {"W": side.weights["W"][touched]})
        for side, touched in zip((model.query, model.document), rows)
    ]
    compact = examples._replace(queries=queries, documents=documents)
    step = sides, compact, SETTINGS["gamma"]
    l, by_hand = minibatch_gradient(*step)
    for name, gradient in gradients.items():
        cost, found = gradient(*step)
        np.testing.assert_allclose(cost.sum(), l.sum(), rtol=1e-4, err_msg=name)
        for ours, theirs in zip(by_hand, found):
            for part, g in ours.items():
                atol = 1e-4 * np.abs(g).max()
                message = f"{name}: {part}"
                np.testing.assert_allclose(theirs[part], g, 0, atol, err_msg=message)


def measure(name, threads):
    """Time all implementations at one scale; return times, ratios and minibatch sizes."""
    model = paper_scale.model(paper_scale.SCALES[name])
    texts, examples = zip(*examples_at(paper_scale.SCALES[name], model))
    gradients = {"autograd": autograd_step.gradient_of(model, texts[0], examples[0])}
    if torch_step:
        gradients["torch"] = torch_step.gradient
    agree(model, examples[0], gradients)
    trainings = {"bptt": Training(model, threads)}
    trainings |= {way: Training(model, threads, gradient) for way, gradient in gradients.items()}
    ways = {
        way: lambda k, training=training: training.step(examples[k % MINIBATCHES])
        for way, training in trainings.items()
    }
    ways["autograd"] = lambda k: trainings["autograd"].step(examples[0])
    others = paper_scale.Others()
    taken = paper_scale.in_turn(ways, {way: TIMES[way] for way in ways})
    if name == "paper":
        taken |= more_trigrams(model, examples, threads)
    spread = {way: paper_scale.spread(values) for way, values in taken.items()}
    batches = examples[0].queries, examples[0].documents
    figures = {f"{way}_ms": spread.get(way, {}).get("median") for way in TIMES | taken}
    figures |= floor.floor(batches, model.cell, threads)
    return figures | {
        "ratios": ratios(figures),
        "spread": spread,
        "minibatch": dict(zip(("query", "document"), map(sizes, batches))),
        "others_share": others.share(),
    }


def ratios(figures):
    """Return the ratios of the implementations' times, which the README quotes."""
    bptt, others = figures["bptt_ms"], ("autograd", "torch")
    found = {f"{way} / bptt": figures[f"{way}_ms"] / bptt for way in others if figures[f"{way}_ms"]}
    found["bptt / floor"] = bptt / figures["floor_ms"]
    if "once_ms" in figures:
        found["ten times the trigrams / bptt"] = figures["ten_times_ms"] / figures["once_ms"]
    return experiment.rounded(found, 2)


def sizes(batch):
    """Count the texts, words and distinct trigrams of a minibatch's queries or documents."""
    return {
        "texts": len(batch.order),
        "words": len(batch.token),
        "distinct words": batch.Wh.shape[0],
        "touched trigrams": len(batch.touched),
    }


def more_trigrams(model, examples, threads):
    """Time dense and lazy steps with 50,000 and 500,000 trigrams (needs about 5 GB of memory)."""
    ways = {}
    for name, times in (("", 1), ("ten_times_", 10)):
        run = Training(model, threads, times=times)
        wide = [apart(minibatch, times) for minibatch in examples]
        for way, step in ((name[:-1] or "once", run.step), (f"{name}dense", run.dense)):
            ways[way] = lambda k, step=step, wide=wide: step(wide[k % MINIBATCHES])
    return paper_scale.in_turn(ways, {way: 5 if "dense" in way else 15 for way in ways})


if __name__ == "__main__":
    args = experiment.options(__doc__, tuple(paper_scale.SCALES))
    with two_threads() as threads:
        found = {name: measure(name, threads) for name in args.sets}
    experiment.write(args.json, {"blas": experiment.blas()} | found)
