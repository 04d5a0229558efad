"""Wrong answers to the exercises of notebook 08."""

from itertools import permutations

import numpy as np
from wrong_answers._replaced import replaced

from lstm_edu.cells.lstm import sigmoid


def signs_cancel(i, yg):
    """No absolute value."""
    return (i * yg).mean(axis=1)


def absolute_too_late(i, yg):
    """The absolute value of the mean."""
    return np.abs((i * yg).mean(axis=1))


def by_cell(i, yg):
    """The mean over the words."""
    return np.abs(i * yg).mean(axis=0)


def means_multiplied(i, yg):
    """The product of the means."""
    return i.mean(axis=1) * np.abs(yg).mean(axis=1)


def gate_alone(i, yg):
    """The paper's picture: the gate without what it lets in."""
    return i.mean(axis=1)


def so_far(i, yg):
    """What c holds after the word."""
    return np.abs(np.cumsum(i * yg, axis=0)).mean(axis=1)


def _both(values, roles):
    return [(v, role) for v, role in zip(values, roles) if {"c", "f"} <= set(role)]


def filler_minus_content(values, roles):
    """The other way round."""
    return np.array(
        [v[role == "f"].mean() - v[role == "c"].mean() for v, role in _both(values, roles)]
    )


def all_words_together(values, roles):
    """One difference over all words."""
    v, role = np.concatenate(values), np.concatenate(roles)
    return v[role == "c"].mean() - v[role == "f"].mean()


def one_kind_too(values, roles):
    """NaN where a query has no filler."""
    content, filler = (
        [v[role == kind].sum() / np.float64((role == kind).sum()) for v, role in zip(values, roles)]
        for kind in "cf"
    )
    return np.subtract(content, filler)


def nothing_counts_as_zero(values, roles):
    """The mean of no words as 0."""
    content, filler = (
        [v[role == kind].sum() / max(1, (role == kind).sum()) for v, role in zip(values, roles)]
        for kind in "cf"
    )
    return np.subtract(content, filler)


def medians(values, roles):
    """Medians for means."""
    return np.array(
        [np.median(v[role == "c"]) - np.median(v[role == "f"]) for v, role in _both(values, roles)]
    )


def against_all_words(values, roles):
    """Content against all words."""
    return np.array([v[role == "c"].mean() - v.mean() for v, role in _both(values, roles)])


def sums(values, roles):
    """Sums for means."""
    return np.array(
        [v[role == "c"].sum() - v[role == "f"].sum() for v, role in _both(values, roles)]
    )


def _read(step, doc):
    def read_with_gate(params, L, gate):
        y, c = np.zeros(len(gate)), np.zeros(len(gate))
        for l in L:
            yg = np.tanh(params["W4"] @ l + params["Wrec4"] @ y + params["b4"])
            i, o = (
                sigmoid(params[f"W{k}"] @ l + params[f"Wrec{k}"] @ y + params[f"b{k}"])
                for k in "31"
            )
            y, c = step(y, c, i, o, yg, gate)
        return y

    read_with_gate.__doc__ = doc
    return read_with_gate


def gate_as_output(y, c, i, o, yg, gate):
    c = c + i * yg
    return gate * np.tanh(c), c


def gate_and_i(y, c, i, o, yg, gate):
    c = c + gate * i * yg
    return o * np.tanh(c), c


def gate_unused(y, c, i, o, yg, gate):
    c = c + i * yg
    return o * np.tanh(c), c


def gate_twice(y, c, i, o, yg, gate):
    c = gate * c + gate * yg
    return o * np.tanh(c), c


def no_memory(y, c, i, o, yg, gate):
    c = gate * yg
    return o * np.tanh(c), c


def y_stays(y, c, i, o, yg, gate):
    c = c + gate * yg
    return o * c, c


def returns_c(params, L, gate):
    """The cells for the output."""
    y = c = np.zeros(len(gate))
    for l in L:
        yg = np.tanh(params["W4"] @ l + params["Wrec4"] @ y + params["b4"])
        o = sigmoid(params["W1"] @ l + params["Wrec1"] @ y + params["b1"])
        c = c + gate * yg
        y = o * np.tanh(c)
    return c


def never_moves_on(params, L, gate):
    """y(t-1) stays 0."""
    y = c = np.zeros(len(gate))
    for l in L:
        yg = np.tanh(params["W4"] @ l + params["Wrec4"] @ y + params["b4"])
        o = sigmoid(params["W1"] @ l + params["Wrec1"] @ y + params["b1"])
        c = c + gate * yg
    return o * np.tanh(c)


def one_order(content, filler):
    """The first factor is exchanged first."""
    return np.array(
        [
            content[:k].prod() * (content[k] - filler[k]) * filler[k + 1 :].prod()
            for k in range(len(content))
        ]
    )


def each_alone(content, filler):
    """Does not add up."""
    return np.array(
        [
            filler[:k].prod() * (content[k] - filler[k]) * filler[k + 1 :].prod()
            for k in range(len(content))
        ]
    )


def first_and_last(content, filler):
    """Right for two factors only."""
    alone = each_alone(content, filler)
    return (alone - each_alone(filler, content)) / 2


def at_the_middle(content, filler):
    """Right for two factors only."""
    middle = (content + filler) / 2
    return np.array(
        [np.delete(middle, k).prod() * (content[k] - filler[k]) for k in range(len(content))]
    )


def by_logarithms(content, filler):
    """Another way of dealing out."""
    logs = np.log(content / filler)
    return logs / logs.sum() * (content.prod() - filler.prod())


def not_divided(content, filler):
    """The sum over all orders."""
    parts = np.zeros(len(content))
    for order in permutations(range(len(content))):
        now = filler.copy()
        for k in order:
            before, now[k] = now.prod(), content[k]
            parts[k] += now.prod() - before
    return parts


def plain_differences(content, filler):
    """Without what the factor multiplies."""
    return content - filler


LET_IN = """
def let_in(i, yg):
    return np.abs(i * yg).mean(axis=1)
"""

CONTENT = """
def content_minus_filler(values, roles):
    return np.array([v[role == 'c'].mean() - v[role == 'f'].mean()
                     for v, role in zip(values, roles)
                     if {'c', 'f'} <= set(role)])
"""

READ = """
def read_with_gate(params, L, gate):
    y, c = np.zeros(len(gate)), np.zeros(len(gate))
    for l in L:
        yg = np.tanh(params['W4'] @ l + params['Wrec4'] @ y + params['b4'])
        c = c + gate * yg
        o = sigmoid(params['W1'] @ l + params['Wrec1'] @ y + params['b1'])
        y = o * np.tanh(c)
    return y
"""

SPLIT = """
def split(content, filler):
    parts = np.zeros(len(content))
    orders = list(permutations(range(len(content))))
    for order in orders:
        now = np.array(filler)
        for k in order:
            before, now[k] = now.prod(), content[k]
            parts[k] += now.prod() - before
    return parts / len(orders)
"""


WRONG = {
    "check_let_in": [
        signs_cancel,
        absolute_too_late,
        by_cell,
        means_multiplied,
        gate_alone,
        so_far,
        *replaced(
            LET_IN,
            ("axis=1", "axis=0"),
            (".mean(axis=1)", ""),
            (".mean(axis=1)", ".max(axis=1)"),
            (".mean(axis=1)", ".mean(axis=1, keepdims=True)"),
            ("np.abs(i * yg)", "((i * yg) ** 2)"),
            ("np.abs(i * yg)", "np.abs(i + yg)"),
            ("np.abs(i * yg)", "np.abs(i * np.tanh(yg))"),
            ("np.abs(i * yg)", "np.abs((1 - i) * yg)"),
            ("np.abs(i * yg).mean(axis=1)", "np.median(np.abs(i * yg), axis=1)"),
            ("return", ""),
        ),
    ],
    "check_content_minus_filler": [
        filler_minus_content,
        all_words_together,
        one_kind_too,
        nothing_counts_as_zero,
        medians,
        against_all_words,
        sums,
        *replaced(
            CONTENT,
            ("- v[role == 'f'].mean()", "/ v[role == 'f'].mean()"),
            ("- v[role == 'f'].mean()", ""),
            ("- v[role == 'f'].mean()", "+ v[role == 'f'].mean()"),
            ("- v[role == 'f'].mean()", "- v.mean()"),
            ("np.array([", "np.abs(["),
            ("np.array([", "np.sort(["),
            ("{'c', 'f'} <= set(role)", "'f' in role"),
            ("{'c', 'f'} <= set(role)", "len(role) > 1"),
            ("<= set(role)", "<= set(role) and v[role == 'c'].mean() != v[role == 'f'].mean()"),
            ("v[role == 'c'].mean()", "v[role == 'c'].max()"),
            ("v[role == 'c'].mean()", "v[role == 'c'][0]"),
            ("v[role == 'c'].mean()", "(v * (role == 'c')).mean()"),
        ),
    ],
    "check_read_with_gate": [
        _read(gate_as_output, "The output gate is held still."),
        _read(gate_and_i, "The gate comes on top of i."),
        _read(gate_unused, "The gate has no effect."),
        _read(gate_twice, "The gate on c(t-1), too."),
        _read(no_memory, "c forgets."),
        _read(y_stays, "No tanh."),
        returns_c,
        never_moves_on,
        *replaced(
            READ,
            (" + params['b4']", ""),
            (" + params['b1']", ""),
            ("params['Wrec4']", "params['Wrec4'].T"),
            ("params['Wrec1']", "params['Wrec1'].T"),
            ("params['Wrec4'] @ y + ", ""),
            ("params['W1']", "params['W3']"),
            ("np.tanh(params['W4']", "sigmoid(params['W4']"),
            ("np.tanh(params['W4']", "(params['W4']"),
            ("o = sigmoid(", "o = np.tanh("),
            ("o = sigmoid(", "o = ("),
            ("c + gate * yg", "c + yg"),
            ("c + gate * yg", "(1 - gate) * c + gate * yg"),
            ("c + gate * yg", "c - gate * yg"),
            ("c + gate * yg", "c * gate + yg"),
            ("c = c + gate", "c + gate"),
            ("y = o * np.tanh(c)", "o * np.tanh(c)"),
            ("o * np.tanh(c)", "o * sigmoid(c)"),
            ("o * np.tanh(c)", "np.tanh(o * c)"),
            ("for l in L", "for l in L[::-1]"),
            ("for l in L", "for l in L[1:]"),
            ("for l in L", "for l in L[:1]"),
            ("    return y", "        return y"),
            ("@ y + params['b1']", "@ c + params['b1']"),
        ),
    ],
    "check_split": [
        one_order,
        each_alone,
        first_and_last,
        at_the_middle,
        by_logarithms,
        not_divided,
        plain_differences,
        *replaced(
            SPLIT,
            ("now = np.array(filler)", "now = np.array(content)"),
            ("np.array(filler)", "filler"),
            ("parts[k] += now", "parts[k] = now"),
            ("parts / len(orders)", "parts / len(parts)"),
            ("- before", "+ before"),
            ("now.prod() - before", "now.prod() / before"),
            ("now.prod() - before", "before - now.prod()"),
            ("list(permutations(range(len(content))))", "[range(len(content))]"),
            (
                "return parts / len(orders)",
                "a, b = content, filler\n    return (a - b) * (a.prod() / a + b.prod() / b) / 2",
            ),
            (
                "    return parts / len(orders)",
                "    m = (content + filler) / 2\n    return m.prod() / m * (content - filler)",
            ),
            ("    return parts / len(orders)", "    return content.prod() - filler.prod()"),
            ("        now = np.array(filler)", "        now = parts + filler"),
        ),
    ],
}
