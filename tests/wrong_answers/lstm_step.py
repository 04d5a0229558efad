"""Wrong answers for the checks of `lstm_course/exercises/lstm_step.py`."""

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


not_assigned = _step(lambda f, i, yg, c: c)
not_assigned.__doc__ = "f * c + i * yg without c = before it. Told: is the new one assigned"


no_gates = _step(lambda f, i, yg, c: c + yg)
no_gates.__doc__ = "Neither f nor i. Told: both gates are missing"


nothing_new = _step(lambda f, i, yg, c: f * c)
nothing_new.__doc__ = "i * yg is forgotten. Told: the new part is missing"


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
}
