"""One training step, the way of `lstm_edu.train`, by hand, by autograd and by PyTorch eager,
beside the least it can take.

    python -m benchmarks.speed.step [--json [benchmarks/results/step.json]]

A step is all of Algorithm 1's: look ahead, gradient, clip, correct. Two scales: the paper's (50,000
letter trigrams, 96 cells, 1,024 pairs, n = 4, the paper's settings) and the classroom's (3,000, 32,
256, 4), on a synthetic log (`paper_scale`). Costs and gradients are compared first, to 1e-4; then
the ways take turns on the same minibatches, two threads each.

- bptt: `lstm_edu.training.loop`, by hand;
- adam: the same with Adam for Nesterov's momentum;
- torch: the same maths on the same deduplicated words (`torch_step`); needs the extra `bench`;
- autograd: `lstm_edu.gradients.autodiff`, (1)-(5) as a reader of the paper would write them, but
  given the touched rows of W alone, and the same lazy update;
- autograd_all_rows: with all of W, and the dense update of `lstm_edu.training.nesterov`;
- floor: arithmetic and traffic over this machine's rates (`floor`).

At the paper's scale also the step with ten times the trigrams and the same touched rows, and both
with the dense update instead of the lazy one.
"""

import sys
from types import SimpleNamespace

import numpy as np
import scipy.sparse

import lstm_edu
from lstm_edu._util.threads import two_threads
from lstm_edu.gradients import parallel
from lstm_edu.gradients.minibatch import examples_of, minibatch_gradient
from lstm_edu.gradients.relevance import COSINE
from lstm_edu.models.encoder import Side
from lstm_edu.training import loop as training
from lstm_edu.training import minibatches, nesterov
from lstm_edu.training.settings import OPTIMIZERS

from . import autograd_step, floor, paper_scale

try:
    from . import torch_step
except ImportError:
    torch_step = None

SETTINGS = {"clip": 100.0, "truncate": None, "method": "bptt", "held_out": 0.0} | lstm_edu.PAPER
N_UPDATES = 196  # an epoch of 200,000 pairs
MINIBATCHES = 6
MISSING = 'torch: not installed, so not timed; pip install "lstm_edu[bench]"'
TIMES = {"bptt": 30, "adam": 30, "torch": 30, "autograd": 3, "autograd_all_rows": 1}


def examples_at(scale, model):
    """Texts and `Examples` of a few minibatches."""
    pairs = list(paper_scale.pairs(20 * scale.batch_size, scale.n_trigrams))
    log, rng = minibatches.from_pairs(pairs, model.hashing), np.random.default_rng(0)
    titles = list(dict.fromkeys(title for _, title in pairs))
    for _ in range(MINIBATCHES):
        chosen = rng.choice(len(pairs), scale.batch_size, replace=False)
        unclicked = minibatches.sample_unclicked(log, log.query[chosen], scale.n_negatives, rng)
        texts = (
            [pairs[k][0] for k in chosen],
            [pairs[k][1] for k in chosen],
            [[titles[t] for t in row] for row in unclicked],
        )
        yield texts, examples_of(model, *texts)


class ByHand:
    """A training run of our own from a model's weights, each row of W ``times`` times."""

    def __init__(self, model, threads, times=1, optimizer="nesterov"):
        self.threads, self.k = threads, 0
        settings, sides = SimpleNamespace(**SETTINGS | {"optimizer": optimizer}), []
        for side in (model.query, model.document):
            weights = {name: w.copy() for name, w in side.weights.items()}
            weights["W"] = np.repeat(weights["W"], times, axis=0)
            sides.append(Side(side.cell, weights))
        ours = SimpleNamespace(query=sides[0], document=sides[1], relevance=COSINE)
        moved = [OPTIMIZERS[optimizer](side.weights, None, settings, N_UPDATES) for side in sides]
        self.run = SimpleNamespace(model=ours, sides=moved, settings=settings)

    def lazy(self, examples):
        """A step as `lstm_edu.train` takes it."""
        return training.update(self.run, examples, self.threads, self.gradient)

    def gradient(self, *step):
        """The gradient in lanes, by as many threads as are worth it."""
        return parallel.gradient_in_lanes(*step, threads=parallel.worth(self.threads, *step[:2]))

    def dense(self, examples):
        """The same step, with every row of W moved in every update."""
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
            nesterov.correct(side.weights, velocity, g, SETTINGS["step_size"], batch.touched)

        batches = examples.queries, examples.documents
        list(self.threads(correct, sides, velocity, gradient, batches))


def apart(examples, times):
    """The same minibatch, but after each trigram come ``times`` - 1 others that do not occur."""

    def wider(batch):
        Wh = scipy.sparse.csr_array(
            (batch.Wh.data, batch.Wh.indices * times, batch.Wh.indptr),
            shape=(batch.Wh.shape[0], batch.Wh.shape[1] * times),
        )
        return batch._replace(Wh=Wh)

    return examples._replace(queries=wider(examples.queries), documents=wider(examples.documents))


def agree(model, examples, found):
    """Stop unless costs and gradients are those by hand, to 1e-4;
    ``found`` holds (cost, gradient of both sides) by name.
    """
    batches, sides = (examples.queries, examples.documents), (model.query, model.document)
    l, gradient = minibatch_gradient(sides, examples, SETTINGS["gamma"])
    for name, (cost, other) in found.items():
        np.testing.assert_allclose(float(cost), l.sum(), rtol=1e-4, err_msg=name)
        for batch, ours, theirs in zip(batches, gradient, other):
            for part, g in ours.items():
                other_g, atol = theirs[part], 1e-4 * np.abs(g).max()
                if len(other_g) > len(g):
                    other_g = other_g[batch.touched]
                np.testing.assert_allclose(other_g, g, rtol=0, atol=atol, err_msg=f"{name}: {part}")


def measure(name, threads):
    """The figures of one scale."""
    scale = paper_scale.SCALES[name]
    model = lstm_edu.DualEncoder(
        lstm_edu.LSTM(scale.n_cells), paper_scale.hashing(scale.n_trigrams)
    )
    texts, examples = zip(*examples_at(scale, model))
    batches = examples[0].queries, examples[0].documents
    rows = np.union1d(batches[0].touched, batches[1].touched)
    hand, adam = ByHand(model, threads), ByHand(model, threads, optimizer="adam")
    autograd, all_rows = (
        autograd_step.Training(model, texts[0], SETTINGS, N_UPDATES, some) for some in (rows, None)
    )
    found = {"autograd_all_rows": all_rows.cost_and_gradient(all_rows.weights)}
    at = [side | {"W": side["W"][rows]} for side in autograd.weights]
    cost, gradient = autograd.cost_and_gradient(at)
    touched = [np.isin(rows, batch.touched) for batch in batches]
    found["autograd"] = cost, [g | {"W": g["W"][own]} for g, own in zip(gradient, touched)]
    ways = {
        "bptt": lambda k: hand.lazy(examples[k % MINIBATCHES]),
        "adam": lambda k: adam.lazy(examples[k % MINIBATCHES]),
        "autograd": lambda k: autograd.step(),
        "autograd_all_rows": lambda k: all_rows.step(),
    }
    if torch_step:
        tensors = [torch_step.prepare(some) for some in examples]
        torch = torch_step.Training(model, SETTINGS)
        at = [
            [weights[0][side["touched"]], *weights[1:]]
            for weights, side in zip(torch.weights, tensors[0]["sides"])
        ]
        cost, gradient = torch_step.cost_and_gradient(at, tensors[0], SETTINGS["gamma"])
        gradient = [dict(zip(torch_step.NAMES, map(np.asarray, side))) for side in gradient]
        found["torch"] = cost, gradient
        ways["torch"] = lambda k: torch.step(tensors[k % MINIBATCHES], k, N_UPDATES)
    agree(model, examples[0], found)
    others = paper_scale.Others()
    taken = paper_scale.in_turn(ways, {way: TIMES[way] for way in ways})
    if name == "paper":
        taken |= more_trigrams(model, examples, threads)
    bound = floor.floor(batches, model.cell, threads)
    figures = {
        f"{way}_ms": paper_scale.spread(taken[way])["median"] if way in taken else None
        for way in dict.fromkeys([*TIMES, *taken])
    } | bound
    ratios = {
        f"{way} / bptt": round(figures[f"{way}_ms"] / figures["bptt_ms"], 2)
        for way in ways
        if way != "bptt"
    }
    ratios["bptt / floor"] = round(figures["bptt_ms"] / figures["floor_ms"], 2)
    if name == "paper":
        wide = figures["ten_times_ms"] / figures["once_ms"]
        ratios["ten times the trigrams / bptt"] = round(wide, 2)
    sizes = {
        side: {
            "texts": len(b.order),
            "words": len(b.token),
            "distinct words": b.Wh.shape[0],
            "touched trigrams": len(b.touched),
        }
        for side, b in zip(("query", "document"), batches)
    }
    return figures | {
        "ratios": ratios,
        "spread": {way: paper_scale.spread(values) for way, values in taken.items()},
        "minibatch": sizes,
        "others_share": others.share(),
    }


def more_trigrams(model, examples, threads):
    """Milliseconds at once and at ten times the trigrams, lazy and dense; some 5 GB."""
    ways = {}
    for name, times in (("once", 1), ("ten_times", 10)):
        hand, wide = ByHand(model, threads, times), [apart(some, times) for some in examples]
        ways[name] = lambda k, hand=hand, wide=wide: hand.lazy(wide[k % MINIBATCHES])
        ways["dense" if times == 1 else "ten_times_dense"] = lambda k, hand=hand, wide=wide: (
            hand.dense(wide[k % MINIBATCHES])
        )
    return paper_scale.in_turn(ways, {way: 5 if "dense" in way else 15 for way in ways})


def table(found):
    """The figures as aligned text."""
    lines = []
    for name, figures in found.items():
        lines += [f"{name}: one step, milliseconds{'':13} median  quartiles"]
        lines += [
            f"  {way:40}{s['median']:8.2f}  {s['quartiles'][0]:.2f}-{s['quartiles'][1]:.2f}"
            for way, s in figures["spread"].items()
        ]
        lines += [
            f"  {'floor':40}{figures['floor_ms']:8.2f}  {figures['gigaflops']} Gflop "
            f"at {figures['gigaflops_a_second']} a second, "
            f"{figures['megabytes']} MB at {figures['gigabytes_a_second']} GB a second"
        ]
        lines += [f"  {ratio:40}{value:8.2f}" for ratio, value in figures["ratios"].items()]
        if figures["others_share"] is not None:
            lines += [f"  {'other programs, of the processors':40}{figures['others_share']:8.2f}"]
    return "\n".join(lines + ([] if torch_step else [MISSING]))


if __name__ == "__main__":
    parser = paper_scale.parser(__doc__)
    parser.add_argument("--scale", choices=paper_scale.SCALES, help="one of the two alone")
    args = parser.parse_args()
    if torch_step is None:
        print(MISSING, file=sys.stderr)
    with two_threads() as threads:
        found = {
            name: measure(name, threads)
            for name in ([args.scale] if args.scale else paper_scale.SCALES)
        }
    paper_scale.report(found, table(found), args.json)
