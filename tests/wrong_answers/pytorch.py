"""Wrong answers to the exercises of notebook 14. Two of its checks want PyTorch."""

import numpy as np

# ---- the gates


def _stacked(params, gates, join=np.concatenate):
    return [join([params[f"{name}{k}"] for k in gates]) for name in ("W", "Wrec", "b")]


def in_the_paper_s_order(params):
    """Output gate first."""
    return tuple(_stacked(params, "1234"))


def g_last(params):
    """i, f, o, g, as many write it."""
    return tuple(_stacked(params, "3214"))


def f_before_i(params):
    """f, i, g, o."""
    return tuple(_stacked(params, "2341"))


def side_by_side(params):
    """Gates side by side, as the package keeps them."""
    return tuple(_stacked(params, "3241", np.hstack))


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


# ---- the momentum


def takes_p(p, buffer, epsilon, mu):
    """p is Lambda only where nothing moves."""
    return p, -epsilon * buffer


def without_mu(p, buffer, epsilon, mu):
    """As if it looked ahead by a whole change."""
    return p + epsilon * buffer, -epsilon * buffer


def on_the_other_side(p, buffer, epsilon, mu):
    """Adds where it should take away."""
    return p - mu * epsilon * buffer, -epsilon * buffer


def upwards(p, buffer, epsilon, mu):
    """The buffer's own sign."""
    return p + mu * epsilon * buffer, epsilon * buffer


def without_epsilon(p, buffer, epsilon, mu):
    """The buffer holds no step size."""
    return p + mu * epsilon * buffer, -buffer


def slowed_down(p, buffer, epsilon, mu):
    """The change as it will go on, not as it was."""
    return p + mu * epsilon * buffer, -mu * epsilon * buffer


def the_other_way_round(p, buffer, epsilon, mu):
    """Both are right, in the wrong order. Told: the weights come first"""
    return -epsilon * buffer, p + mu * epsilon * buffer


# ---- the loop


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


# ---- the way back


def _cut(step, L, y, cuts):
    for t, l in enumerate(L):
        y = step(l, y.detach() if t in cuts else y)
    return y


def a_word_too_few(step, L, y, T):
    """T words, not T steps."""
    return _cut(step, L, y, [len(L) - T])


def all_the_way(step, L, y, T):
    """No cut."""
    return _cut(step, L, y, [])


def cuts_before_each(step, L, y, T):
    """Before each of the last words."""
    return _cut(step, L, y, range(len(L) - 1 - T, len(L)))


def leaves_words_out(step, L, y, T):
    """Starts from zeros."""
    return _cut(step, L[max(0, len(L) - 1 - T) :], y, [])


def from_the_start(step, L, y, T):
    """After T words."""
    return _cut(step, L, y, [T])


def detaches_the_end(step, L, y, T):
    """What comes out is no part of a tape."""
    return _cut(step, L, y, []).detach()


WRONG = {
    "check_stacked": [
        in_the_paper_s_order,
        g_last,
        f_before_i,
        side_by_side,
        transposed,
        recurrent_transposed,
        half_of_b,
        output_gate_twice,
    ],
    "check_of_equation_6": [
        takes_p,
        without_mu,
        on_the_other_side,
        upwards,
        without_epsilon,
        slowed_down,
        the_other_way_round,
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
        a_word_too_few,
        all_the_way,
        cuts_before_each,
        leaves_words_out,
        from_the_start,
        detaches_the_end,
    ],
}
