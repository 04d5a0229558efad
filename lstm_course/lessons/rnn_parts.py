"""Autograd's derivatives of an RNN's cost, for each formula of appendix D (appendix.md)."""

import autograd.numpy as anp
import numpy as np
from autograd import grad, jacobian


class Parts:
    """The cost of one query, differentiable with respect to each intermediate quantity.

    A zero is added to each quantity, and autograd differentiates with respect to these zeros, as in
    lesson 04.

    Parameters
    ----------
    model : DualEncoder
        A model with an RNN, in float64.
    texts : dict of str
        The query, with the key ``Q``, then the clicked title, then the unclicked ones.
    gamma : float

    Attributes
    ----------
    L : dict of (n_words, n_trigrams) arrays
        Keyed by text: l(1), ..., l(T).
    y : dict of (n_words + 1, n_cells) arrays
        Keyed by text: y(0) = 0, y(1), ..., y(T).
    x : dict
        The variables of differentiation: the parameters by side, ``query`` and ``document``, and
        zeros for the pre-activations ``z`` and the matrices ``Wrec`` at each word, for the
        embeddings ``y``, for ``a``, ``b``, ``c`` of Eq. (12), and for ``R`` and ``Delta``.
    """

    def __init__(self, model, texts, gamma=10.0):
        m, n_titles, self.gamma = model.cell.size, len(texts) - 1, gamma
        sides = {"query": model.query.params, "document": model.document.params}
        self.side_of = {name: "query" if name == "Q" else "document" for name in texts}
        operator = model.hashing.operator
        self.L = {name: operator(text.split()).toarray() for name, text in texts.items()}
        self.y = {}
        for name, side in self.side_of.items():
            states = model.cell.read(sides[side], self.L[name])
            self.y[name] = np.array([np.zeros(m), *(state.y for state in states)])
        self.x = {side: dict(params) for side, params in sides.items()} | {
            "z": {name: np.zeros((len(L), m)) for name, L in self.L.items()},
            "Wrec": {name: np.zeros((len(L), m, m)) for name, L in self.L.items()},
            "y": {name: np.zeros(m) for name in texts},
            **{name: np.zeros(n_titles) for name in "acR"},
            "b": np.zeros(()),
            "Delta": np.zeros(n_titles - 1),
        }

    def values(self, **moved):
        """Compute the forward pass: all named quantities, up to the query's cost.

        Parameters
        ----------
        moved
            Values that replace entries of ``x``.

        Returns
        -------
        dict
            ``y`` by text; ``a``, ``b``, ``c``, ``R``, ``Delta`` and the cost ``l`` as lists.
        """
        x = self.x | moved
        y = {}
        for name, L in self.L.items():
            p, y[name] = x[self.side_of[name]], 0 * x["y"][name]
            for word, Wrec, z in zip(L, x["Wrec"][name], x["z"][name]):  # Eq. (1)
                y[name] = anp.tanh(p["W"] @ word + (p["Wrec"] + Wrec) @ y[name] + p["b"] + z)
            y[name] = y[name] + x["y"][name]
        yQ, *yD = y.values()
        b = 1 / anp.sqrt(anp.sum(yQ**2)) + x["b"]
        a = [anp.sum(yQ * of_title) + zero for of_title, zero in zip(yD, x["a"])]
        c = [1 / anp.sqrt(anp.sum(of_title**2)) + zero for of_title, zero in zip(yD, x["c"])]
        R = [a_k * b * c_k + zero for a_k, c_k, zero in zip(a, c, x["R"])]  # Eq. (3)
        Delta = [R[0] - R_j + zero for R_j, zero in zip(R[1:], x["Delta"])]
        l = anp.log(1 + sum(anp.exp(-self.gamma * Delta_j) for Delta_j in Delta))  # Eq. (5)
        return {"y": y, "a": a, "b": [b], "c": c, "R": R, "Delta": Delta, "l": [l]}

    def derivative(self, name, k=0):
        """Differentiate entry k of a quantity in `values` with respect to all variables.

        Returns
        -------
        dict
            The derivatives, with the keys of ``x``.
        """
        return grad(lambda x: self.values(**x)[name][k])(self.x)


def by_the_appendix(parts, clicked="D+"):
    """Evaluate the corrected Eq. (45)-(62), (64), (65), and the same derivatives with autograd.

    Parameters
    ----------
    parts : Parts
        The parts of the query's cost.
    clicked : str
        The key of the title to use in formulas with a single cosine.

    Returns
    -------
    dict
        Pairs (value of the formula, derivative by autograd), keyed by the formula's number and its
        text or variable.
    """
    return _last_word(parts, clicked) | _all_words(parts, clicked)


def _last_word(parts, clicked):
    """Evaluate Eq. (45)-(58), the derivatives from the cost to W_rec at the last word."""
    of = {name: parts.derivative(name) for name in "lRabc"}
    R = np.array(parts.values()["R"])
    e = np.exp(-parts.gamma * (R[0] - R[1:]))
    alpha = -parts.gamma * e / (1 + e.sum())  # Eq. (46)
    (*_, before_Q, yQ), (*_, before_D, yD) = parts.y["Q"], parts.y[clicked]
    a, b, c = yQ @ yD, 1 / np.linalg.norm(yQ), 1 / np.linalg.norm(yD)  # Eq. (49)
    slope_Q, slope_D = (1 - yQ) * (1 + yQ), (1 - yD) * (1 + yD)
    delta_Q = slope_Q * (b * c * yD - a * b**3 * c * yQ)  # Eq. (58)
    delta_D = slope_D * (b * c * yQ - a * b * c**3 * yD)
    in_Q, in_D = ({k: of[k]["Wrec"][name][-1] for k in "abcR"} for name in ("Q", clicked))
    return {
        "(45)": (alpha, of["l"]["Delta"]),
        "(48)": (np.array([alpha.sum(), *-alpha]), of["l"]["R"]),
        "(49)": (a * b * c, R[0]),
        "(50), D": (b * c, of["R"]["a"][0]),
        "(50), E": (a * c, of["R"]["b"]),
        "(50), F": (a * b, of["R"]["c"][0]),
        "(51), Q": (yD, of["a"]["y"]["Q"]),
        "(51), D": (yQ, of["a"]["y"][clicked]),
        "(52)": (np.outer(slope_Q, before_Q), own_rows(last_word(parts))),
        "(53), Q": (np.outer(b * c * yD * slope_Q, before_Q), b * c * in_Q["a"]),
        "(53), D": (np.outer(b * c * yQ * slope_D, before_D), b * c * in_D["a"]),
        "(54)": (yQ * b, grad(lambda y: anp.sqrt(y @ y))(yQ)),
        "(55)": (-np.outer(a * c * b**3 * yQ * slope_Q, before_Q), a * c * in_Q["b"]),
        "(56)": (-np.outer(a * b * c**3 * yD * slope_D, before_D), a * b * in_D["c"]),
        "(57), last word, Q": (np.outer(delta_Q, before_Q), in_Q["R"]),
        "(57), last word, D": (np.outer(delta_D, before_D), in_D["R"]),
        "(58), Q": (delta_Q, of["R"]["z"]["Q"][-1]),
        "(58), D": (delta_D, of["R"]["z"][clicked][-1]),
    }


def _all_words(parts, clicked):
    """Evaluate the derivatives that sum over all words: Eq. (57), (59)-(62), (64), (65), biases."""
    titles = [name for name in parts.L if name != "Q"]
    found, back = {}, {}
    for k, D in enumerate(titles):
        of_R = parts.derivative("R", k)
        for name in ("Q", D):
            delta, back[name, D] = _backward(parts, name, of_R["y"][name])
            found[f"(59), {name} with {D}"] = delta, of_R["z"][name]
            if D == clicked:
                for key, number in (("Wrec", "(57)"), ("W", "(62)"), ("b", "bias")):
                    true = of_R[parts.side_of[name]][key]
                    found[f"{number}, {name}"] = back[name, D][key], true
    for j, D in enumerate(titles[1:]):
        of_j = parts.derivative("Delta", j)
        for key, number in (("Wrec", "(60)"), ("W", "(64)"), ("b", "bias")):
            of_Q = back["Q", titles[0]][key] - back["Q", D][key]
            of_D = back[titles[0], titles[0]][key] - back[D, D][key]
            found[f"{number}, Delta {j + 1}, Q"] = of_Q, of_j["query"][key]
            found[f"{number}, Delta {j + 1}, D"] = of_D, of_j["document"][key]
    of_l = parts.derivative("l")
    for key, number in (("Wrec", "(61)"), ("W", "(65)"), ("b", "bias")):
        for side, name in (("query", "Q"), ("document", None)):
            words = [weight * back[name or D, D][key] for weight, D in zip(of_l["R"], titles)]
            found[f"{number}, {side}"] = sum(words), of_l[side][key]
    return found


def _backward(parts, name, v):
    """Backpropagate v with Eq. (58), (59); return delta, (n_words, n_cells), and the gradient."""
    p, y, dy = parts.x[parts.side_of[name]], parts.y[name], v
    delta = np.zeros_like(y)
    for t in range(len(y) - 1, 0, -1):
        delta[t] = (1 - y[t]) * (1 + y[t]) * dy
        dy = p["Wrec"].T @ delta[t]
    of_words = {"Wrec": delta[1:].T @ y[:-1], "W": delta[1:].T @ parts.L[name]}
    return delta[1:], of_words | {"b": delta[1:].sum(axis=0)}


def last_word(parts, name="Q"):
    """Differentiate a text's embedding with respect to W_rec at the last word only, as in Eq. (52).

    Returns
    -------
    (n_cells, n_cells, n_cells) array
        Indices: cell of the embedding, row and column of W_rec.
    """
    p, word, before = parts.x[parts.side_of[name]], parts.L[name][-1], parts.y[name][-2]

    def y(Z):
        return anp.tanh(p["W"] @ word + (p["Wrec"] + Z) @ before + p["b"])

    return jacobian(y)(np.zeros_like(p["Wrec"]))


def own_rows(derivative):
    """Select each cell's derivative with respect to its own row of W_rec, as (n_cells, n_cells)."""
    k = np.arange(len(derivative))
    return derivative[k, k]
