"""Exercises for lesson 14: PyTorch's order of gates, its momentum, a training loop, and truncation.

Two of the checks need PyTorch, and say so if it is missing.
"""

import sys
from itertools import product

import numpy as np

from lstm_edu._util.files import from_extra

from ..engine import slips


def _params():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        m, n = 2 + seed % 2, 4
        shapes = {"W": (m, n), "Wrec": (m, m), "b": (m,)}
        params = {
            f"{name}{k}": rng.standard_normal(shape).round(2)
            for k in (1, 2, 3, 4)
            for name, shape in shapes.items()
        }
        yield {"params": params}


def _other_orders(given):
    order = "3, 2, 4, 1"
    found = []
    for gates in product("1234", repeat=4):
        other = slips.slipped(stacked, order, ", ".join(gates))
        text = f"nn.LSTM's i, f, g, o are {order}: these are {', '.join(gates)}"
        found.append((text, slips.answer(other, given)))
    return found


@slips.check("W_ih, W_hh, b", _params, others=_other_orders)
def stacked(params):
    """Return the parameters in the layout of nn.LSTM.

    Returns
    -------
    W_ih : (4 m, n_trigrams)
    W_hh : (4 m, m)
    b : (4 m,)
    """
    return tuple(
        np.concatenate([params[f"{name}{k}"] for k in (3, 2, 4, 1)]) for name in ("W", "Wrec", "b")
    )


def _after_some_updates():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        A, epsilon = np.diag(rng.uniform(1, 5, 3)), round(float(rng.uniform(0.02, 0.1)), 3)
        mu = round(float(rng.uniform(0.5, 0.95)), 2)
        p, buffer = rng.standard_normal(3), np.zeros(3)
        for _ in range(4 + seed):
            g = A @ p
            buffer = mu * buffer + g
            p = p - epsilon * (g + mu * buffer)
        yield {"p": p, "buffer": buffer, "epsilon": epsilon, "mu": mu}


@slips.check("Lambda, change", _after_some_updates, parts=True, first="change")
def of_equation_6(p, buffer, epsilon, mu):
    """Return Lambda and its last change, given PyTorch's p and buffer."""
    change = -epsilon * buffer
    return p - mu * change, change


def _named_as(function, wrapper):
    wrapper.__name__ = getattr(function, "__name__", wrapper.__name__)
    return wrapper


def _ends(train):
    """Wrap the student's loop to train two linear layers and return costs and final weights."""
    torch = _torch("check_torch_loop")

    def ends(weights, batches, epsilon, th_G, stale):
        sides = [torch.nn.Linear(3, 2).double() for _ in range(2)]
        params = [w for side in sides for w in side.parameters()]
        for w, value in zip(params, weights):
            w.data = torch.tensor(value)
            w.grad = torch.ones_like(w) if stale else None
        batches = [[torch.from_numpy(x) for x in batch] for batch in batches]
        costs = train(*sides, batches, _cost, epsilon, th_G)
        if any(torch.is_tensor(cost) and cost.requires_grad for cost in costs or ()):
            costs = "tensors with a tape"
        names = (f"{side}.{name}" for side in ("query", "document") for name in ("weight", "bias"))
        return costs, {name: w.detach().numpy().copy() for name, w in zip(names, params)}

    torch.optim.SGD([torch.zeros(1)])  # import what PyTorch imports with the first optimizer
    ends.loaded = sys.modules.get("torch._dynamo")
    return _named_as(train, ends)


def _cost(query, document, batch):
    return ((query(batch[0]) - document(batch[1])) ** 2).sum()


def _batches():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        # gradients above and below the threshold; in one input, .grad isn't empty at the start
        size = np.array([0.1, 0.5, 2, 0.3, 1])[:, None, None, None]
        given = {"weights": [rng.standard_normal(shape) for shape in ((2, 3), (2,)) * 2]}
        given |= {"batches": list(size * rng.standard_normal((5, 2, 4, 3))), "epsilon": 0.05}
        yield given | {"th_G": 1.0 + seed, "stale": seed == 1}


def _gradient(embed):
    """Wrap the student's function to also return gradients for the weights and the first y."""
    torch = _torch("check_cut_way_back")

    def gradient(params, L, y, T):
        *params, y = leaves = [torch.tensor(w, requires_grad=True) for w in [*params, y]]

        def step(l, y):
            W, Wrec, b = params
            return torch.tanh(W @ l + Wrec @ y + b)

        last = embed(step, torch.from_numpy(L), y, T)
        if not torch.is_tensor(last):
            return last
        found = [None] * len(leaves)
        if last.requires_grad:
            found = torch.autograd.grad(last.sum(), leaves, allow_unused=True)
        found = [np.zeros(w.shape) if g is None else g.numpy() for g, w in zip(found, leaves)]
        return last.detach().numpy(), dict(zip(("W", "Wrec", "b", "y"), found))

    return _named_as(embed, gradient)


def _sentences():
    # (n_words, T); T is 0 in one pair, and exceeds n_words - 1 in others
    for seed, (n_words, T) in enumerate([(5, 3), (6, 0), (7, 1), (8, 7), (9, 12), (4, 4)]):
        rng = np.random.default_rng(seed)
        params = [0.8 * rng.standard_normal(shape) for shape in ((3, 4), (3, 3), (3,))]
        L = rng.integers(0, 2, (n_words, 4)).astype(float)
        yield {"params": params, "L": L, "y": rng.standard_normal(3), "T": T}


@slips.check(
    "costs, weights",
    _batches,
    planted=("the loop", (1, 1, 1)),
    name="torch_loop",
    around=_ends,
    tolerance=1e-5,  # PyTorch's clipping divides by the norm + 1e-6
)
def train(query, document, batches, cost, epsilon, th_G):
    """Train on each batch, and return the list of costs."""
    import torch

    sides = [list(query.parameters()), list(document.parameters())]
    optimizer = torch.optim.SGD(sides[0] + sides[1], lr=epsilon)
    costs = []
    for batch in batches:
        optimizer.zero_grad()
        loss = cost(query, document, batch)
        loss.backward()
        for side in sides:
            torch.nn.utils.clip_grad_norm_(side, th_G)
        optimizer.step()
        costs.append(loss.item())
    return costs


@slips.check("y, gradient", _sentences, name="cut_way_back", around=_gradient)
def embed(step, L, y, T):
    """Return y after the last word, with errors going back at most T steps."""
    for t, l in enumerate(L):
        if t == len(L) - 1 - T:
            y = y.detach()
        y = step(l, y)
    return y


def _torch(check):
    """Import PyTorch, or say that ``check`` needs it.

    The functions around an answer refer to the result, so that the sandbox imports PyTorch before
    the answer's time limit begins. The import would take half of that time.
    """
    with from_extra("torch", f"{check} needs PyTorch"):
        import torch
    return torch
