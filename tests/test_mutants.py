"""The gradient tests must find every mistake: break each term of the backward pass and see it.

Each mutant is the module with one place changed. It is found if it raises, or if its gradient
differs from autograd's by far more than the 1e-9 that the other tests allow. `make test` tries each
fourth of them, `make soak` all.
"""

import ast
import copy
import inspect
import itertools
import types
import warnings

import autograd
import autograd.numpy as anp
import mutations
import numpy as np
import pytest
from conftest import HASHING, clicks, unit_model, worst_difference

import lstm_edu
from lstm_edu import Bidirectional
from lstm_edu.cells import attention, gru, lstm, rnn
from lstm_edu.gradients import aligned, autodiff, cost, minibatch
from lstm_edu.gradients.minibatch import Examples
from lstm_edu.text import batch as batches
from lstm_edu.text import sentences

FOUND = 1e-6
pytestmark = pytest.mark.filterwarnings("ignore:.*zero, their cosine")  # which mutants give


# Changes of one place each


@pytest.fixture(params=[4, pytest.param(1, marks=pytest.mark.soak)], ids=["each 4th", "all"])
def every(request):
    return request.param


def broken(module, *function_names, every=1):
    """Mutants of some functions of a module, or each fourth: (what was changed, the source)."""
    tree = ast.parse(inspect.getsource(module))
    functions = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in function_names
    ]
    assert len(functions) == len(function_names)
    number = itertools.count()
    for function in functions:
        for node in ast.walk(function):
            for label, attribute, value in list(changes(node)):
                if next(number) % every:
                    continue
                old = getattr(node, attribute)
                setattr(node, attribute, value)
                yield (
                    f"{function.name}: {label}",
                    ast.unparse(ast.fix_missing_locations(copy.deepcopy(tree))),
                )
                setattr(node, attribute, old)


def changes(node):
    """What can be broken at a node of a syntax tree: (what it is, attribute, its wrong value)."""
    for label, attribute, value in mutations.changes(node):
        yield f"`{' '.join(ast.unparse(node).split())}` {label}", attribute, value
    statements = getattr(node, "body", None)
    for k, statement in enumerate(statements if isinstance(statements, list) else []):
        # what is given is checked by tests/test_arguments.py
        checks = any(name in ast.unparse(statement) for name in ("arguments.", "_checked("))
        if isinstance(statement, (ast.Assign, ast.AugAssign)) and not checks:
            yield (
                f"without `{' '.join(ast.unparse(statement).split())}`",
                "body",
                statements[:k] + [ast.Pass()] + statements[k + 1 :],
            )


def module_of(source, original):
    module = types.ModuleType(original.__name__)
    module.__package__ = original.__package__
    exec(compile(source, f"mutant of {original.__name__}", "exec"), module.__dict__)
    return module


def survivors(mutants, original, gap):
    """The mutants whose gap to autograd stays small, and how many there are in all."""
    assert gap(original) < 1e-9
    survived, count = [], 0
    for label, source in mutants:
        count += 1
        try:
            with np.errstate(all="ignore"):
                if gap(module_of(source, original)) < FOUND:
                    survived.append(label)
        except Exception:
            pass  # a mutant that crashes is found
    return survived, count


# The cells

EXAMPLES = clicks(2, n_pairs=5)
TRUNCATE = None, 2


def cell_gap(kind, *arguments):
    """A function of a module: the worst difference of its cell's gradient from autograd's.

    Where errors arrive at every word, from that of the cell as it stands, which tests/test_cells.py
    holds against complex steps.
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
def test_every_break_of_the_lstm_is_found(peepholes, every):
    survived, count = survivors(
        broken(lstm, "errors", "gradient", "outputs", "peepholes", "peepholes_back", every=every),
        lstm,
        cell_gap("LSTM", 3, True, peepholes),
    )
    # the branch that this cell does not take
    other_shape = {"diagonal": " @ ", "full": " * "}[peepholes]
    alive = [label for label in survived if not ("peepholes" in label and other_shape in label)]
    assert [label for label in alive if not ("dzk" in label and peepholes == "full")] == []
    assert count > 100 // every


def test_every_break_of_the_rnn_is_found(every):
    survived, count = survivors(
        broken(rnn, "errors", "gradient", "outputs", every=every), rnn, cell_gap("RNN", 3)
    )
    assert survived == []
    assert count > 20 // every


def test_every_break_of_the_gru_is_found(every):
    survived, count = survivors(
        broken(gru, "errors", "gradient", "outputs", every=every), gru, cell_gap("GRU", 3)
    )
    assert survived == []
    assert count > 50 // every


def test_every_break_of_attention_is_found(every):
    for cell in (rnn.RNN(3), Bidirectional(rnn.RNN(2))):
        survived, count = survivors(
            broken(attention, "backward", "outputs", "_is_near", every=every),
            attention,
            cell_gap("Attention", cell),
        )
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
    "W_rec not transposed": (
        'weights["Wrec"][:, part].T for',
        'weights["Wrec"][:, part] for',
    ),
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


# The cost


def click_cost(y, clicked, unclicked, gamma):
    """Eq. (3)-(5) with autograd's NumPy; arguments as `lstm_edu.gradients.cost.cost_gradient`'s."""
    q, d = y
    R = anp.array(
        [
            [autodiff.cosine(q[r : r + 1], d[j : j + 1])[0] for j in range(len(d))]
            for r in range(len(q))
        ]
    )
    total = 0.0
    for r in range(len(q)):
        against = np.flatnonzero(unclicked[r]) if unclicked.dtype == bool else unclicked[r]
        if len(against):
            total = total + autodiff.loss(
                R[r, clicked[r]][None], [R[r, j][None] for j in against], gamma
            )
    return total


def cost_gap():
    """A function of the module: the worst difference of the cost's gradient from autograd's, for
    both forms of arguments.
    """
    rng = np.random.default_rng(0)
    yq, yd, clicked = (
        rng.standard_normal((4, 3)),
        rng.standard_normal((6, 3)),
        np.array([0, 1, 1, 5]),
    )
    yq[3] = yd[4] = 0  # zero embeddings, which have cosine 0
    among = rng.random((4, 6)) < 0.6
    among[np.arange(4), clicked] = False
    among[2] = False  # a pair with nothing unclicked
    given = list(
        itertools.product((among, np.array([[1, 2], [0, 3], [5, 5], [4, 0]])), (1.0, 10.0, 3000.0))
    )
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


def test_every_break_of_the_cost_is_found(every):
    survived, count = survivors(broken(cost, *COST, every=every), cost, cost_gap())
    assert survived == []
    assert count > 30 // every


# Aligned words


def aligned_gap(monkeypatch):
    """A function of the module: the worst difference of its gradient from autograd's, for both
    kinds of unclicked titles, with and without (3), texts without words among them.
    """
    of_drawn = (
        ["a b", "cab", "a b"],
        ["ab", "b c a", "cc"],
        [["cc", ""], ["ab", "ab"], ["cab", "a c"]],
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        models = [
            lstm_edu.AlignedEncoder(
                rnn.RNN(3), HASHING, 0, "float64", 1.0, tied=False, with_embedding=both
            )
            for both in (False, True)
        ]
        given = [EXAMPLES, of_drawn]
        expected = [
            lstm_edu.cost_and_gradient(model, *texts, method="autograd")
            for model in models
            for texts in given
        ]

    def gap(module):
        found, worst = [], 0.0
        for model in models:
            relevance = module.Aligned(model.relevance.embedding)
            for texts in given:
                found.append(by_hand(model, relevance, texts, as_flags=False))
                worst = max(worst, forms_differ(model, relevance, texts))
        for (l, g), (total, e) in zip(found, expected):
            worst = max(worst, abs(l - total) / total, worst_difference(g, e))
        return worst

    def forms_differ(model, relevance, texts):
        """Drawn titles, each once, and the same as flags of all: what they differ by."""
        texts = texts[0], texts[1], [[title] for title, *_ in texts[2]]
        drawn, flags = (by_hand(model, relevance, texts, form) for form in (False, True))
        return max(abs(drawn[0] - flags[0]), worst_difference(drawn[1], flags[1]))

    def by_hand(model, relevance, texts, as_flags):
        with monkeypatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            patch.setattr(model, "relevance", relevance)
            if as_flags:
                patch.setattr(minibatch, "Examples", flagged)
            return lstm_edu.cost_and_gradient(model, *texts)

    return gap


def flagged(queries, documents, query, clicked, unclicked):
    """`Examples` whose unclicked titles are flags of all."""
    among = np.zeros((len(query), len(documents.order)), bool)
    np.put_along_axis(among, unclicked, True, axis=1)
    return Examples(queries, documents, query, clicked, among)


ALIGNED = "cost_gradient", "_blocks", "_tokens", "_nearest", "_loss_gradient", "_through_length"


@pytest.mark.parametrize("most", [1, 1 << 20])
def test_every_break_of_aligned_words_is_found(monkeypatch, most, every):
    """Many queries at a time, and one by one."""
    gap = aligned_gap(monkeypatch)

    def in_blocks(module):
        module.MOST = most
        return gap(module)

    survived, count = survivors(broken(aligned, *ALIGNED, every=every), aligned, in_blocks)
    # how many queries at a time changes nothing, and the first of them is 0 where all are one block
    same = ["DRAWN", "longest * M", "`1 / Q.lengths[queries][q_of]` loses its left"]
    same += ["first"] if most > 1 else []
    alive = [label for label in survived if not any(own in label for own in same)]
    assert alive == []
    assert count > 60 // every


# The batch, and the weights' gradient from it


BATCH = (
    "side_by_side",
    "as_asked_for",
    "in_time",
    "back_in_time",
    "last",
    "after_first",
    "sentence",
    "time",
    "input_gradient",
)


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
