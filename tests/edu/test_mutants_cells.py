"""Every break of a cell's way back, or of its batch, is found, and so is every known mistake."""

import inspect

import numpy as np
import pytest
from conftest import HASHING, unit_model, worst_difference
from gradient_mutants import EXAMPLES, broken, every, survivors

import lstm_edu
from lstm_edu import Bidirectional
from lstm_edu.cells import attention, gru, lstm, rnn
from lstm_edu.text import batch as batches
from lstm_edu.text import sentences

pytestmark = pytest.mark.filterwarnings("ignore:.*zero, their cosine")  # which mutants give
TRUNCATE = None, 2


def cell_gap(kind, *arguments):
    """A function of a module: the worst difference of its cell's gradient from autograd's.

    Where errors arrive at every word, from that of the cell as it stands, which
    tests/edu/test_cells.py holds against complex steps.
    """
    modules = {"LSTM": lstm, "RNN": rnn, "GRU": gru, "Attention": attention}
    honest = getattr(modules[kind], kind)(*arguments)
    by_autograd = {T: gradient(honest, "autograd", T) for T in TRUNCATE}
    expected = {None: from_every_word(honest)}

    def gap(module):
        cell = getattr(module, kind)(*arguments)
        found = [worst_difference(gradient(cell, "bptt", T), by_autograd[T]) for T in TRUNCATE]
        return max(*found, worst_difference({None: from_every_word(cell)}, expected))

    return gap


def gradient(cell, method, truncate):
    """Of the cost of `EXAMPLES`."""
    model = unit_model(cell)
    return lstm_edu.cost_and_gradient(model, *EXAMPLES, method=method, truncate=truncate)[1]


def from_every_word(cell):
    """The gradient from random errors that arrive at every word, and of the embedding, of which
    that of a cosine never points along it; as the weights are kept.
    """
    weights = unit_model(cell).query.weights
    batch = batches.side_by_side(sentences.from_texts(EXAMPLES[0], HASHING, "float64"))
    tape = cell.outputs(weights, batch)
    rng = np.random.default_rng(0)
    at_words = rng.standard_normal(tape.y.shape)
    dy = rng.standard_normal((len(batch.order), cell.size))
    return cell.backward(weights, batch, tape, dy, at_words=at_words)


@pytest.mark.parametrize("peepholes", ["diagonal", "full"])
@every
def test_every_break_of_the_lstm_is_found(peepholes, every):
    names = "errors", "gradient", "outputs", "peepholes", "peepholes_back"
    gap = cell_gap("LSTM", 3, True, peepholes)
    survived, count = survivors(broken(lstm, *names, every=every), lstm, gap)
    # the branch that this cell does not take
    other_shape = {"diagonal": " @ ", "full": " * "}[peepholes]
    alive = [label for label in survived if not ("peepholes" in label and other_shape in label)]
    assert [label for label in alive if not ("dzk" in label and peepholes == "full")] == []
    assert count > 100 // every


@pytest.mark.parametrize("module, kind, least", [(rnn, "RNN", 20), (gru, "GRU", 50)])
@every
def test_every_break_of_a_cell_without_peepholes_is_found(module, kind, least, every):
    mutants = broken(module, "errors", "gradient", "outputs", every=every)
    survived, count = survivors(mutants, module, cell_gap(kind, 3))
    assert survived == []
    assert count > least // every


@every
def test_every_break_of_attention_is_found(every):
    for cell in (rnn.RNN(3), Bidirectional(rnn.RNN(2))):
        mutants = broken(attention, "backward", "outputs", "_is_near", every=every)
        survived, count = survivors(mutants, attention, cell_gap("Attention", cell))
        # with the largest score for 0 it is the same sum, but for numbers that overflow
        assert [label for label in survived if "largest" not in label] == []
        assert count > 20 // every


# Mistakes that were met in public lessons, each as (what stands here, what they have).
PUBLIC_LESSONS = {
    "dy of y(t-1) is written before dc uses dy of y(t)": (
        "            dc[rows] += dy[rows]",
        "            dy[rows] = dz['o'][now] @ Wrec['o']\n            dc[rows] += dy[rows]",
    ),
    "the cell's error is carried without the forget gate": ("                dc[rows] *= f\n", ""),
    "the forget gate is applied before its own error is taken": (
        '                dz["f"][now] = dc[rows] * c_before * f * (1 - f)\n'
        "                dc[rows] *= f\n",
        "                dc[rows] *= f\n"
        '                dz["f"][now] = dc[rows] * c_before * f * (1 - f)\n',
    ),
    "the output gate's peephole comes after the input gate": (
        '                dc[rows] += peepholes_back(weights, "o", dz["o"][now])  # o(t) saw c(t)\n'
        '            dz["i"][now] = dc[rows] * yg * i * (1 - i)\n',
        "                pass\n"
        '            dz["i"][now] = dc[rows] * yg * i * (1 - i)\n'
        '            dc[rows] += peepholes_back(weights, "o", dz["o"][now])\n',
    ),
    "c(t) for c(t-1) in the forget gate": (
        "tape.c[before] if before else 0",
        "tape.c[now] if before else 0",
    ),
    "a sigmoid's derivative applied twice": (
        "dc[rows] * yg * i * (1 - i)",
        "dc[rows] * yg * (i * (1 - i)) * (1 - i * (1 - i))",
    ),
    "tanh's derivative at tanh(c) again": ("o * (1 - h * h)", "o * (1 - np.tanh(h) ** 2)"),
    "0.5 (tanh(x) + 1) taken for a sigmoid": (
        "i[now] = sigmoid(i[now])",
        "i[now] = 0.5 * (np.tanh(i[now]) + 1)",
    ),
    "W_rec not transposed": ('weights["Wrec"][:, part].T for', 'weights["Wrec"][:, part] for'),
    "each gate's error goes back alone (the appendix)": (
        "sum(dz[gate][now] @ Wrec[gate] for gate in dz)",
        "dz['o'][now] @ Wrec['o']",
    ),
    "errors stop at the last word": ("            if not before:\n", "            if True:\n"),
}


@pytest.mark.parametrize("mistake", PUBLIC_LESSONS)
def test_mistakes_of_public_lessons_are_found(mistake):
    right, wrong = PUBLIC_LESSONS[mistake]
    source = inspect.getsource(lstm)
    assert source.count(right) == 1
    survived, _ = survivors(
        [(mistake, source.replace(right, wrong))], lstm, cell_gap("LSTM", 3, True, "full")
    )
    assert survived == []


BATCH = "side_by_side as_asked_for in_time back_in_time last after_first sentence time".split()
BATCH += ["input_gradient"]


@every
def test_every_break_of_the_batch_is_found(monkeypatch, every):
    of_cell = cell_gap("LSTM", 3, True, "full")

    def gap(module):
        with monkeypatch.context() as patch:
            for name in BATCH:
                for user in (batches, lstm):
                    if hasattr(user, name):
                        patch.setattr(user, name, getattr(module, name))
            return of_cell(lstm)

    survived, count = survivors(broken(batches, *BATCH, every=every), batches, gap)
    assert survived == []
    assert count > 20 // every
