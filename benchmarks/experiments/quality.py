"""How soon a model is good: nDCG@10 against seconds of training, for the defaults and other ways.

    python -m benchmarks.experiments.quality FOLDER ... [--seeds 3] [--json FILE]

Each folder holds train_pairs.tsv and judgments.tsv. First curves: a tenth of the log's queries is
held out as hard searches (`lstm_tools.table_iv.held_out`), and after every epoch each way's
model ranks their titles; the seconds are those of training alone, one way at a time on all cores.
Then, once, the judgments: the defaults, and those of version 0.2, on the whole log.

PyTorch (extra `bench`; without it its curves are left out) in two ways: as somebody writes it who
does not think of speed (`torch_user.py`), Adam's rate the better of two by its own curve; and given
every shortcut (`torch_step.py`), which is the gradient alone, within the same update.
"""

import functools
import os
import time
from unittest import mock

import numpy as np

import lstm_edu
from lstm_edu.ranking.ndcg import ndcg_by_query
from lstm_edu.ranking.statistics import interval
from lstm_edu.training import loop as _train
from lstm_tools.table_iv import held_out

from ..speed.paper_scale import Others, blas
from . import experiment as harness

try:
    import torch

    from ..speed import torch_step, torch_user
except ImportError:
    torch = None

EPOCHS = {"data_samples": 24, "msrd": 10, "onet": 14}  # of a curve
SEARCHES = 1500
UNTIL_0_2 = {"optimizer": "nesterov", "step_size": 0.002}  # and both sides started apart
LSTM, RNN = lstm_edu.LSTM(96), lstm_edu.RNN(96)
# name: cell, how the sides start, settings of train
WAYS = {
    "the defaults": (LSTM, {}, {}),
    "Nesterov's momentum, both sides alike": (LSTM, {}, UNTIL_0_2),
    "the defaults until 0.2": (LSTM, {"tied": False}, UNTIL_0_2),
    "the paper's setting": (LSTM, {}, lstm_edu.PAPER),
    "RNN": (RNN, {}, {}),
}
RATES = 0.001, 0.004  # of the user's Adam
BATCH, GAMMA = 256, 10.0  # the defaults


def ours(cell, start, settings, pairs, epochs, seed, look):
    """Train a model and look at it after every epoch; the seconds of training till then."""
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    model, seconds = lstm_edu.DualEncoder(cell, hashing, seed, **start), []

    def after_epoch(model, history):
        seconds.append(sum(history["seconds"]))
        look(model)

    how = {"epochs": epochs, "seed": seed, "progress": False, "callback": after_epoch}
    lstm_edu.train(model, pairs, **how, **settings)
    return seconds


def shortcuts(pairs, epochs, seed, look):
    """As the defaults, with PyTorch's gradient given every shortcut."""
    with mock.patch.object(_train.parallel, "gradient_in_lanes", torch_gradient):
        return ours(*WAYS["the defaults"], pairs, epochs, seed, look)


def torch_gradient(sides, examples, gamma, method, truncate, relevance, threads):
    """A minibatch's gradient by PyTorch; all of the minibatch unclicked."""
    read = torch_step.prepare_sides(examples)
    weights = [[torch.from_numpy(side.weights[n]) for n in torch_step.NAMES] for side in sides]
    leaves = [[w.requires_grad_() for w in own] for own in weights]
    q, d = (
        torch.nn.functional.normalize(torch_step.embed(*own, side), dim=1)
        for own, side in zip(leaves, read)
    )
    query, clicked = torch.from_numpy(examples.query), torch.from_numpy(examples.clicked)
    R = (q @ d.T).index_select(0, query)
    Delta = gamma * (R - R.gather(1, clicked[:, None]))
    # log(1 + the sum over the unclicked): the clicked one's own exponent is 0
    known = torch.from_numpy(~examples.unclicked).scatter(1, clicked[:, None], False)
    l = torch.logsumexp(Delta.masked_fill(known, -torch.inf), 1)
    gradient = torch.autograd.grad(l.sum(), [*leaves[0], *leaves[1]])
    n, arrays = len(torch_step.NAMES), [g.numpy() for g in gradient]
    return l.detach().numpy(), [dict(zip(torch_step.NAMES, arrays[k : k + n])) for k in (0, n)]


def as_a_user(rate, pairs, epochs, seed, look):
    """PyTorch as somebody writes it; the same minibatches as ours."""
    ranker = torch_user.Ranker(pairs, LSTM.size, seed)
    for pair in pairs:
        for text in pair:
            ranker.numbers(text)
    weights = [w for side in ranker.sides for w in side.parameters()]
    optimizer, seconds = torch.optim.Adam(weights, rate), [0.0]
    for epoch in range(epochs):
        order = np.random.default_rng([seed, 1, epoch]).permutation(len(pairs))
        blocks = (order[start : start + BATCH] for start in range(0, len(pairs), BATCH))
        started = time.perf_counter()
        torch_user.epoch(ranker, optimizer, ([pairs[k] for k in own] for own in blocks), GAMMA)
        seconds.append(seconds[-1] + time.perf_counter() - started)
        look(ranker)
    return seconds[1:]


def curves(folder, seeds):
    """By way, for each seed: nDCG@10 on the held-out searches, and seconds, after every epoch."""
    pairs, name = lstm_edu.read_pairs(os.path.join(folder, "train_pairs.tsv")), name_of(folder)
    ways = {way: functools.partial(ours, *how) for way, how in WAYS.items()}
    if torch:
        ways["PyTorch, every shortcut"] = shortcuts
        for rate in RATES:
            ways[f"PyTorch, as a user writes it, {rate}"] = functools.partial(as_a_user, rate)
    found = {way: [] for way in ways}
    for seed in range(seeds):
        kept, held = held_out.searches(pairs, most=SEARCHES, seed=seed)
        for way, train in ways.items():
            ndcg, others = [], Others()
            look = lambda model: ndcg.append(round(lstm_edu.evaluate(model, held)["nDCG@10"], 4))
            seconds = [round(s, 2) for s in train(kept, EPOCHS.get(name, 12), seed, look)]
            found[way].append({"ndcg": ndcg, "seconds": seconds, "others": others.share()})
            shown = "  ".join(f"{value:.3f} {s:.0f}" for value, s in zip(ndcg, seconds))
            print(f"{name:12} {way:38} {shown}", flush=True)
    return found


def judged(folder, seeds):
    """nDCG@10 on the judgments after the defaults' training, and on the way there, and its seconds;
    and the seconds of an epoch with the defaults until 0.2.
    """
    pairs = lstm_edu.read_pairs(os.path.join(folder, "train_pairs.tsv"))
    searches = lstm_edu.read_judgments(os.path.join(folder, "judgments.tsv"))
    by_query, seconds, until_0_2 = [], [], []
    for seed in range(seeds):
        seen = []
        look = lambda model: seen.append(ndcg_by_query(model, searches)[:, -1])
        seconds.append(ours(*WAYS["the defaults"], pairs, None, seed, look))
        by_query.append(seen)
        until_0_2.append(ours(*WAYS["the defaults until 0.2"], pairs, 3, seed, lambda model: None))
    by_query = np.mean(by_query, axis=0)  # (epochs, queries)
    by_query = by_query[:, ~np.isnan(by_query).any(axis=0)]
    mean, low, high = (round(value, 4) for value in interval(by_query[-1]))
    return {
        "nDCG@10": {"mean": mean, "low": low, "high": high},
        "by epoch": [round(float(value), 4) for value in by_query.mean(axis=1)],
        "seconds": [round(float(s), 3) for s in np.mean(seconds, axis=0)],
        "seconds of an epoch until 0.2": round(float(np.min(np.diff(until_0_2, prepend=0))), 4),
        "queries": by_query.shape[1],
    }


def table(found):
    """The figures as README.md beside this file has them."""
    lines = ["| held-out nDCG@10: | " + " | ".join(found["curves"]) + " |"]
    lines += ["|---" * (len(found["curves"]) + 1) + "|"]
    level = {
        name: max(_mean(runs["the defaults until 0.2"], "ndcg")) - 0.005
        for name, runs in found["curves"].items()
    }
    lines += [
        "| half a point below the best until 0.2 | "
        + " | ".join(f"{value:.3f}" for value in level.values())
        + " |"
    ]
    for way in next(iter(found["curves"].values())):
        cells = []
        for name, ways in found["curves"].items():
            ndcg, seconds = (_mean(ways[way], what) for what in ("ndcg", "seconds"))
            there = np.flatnonzero(ndcg >= level[name])
            after = f"{seconds[there[0]]:.0f} s" if len(there) else "not reached"
            cells.append(f"{after} (best {ndcg.max():.3f})")
        lines.append(f"| {way} | " + " | ".join(cells) + " |")
    for name, run in found["judged"].items():
        epoch = run["seconds of an epoch until 0.2"]
        by_epoch = "  ".join(
            f"{value:.4f} {seconds / epoch:.1f}"
            for value, seconds in zip(run["by epoch"], run["seconds"])
        )
        lines.append(
            f"\n{name}, judged: {run['nDCG@10']} in {run['seconds'][-1]:.1f} s; an epoch until "
            f"0.2 took {epoch:.2f} s; nDCG@10 after so many of those: {by_epoch}"
        )
    return "\n".join(lines)


def _mean(runs, what):
    """The mean over the seeds of what is known after every epoch."""
    return np.mean([run[what] for run in runs], axis=0)


def name_of(folder):
    return os.path.basename(os.path.abspath(folder))


if __name__ == "__main__":
    parser = harness.parser(__doc__)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--seeds", type=int, default=3)
    args = parser.parse_args()
    found = {
        "date": harness.today(),
        "blas": blas(),
        "torch": torch and torch.__version__,
        "curves": {name_of(folder): curves(folder, args.seeds) for folder in args.folders},
        "judged": {name_of(folder): judged(folder, args.seeds) for folder in args.folders},
    }
    print(table(found))
    harness.write(args.json, found, indent=None)
