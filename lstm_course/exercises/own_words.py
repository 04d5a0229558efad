"""Exercise for lesson 05a: a table for two words, computed by hand from chosen numbers.

The answer takes no arguments. It returns two words, six weights, and the twenty cells of the table.
"""

import numpy as np

from lstm_edu.cells.lstm import sigmoid

from ..engine import slips
from ..engine.calling import Unwritten, call, passed
from ..engine.forms import as_array
from ..engine.report import Wrong, compare
from ..engine.shown import message

LESSON = (1.0, 0.5), {"W4": 0.8, "Wrec4": -1.5, "W3": 1.0, "Wrec3": 0.5, "W1": 0.5, "Wrec1": 1.0}
CHOSEN = {"W4": 1.3, "Wrec4": 1.2, "W3": 1.0, "Wrec3": -1.9, "W1": -0.9, "Wrec1": 0.8}
FORWARD, BACK = ("yg", "i", "c", "o", "y"), ("dy", "dc", "dz1", "dz3", "dz4")
CELLS = [(name, t) for t in (1, 2) for name in FORWARD]
CELLS += [(name, t) for t in (2, 1) for name in BACK]
NEAR, TOO_NEAR = 0.001, 0.003  # largest error of a right cell; smallest visible effect of a mistake
ASKED = "own_two_words"


def own_two_words(words=(1.7, -0.9), weights=CHOSEN):
    """Return your words, your weights and the table.

    The table is a dict: each column's cells at word 1 and at word 2.
    """
    W, y, c, states, errors = weights, 0.0, 0.0, [], []
    for l in words:
        before = c
        yg = np.tanh(W["W4"] * l + W["Wrec4"] * y)
        i = sigmoid(W["W3"] * l + W["Wrec3"] * y)
        c = before + i * yg
        o = sigmoid(W["W1"] * l + W["Wrec1"] * y)
        y = o * np.tanh(c)
        states.append((yg, i, c, o, y))
    dy, later = 1.0, 0.0
    for yg, i, c, o, _ in reversed(states):
        h = np.tanh(c)
        dc = later + dy * o * (1 - h**2)
        dz1 = dy * h * o * (1 - o)
        dz3 = dc * yg * i * (1 - i)
        dz4 = dc * i * (1 - yg**2)
        errors.insert(0, (dy, dc, dz1, dz3, dz4))
        later = dc
        dy = W["Wrec1"] * dz1 + W["Wrec3"] * dz3 + W["Wrec4"] * dz4
    columns = zip(FORWARD + BACK, zip(*(s + e for s, e in zip(states, errors))))
    return words, weights, dict(columns)


def check_own_two_words(function):
    """Check a table cell by cell, in the order in which its cells are computed."""
    answer = call(ASKED, function, {})
    expected = slips.answer(own_two_words, {})
    words, weights, table = _numbers_of(answer, expected)
    given = {"words": words, "weights": weights}
    right = slips.answer(own_two_words, given)[2]
    tables = [(text, value[2]) for text, value in slips.reasons(own_two_words, ROWS, given)]
    hidden = _hidden_by(given, right, tables)
    for k, (name, t) in enumerate(CELLS):
        came, value = table[name][t - 1], right[name][t - 1]
        if came is ...:
            progress = f"right so far: {k} of {len(CELLS)} cells. " if k else ""
            raise Unwritten(f"{ASKED}: {progress}{name} at word {t} is not written yet.")
        if not _near(came, value):
            likely = _likely(table, k, tables, came, right)
            first = f"{name} at word {t} is wrong."
            raise Wrong(message(first, given, f"{came:.4f}", f"{value:.4f}", [likely]))
    shown = len(tables) - len(hidden)
    what = f"cells; {shown} of {len(tables)} typical mistakes would change your table"
    passed("check_own_two_words", len(CELLS), what)
    if hidden:
        print("These would not. Sizes between 0.7 and 1.5 hide the fewest:")
        print(*(f"  - {text}" for text in dict.fromkeys(hidden)), sep="\n")


def _numbers_of(answer, expected):
    """Return an answer's words, weights and table as floats, keeping each `...` in the table."""
    compare(ASKED, _blank(answer), _blank(expected), {})
    words, weights, table = answer
    if ... in (*words, *weights.values()):
        raise Unwritten(f"{ASKED}: not written yet. Choose two words and six weights first.")
    cells = {name: [x if x is ... else float(x) for x in table[name]] for name, _ in CELLS}
    return tuple(map(float, words)), {name: float(weights[name]) for name in CHOSEN}, cells


def _blank(value):
    """Replace each number and each `...` with 1.0, so that only an answer's form is compared."""
    if isinstance(value, dict):
        return {name: _blank(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return tuple(map(_blank, value))
    array = None if value is ... else as_array(value)
    is_number = value is ... or array is not None and array.ndim == 0 and np.isfinite(array)
    return 1.0 if is_number and not isinstance(value, bool) else value


def _hidden_by(given, right, tables):
    """Return the mistakes that a student's choice of numbers would hide.

    Refuse the lesson's numbers, and numbers with which a forgotten error path would go unnoticed.
    """
    reason = ""
    if (given["words"], given["weights"]) == LESSON:
        reason = "these are the lesson's numbers: choose your own"
    hidden = [text for text, wrong in tables if not _shows(wrong, right)]
    lost_paths = [text for text in hidden if text in PATHS]
    if lost_paths:
        reason = f"with these, the table would hardly change by this mistake: {lost_paths[0]}"
    if reason:
        wanted = "eight numbers from 0.3 to 2, or from -2 to -0.3"
        raise Wrong(message(f"{ASKED}: choose other numbers.", given, "these", wanted, [reason]))
    return hidden


def _shows(wrong, right):
    return max(abs(wrong[name][t - 1] - right[name][t - 1]) for name, t in CELLS) > TOO_NEAR


def _near(came, value, distance=NEAR):
    return abs(came - value) <= distance


def _likely(table, k, tables, came, right):
    """Return the likely cause of the first wrong cell, number k.

    Among the known mistakes that leave all cells before it right and give this cell's value, choose
    the mistake that is nearest to the rest of the table. Otherwise, return a hint.
    """
    name, t = CELLS[k]
    value, fitting = right[name][t - 1], []
    for text, wrong in tables:
        off = [
            abs(of[column][at - 1] - wrong[column][at - 1])
            for j, (column, at) in enumerate(CELLS)
            for of in [right if j < k else table]
            if of[column][at - 1] is not ...
        ]
        if max(off[: k + 1]) <= NEAR:
            fitting.append((sum(off), text))
    if fitting:
        return min(fitting)[1]
    if _near(came, -value):
        return "the sign: this is minus what was expected"
    if _near(came, value, 0.01):
        return "nearly right: keep four digits of every cell, and round at the end"
    return FORMULAS[name]


ROWS = slips.rows(own_two_words)
FORMULAS, PATHS = slips.table(__file__)["formulas"], slips.table(__file__)["paths"]["texts"]
slips.register(slips.with_table(check_own_two_words, own_two_words, ROWS))
