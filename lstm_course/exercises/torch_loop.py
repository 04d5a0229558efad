"""Checks of notebook 14: another order of the gates, another book of the momentum, a loop, a cut.

Two of them want PyTorch, and say so where it is missing.
"""

from itertools import product

import numpy as np

from lstm_edu._util.files import from_extra

from ..engine.minimize import hold
from ..engine.report import call, hold_against, left, passed

ZERO = "PyTorch adds each gradient to the last: without optimizer.zero_grad() they pile up"
APART = "Algorithm 1 clips each side for itself; one call for both clips their joint length"
STILL = "no weight moves: backward() makes the gradient, step() goes against it"
TAPES = "a cost that is kept as a tensor keeps its whole tape: take cost.item()"
BEFORE = "clip after backward() and before step(): until then the gradient is not there"


def check_stacked(stacked):
    """``stacked(params)``: W_ih, W_hh and b as `torch.nn.LSTM` has them."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        m, n = 2 + seed % 2, 4
        shapes = {"W": (m, n), "Wrec": (m, m), "b": (m,)}
        params = {
            f"{name}{k}": rng.standard_normal(shape).round(2)
            for k in (1, 2, 3, 4)
            for name, shape in shapes.items()
        }
        given = {"params": params}

        def in_order(gates, join=np.concatenate, params=params):
            return tuple(join([params[f"{name}{k}"] for k in gates]) for name in ("W", "Wrec", "b"))

        expected = in_order((3, 2, 4, 1))
        hold_against(
            "W_ih, W_hh, b",
            call("W_ih, W_hh, b", stacked, given),
            expected,
            given,
            [
                ("nn.LSTM's order is i, f, g, o: this is the paper's, 1 to 4", in_order("1234")),
                ("nn.LSTM's order is i, f, g, o: here g comes last", in_order("3214")),
                ("nn.LSTM's order is i, f, g, o: i and f have changed places", in_order("2341")),
                (
                    "the gates stand below each other, m rows each: (4 m, …), not side by side",
                    in_order("3241", np.hstack),
                ),
                ("W_ih has a row a cell: this is its transpose", (expected[0].T, None, None)),
                ("W_hh has a row a cell: this is its transpose", (None, expected[1].T, None)),
                ("nn.LSTM adds two biases: one gets b, the other 0", (None, None, expected[2] / 2)),
                *(
                    (f"nn.LSTM's i, f, g, o are 3, 2, 4, 1: these are {', '.join(gates)}", arrays)
                    for gates in product("1234", repeat=4)
                    for arrays in [in_order(gates)]
                ),
            ],
        )
    passed("check_stacked", 5)


def check_of_equation_6(of_equation_6):
    """``of_equation_6(p, buffer, epsilon, mu)``: the weights and the last change of (6)."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        A, epsilon = np.diag(rng.uniform(1, 5, 3)), round(float(rng.uniform(0.02, 0.1)), 3)
        mu = round(float(rng.uniform(0.5, 0.95)), 2)
        w, change = rng.standard_normal(3), np.zeros(3)
        p, buffer = w.copy(), np.zeros(3)
        for _ in range(4 + seed):
            change = mu * change - epsilon * A @ (w + mu * change)
            w = w + change
            g = A @ p
            buffer = mu * buffer + g
            p = p - epsilon * (g + mu * buffer)
        given = {"p": p, "buffer": buffer, "epsilon": epsilon, "mu": mu}
        hold(
            "Lambda, change",
            of_equation_6,
            given,
            (w, change),
            [
                (
                    "p is where (6) looks next, Lambda + mu change: take mu change from it",
                    (p, change),
                ),
                ("the weights come first, then their last change", (change, w)),
                ("p lies ahead of Lambda by mu change, not by change", (p - change, change)),
                ("p lies ahead of Lambda, not behind", (p + mu * change, change)),
                ("the buffer adds gradients, a change goes against them: minus", (None, -change)),
                (
                    "PyTorch's buffer holds no step size: a change is epsilon times as long",
                    (None, -buffer),
                ),
                (
                    "the last change is -epsilon buffer; mu comes in where it goes on",
                    (None, mu * change),
                ),
            ],
            of=_of_equation_6,
        )
    passed("check_of_equation_6", 5)


def _of_equation_6(p, buffer, epsilon, mu):
    return p + mu * epsilon * buffer, -epsilon * buffer


def check_torch_loop(train):
    """``train(query, document, batches, cost, epsilon, th_G)``, mended."""
    torch = _torch("check_torch_loop")
    for seed in range(5):
        rng = np.random.default_rng(seed)
        sides = [torch.nn.Linear(3, 2).double() for _ in range(2)]
        start = [rng.standard_normal(tuple(w.shape)) for side in sides for w in side.parameters()]
        batches = [[torch.from_numpy(rng.standard_normal((4, 3))) for _ in "qd"] for _ in range(4)]
        wrong = {
            bugs: _loop(torch, _filled(torch, sides, start), batches, 1.0 + seed, bugs)
            for bugs in product([False, True], repeat=3)
        }
        given = {
            "query": sides[0],
            "document": sides[1],
            "batches": batches,
            "cost": _cost,
            "epsilon": 0.05,
            "th_G": 1.0 + seed,
        }
        _filled(torch, sides, start)
        still = [_cost(*sides, batch).item() for batch in batches]

        def ends(*arguments):
            costs = train(*arguments)
            query, document = arguments[:2]
            weights = [*query.parameters(), *document.parameters()]
            if any(torch.is_tensor(cost) for cost in costs or ()):
                costs = "tensors"
            return costs, [w.detach().numpy().copy() for w in weights]

        ends.__name__ = getattr(train, "__name__", "train")
        reasons = [
            (left([ZERO * zero, APART * apart, BEFORE * before], "the loop"), value)
            for (zero, apart, before), value in list(wrong.items())[1:]
        ]
        reasons += [(STILL, (still, None)), (TAPES, ("tensors", None))]
        hold_against(
            "costs, weights",
            call(
                "costs, weights", ends if callable(train) else train, given, ("query", "document")
            ),
            wrong[False, False, False],
            {"batches": f"{len(batches)} pairs of tensors", "epsilon": 0.05, "th_G": 1.0 + seed},
            reasons,
        )
    passed("check_torch_loop", 5)


def _cost(query, document, batch):
    """A cost of two linear sides."""
    return ((query(batch[0]) - document(batch[1])) ** 2).sum()


def _filled(torch, sides, values):
    """The sides with these weights."""
    with torch.no_grad():
        for w, value in zip((w for side in sides for w in side.parameters()), values):
            w.copy_(torch.from_numpy(value))
            w.grad = None
    return sides


def _loop(torch, sides, batches, th_G, bugs):
    """The loop with some of its bugs: nothing set to zero, both clipped as one, clipped early."""
    zero, apart, before = bugs
    weights, costs = [w for side in sides for w in side.parameters()], []
    optimizer = torch.optim.SGD(weights, lr=0.05)
    clip = torch.nn.utils.clip_grad_norm_

    def clipped():
        for some in [weights] if apart else [list(side.parameters()) for side in sides]:
            clip(some, th_G)

    for batch in batches:
        if not zero:
            optimizer.zero_grad()
        loss = _cost(*sides, batch)
        if before:
            clipped()
        loss.backward()
        if not before:
            clipped()
        optimizer.step()
        costs.append(loss.item())
    return costs, [w.detach().numpy().copy() for w in weights]


def check_cut_way_back(embed):
    """``embed(step, L, y, T)``: y after the last word, which only the last T + 1 words moved."""
    torch = _torch("check_cut_way_back")
    for seed in range(5):
        rng = np.random.default_rng(seed)
        n_words, T, m = 5 + seed, (3, 0, 1, 2, 12)[seed], 3
        params = [
            torch.from_numpy(0.8 * rng.standard_normal(shape)).requires_grad_()
            for shape in ((m, 4), (m, m), (m,))
        ]
        L = torch.from_numpy(rng.integers(0, 2, (n_words, 4)).astype(float))

        def step(l, y, params=params):
            W, Wrec, b = params
            return torch.tanh(W @ l + Wrec @ y + b)

        def result(y, params=params):
            found = torch.autograd.grad(y.sum(), params, allow_unused=True)
            return y.detach().numpy(), [None if g is None else g.numpy() for g in found]

        def answer(*arguments):
            y = embed(*arguments)
            if not torch.is_tensor(y) or not y.requires_grad:
                return y if y is None else (np.asarray(y), 3 * ("none",))
            return result(y)

        y = torch.zeros(m, dtype=torch.float64)
        given = {"step": step, "L": L, "y": y, "T": T}
        cut = n_words - 1 - T  # so many words are read without a way back
        hold_against(
            "y and its gradient",
            call("y and its gradient", answer if callable(embed) else embed, given),
            result(_cut(step, L, y, [cut])),
            {"L": L.numpy(), "T": T},
            [
                (
                    "T steps back are T + 1 words: the last one is tau = 0",
                    result(_cut(step, L, y, [cut + 1])),
                ),
                ("this goes all the way back", result(_cut(step, L, y, []))),
                (
                    "cut once, before the last T + 1 words; this cuts before each of them",
                    result(_cut(step, L, y, range(max(cut, 0), n_words))),
                ),
                (
                    "the words before are still read: only their errors are cut off",
                    result(_cut(step, L[max(cut, 0) :], y, [])),
                ),
                (
                    "cut T words from the end of the text, not from its start",
                    result(_cut(step, L, y, [T])),
                ),
                (
                    "detach() the state before the last T + 1 words, not what comes out",
                    (None, 3 * ("none",)),
                ),
            ],
        )
    passed("check_cut_way_back", 5)


def _cut(step, L, y, at):
    """y after the last word, with the way back cut before the words ``at``."""
    for t, l in enumerate(L):
        y = step(l, y.detach() if t in at else y)
    return y


def _torch(what):
    with from_extra("torch", f"{what} needs PyTorch"):
        import torch
    return torch
