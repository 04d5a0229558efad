"""Wrong answers for the checks of `lstm_course/exercises/torch_loop.py`."""

import numpy as np
from wrong_answers._replaced import said


def _stacked(params, gates, join=np.concatenate):
    return [join([params[f"{name}{k}"] for k in gates]) for name in ("W", "Wrec", "b")]


def transposed(params):
    """A row a trigram."""
    W, Wrec, b = _stacked(params, "3241")
    return W.T, Wrec, b


def recurrent_transposed(params):
    """As the package keeps Wrec."""
    W, Wrec, b = _stacked(params, "3241")
    return W, Wrec.T, b


def half_of_b(params):
    """Shares b among the two biases."""
    W, Wrec, b = _stacked(params, "3241")
    return W, Wrec, b / 2


def output_gate_twice(params):
    """A slip in one place. Told: these are 1, 2, 4, 1"""
    return tuple(_stacked(params, "1241"))


def _loop(zero, apart, before, as_tensors=False):
    def train(query, document, batches, cost, epsilon, th_G):
        import torch

        sides = [list(query.parameters()), list(document.parameters())]
        costs, optimizer = [], torch.optim.SGD([w for side in sides for w in side], lr=epsilon)
        for batch in batches:
            if not zero:
                optimizer.zero_grad()
            loss = cost(query, document, batch)
            backward = [loss.backward]
            for some in [sum(sides, [])] if apart else sides:
                clip = lambda some=some: torch.nn.utils.clip_grad_norm_(some, th_G)
                backward.insert(0 if before else len(backward), clip)
            for do in backward:
                do()
            optimizer.step()
            costs.append(loss if as_tensors else loss.item())
        return costs

    told = [zero * "adds up", apart * "clips both as one", before * "clips early"]
    train.__doc__ = " and ".join(filter(None, told)) or "Keeps every tape."
    return train


def makes_no_step(query, document, batches, cost, epsilon, th_G):
    """Gradients, and nothing else. Told: no weight moves"""
    costs = []
    for batch in batches:
        loss = cost(query, document, batch)
        loss.backward()
        costs.append(loss.item())
    return costs


def _cut(step, L, y, cuts):
    for t, l in enumerate(L):
        y = step(l, y.detach() if t in cuts else y)
    return y


WRONG = {
    "check_stacked": [
        *said(
            ("Output gate first.", lambda params: tuple(_stacked(params, "1234"))),
            ("i, f, o, g, as many write it.", lambda params: tuple(_stacked(params, "3214"))),
            ("f, i, g, o.", lambda params: tuple(_stacked(params, "2341"))),
            (
                "Gates side by side, as the package keeps them.",
                lambda params: tuple(_stacked(params, "3241", np.hstack)),
            ),
        ),
        transposed,
        recurrent_transposed,
        half_of_b,
        output_gate_twice,
    ],
    "check_of_equation_6": [
        *said(
            (
                "p is Lambda only where nothing moves.",
                lambda p, buffer, epsilon, mu: (p, -epsilon * buffer),
            ),
            (
                "As if it looked ahead by a whole change.",
                lambda p, buffer, epsilon, mu: (p + epsilon * buffer, -epsilon * buffer),
            ),
            (
                "Adds where it should take away.",
                lambda p, buffer, epsilon, mu: (p - mu * epsilon * buffer, -epsilon * buffer),
            ),
            (
                "The buffer's own sign.",
                lambda p, buffer, epsilon, mu: (p + mu * epsilon * buffer, epsilon * buffer),
            ),
            (
                "The buffer holds no step size.",
                lambda p, buffer, epsilon, mu: (p + mu * epsilon * buffer, -buffer),
            ),
            (
                "The change as it will go on, not as it was.",
                lambda p, buffer, epsilon, mu: (p + mu * epsilon * buffer, -mu * epsilon * buffer),
            ),
            (
                "Both are right, in the wrong order. Told: the weights come first",
                lambda p, buffer, epsilon, mu: (-epsilon * buffer, p + mu * epsilon * buffer),
            ),
        ),
    ],
    "check_torch_loop": [
        _loop(True, False, False),
        _loop(False, True, False),
        _loop(False, False, True),
        _loop(True, True, False),
        _loop(True, True, True),
        _loop(False, False, False, as_tensors=True),
        makes_no_step,
    ],
    "check_cut_way_back": [
        *said(
            ("T words, not T steps.", lambda step, L, y, T: _cut(step, L, y, [len(L) - T])),
            ("No cut.", lambda step, L, y, T: _cut(step, L, y, [])),
            (
                "Before each of the last words.",
                lambda step, L, y, T: _cut(step, L, y, range(len(L) - 1 - T, len(L))),
            ),
            (
                "Starts from zeros.",
                lambda step, L, y, T: _cut(step, L[max(0, len(L) - 1 - T) :], y, []),
            ),
            ("After T words.", lambda step, L, y, T: _cut(step, L, y, [T])),
            (
                "What comes out is no part of a tape.",
                lambda step, L, y, T: _cut(step, L, y, []).detach(),
            ),
        ),
    ],
}
