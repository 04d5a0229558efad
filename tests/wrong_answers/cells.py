"""Typical wrong answers to the exercises of notebook 02."""

import numpy as np
from scipy.special import expit


def _step(memory, returned=lambda y, c: (y, c)):
    def step(params, l, y, c):
        z = {k: params[f"W{k}"] @ l + params[f"Wrec{k}"] @ y + params[f"b{k}"] for k in "1234"}
        c = memory(expit(z["2"]), expit(z["3"]), np.tanh(z["4"]), c)
        return returned(expit(z["1"]) * np.tanh(c), c)

    return step


nothing_kept = _step(lambda f, i, yg, c: i * yg)
nothing_kept.__doc__ = "c(t-1) is missing."
no_forget_gate = _step(lambda f, i, yg, c: c + i * yg)
no_forget_gate.__doc__ = "The paper's cell without f."
no_input_gate = _step(lambda f, i, yg, c: f * c + yg)
no_input_gate.__doc__ = "yg is let in whole."
exchanged = _step(lambda f, i, yg, c: i * c + f * yg)
exchanged.__doc__ = "f and i exchanged."
brackets = _step(lambda f, i, yg, c: f * (c + i * yg))
brackets.__doc__ = "f times all of it."
inner_products = _step(lambda f, i, yg, c: f @ c + i @ yg)
inner_products.__doc__ = "@ in the place of *."
c_before_y = _step(lambda f, i, yg, c: f * c + i * yg, lambda y, c: (c, y))
c_before_y.__doc__ = "Returned in the wrong order."
only_y = _step(lambda f, i, yg, c: f * c + i * yg, lambda y, c: y)
only_y.__doc__ = "c is not returned."


def in_place(params, l, y, c):
    """The caller's c is written over."""
    z = {k: params[f"W{k}"] @ l + params[f"Wrec{k}"] @ y + params[f"b{k}"] for k in "1234"}
    c *= expit(z["2"])
    c += expit(z["3"]) * np.tanh(z["4"])
    return expit(z["1"]) * np.tanh(c), c


def of_twice_x(x):
    """The published slip."""
    return 0.5 * (1 + np.tanh(x))


def falls(x):
    """The sign of the exponent."""
    return 1 / (1 + np.exp(x))


def not_shifted(x):
    """From -1 to 1."""
    return np.tanh(x / 2)


def one_outside(x):
    """The bracket."""
    return 1 + 0.5 * np.tanh(x / 2)


def overflows(x):
    """NaN for a large x."""
    return np.exp(x) / (1 + np.exp(x))


def of_four_x(x):
    """2x for x/2."""
    return 0.5 * (1 + np.tanh(2 * x))


def _peephole_step(Wp=lambda p: p, seen=lambda y, c: c, shown=lambda y, c, new: new, on_yg=0):
    def step(params, l, y, c):
        p = params | Wp({k: params[f"Wp{k}"] for k in "123"})
        z = {k: p[f"W{k}"] @ l + p[f"Wrec{k}"] @ y + p[f"b{k}"] for k in "1234"}
        new = expit(z["2"] + p["2"] @ seen(y, c)) * c + expit(
            z["3"] + p["3"] @ seen(y, c)
        ) * np.tanh(z["4"] + on_yg * (p["3"] @ c))
        return expit(z["1"] + p["1"] @ shown(y, c, new)) * np.tanh(new), new

    return step


o_sees_the_old = _peephole_step(shown=lambda y, c, new: c)
o_sees_the_old.__doc__ = "o sees c(t-1)."
none_at_all = _peephole_step(lambda p: {k: 0 * p[k] for k in p})
none_at_all.__doc__ = "The step as it was given."
none_on_f = _peephole_step(lambda p: p | {"2": 0 * p["2"]})
none_on_f.__doc__ = "f was left out."
none_on_o = _peephole_step(lambda p: p | {"1": 0 * p["1"]})
none_on_o.__doc__ = "o was left out."
transposed = _peephole_step(lambda p: {k: p[k].T for k in p})
transposed.__doc__ = "c @ Wp."
peeps_at_y = _peephole_step(seen=lambda y, c: y, shown=lambda y, c, new: y)
peeps_at_y.__doc__ = "The output in the place of the memory."
on_yg = _peephole_step(on_yg=1)
on_yg.__doc__ = "A peephole where there is none."
numbers_exchanged = _peephole_step(lambda p: p | {"1": p["3"], "3": p["1"]})
numbers_exchanged.__doc__ = "Wp1 for the input gate."


def element_by_element(params, l, y, c):
    """Wp * c, a matrix where a vector should be."""
    z = {k: params[f"W{k}"] @ l + params[f"Wrec{k}"] @ y + params[f"b{k}"] for k in "1234"}
    c = expit(z["2"] + params["Wp2"] * c) * c + expit(z["3"] + params["Wp3"] * c) * np.tanh(z["4"])
    return expit(z["1"] + params["Wp1"] * c) * np.tanh(c), c


def _read(params, L, at=lambda t, lengths: t < lengths, otherwise=1, Wrec=lambda Wrec: Wrec.T):
    Y = np.zeros((len(L), len(params["b"])))
    for t in range(L.shape[1]):
        new = np.tanh(L[:, t] @ params["W"].T + Y @ Wrec(params["Wrec"]) + params["b"])
        Y = np.where(at(t)[:, None], new, otherwise * Y)
    return Y


def padding_read_too(params, L, lengths):
    """Zeros are read like words."""
    return _read(params, L, lambda t: lengths > -1)


def one_too_few(params, L, lengths):
    """The last word is left out."""
    return _read(params, L, lambda t: t < lengths - 1)


def one_too_many(params, L, lengths):
    """A zero is read after the last word."""
    return _read(params, L, lambda t: t <= lengths)


def ended_is_zero(params, L, lengths):
    """Sentences that have ended are set to 0."""
    return _read(params, L, lambda t: t < lengths, otherwise=0)


def Wrec_turned(params, L, lengths):
    """Y @ Wrec."""
    return _read(params, L, lambda t: t < lengths, Wrec=lambda Wrec: Wrec)


def empty_l_skipped(params, L, lengths):
    """A word without known trigrams is taken for padding."""
    return _read(params, L, lambda t: L[:, t].any(axis=1))


def all_words(params, L, lengths):
    """y of all words."""
    Y, all_Y = np.zeros((len(L), len(params["b"]))), []
    for t in range(L.shape[1]):
        Y = np.tanh(L[:, t] @ params["W"].T + Y @ params["Wrec"].T + params["b"])
        all_Y.append(Y)
    return np.array(all_Y).transpose(1, 0, 2)


def the_gate(share, n_words):
    """f, not b2."""
    return share ** (1 / (n_words - 1))


def one_word_more(share, n_words):
    """The first word is taken to be forgotten at its own time, too."""
    f = share ** (1 / n_words)
    return np.log(f / (1 - f))


def wrong_sign(share, n_words):
    """log((1 - f) / f)."""
    f = share ** (1 / (n_words - 1))
    return np.log((1 - f) / f)


def only_log(share, n_words):
    """log f."""
    return np.log(share) / (n_words - 1)


def divided(share, n_words):
    """The share divided, not its root."""
    f = share / (n_words - 1)
    return np.log(f / (1 - f))


WRONG = {
    "check_step_lstm": [
        nothing_kept,
        no_forget_gate,
        no_input_gate,
        exchanged,
        brackets,
        inner_products,
        c_before_y,
        only_y,
        in_place,
    ],
    "check_sigmoid": [of_twice_x, falls, not_shifted, one_outside, overflows, of_four_x],
    "check_peepholes": [
        o_sees_the_old,
        none_at_all,
        none_on_f,
        none_on_o,
        transposed,
        peeps_at_y,
        on_yg,
        numbers_exchanged,
        element_by_element,
    ],
    "check_many_sentences": [
        padding_read_too,
        one_too_few,
        one_too_many,
        ended_is_zero,
        Wrec_turned,
        empty_l_skipped,
        all_words,
    ],
    "check_forget_bias": [the_gate, one_word_more, wrong_sign, only_log, divided],
}
