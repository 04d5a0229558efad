"""Wrong answers for the checks of `lstm_course/exercises/gru_step.py`."""

import numpy as np
from scipy.special import expit


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


WRONG = {
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
