"""A model in PyTorch: the same embeddings, the same gradient, and back to the bit."""

import copy
import warnings

import numpy as np
import pytest
from conftest import CELLS, HASHING, NETWORKS, TEXTS, cell_name, clicks, unit_model
from hypothesis import given
from hypothesis import strategies as st

import lstm_edu
from lstm_edu import InputError

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed: pip install 'lstm_edu[torch]'"
)
from torch.nn import functional  # noqa: E402

NOT_ATTENTION = [cell for cell in CELLS if type(cell) is not lstm_edu.Attention]
every_cell = pytest.mark.parametrize("cell", NOT_ATTENTION, ids=cell_name)
# of 40 words, and of none
LONG = [" ".join(TEXTS[5] for _ in range(4))[:-1], "", "  ", "ab ba", "zzz qqq"]


def cost_of(module, queries, clicked, unclicked, gamma):
    """Eq. (4)-(5): the clicked title is the first of each pair's."""
    titles = [[d, *others] for d, others in zip(clicked, unclicked)]
    rows = {title: k for k, title in enumerate(dict.fromkeys(sum(titles, [])))}
    R = module(queries, list(rows))
    R = R.gather(1, torch.tensor([[rows[title] for title in some] for some in titles]))
    first = torch.zeros(len(R), dtype=torch.long)
    return functional.cross_entropy(gamma * R, first, reduction="sum")


def gradient_of(module):
    """PyTorch has None where no text of a side has a word."""
    return {
        side: {
            name: np.zeros(w.shape) if w.grad is None else w.grad.numpy()
            for name, w in getattr(module, side).params.items()
        }
        for side in ("query", "document")
    }


def differ(got, expected):
    """The largest difference, relative to the array's largest."""
    return max(
        np.abs(got[side][name] - g).max() / max(np.abs(g).max(), 1e-3)
        for side in expected
        for name, g in expected[side].items()
    )


@every_cell
@pytest.mark.parametrize("tied", [False, True])
def test_embeddings_are_ours(cell, tied):
    model = lstm_edu.DualEncoder(cell, HASHING, 3, "float64", scale=1.0, tied=tied)
    module, texts = lstm_edu.to_torch(model), TEXTS + LONG
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of texts without a known trigram
        yq, yd = model.encode_query(texts), model.encode_document(texts)
        q, d = module.query(texts).detach().numpy(), module.document(texts).detach().numpy()
        R = module(texts, texts).detach().numpy()
        assert np.abs(R - model.similarity(yq, yd)).max() < 1e-10
    assert np.abs(q - yq).max() < 1e-10 and np.abs(d - yd).max() < 1e-10
    assert (q[len(TEXTS) + 1] == 0).all() and np.array_equal(q, d) == tied


@every_cell
def test_the_gradient_is_ours(cell):
    model = unit_model(cell)
    module, examples = lstm_edu.to_torch(model), clicks(n=3, n_pairs=6)
    loss = cost_of(module, *examples, gamma=3.0)
    loss.backward()
    cost, gradient = lstm_edu.cost_and_gradient(model, *examples, gamma=3.0)
    assert abs(loss.item() - cost) < 1e-10 * cost
    assert differ(gradient_of(module), gradient) < 1e-10


@given(
    st.lists(
        st.lists(st.sampled_from(TEXTS + LONG), min_size=4, max_size=4), min_size=1, max_size=4
    ),
    st.sampled_from(NOT_ATTENTION),
)
def test_any_texts_have_our_gradient(rows, cell):
    """Texts without words among them, on either side."""
    model = unit_model(cell)
    module = lstm_edu.to_torch(model)
    queries, clicked, *others = map(list, zip(*rows))
    examples = queries, clicked, [list(some) for some in zip(*others)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loss = cost_of(module, *examples, gamma=2.0)
        if loss.requires_grad:  # else no text of either side has a word, and there is no tape
            loss.backward()
        _, gradient = lstm_edu.cost_and_gradient(model, *examples, gamma=2.0)
    assert differ(gradient_of(module), gradient) < 1e-10


def test_a_zero_embedding_sends_no_error_back():
    """Biases of zero and nothing known: PyTorch's own `normalize` multiplies the error by 1e12."""
    model = lstm_edu.DualEncoder(lstm_edu.RNN(3), HASHING, dtype="float64")
    model.query.params["b"][...] = 0
    module = lstm_edu.to_torch(model)
    with pytest.warns(UserWarning, match="hold no letter trigram"):
        module(["zzz"], TEXTS).sum().backward()
    assert (module.query.b.grad == 0).all()
    with pytest.warns(UserWarning):
        functional.normalize(module.query(["zzz"])).sum().backward()
    assert module.query.b.grad.abs().max() > 1e9


@every_cell
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_there_and_back_not_a_bit_is_lost(cell, dtype):
    model = lstm_edu.DualEncoder(cell, HASHING, 1, dtype, tied=False)
    model.training = {"history": {"cost": [1.0]}}
    module = lstm_edu.to_torch(model)
    back = lstm_edu.from_torch(copy.deepcopy(module))
    assert back.cell == model.cell and back.hashing is not None and back.dtype == model.dtype
    assert back.hashing.trigrams == model.hashing.trigrams and back.training == model.training
    for side in ("query", "document"):
        ours, theirs = getattr(model, side).weights, getattr(back, side).weights
        assert ours.keys() == theirs.keys()
        for name, w in ours.items():
            assert w.dtype == theirs[name].dtype and np.array_equal(w, theirs[name])
            assert not np.shares_memory(w, theirs[name])


def test_parameters_have_the_paper_s_names_and_are_copies():
    model = unit_model(lstm_edu.LSTM(3, True, "diagonal"))
    module = lstm_edu.to_torch(model)
    names = {name for name, _ in module.named_parameters()}
    assert names == {f"{s}.{name}" for s in ("query", "document") for name in model.query.params}
    before = model.query.params["Wrec3"].copy()
    with torch.no_grad():
        module.query.Wrec3.add_(1)
    assert np.array_equal(model.query.params["Wrec3"], before)
    back = lstm_edu.from_torch(module)
    assert np.array_equal(back.query.params["Wrec3"], before + 1)
    both = lstm_edu.to_torch(unit_model(lstm_edu.Bidirectional(lstm_edu.RNN(2))))
    assert "query.backward_Wrec" in dict(both.named_parameters())


@pytest.mark.parametrize(
    "cell",
    [*NETWORKS, *(cell for cell in CELLS if type(cell) is lstm_edu.Attention)],
    ids=cell_name,
)
def test_a_cell_that_reads_no_word_after_another_is_refused_by_name(cell):
    with pytest.raises(InputError) as error:
        lstm_edu.to_torch(unit_model(cell))
    assert str(error.value).startswith(f"model: to_torch knows no {type(cell).__name__}, but ")


def test_a_cell_of_one_s_own_is_read_by_its_own_step():
    from any_cells import Leaky

    model = unit_model(Leaky(3))
    module = lstm_edu.to_torch(model)
    assert np.abs(module.query(TEXTS).detach().numpy() - model.encode_query(TEXTS)).max() < 1e-10
    assert lstm_edu.from_torch(module).cell == Leaky(3)


def test_on_another_device_nothing_stays_behind():
    if not torch.cuda.is_available():
        pytest.skip("there is no graphics card here")
    module = lstm_edu.to_torch(unit_model(lstm_edu.Bidirectional(lstm_edu.LSTM(2))))
    on_card = copy.deepcopy(module).to("cuda")
    R = on_card(TEXTS, TEXTS).detach().cpu()
    assert torch.allclose(R, module(TEXTS, TEXTS), atol=1e-10)
    back, model = lstm_edu.from_torch(on_card), lstm_edu.from_torch(module)
    assert np.array_equal(back.query.params["forward.W1"], model.query.params["forward.W1"])
