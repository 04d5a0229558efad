"""Checks of notebook 02: the steps of the RNN, the LSTM and the GRU."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

from ..cells import gru, lstm
from ..cells.gru import GRU
from ..cells.lstm import LSTM
from ..cells.rnn import RNN
from .report import call, hold_against, passed


def check_step_lstm(function):
    """A word of Eq. (2) with a forget gate and without peepholes, held against `lstm.step`.

    Parameters
    ----------
    function : function of params, l, y, c, as those of `lstm.step`
        Returns y(t) and c(t).

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        given = _given(LSTM(4, forget_gate=True), seed)
        params, l, y_before, c_before = given.values()
        state = lstm.step(params, l, y_before, c_before)
        i, f, o, yg = state.i, state.f, state.o, state.yg
        mistakes = [
            ("c is c(t-1) still: is the new one assigned, c = …?", c_before),
            ("the output gate o(t) is not for c: it is f * c + i * yg", f * c_before + o * yg),
            ("nothing of c(t-1) is kept: Eq. (2) adds f(t) * c(t-1)", i * yg),
            ("the new part is missing: Eq. (2) adds i(t) * yg(t)", f * c_before),
            ("both gates are missing: f(t) is for c(t-1), i(t) for yg(t)", c_before + yg),
            ("f(t) is missing: this keeps all of c(t-1)", c_before + i * yg),
            ("i(t) is missing: this lets all of yg(t) in", f * c_before + yg),
            ("the gates are exchanged: f(t) is for c(t-1), i(t) for yg(t)", i * c_before + f * yg),
            (
                "the products are added and the sums multiplied: it is f * c + i * yg",
                (f + c_before) * (i + yg),
            ),
            (
                "f(t) multiplies y(t-1), and should multiply the memory c(t-1)",
                f * y_before + i * yg,
            ),
            (
                "f(t) multiplies the new part as well: put no brackets around the sum",
                f * (c_before + i * yg),
            ),
            (
                "i(t) multiplies the old part as well: put no brackets around the sum",
                i * (f * c_before + yg),
            ),
            ("the new part is subtracted", f * c_before - i * yg),
            (
                "a product of vectors by * goes element by element; @ makes one number of them",
                f @ c_before + i @ yg,
            ),
            (
                "1 - i(t) in the place of f(t): that couples the gates, as some later cells do",
                (1 - i) * c_before + i * yg,
            ),
        ]
        got = call("y(t), c(t)", function, given)
        hold_against(
            "y(t), c(t)",
            got,
            (state.y, state.c),
            given,
            [
                ("the order: return y, c", (state.c, state.y)),
                ("return both, y and c", state.y),
                ("return both, y and c", state.c),
                *((text, (o * np.tanh(c), c + np.zeros(4))) for text, c in mistakes),
            ],
        )
    passed("check_step_lstm", 5)


def check_sigmoid(function):
    """The sigmoid, held against SciPy's.

    Parameters
    ----------
    function : function of x, an array
        Returns 1 / (1 + exp(-x)), element by element.

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        rng = np.random.default_rng(seed)
        x = np.append(rng.normal(scale=3, size=5), [0, 40, -40, 1000, -1000][seed])
        given = {"x": x}
        with np.errstate(all="ignore"):
            mistakes = [
                ("this is sigma(2x): the identity has tanh of x/2", expit(2 * x)),
                ("this is sigma(4x): tanh is of x/2, not of 2x", expit(4 * x)),
                ("this is sigma(x/2)", expit(x / 2)),
                ("this falls: the exponent is -x", expit(-x)),
                ("this runs from -1 to 1: shift it, then halve it", np.tanh(x / 2)),
                ("this runs from -1 to 1: shift it, then halve it", np.tanh(x)),
                (
                    "this runs from 0.5 to 1.5: halve all of 1 + tanh, the 1 as well",
                    1 + 0.5 * np.tanh(x / 2),
                ),
                ("exp(x) overflows for a large x; tanh does not", np.exp(x) / (1 + np.exp(x))),
                ("this is the derivative, sigma (1 - sigma)", expit(x) * expit(-x)),
                ("exp(-x) overflows for a large -x; tanh does not", 1 / (1 + np.exp(-x))),
                ("this runs from 0 to 2: halve it", 1 + np.tanh(x / 2)),
                ("shift tanh by 1 upwards, then halve it", 0.5 * (np.tanh(x / 2) - 1)),
                ("the 1 is missing: this runs from -0.5 to 0.5", 0.5 * np.tanh(x / 2)),
                ("this is the sigmoid's inverse or its like: exp alone", np.exp(-x)),
            ]
        hold_against("sigma(x)", call("sigma(x)", function, given), expit(x), given, mistakes)
    passed("check_sigmoid", 5)


def check_peepholes(function):
    """A word of Eq. (2) with a forget gate and full peepholes, held against `lstm.step`.

    Parameters
    ----------
    function : function of params, l, y, c, as those of `lstm.step`
        Returns y(t) and c(t).

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        given = _given(LSTM(4, True, "full"), seed)
        p, l, y, c = given.values()
        state = lstm.step(p, l, y, c)
        names = "Wp1", "Wp2", "Wp3"
        numbers = (
            "the numbers of the peepholes: "
            "1 is the output gate, 2 the forget gate, 3 the input gate"
        )
        weights = [
            *((f"the gate with {name} has no peephole", {name: 0 * p[name]}) for name in names),
            ("none of the gates has a peephole", {name: 0 * p[name] for name in names}),
            (
                "Wp is a full matrix here: Wp @ c, not its diagonal times c",
                {name: np.diag(p[name]) for name in names},
            ),
            ("Wp is transposed: Wp @ c, not c @ Wp", {name: p[name].T for name in names}),
            (numbers, {"Wp1": p["Wp3"], "Wp3": p["Wp1"]}),
            (numbers, {"Wp2": p["Wp3"], "Wp3": p["Wp2"]}),
        ]
        late = (
            "the output gate sees the old memory c(t-1); "
            "in Eq. (2) it is computed after c(t), and sees that"
        )
        mistakes = [
            *((text, lstm.step(p | changed, l, y, c)) for text, changed in weights + _left_out(p)),
            *_slips(state, c),
            (late, _step(p, l, y, c, shown=c)),
            ("yg(t) is no gate and has no peephole", _step(p, l, y, c, Wp4=p["Wp3"])),
            (
                "the peepholes look at y(t-1), and should look at the memory",
                _step(p, l, y, c, seen=y, shown=y),
            ),
        ]
        hold_against(
            "y(t), c(t)",
            call("y(t), c(t)", function, given),
            (state.y, state.c),
            given,
            [
                ("the order: return y, c", (state.c, state.y)),
                ("return both, y and c", state.y),
                *((text, (wrong.y, wrong.c)) for text, wrong in mistakes),
            ],
        )
    passed("check_peepholes", 5)


def check_many_sentences(function):
    """Sentences of different lengths read by the RNN of Eq. (1) at once.

    Held against `RNN.read`, which reads each by itself.

    Parameters
    ----------
    function : function of params, L (N, T, n_trigrams), filled up with zeros, and lengths (N,)
        Returns the embeddings, (N, n_cells).

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        rng, cell = np.random.default_rng(seed), RNN(2)
        params = _params(cell, rng)
        lengths = np.array([1, 12, *rng.integers(2, 12, 2)])[rng.permutation(4)]
        L = rng.integers(0, 3, (4, 12, 5)) * 1.0
        # words without known trigrams, and places without words
        L[:, 0, 0], L[:, 5], L[np.arange(12) >= lengths[:, None]] = 1, 0, 0
        given = {"params": params, "L": L, "lengths": lengths}
        expected = _read(params, L, lengths)
        # as if all places had words
        Y = np.array([[state.y for state in cell.read(params, sentence)] for sentence in L])
        hold_against(
            "the array of embeddings",
            call("the array of embeddings", function, given),
            expected,
            given,
            [
                (
                    "a sentence goes on changing after its last word: "
                    "where l is 0, Wrec y + b is still added",
                    Y[:, -1],
                ),
                (
                    "one word too few: "
                    "the last word of a sentence has the number lengths - 1, counted from 0",
                    _before(Y, lengths - 1),
                ),
                (
                    "a word without known trigrams is a word, too, although its l is 0: "
                    "what ends a sentence is its length",
                    _read(params, [sentence[sentence.any(axis=1)] for sentence in L], lengths),
                ),
                ("one word too many", Y[np.arange(4), np.minimum(lengths, 11)]),
                ("this is y of all words; the embedding is that of the last", Y),
                (
                    "y is 0 where a sentence has ended: keep what it was",
                    np.where((lengths == 12)[:, None], expected, 0),
                ),
                (
                    "the sentences are read backwards",
                    _read(params, [sentence[:n][::-1] for sentence, n in zip(L, lengths)], lengths),
                ),
                (
                    "this is the mean of y over the words; the embedding is y of the last",
                    np.array([y[:n].mean(axis=0) for y, n in zip(Y, lengths)]),
                ),
                (
                    "Wrec is transposed: with one sentence a row it is Y @ Wrec.T",
                    _read(params | {"Wrec": params["Wrec"].T}, L, lengths),
                ),
                ("the bias is missing", _read(params | {"b": 0 * params["b"]}, L, lengths)),
                ("W l is missing", _read(params | {"W": 0 * params["W"]}, L, lengths)),
                ("the tanh is missing", _read_plainly(params, L, lengths)),
                (
                    "the embedding is y of the last word, and this is tanh of it once more",
                    np.tanh(expected),
                ),
                (
                    "this is what a sentence of the last word alone gives: is y(t-1) handed on?",
                    _read(params | {"Wrec": 0 * params["Wrec"]}, L, lengths),
                ),
            ],
        )
    passed("check_many_sentences", 5)


def check_forget_bias(function):
    """How fast a cell forgets, held against a bias that is found by trying.

    `lstm.step` reads sentences with that bias.

    Parameters
    ----------
    function : function of share, between 0 and 1, and n_words, from 2
        Returns the b2 with which that share of what the first word put into c is left after the
        last, if nothing else moves the gate.

    Raises
    ------
    Wrong
    """
    for seed in range(5):
        rng = np.random.default_rng(seed)
        given = {"share": float(rng.uniform(0.05, 0.95)), "n_words": int(rng.integers(2, 13))}
        share, n = given.values()
        expected = brentq(lambda b2: _share_left(b2, n) - share, -50, 50, xtol=1e-12)
        kept = share ** (1 / (n - 1))
        with np.errstate(all="ignore"):
            mistakes = [
                ("this is f(t) itself; b2 is what sigma turns into f(t)", kept),
                (
                    "the first word passes the forget gate n_words - 1 times, not n_words times",
                    logit(share ** (1 / n)),
                ),
                ("the sign: a larger bias keeps more", -logit(kept)),
                (
                    "f is the root, not the power: f ** (n_words - 1) is the share",
                    logit(share ** (n - 1)),
                ),
                (
                    "the share falls by a factor at each word; "
                    "it is not divided by the number of words",
                    logit(share / (n - 1)),
                ),
                ("this share would be left after each single word", logit(share)),
                ("sigma has to be inverted, not to be applied", expit(kept)),
                ("this is log f: the inverse of sigma is log(f / (1 - f))", np.log(kept)),
                ("the exponent is 1 / (n_words - 1), in brackets", logit(share / n)),
                ("f / (1 - f), not (1 - f) / f", np.log((1 - kept) / kept)),
                ("this is f / (1 - f): its logarithm is b2", kept / (1 - kept)),
                ("b2 is the natural logarithm, np.log", np.log2(kept / (1 - kept))),
                ("b2 is the natural logarithm, np.log", np.log10(kept / (1 - kept))),
                (
                    "the first word passes the forget gate n_words - 1 times, not n_words + 1",
                    logit(share ** (1 / (n + 1))),
                ),
                ("1 - f under the line, not 1 + f", np.log(kept / (1 + kept))),
                (
                    "what is kept falls by a factor, not what is lost",
                    logit(1 - (1 - share) ** (1 / (n - 1))),
                ),
            ]
        hold_against("b2", call("b2", function, given), expected, given, mistakes, tolerance=1e-8)
    passed("check_forget_bias", 5)


def check_step_gru(function):
    """A word read by a gated recurrent unit, held against `gru.step`.

    Among the words are the first of a sentence, y(t-1) = 0, and one without known trigrams, l = 0.

    Parameters
    ----------
    function : function of params, l, y, as those of `gru.step`
        Returns y(t).

    Raises
    ------
    Wrong
    """
    edges = {3: {"y": np.zeros(4)}, 4: {"l": np.zeros(5)}}
    for seed in range(5):
        given = _given(GRU(4), seed) | edges.get(seed, {})
        p, l, y = given.values()
        state = gru.step(p, l, y)
        z, r, yg = state.z, state.r, state.yg
        sums = {k: p[f"W{k}"] @ l + p[f"Wrec{k}"] @ y + p[f"b{k}"] for k in "zr"}
        after = np.tanh(p["Wg"] @ l + r * (p["Wrecg"] @ y) + p["bg"])
        weights = [
            *((f"the bias {name} is missing", {name: 0 * p[name]}) for name in ("bz", "br", "bg")),
            ("the biases are missing", {name: 0 * p[name] for name in ("bz", "br", "bg")}),
            *((f"{name} is missing", {name: 0 * p[name]}) for name in p if name[:4] == "Wrec"),
            *(
                (f"{name} is transposed: {name} @ …, not … @ {name}", {name: p[name].T})
                for name in p
                if name[:4] == "Wrec"
            ),
            (
                "all Wrec are transposed: Wrec @ …, not … @ Wrec",
                {name: p[name].T for name in p if name[:4] == "Wrec"},
            ),
            (
                "the gates are exchanged: z(t) has Wz, Wrecz, bz, and r(t) has Wr, Wrecr, br",
                {name + k: p[name + j] for name in ("W", "Wrec", "b") for k, j in ("zr", "rz")},
            ),
        ]
        mistakes = [
            (
                "z(t) and 1 - z(t) are exchanged, as other programs have them: "
                "here z(t) is the share that is made anew",
                _mixed(1 - z, y, yg),
            ),
            (
                "r(t) multiplies the product Wrecg @ y, as other programs have it; "
                "here it multiplies y(t-1), and Wrecg that",
                _mixed(z, y, after),
            ),
            (
                "other programs have it so; here z(t) is the share that is made anew, "
                "and r(t) multiplies y(t-1), not the product Wrecg @ y",
                _mixed(1 - z, y, after),
            ),
            ("r(t) is missing: in yg(t), Wrecg multiplies r * y", _gated(p, l, y, z, 1)),
            ("this is yg(t); y(t) mixes it with y(t-1)", yg),
            ("1 - z(t) is missing: this keeps all of y(t-1), as the paper's LSTM does", y + z * yg),
            ("z(t) is missing: this lets all of yg(t) in", (1 - z) * y + yg),
            ("nothing of y(t-1) is kept: (1 - z) * y is missing", z * yg),
            ("what is kept of y(t-1) is the share 1 - z(t), not r(t)", r * y + z * yg),
            ("r(t) belongs inside yg(t) alone", _mixed(z, r * y, yg)),
            ("1 - r(t) in the place of r(t)", _gated(p, l, y, z, 1 - r)),
            ("a gate is a sigmoid: z(t) is a tanh here", _mixed(np.tanh(sums["z"]), y, yg)),
            ("a gate is a sigmoid: r(t) is a tanh here", _gated(p, l, y, z, np.tanh(sums["r"]))),
            (
                "a gate is a sigmoid: z(t) and r(t) are tanh here",
                _gated(p, l, y, np.tanh(sums["z"]), np.tanh(sums["r"])),
            ),
            ("yg(t) is no gate: it is a tanh, not a sigmoid", _gated(p, l, y, z, r, expit)),
            ("yg(t) is the tanh of this sum", _gated(p, l, y, z, r, np.positive)),
            ("y(t) itself is not put through tanh once more", np.tanh(state.y)),
            (
                "a product of vectors by * goes element by element; @ makes one number of them",
                (1 - z) @ y + z @ yg,
            ),
            ("return y(t) alone", tuple(state)),
        ]
        hold_against(
            "y(t)",
            call("y(t)", function, given),
            state.y,
            given,
            mistakes + [(text, gru.step(p | changed, l, y).y) for text, changed in weights],
        )
    passed("check_step_gru", 5)


def _params(cell, rng, n_trigrams=5):
    """Weights and biases of unit scale, by the paper's names."""
    return cell.params(
        {name: rng.standard_normal(shape) for name, shape in cell.shapes(n_trigrams).items()}
    )


def _given(cell, seed):
    """Arguments of a cell's step: weights of unit scale, a word, and what the cell carries."""
    rng = np.random.default_rng(seed)
    given = {"params": _params(cell, rng), "l": rng.integers(0, 3, 5) * 1.0}
    before = {"y": rng.uniform(-1, 1, 4), "c": rng.normal(size=4)}
    return given | {name: before[name] for name in cell.carries}


def _left_out(p):
    """What a missing or transposed parameter makes of them, each with its reason."""
    every = {kind: [name for name in p if name.strip("1234") == kind] for kind in ("b", "Wrec")}
    return [
        *((f"{name} is missing", {name: 0 * p[name]}) for name in p),
        ("the biases are missing", {name: 0 * p[name] for name in every["b"]}),
        ("Wrec @ y is missing", {name: 0 * p[name] for name in every["Wrec"]}),
        ("Wrec is transposed: Wrec @ y", {name: p[name].T for name in every["Wrec"]}),
        *(
            (f"{name} is transposed: {name} @ y, not y @ {name}", {name: p[name].T})
            for name in every["Wrec"]
        ),
    ]


def _slips(state, c):
    """What slips in the last lines of Eq. (2) give, each with its reason; c is c(t-1)."""
    i, f, o, yg = state.i, state.f, state.o, state.yg
    return [
        ("y is o * tanh(c): the tanh is missing", lstm.State(o * state.c, state.c)),
        ("y is o * tanh(c): the output gate is missing", lstm.State(np.tanh(state.c), state.c)),
        ("y is o * tanh(c(t)), not of c(t-1)", lstm.State(o * np.tanh(c), state.c)),
        *(
            (text, lstm.State(o * np.tanh(new), new))
            for text, new in [
                ("c is c(t-1) still: is the new one assigned, c = …?", c),
                ("f(t) is missing: this keeps all of c(t-1)", c + i * yg),
                ("i(t) is missing: this lets all of yg(t) in", f * c + yg),
                ("nothing of c(t-1) is kept: Eq. (2) adds f(t) * c(t-1)", i * yg),
                ("the gates are exchanged: f(t) is for c(t-1), i(t) for yg(t)", i * c + f * yg),
            ]
        ),
    ]


def _step(p, l, y, c, seen=None, shown=None, Wp4=0):
    """Eq. (2) with a slip: what the peepholes of i and f see, what that of o sees, or one on yg."""
    seen = c if seen is None else seen
    z = {k: p[f"W{k}"] @ l + p[f"Wrec{k}"] @ y + p[f"b{k}"] for k in "1234"}
    c_new = expit(z["2"] + p["Wp2"] @ seen) * c + expit(z["3"] + p["Wp3"] @ seen) * np.tanh(
        z["4"] + np.dot(Wp4, c)
    )
    return lstm.State(
        expit(z["1"] + p["Wp1"] @ (c_new if shown is None else shown)) * np.tanh(c_new), c_new
    )


def _gated(p, l, y, z, r, squash=np.tanh):
    """The GRU's y(t) by gates of one's own."""
    return _mixed(z, y, squash(p["Wg"] @ l + p["Wrecg"] @ (r * y) + p["bg"]))


def _mixed(z, y, yg):
    return (1 - z) * y + z * yg


def _read(params, L, lengths):
    cell = RNN(len(params["b"]))
    return np.array([cell.read(params, sentence[:n])[-1].y for sentence, n in zip(L, lengths)])


def _read_plainly(params, L, lengths):
    """What the RNN gives without its tanh."""
    Y = np.zeros((len(L), len(params["b"])))
    for t in range(L.shape[1]):
        new = L[:, t] @ params["W"].T + Y @ params["Wrec"].T + params["b"]
        Y = np.where((t < lengths)[:, None], new, Y)
    return Y


def _before(Y, n):
    """y after n words; y(0) is 0."""
    return np.array([y[k - 1] if k else 0 * y[0] for y, k in zip(Y, n)])


def _share_left(b2, n):
    """What is left in c of the first word after n words, as a share.

    The cell's gates see the words alone, and f not even them.
    """
    rng, cell = np.random.default_rng(0), LSTM(1, forget_gate=True)
    params = _params(cell, rng)
    params |= {name: 0 * params[name] for name in ("Wrec1", "Wrec2", "Wrec3", "Wrec4", "W2")} | {
        "b2": np.array([b2])
    }
    L = rng.integers(0, 3, (n, 5)) * 1.0
    whole, without = cell.read(params, L), cell.read(params, L[1:])
    return float(whole[-1].c[0] - without[-1].c[0]) / float(whole[0].c[0])
