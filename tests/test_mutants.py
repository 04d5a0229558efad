"""The gradient tests must find every mistake: each term of the backward pass is broken in turn.

Each mutant is the module with one place changed. It is found if it raises, or if its gradient
differs from autograd's by far more than the 1e-9 that the other tests allow.
"""

import ast
import copy
import inspect
import types

import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from conftest import clicks, unit_model, worst_difference

import lstm_edu
from lstm_edu.cells import lstm, rnn
from lstm_edu.gradients import autodiff, cost
from lstm_edu.text import sentences

FOUND = 1e-6
pytestmark = pytest.mark.filterwarnings("ignore:.*zero, their cosine")  # which mutants give


# Changes of one place each


def broken(module, *function_names):
    """Every mutant of some functions of a module: (what was changed, the source)."""
    tree = ast.parse(inspect.getsource(module))
    functions = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in function_names
    ]
    assert len(functions) == len(function_names)
    for function in functions:
        for node in ast.walk(function):
            for label, attribute, value in list(changes(node)):
                old = getattr(node, attribute)
                setattr(node, attribute, value)
                yield (
                    f"{function.name}: {label}",
                    ast.unparse(ast.fix_missing_locations(copy.deepcopy(tree))),
                )
                setattr(node, attribute, old)


def changes(node):
    """What can be broken at a node of a syntax tree: (what it is, attribute, its wrong value)."""
    text = (
        " ".join(ast.unparse(node).split()) if isinstance(node, (ast.BinOp, ast.AugAssign)) else ""
    )
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
        nothing = ast.Constant(1 if isinstance(node.op, (ast.Mult, ast.Div)) else 0)
        yield f"`{text}` loses its left", "left", nothing
        yield f"`{text}` loses its right", "right", nothing
        if isinstance(node.op, (ast.Add, ast.Sub)):
            yield (
                f"`{text}` turns its sign",
                "op",
                ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(),
            )
        if isinstance(node.op, ast.Mult):
            yield (
                f"`{text}` has its right twice",
                "right",
                ast.BinOp(node.right, ast.Mult(), node.right),
            )
    if isinstance(node, ast.AugAssign):
        yield f"`{text}` turns its sign", "value", ast.UnaryOp(ast.USub(), node.value)
    statements = getattr(node, "body", None)
    for k, statement in enumerate(statements if isinstance(statements, list) else []):
        if isinstance(statement, (ast.Assign, ast.AugAssign)):
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
    """A function: a module with that kind of cell -> its gradient's worst difference.

    The difference is that from autograd's.
    """
    honest = unit_model(getattr({"LSTM": lstm, "RNN": rnn}[kind], kind)(3, *arguments))
    expected = {
        T: lstm_edu.cost_and_gradient(honest, *EXAMPLES, method="autograd", truncate=T)[1]
        for T in TRUNCATE
    }

    def gap(module):
        model = unit_model(getattr(module, kind)(3, *arguments))
        return max(
            worst_difference(
                lstm_edu.cost_and_gradient(model, *EXAMPLES, truncate=T)[1], expected[T]
            )
            for T in TRUNCATE
        )

    return gap


@pytest.mark.parametrize("peepholes", ["diagonal", "full"])
def test_every_break_of_the_lstm_is_found(peepholes):
    survived, count = survivors(
        broken(lstm, "exact_errors", "backward", "forward", "_peephole", "_peephole_back"),
        lstm,
        cell_gap("LSTM", True, peepholes),
    )
    other_shape = {"diagonal": " @ ", "full": " * "}[
        peepholes
    ]  # the branch that this cell does not take
    assert [
        label
        for label in survived
        if not (label.startswith("_peephole") and other_shape in label)
        and not ("dzk" in label and peepholes == "full")
    ] == []
    assert count > 100


def test_every_break_of_the_rnn_is_found():
    survived, count = survivors(
        broken(rnn, "exact_errors", "backward", "forward"), rnn, cell_gap("RNN")
    )
    assert survived == []
    assert count > 20


# mistakes that were met in public lessons, each as (what stands here, what they have)
PUBLIC_LESSONS = {
    "dy of y(t-1) is written before dc uses dy of y(t)": (
        "        dc = dc_later[rows] + dy[rows]",
        "        dy[rows] = dz['1'][now] @ Wrec['1']\n        dc = dc_later[rows] + dy[rows]",
    ),
    "the cell's error is carried without the forget gate": ("            dc *= f\n", ""),
    "the forget gate is applied before its own error is taken": (
        '            dz["2"][now] = dc * c_before * f * (1 - f)\n            dc *= f\n',
        '            dc *= f\n            dz["2"][now] = dc * c_before * f * (1 - f)\n',
    ),
    "the output gate's peephole comes after the input gate": (
        '            dc += _peephole_back(weights["Wp1"], dz["1"][now])     # o(t) saw c(t)\n'
        '        dz["3"][now] = dc * yg * i * (1 - i)\n',
        '            pass\n        dz["3"][now] = dc * yg * i * (1 - i)\n'
        "        dc += _peephole_back(weights['Wp1'], dz['1'][now])\n",
    ),
    "c(t) for c(t-1) in the forget gate": ("tape.c[batch.offsets[t - 1]:][rows]", "tape.c[now]"),
    "a sigmoid's derivative applied twice": (
        "dc * yg * i * (1 - i)",
        "dc * yg * (i * (1 - i)) * (1 - i * (1 - i))",
    ),
    "tanh's derivative at tanh(c) again": ("o * (1 - h * h)", "o * (1 - np.tanh(h) ** 2)"),
    "0.5 (tanh(x) + 1) taken for a sigmoid": ("dtype.type(0.5)", "dtype.type(1)"),
    "W_rec not transposed": ('weights["Wrec"][:, part].T for', 'weights["Wrec"][:, part] for'),
    "each gate's error goes back alone (the appendix)": (
        "sum(dz[k][now] @ Wrec[k] for k in dz)",
        "dz['1'][now] @ Wrec['1']",
    ),
    "errors stop at the last word": (
        "reversed(range(len(batch.offsets) - 1))",
        "[len(batch.offsets) - 2]",
    ),
    "finished sentences are not waited for": (
        "embedding[:len(end)] = y[end]",
        "embedding[:len(end)] = y[-len(end):]",
    ),
}


@pytest.mark.parametrize("mistake", PUBLIC_LESSONS)
def test_mistakes_of_public_lessons_are_found(mistake):
    right, wrong = PUBLIC_LESSONS[mistake]
    source = inspect.getsource(lstm)
    assert source.count(right) == 1
    survived, _ = survivors(
        [(mistake, source.replace(right, wrong))], lstm, cell_gap("LSTM", True, "full")
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


def cost_gap(module):
    """The worst difference of the cost's gradient from autograd's.

    For both forms of its arguments.
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
    worst = 0.0
    for unclicked in (among, np.array([[1, 2], [0, 3], [5, 5], [4, 0]])):
        for gamma in (1.0, 10.0, 3000.0):
            l, dyq, dyd = module.cost_gradient(yq, yd, clicked, unclicked, gamma)
            total, (eq, ed) = autograd.value_and_grad(click_cost)(
                (yq, yd), clicked, unclicked, gamma
            )
            for found, expected in ((l.sum(), total), (dyq, eq), (dyd, ed)):
                worst = max(
                    worst,
                    float(
                        np.nan_to_num(np.abs(found - expected), nan=np.inf).max()
                        / np.abs(expected).max()
                    ),
                )
    return worst


def test_every_break_of_the_cost_is_found():
    survived, count = survivors(broken(cost, "loss", "cost_gradient", "normalise"), cost, cost_gap)
    assert survived == []
    assert count > 30


# The batch, and the weights' gradient from it


def test_every_break_of_the_batch_is_found(monkeypatch):
    expected = cell_gap("LSTM", True, "full")

    def gap(module):
        with monkeypatch.context() as patch:
            for name in (
                "batch",
                "rows",
                "last",
                "after_first",
                "sentence",
                "time",
                "input_gradient",
                "backwards",
            ):
                patch.setattr(sentences, name, getattr(module, name))
            return expected(lstm)

    survived, count = survivors(
        broken(
            sentences, "batch", "rows", "last", "after_first", "sentence", "time", "input_gradient"
        ),
        sentences,
        gap,
    )
    assert survived == []
    assert count > 20
