"""Mutation tests: the gradient tests must detect every mutant of a backward pass or of the cost."""

import itertools
import re

import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from conftest import HASHING, unit_model, worst_difference
from gradient_mutants import EXAMPLES, broken, in_sixteenths, survivors

import lstm_edu
from lstm_course import transformer
from lstm_edu import Bidirectional
from lstm_edu.cells import attention, gru, lstm, rnn
from lstm_edu.cells import cell as base
from lstm_edu.gradients import cost, plain
from lstm_edu.gradients.relevance import COSINE
from lstm_edu.text import batch as batches
from lstm_edu.text import sentences

pytestmark = pytest.mark.filterwarnings("ignore:.*zero, their cosine")  # some mutants warn
TRUNCATE = None, 2


def cell_gap(kind, *arguments):
    """Return a function that measures the gradient error of a (mutated) module.

    The cost's gradient is compared with autograd's. The gradient for random errors at every word is
    compared with the unmutated cell's, which tests/edu/test_cells.py compares with complex steps.
    """
    modules = {"LSTM": lstm, "RNN": rnn, "GRU": gru, "Attention": attention}
    modules["Transformer"] = transformer
    honest_kind = getattr(modules[kind], kind)
    honest = honest_kind(*arguments)
    truncate = TRUNCATE if honest.recurrent else (None,)
    by_autograd = {T: gradient(honest, "autograd", T) for T in truncate}
    expected = {None: from_every_word(honest)}

    def gap(module):
        if hasattr(module, kind):
            cell = getattr(module, kind)(*arguments)
        else:  # the mutated module defines only the base class
            cell = type(kind, (honest_kind,), {"gradient": module.Recurrent.gradient})(*arguments)
        found = [worst_difference(gradient(cell, "bptt", T), by_autograd[T]) for T in truncate]
        return max(*found, worst_difference({None: from_every_word(cell)}, expected))

    return gap


def gradient(cell, method, truncate):
    """Compute the gradient of the cost of `EXAMPLES`, keyed by "query" or "document", then name."""
    model = unit_model(cell)
    return lstm_edu.cost_and_gradient(model, *EXAMPLES, method=method, truncate=truncate)[1]


def from_every_word(cell):
    """Compute the weights' gradient, given random errors of the embedding and of every output."""
    weights = unit_model(cell).query.weights
    batch = batches.side_by_side(sentences.from_texts(EXAMPLES[0], HASHING, "float64"))
    _, tape = cell.forward(weights, batch)
    rng = np.random.default_rng(0)
    at_words = rng.standard_normal(tape.y.shape) if cell.recurrent else None
    dy = rng.standard_normal((len(batch.order), cell.size))
    return cell.backward(weights, batch, tape, dy, at_words=at_words)


PASSES = "errors", "outputs"
OF_LSTM = *PASSES, "gradient", "peepholes", "peepholes_back"
OF_ATTENTION = "backward", "forward", "_is_near"
OF_TRANSFORMER = "backward", "forward", "padded", "flat", "normalise", "back"
# Columns: module, names of mutated functions, class and arguments of the cell, minimum number of
# mutants, and a regex for equivalent mutants, such as a softmax that overflows for large inputs but
# is otherwise the same.
CELLS = [
    (lstm, OF_LSTM, ("LSTM", 3, True, "diagonal"), 100, "no other"),
    # with full peepholes, mutants of the code for diagonal ones are equivalent
    (lstm, OF_LSTM, ("LSTM", 3, True, "full"), 100, "ndim|dzk"),
    (rnn, PASSES, ("RNN", 3), 20, "no other"),
    (gru, (*PASSES, "inputs"), ("GRU", 3), 50, "no other"),
    (base, ("gradient",), ("RNN", 3), 0, "no other"),
    (base, ("gradient",), ("GRU", 3), 0, "no other"),
    (attention, OF_ATTENTION, ("Attention", rnn.RNN(3)), 20, "largest"),
    (attention, OF_ATTENTION, ("Attention", Bidirectional(rnn.RNN(2))), 20, "largest"),
    (transformer, OF_TRANSFORMER, ("Transformer", 4, 2, 3), 50, "tape.u > 0"),
]


@pytest.mark.parametrize("module, names, cell, fewest, equivalent", CELLS)
@in_sixteenths
def test_gradient_tests_detect_every_mutant_of_cell(
    module, names, cell, fewest, equivalent, sixteenth
):
    survived, count = survivors(
        broken(module, *names, sixteenth=sixteenth), module, cell_gap(*cell)
    )
    assert [label for label in survived if not re.search(equivalent, label)] == []
    assert count >= fewest / 32


# ---- The cost


def click_cost(y, clicked, unclicked, gamma):
    """Compute the cost, Eqs. (3)-(5), for autograd, given the arguments of `cost.cost_gradient`."""
    total, outputs = 0.0, list(map(plain.Read, y))
    for r in range(len(clicked)):
        against = np.flatnonzero(unclicked[r]) if unclicked.dtype == bool else unclicked[r]
        if len(against):
            pairs = plain.Examples([], [], np.array([r]), clicked[[r]], against[None])
            total = total + plain.cost(anp, COSINE, *outputs, pairs, gamma)
    return total


def cost_gap():
    """Return a function that measures the error of a (mutated) module's cost gradient."""
    rng = np.random.default_rng(0)
    yq, yd = rng.standard_normal((4, 3)), rng.standard_normal((6, 3))
    clicked = np.array([0, 1, 1, 5])
    yq[3] = yd[4] = 0  # zero embeddings, whose cosines are defined as 0
    among = rng.random((4, 6)) < 0.6
    among[np.arange(4), clicked] = False
    among[2] = False  # a pair without unclicked titles
    drawn = np.array([[1, 2], [0, 3], [5, 5], [4, 0]])
    given = list(itertools.product((among, drawn), (1.0, 10.0, 3000.0)))
    by_autograd = autograd.value_and_grad(click_cost)
    expected = [by_autograd((yq, yd), clicked, *settings) for settings in given]

    def gap(module):
        worst = 0.0
        for settings, (total, (eq, ed)) in zip(given, expected):
            l, dyq, dyd = module.cost_gradient(yq, yd, clicked, *settings)
            for found, wanted in ((l.sum(), total), (dyq, eq), (dyd, ed)):
                differs = np.nan_to_num(np.abs(found - wanted), nan=np.inf).max()
                worst = max(worst, float(differs / np.abs(wanted).max()))
        return worst

    return gap


COST = "loss", "cost_gradient", "cosines_with_drawn", "cosines_with_all", "normalise"


@in_sixteenths
def test_gradient_tests_detect_every_mutant_of_cost(sixteenth):
    survived, count = survivors(broken(cost, *COST, sixteenth=sixteenth), cost, cost_gap())
    assert survived == []
    assert count > 30 // 32
