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


def _sums(p, l, y):
    return [p[f"W{k}"] @ l + p[f"Wrec{k}"] @ y + p[f"b{k}"] for k in "zr"]


def _gated_step(
    mixed=lambda z, r, yg, y: (1 - z) * y + z * yg,
    seen=lambda p, r, y: p["Wrecg"] @ (r * y),
    gates=(expit, expit),
    squash=np.tanh,
    read=lambda p: p,
):
    def step(params, l, y):
        p = read(params)
        z, r = (gate(x) for gate, x in zip(gates, _sums(p, l, y)))
        return mixed(z, r, squash(p["Wg"] @ l + seen(p, r, y) + p["bg"]), y)

    return step


def _gru_answer(what, **how):
    step = _gated_step(**how)
    step.__doc__ = what
    return step


z_exchanged = _gru_answer("1 - z lets in.", mixed=lambda z, r, yg, y: z * y + (1 - z) * yg)
r_after = _gru_answer("r o (Wrecg y).", seen=lambda p, r, y: r * (p["Wrecg"] @ y))
r_forgotten = _gru_answer("yg sees all of y.", seen=lambda p, r, y: p["Wrecg"] @ y)
gru_sum = _gru_answer("As the LSTM adds.", mixed=lambda z, r, yg, y: y + z * yg)
only_yg = _gru_answer("yg(t).", mixed=lambda z, r, yg, y: yg)
only_new = _gru_answer("z o yg.", mixed=lambda z, r, yg, y: z * yg)
z_forgotten = _gru_answer("All of yg.", mixed=lambda z, r, yg, y: (1 - z) * y + yg)
r_keeps = _gru_answer("r as a forget gate.", mixed=lambda z, r, yg, y: r * y + z * yg)
r_twice = _gru_answer("r outside, too.", mixed=lambda z, r, yg, y: (1 - z) * r * y + z * yg)
r_turned = _gru_answer("1 - r.", seen=lambda p, r, y: p["Wrecg"] @ ((1 - r) * y))
z_by_tanh = _gru_answer("z from -1 to 1.", gates=(np.tanh, expit))
r_by_tanh = _gru_answer("r from -1 to 1.", gates=(expit, np.tanh))
gates_by_tanh = _gru_answer("Both from -1 to 1.", gates=(np.tanh, np.tanh))
yg_by_sigmoid = _gru_answer("yg from 0 to 1.", squash=expit)
yg_linear = _gru_answer("yg without tanh.", squash=lambda x: x)
tanh_of_all = _gru_answer("As (1) ends.", mixed=lambda z, r, yg, y: np.tanh((1 - z) * y + z * yg))
by_at = _gru_answer("@ for *.", mixed=lambda z, r, yg, y: (1 - z) @ y + z @ yg)
all_four = _gru_answer(
    "What `gru.step` returns.", mixed=lambda z, r, yg, y: ((1 - z) * y + z * yg, z, r, yg)
)
as_elsewhere = _gru_answer(
    "As PyTorch has it.",
    mixed=lambda z, r, yg, y: z * y + (1 - z) * yg,
    seen=lambda p, r, y: r * (p["Wrecg"] @ y),
)
no_bz = _gru_answer("bz left out.", read=lambda p: p | {"bz": 0})
no_br = _gru_answer("br left out.", read=lambda p: p | {"br": 0})
no_bg = _gru_answer("bg left out.", read=lambda p: p | {"bg": 0})
no_biases = _gru_answer("No bias.", read=lambda p: p | {"bz": 0, "br": 0, "bg": 0})
Wrecz_turned = _gru_answer("y @ Wrecz.", read=lambda p: p | {"Wrecz": p["Wrecz"].T})
Wrecr_turned = _gru_answer("y @ Wrecr.", read=lambda p: p | {"Wrecr": p["Wrecr"].T})
Wrecg_turned = _gru_answer("(r * y) @ Wrecg.", seen=lambda p, r, y: (r * y) @ p["Wrecg"])
no_Wrecz = _gru_answer("z sees the word alone.", read=lambda p: p | {"Wrecz": 0 * p["Wrecz"]})
no_Wrecr = _gru_answer("r sees the word alone.", read=lambda p: p | {"Wrecr": 0 * p["Wrecr"]})
no_Wrecg = _gru_answer("yg sees the word alone.", seen=lambda p, r, y: 0)


def gates_exchanged(params, l, y):
    """z's weights for r, and r's for z."""
    r, z = (expit(x) for x in _sums(params, l, y))
    yg = np.tanh(params["Wg"] @ l + params["Wrecg"] @ (r * y) + params["bg"])
    return (1 - z) * y + z * yg


def all_turned(params, l, y):
    """y @ Wrec everywhere."""
    turned = {name: value.T for name, value in params.items() if name.startswith("Wrec")}
    return _gated_step()(params | turned, l, y)


def y_written_over(params, l, y):
    """y(t-1) is turned into y(t) in place."""
    z, r = (expit(x) for x in _sums(params, l, y))
    yg = np.tanh(params["Wg"] @ l + params["Wrecg"] @ (r * y) + params["bg"])
    y *= 1 - z
    y += z * yg
    return y


def r_written_into_y(params, l, y):
    """r o y in the place of y(t-1)."""
    z, r = (expit(x) for x in _sums(params, l, y))
    y *= r
    return (1 - z) * y + z * np.tanh(params["Wg"] @ l + params["Wrecg"] @ y + params["bg"])


not_assigned = _step(lambda f, i, yg, c: c)
not_assigned.__doc__ = "f * c + i * yg without c = before it. Told: is the new one assigned"
no_gates = _step(lambda f, i, yg, c: c + yg)
no_gates.__doc__ = "Neither f nor i. Told: both gates are missing"
nothing_new = _step(lambda f, i, yg, c: f * c)
nothing_new.__doc__ = "i * yg is forgotten. Told: the new part is missing"


def _peepholes(left_out="", turned="", squash=np.tanh, gate=lambda o: o, memory=None):
    def step(params, l, y, c):
        p = {name: 0 * w if name == left_out else w for name, w in params.items()}
        p |= {name: w.T for name, w in p.items() if turned and name.startswith(turned)}
        z = {k: p[f"W{k}"] @ l + p[f"Wrec{k}"] @ y + p[f"b{k}"] for k in "1234"}
        f, i = (expit(z[k] + p[f"Wp{k}"] @ c) for k in "23")
        new = f * c + i * np.tanh(z["4"])
        o = expit(z["1"] + p["Wp1"] @ new)
        return gate(o) * squash(new), new

    return step


no_b2 = _peepholes("b2")
no_b2.__doc__ = "A bias is missing. Told: b2 is missing"
no_Wrec4 = _peepholes("Wrec4")
no_Wrec4.__doc__ = "yg does not see y(t-1). Told: Wrec4 is missing"
every_Wrec_turned = _peepholes(turned="Wrec")
every_Wrec_turned.__doc__ = "Transposed. Told: Wrec is transposed"
c_for_tanh_c = _peepholes(squash=lambda c: c)
c_for_tanh_c.__doc__ = "y = o * c. Told: the tanh is missing"
no_output_gate = _peepholes(gate=lambda o: 1)
no_output_gate.__doc__ = "y = tanh(c). Told: the output gate is missing"


def sigmoid_by_exp(x):
    """Overflows at -1000, which NumPy only warns of, and is right. But halved. Told: 0.5 times"""
    return 0.5 * expit(x)


def not_halved(x):
    """From 0 to 2. Told: halve it"""
    return 1 + np.tanh(0.5 * x)


def no_tanh(params, L, lengths):
    """Linear. Told: the tanh is missing"""
    Y = np.zeros((len(L), len(params["b"])))
    for t in range(L.shape[1]):
        new = L[:, t] @ params["W"].T + Y @ params["Wrec"].T + params["b"]
        Y = np.where((t < lengths)[:, None], new, Y)
    return Y


def odds(share, n_words):
    """Without the logarithm. Told: its logarithm is b2"""
    f = share ** (1 / (n_words - 1))
    return f / (1 - f)


WRONG = {
    "check_step_lstm": [
        not_assigned,
        no_gates,
        nothing_new,
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
    "check_sigmoid": [
        sigmoid_by_exp,
        not_halved,
        of_twice_x,
        falls,
        not_shifted,
        one_outside,
        overflows,
        of_four_x,
    ],
    "check_peepholes": [
        no_b2,
        no_Wrec4,
        every_Wrec_turned,
        c_for_tanh_c,
        no_output_gate,
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
        no_tanh,
        padding_read_too,
        one_too_few,
        one_too_many,
        ended_is_zero,
        Wrec_turned,
        empty_l_skipped,
        all_words,
    ],
    "check_forget_bias": [odds, the_gate, one_word_more, wrong_sign, only_log, divided],
    "check_step_gru": [
        z_exchanged,
        r_after,
        r_forgotten,
        gru_sum,
        only_yg,
        only_new,
        z_forgotten,
        r_keeps,
        r_twice,
        r_turned,
        z_by_tanh,
        r_by_tanh,
        gates_by_tanh,
        yg_by_sigmoid,
        yg_linear,
        tanh_of_all,
        by_at,
        all_four,
        as_elsewhere,
        no_bz,
        no_br,
        no_bg,
        no_biases,
        Wrecz_turned,
        Wrecr_turned,
        Wrecg_turned,
        no_Wrecz,
        no_Wrecr,
        no_Wrecg,
        gates_exchanged,
        all_turned,
        y_written_over,
        r_written_into_y,
    ],
}
