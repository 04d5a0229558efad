"""Tests that models have the same embeddings and gradients in PyTorch as in NumPy."""

import copy
import pickle
import re

import numpy as np
import pytest
from any_cells import Leaky
from conftest import CELLS, HASHING, NETWORKS, TEXTS, cell_name, clicks, unit_model
from executed import texts_of
from refusal import refused

import lstm_edu
from lstm_course.engine import slips
from lstm_course.exercises import blank_page, own_words
from lstm_edu import LSTM, RNN, Attention, DualEncoder, from_torch, to_torch

torch = pytest.importorskip("torch", reason="the extra `torch` is not installed")
from torch.nn import functional  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:.*(letter trigram|embeddings are zero)")
SIDES = "query", "document"
READ = [cell for cell in CELLS if not isinstance(cell, Attention)] + [Leaky(3)]
every_cell = pytest.mark.parametrize("cell", READ, ids=cell_name)
# a text of 48 words, two texts without words, known words, and unknown words
ODD = [" ".join([TEXTS[5]] * 4), "", "  ", "ab ba", "zzz qqq"]


def cost_of(module, queries, clicked, unclicked, gamma):
    """Compute the cost (4)-(5) with `cross_entropy`; each pair's clicked title is class 0."""
    titles = [[d, *others] for d, others in zip(clicked, unclicked)]
    rows = {title: k for k, title in enumerate(dict.fromkeys(sum(titles, [])))}
    R = module(queries, list(rows))
    R = R.gather(1, torch.tensor([[rows[title] for title in each] for each in titles]))
    first = torch.zeros(len(R), dtype=torch.long)
    return functional.cross_entropy(gamma * R, first, reduction="sum")


def check_gradient(model, examples):
    """Compare PyTorch's cost and gradient with NumPy's."""
    module = to_torch(model)
    loss = cost_of(module, *examples, gamma=3.0)
    if loss.requires_grad:  # False if no text has a word
        loss.backward()
    cost, gradient = lstm_edu.cost_and_gradient(model, *examples, gamma=3.0)
    assert loss.item() == pytest.approx(cost, rel=1e-10)
    for side in SIDES:
        for name, w in getattr(module, side).params.items():
            # w.grad is None if none of the side's texts has a word
            found, g = 0 if w.grad is None else w.grad.numpy(), gradient[side][name]
            assert np.abs(found - g).max() < 1e-10 * max(np.abs(g).max(), 1e-3)


@every_cell
def test_torch_gradient_equals_numpy_gradient(cell):
    check_gradient(unit_model(cell), clicks(n=3, n_pairs=6))
    for texts in (ODD, ["", "", "  "], ["ab ba", "  ", "zzz qqq", "", "ab"]):
        titles = [[text] for text in texts]
        check_gradient(unit_model(cell), (texts, texts[1:] + texts[:1], titles))


@every_cell
@pytest.mark.parametrize("tied", [False, True])
def test_torch_embeddings_equal_numpy_embeddings(cell, tied):
    model = DualEncoder(cell, HASHING, 3, "float64", scale=1.0, tied=tied)
    module, texts = to_torch(model), TEXTS + ODD
    yq, yd = model.encode_query(texts), model.encode_document(texts)
    q, d, R = module.query(texts), module.document(texts), module(texts, texts)
    for found, y in ((q, yq), (d, yd), (R, model.similarity(yq, yd))):
        assert np.abs(found.detach().numpy() - y).max() < 1e-10
    assert (q[len(TEXTS) + 1] == 0).all() and torch.equal(q, d) == tied


def test_zero_embedding_has_zero_gradient_in_torch():
    """PyTorch's `normalize` divides by max(norm, 1e-12), so its gradient would be huge."""
    model = DualEncoder(RNN(3), HASHING, dtype="float64")
    model.query.params["b"][...] = 0
    module = to_torch(model)
    module(["zzz"], TEXTS).sum().backward()
    assert (module.query.b.grad == 0).all()


@every_cell
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_round_trip_through_torch_is_exact(cell, dtype):
    model = DualEncoder(cell, HASHING, 1, dtype, tied=False)
    model.training = {"history": {"cost": [1.0]}}
    back = from_torch(copy.deepcopy(to_torch(model)))
    assert (back.cell, back.dtype, back.training) == (model.cell, model.dtype, model.training)
    assert back.hashing.trigrams == model.hashing.trigrams
    for side in SIDES:
        ours, theirs = getattr(model, side).weights, getattr(back, side).weights
        assert ours.keys() == theirs.keys()
        for name, w in ours.items():
            assert w.dtype == theirs[name].dtype and np.array_equal(w, theirs[name])


def test_torch_parameters_are_copies_with_names_from_paper():
    model = unit_model(LSTM(3, True, "diagonal"))
    module, before = to_torch(model), model.query.params["Wrec3"].copy()
    names = {name for name, _ in module.named_parameters()}
    assert names == {f"{s}.{name}" for s in SIDES for name in model.query.params}
    with torch.no_grad():
        module.query.Wrec3.add_(1)
    assert np.array_equal(model.query.params["Wrec3"], before)
    assert np.array_equal(from_torch(module).query.params["Wrec3"], before + 1)


# ---- Refusals


@pytest.mark.parametrize("cell", [*NETWORKS, Attention(LSTM(2))], ids=cell_name)
def test_to_torch_refuses_cell_that_does_not_read_word_by_word(cell):
    with refused(f"^model: to_torch knows no {type(cell).__name__}, but "):
        to_torch(unit_model(cell))


def test_conversions_refuse_aligned_model_and_other_objects():
    with refused("^model: .*must be a lstm_edu.DualEncoder, with one vec"):
        to_torch(lstm_edu.AlignedEncoder(LSTM(2), HASHING))
    for wrong in (None, "model.npz", torch.nn.Linear(2, 2), unit_model(RNN(2))):
        with refused("^module: .*must be a result of lstm_edu.to_torch$"):
            from_torch(wrong)
    with refused("^texts"):
        to_torch(unit_model(RNN(2))).query("ab")


def module_of(cell, hashing=HASHING):
    return to_torch(DualEncoder(cell, hashing, 1, "float64"))


def parameter(*shape):
    return torch.nn.Parameter(torch.full(shape, torch.nan, dtype=torch.float64))


REVERSED = lstm_edu.LetterTrigrams(HASHING.trigrams[::-1])
# part of the module, its replacement (None removes the part), and the error message
PARTS = [
    ("temperature", parameter(1), ": temperature is not a part of such a model$"),
    ("query.b", None, ": query.b is missing$"),
    ("document", None, ".document: None; must be a Reader"),
    ("query", torch.nn.Linear(2, 2), r".query: .*Linear\(.*; must be a Reader"),
    ("document", module_of(LSTM(2)).document, ".document: .*must be of the same cell"),
    ("query.Wrec", parameter(1, 2), r": query.Wrec is float64\(1, 2\), not float64\(2, 2\)$"),
    ("query.Wrec", parameter(2, 2), ": query.Wrec has values that are not finite"),
    ("query.b", torch.nn.Parameter(torch.zeros(2).double().to_sparse()), ": query.b cannot be r"),
    ("query.b", torch.nn.Parameter(torch.zeros(2)), r": query.b is float32\(2,\), not float64"),
]


@pytest.mark.parametrize("name, part, said", PARTS)
def test_from_torch_error_identifies_wrong_part_of_module(name, part, said):
    module = module_of(RNN(2))
    owner, _, attribute = name.rpartition(".")
    setattr(module.get_submodule(owner), attribute, part)
    with refused(f"^module{said}"):
        from_torch(module)


def test_from_torch_refuses_meta_and_float16_modules():
    with refused(r"^module: query.W cannot be read \(.*meta"):
        from_torch(module_of(RNN(2)).to("meta"))
    with refused("^dtype: .*float16.*; must be 'float32' or 'float64'"):
        from_torch(module_of(RNN(2)).half())


OTHERS = REVERSED, lstm_edu.LetterTrigrams([*HASHING.trigrams[1:], "zzz"])


@pytest.mark.parametrize("of_a_side", [False, True])
@pytest.mark.parametrize("hashing", OTHERS)
def test_load_state_dict_refuses_other_trigrams_and_keeps_weights(of_a_side, hashing):
    """Load a state with the same shapes into a module, a deep copy and an unpickled copy of it."""
    other, module = module_of(LSTM(2), hashing), to_torch(DualEncoder(LSTM(2), HASHING, 2))
    before = copy.deepcopy(module.state_dict())
    for into in (module, copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        source, target = (m.document if of_a_side else m for m in (other, into))
        with refused("^state_dict: has other letter trigrams"):
            target.load_state_dict(source.state_dict(), strict=False)
        assert all(torch.equal(w, before[name]) for name, w in into.state_dict().items())


def test_pytorch_code_in_lesson_05a_computes_same_gradient_as_lesson():
    """Run the lines that the lesson shows but doesn't run, on the lesson's two words."""
    words, numbers = own_words.LESSON
    names = {"numbers": numbers}
    exec(re.search(r"(?s)```python\n(.+?)```", texts_of("05a_bptt_lstm")["05-torch"])[1], names)
    p = {name: np.array([[w]]) for name, w in numbers.items()}
    p |= {"b" + k: np.zeros(1) for k in "134"}
    l = np.array([[0], *([word] for word in words)])
    expected = slips.slipped(blank_page.all_gradients)(p, l, np.ones(1))
    found = {name: w.grad.item() for name, w in names["w"].items()}
    assert found == pytest.approx({name: expected[name].item() for name in found}, rel=1e-5)
    assert len(found) == 6
