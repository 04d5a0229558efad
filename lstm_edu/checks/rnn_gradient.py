"""Exercises on the gradient of the RNN, Eq. (9)-(13), on cutting it short, and on judging it.

What is expected comes from autograd, through the package's step for it; zeros added to the bias at
a word give that word's error.
"""

import autograd.numpy as anp
import numpy as np
from autograd import grad

from ..cells.rnn import RNN
from ..gradients.autodiff import constant
from .report import call, hold_against, passed


def check_send_back(send_back):
    """The error of the word before, Eq. (10).

    Parameters
    ----------
    send_back : function of Wrec (m, m), y (m,), delta (m,)
        y(t-1) and delta(t); returns delta(t-1), (m,).

    Raises
    ------
    Wrong
    """
    rng, sizes = np.random.default_rng(40), [2, 3, 5]
    for m in sizes:
        z = rng.normal(size=m)
        given = {"Wrec": rng.normal(size=(m, m)), "y": np.tanh(z), "delta": rng.normal(size=m)}
        Wrec, y, delta = given.values()
        back, slope = Wrec.T @ delta, (1 - y) * (1 + y)
        reasons = [
            (
                "Wrec is not transposed: errors go from the sums back to the outputs",
                slope * (Wrec @ delta),
            ),
            ("the derivative of tanh is missing", back),
            (
                "y is tanh(z) already: its derivative is 1 - y², without another tanh",
                (1 - np.tanh(y) ** 2) * back,
            ),
            ("y (1 - y) is the derivative of a sigmoid; here it is tanh", y * (1 - y) * back),
            ("(1 - y)² is not (1 - y)(1 + y)", (1 - y) ** 2 * back),
            (
                "tanh is passed after Wrec on the way back: "
                "its derivative multiplies Wrec^T delta, not delta",
                Wrec.T @ (slope * delta),
            ),
            (
                "Wrec^T is a matrix, and `*` multiplies element by element: use @",
                slope * Wrec.T * delta,
            ),
            ("delta has to go through Wrec^T first", slope * delta),
            ("the derivative of tanh is 1 - y², not 1 + y²", (1 + y**2) * back),
            ("the derivative of tanh is 1 - y², not 1 - y", (1 - y) * back),
            ("the derivative of tanh is 1 - y², not 1 + y", (1 + y) * back),
            ("the derivative of tanh is 1 - y²; this is y² - 1", -slope * back),
            ("the slope multiplies Wrec^T delta, and is not added to it", slope + back),
            (
                "Wrec is not transposed, and the derivative of tanh is missing",
                Wrec @ delta,
            ),
        ]
        hold_against(
            "delta(t-1)",
            call("delta(t-1)", send_back, given),
            grad(lambda z: delta @ (Wrec @ anp.tanh(z)))(z),
            given,
            reasons,
        )
    passed("check_send_back", len(sizes))


def check_weights_gradient(weights_gradient):
    """From the errors of all words to the gradient of W, Wrec and b, Eq. (9), (13).

    Parameters
    ----------
    weights_gradient : function of delta (T + 1, m), y (T + 1, m), L (T, n_trigrams)
        Returns a dict with W (m, n_trigrams), Wrec (m, m), b (m,).

    Raises
    ------
    Wrong
    """
    rng, lengths = np.random.default_rng(41), [3, 6, 9]
    for T in lengths:
        params, L, y, v = _text(rng, T)
        expected, delta = _by_autograd(params, L, v)
        given = {"delta": delta, "y": y, "L": L}
        last = {"W": np.outer(delta[-1], L[-1]), "Wrec": np.outer(delta[-1], y[-2]), "b": delta[-1]}
        reasons = [
            (
                "row t of y is y(t), and the word t met y(t-1): the rows are off by one",
                {"W": None, "Wrec": delta.T @ y, "b": None},
            ),
            (
                "row t of delta is delta(t), and row t - 1 of L is l(t): the rows are off by one",
                {"W": delta[:-1].T @ L, "Wrec": None, "b": None},
            ),
            *(
                (
                    f"the last word alone: the words add up, as {name} is used at each of them",
                    dict.fromkeys(last) | {name: value},
                )
                for name, value in last.items()
            ),
            *(
                (
                    f"the words add up in {name}; this is their mean",
                    dict.fromkeys(last) | {name: expected[name] / T},
                )
                for name in last
            ),
            (
                "column times row: delta(t) y(t-1)^T, not y(t-1) delta(t)^T",
                {"W": None, "Wrec": expected["Wrec"].T, "b": None},
            ),
        ]
        hold_against(
            "the gradient", call("the gradient", weights_gradient, given), expected, given, reasons
        )
    passed("check_weights_gradient", len(lengths))


def check_truncated_gradient(truncated_gradient):
    """BPTT that goes back so many steps and no further, as the T of Eq. (7).

    Parameters
    ----------
    truncated_gradient : function of params, L (T, n_trigrams), y (T + 1, m), v (m,), truncate
        v is the error of y(T); returns a dict like params.

    Raises
    ------
    Wrong
    """
    rng, inputs = np.random.default_rng(42), [(5, 4), (6, 2), (4, 0), (7, 1), (3, 20)]
    for T, truncate in inputs:
        params, L, y, v = _text(rng, T)
        given = {"params": params, "L": L, "y": y, "v": v, "truncate": truncate}
        expected, delta = _by_autograd(params, L, v, truncate)
        of = params["Wrec"], y, v, truncate
        less, more, whole = (
            _by_autograd(params, L, v, steps)[0]
            for steps in (max(0, truncate - 1), truncate + 1, None)
        )
        first = max(T - truncate, 1)
        _, every = _by_autograd(params, L, v)
        kept = np.arange(1, T + 1) <= truncate + 1
        reasons = [
            (
                "one word too few: truncate steps back from the last word reach truncate + 1 words",
                less,
            ),
            ("one word too many", more),
            ("nothing is cut: this is the whole gradient", whole),
            (
                "the wrong end is cut: the last truncate + 1 words contribute, not the first",
                {
                    "W": (kept[:, None] * every[1:]).T @ L,
                    "Wrec": (kept[:, None] * every[1:]).T @ y[:-1],
                    "b": every[1:][kept].sum(axis=0),
                },
            ),
            (
                "only the way back is cut: the text was read from its first word, "
                "so that y(t-1) is not zero at the first word that contributes",
                expected | {"Wrec": expected["Wrec"] - np.outer(delta[first], y[first - 1])},
            ),
            (
                "Wrec is not transposed: errors go from the sums back to the outputs",
                _summed(_sent_back(*of, back=params["Wrec"]), y, L),
            ),
            (
                "the derivative of tanh is missing on the way back, Eq. (10)",
                _summed(_sent_back(*of, slope=False), y, L),
            ),
            (
                "the loop runs from the first word: delta(t) needs delta(t+1), so go back",
                _summed(_sent_back(*of, steps=0), y, L),
            ),
            (
                "each word's slope is that of its own output, y(t), not y(t+1)",
                _summed(_sent_back(*of, beside=1), y, L),
            ),
            (
                "the error of the last word is v, and then passes tanh, Eq. (11)",
                _by_autograd(params, L, v / (1 - y[-1] ** 2), truncate)[0],
            ),
        ]
        hold_against(
            "the gradient",
            call("the gradient", truncated_gradient, given),
            expected,
            given,
            reasons,
        )
    passed("check_truncated_gradient", len(inputs))


def check_complex_step(complex_step):
    """The gradient of any function by complex steps.

    Parameters
    ----------
    complex_step : function of f, w
        f takes an array of the shape of w to one number; returns the gradient, of the shape of w.

    Raises
    ------
    Wrong
    """
    rng = np.random.default_rng(43)
    params, L, _, v = _text(rng, 4)
    A = rng.normal(size=(3, 5))

    def sum_of_tanh(w):
        return anp.sum(anp.tanh(A @ w))

    def log_of_squares(w):
        return anp.log(1 + anp.sum(w**2))

    def rnn_of_Wrec(w):
        return v @ _read(params | {"Wrec": w}, L, np.zeros((len(L) + 1, len(v))))[-1]

    inputs = [
        (sum_of_tanh, rng.normal(size=5)),
        (log_of_squares, rng.normal(size=(2, 3))),
        (rnn_of_Wrec, params["Wrec"]),
    ]
    for f, w in inputs:
        given = {"f": f, "w": w}
        expected = grad(f)(w)
        got = call("the gradient", complex_step, given)
        close = np.shape(got) == w.shape and np.allclose(
            np.real(got), expected, rtol=1e-3, atol=1e-5
        )
        reasons = [
            (
                "right, but as a complex number: a derivative is the imaginary part, divided by h",
                got if np.iscomplexobj(got) and close else None,
            ),
            (
                "right to a few digits only: "
                "something is subtracted on the way, and the digits that agree are lost. "
                "A complex step takes one value of f, with 1j * h added",
                got if close else None,
            ),
            (
                "the elements before it are still moved: start from w again for each element",
                np.cumsum(expected).reshape(w.shape),
            ),
            (
                "this is the real part, divided by h: the derivative is in the imaginary part",
                np.full(w.shape, f(w) / 1e-30),
            ),
            ("divide by h", expected * 1e-30 if np.any(got) else None),
            (
                "a real array cannot hold 1j * h, so that it was lost: "
                "w.astype(complex) makes an array that can",
                np.zeros(w.shape),
            ),
            ("all elements were moved at once: one after the other", expected.sum()),
            (
                "all elements were moved at once: one after the other",
                np.full(w.shape, expected.sum()),
            ),
        ]
        hold_against("the gradient", got, expected, given, reasons, tolerance=1e-11)
    passed("check_complex_step", len(inputs))


def check_mean_embedding(send_back_mean):
    """The errors of all words if the embedding is the mean of all outputs.

    Parameters
    ----------
    send_back_mean : function of Wrec (m, m), y (T + 1, m), v (m,)
        v is the error of the mean of y(1) … y(T); returns delta, (T + 1, m), its first row zero.

    Raises
    ------
    Wrong
    """
    rng, lengths = np.random.default_rng(44), [2, 4, 8]
    for T in lengths:
        params, L, y, v = _text(rng, T)
        given = {"Wrec": params["Wrec"], "y": y, "v": v}
        _, expected = _by_autograd(params, L, v, mean=True)
        reasons = [
            (
                "this is the error for the last output alone: "
                "every output has an arrow to the mean",
                _by_autograd(params, L, v)[1],
            ),
            ("the same without the mean's 1/T", T * expected),
            (
                "the last output alone, with 1/T: every output has an arrow to the mean",
                _by_autograd(params, L, v / T)[1],
            ),
            ("the mean is over T outputs: y(0) is not one of them", expected * T / (T + 1)),
            (
                "the arrow to the mean alone: each output also moves the next word, through Wrec",
                _sent(given, v / T, recur=False),
            ),
            (
                "v / T is an error of y(t), and has to pass tanh as well: "
                "add it before the derivative is multiplied",
                _sent(given, v / T, inside=False),
            ),
            (
                "Wrec is not transposed: errors go from the sums back to the outputs",
                _sent({**given, "Wrec": params["Wrec"].T}, v / T),
            ),
            (
                "the derivative of tanh is missing",
                _sent(given, v / T, steep=True),
            ),
            (
                "the loop runs from the first word: delta(t) needs delta(t+1), so go back",
                _sent(given, v / T, recur=False),
            ),
            (
                "the last word is missing: range(T, 0, -1) begins at it",
                np.where(np.arange(T + 1)[:, None] == T, 0, expected),
            ),
            (
                "the first word is missing: the loop goes down to t = 1",
                np.where(np.arange(T + 1)[:, None] == 1, 0, expected),
            ),
            (
                "1/T is the mean's and multiplies v, not what comes back through Wrec",
                _sent(given, v / T, recur=1 / T),
            ),
        ]
        hold_against("delta", call("delta", send_back_mean, given), expected, given, reasons)
    passed("check_mean_embedding", len(lengths))


def _sent_back(Wrec, y, v, truncate, back=None, slope=True, steps=None, beside=0):
    """Errors of all words by (10) and (11), with a slip: Wrec for its transpose, no slope, so many
    steps, or the slope of the word beside."""
    T, back = len(y) - 1, Wrec.T if back is None else back
    delta = np.zeros_like(y)
    delta[T] = (1 - y[T] ** 2) * v
    for t in range(T - 1, max(0, T - 1 - (truncate if steps is None else steps)), -1):
        delta[t] = (1 - y[t + beside] ** 2 if slope else 1) * (back @ delta[t + 1])
    return delta


def _summed(delta, y, L):
    """The gradient from the errors of all words."""
    return {"W": delta[1:].T @ L, "Wrec": delta[1:].T @ y[:-1], "b": delta[1:].sum(axis=0)}


def _sent(given, v, recur=True, inside=True, steep=False):
    """What mistakes in the errors for the mean of the outputs give."""
    Wrec, y, delta = given["Wrec"], given["y"], np.zeros_like(given["y"])
    for t in range(len(y) - 1, 0, -1):
        later = recur * Wrec.T @ delta[t + 1] if t < len(y) - 1 else np.zeros(len(v))
        slope = 1 if steep else 1 - y[t] ** 2
        delta[t] = slope * (v + later) if inside else v + slope * later
    return delta


def _text(rng, T, m=4, n_trigrams=6):
    """A random RNN, a text of T words, its outputs y(0) … y(T), and an error for them."""
    params = {
        "W": rng.normal(size=(m, n_trigrams)),
        "Wrec": rng.normal(size=(m, m)),
        "b": rng.normal(size=m),
    }
    L = (rng.random((T, n_trigrams)) < 0.3).astype(float)
    y = np.array([np.zeros(m), *(state.y for state in RNN(m).read(params, L))])
    return params, L, y, rng.normal(size=m)


def _read(params, L, zeros, start=0):
    """Outputs y(1) … y(T) for autograd, with zeros (T + 1, m) added to the bias, row t at word t.

    The words before start are only read.
    """
    outputs, y = [], anp.zeros((1, zeros.shape[1]))
    for t, l in enumerate(L, 1):
        moved = {**params, "b": params["b"] + zeros[t]}
        (y,) = RNN(zeros.shape[1]).step_of_many(anp, moved, l[None], y)
        y = constant(y) if t < start else y
        outputs.append(y[0])
    return outputs


def _by_autograd(params, L, v, truncate=None, mean=False):
    """The gradient of v · y(T), or of v · the mean of y, by params; and delta(0) = 0 … delta(T)."""

    def cost(params, zeros):
        outputs = _read(params, L, zeros, 0 if truncate is None else len(L) - truncate)
        return v @ (sum(outputs) / len(outputs) if mean else outputs[-1])

    return grad(cost, (0, 1))(params, np.zeros((len(L) + 1, len(v))))
