"""A model in PyTorch: the same embeddings, the same gradient, and back to the bit."""

import copy
import pickle
import re
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


def test_what_pytorch_trains_comes_back():
    """As whoever has it at work would: Adam, a state of their own file, our `rank` again."""
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(4), HASHING, dtype="float64")
    module, examples = lstm_edu.to_torch(model), clicks(n=2)
    optimizer = torch.optim.Adam(module.parameters(), lr=0.01)
    costs = []
    for _ in range(30):
        optimizer.zero_grad()
        loss = cost_of(module, *examples, gamma=3.0)
        loss.backward()
        optimizer.step()
        costs.append(loss.item())
    other = lstm_edu.to_torch(model)
    other.load_state_dict(module.state_dict())
    back = lstm_edu.from_torch(other)
    cost, _ = lstm_edu.cost_and_gradient(back, *examples, gamma=3.0)
    assert cost < costs[-1] < costs[0] / 2
    assert dict(back.rank(TEXTS[5], TEXTS)).keys() == set(TEXTS)


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


def test_what_is_no_module_of_ours_is_refused_in_a_line():
    for bad in (None, 1, "model.npz", torch.nn.Linear(2, 2), unit_model(lstm_edu.RNN(2))):
        with pytest.raises(InputError, match="^module: .*must be what lstm_edu.to_torch gave$"):
            lstm_edu.from_torch(bad)
    with pytest.raises(InputError, match="^model: "):
        lstm_edu.to_torch(torch.nn.Linear(2, 2))
    module = lstm_edu.to_torch(unit_model(lstm_edu.RNN(2)))
    with pytest.raises(InputError, match="^texts"):
        module.query("ab")
    with pytest.raises(InputError, match="^module: has parameters of float16; must be all"):
        lstm_edu.from_torch(copy.deepcopy(module).half())
    mixed = copy.deepcopy(module)
    mixed.query.float()
    with pytest.raises(InputError, match="^module: has parameters of float32 and float64"):
        lstm_edu.from_torch(mixed)
    with torch.no_grad():
        module.document.Wrec[0, 1] = torch.nan
    with pytest.raises(InputError, match="^module: document.Wrec holds values that are not finite"):
        lstm_edu.from_torch(module)


def test_a_model_of_aligned_words_is_refused():
    """Its score is not the cosine of (3), which the module would give."""
    model = lstm_edu.AlignedEncoder(lstm_edu.LSTM(2), HASHING)
    with pytest.raises(InputError, match="^model: .*must be a lstm_edu.DualEncoder, with one vec"):
        lstm_edu.to_torch(model)


def test_what_a_module_has_become_must_be_a_model_still():
    """Else NumPy would spread one row over all, or a side of another model would be read."""

    def module(cell, hashing=HASHING):
        return lstm_edu.to_torch(lstm_edu.DualEncoder(cell, hashing, 1, "float64"))

    for shape in ((1, 2), (2,), (), (3, 3)):
        changed = module(lstm_edu.RNN(2))
        changed.query.Wrec = torch.nn.Parameter(torch.zeros(shape, dtype=torch.float64))
        told = f"^module: query.Wrec is of shape {re.escape(str(shape))}; must be "
        with pytest.raises(InputError, match=told):
            lstm_edu.from_torch(changed)
    reversed_trigrams = lstm_edu.LetterTrigrams(HASHING.trigrams[::-1])
    others = module(lstm_edu.LSTM(2)), module(lstm_edu.RNN(2), reversed_trigrams)
    for other in (*(module.document for module in others), torch.nn.Linear(2, 2).double()):
        changed = module(lstm_edu.RNN(2))
        changed.document = other
        with pytest.raises(InputError, match="^module.document: .*must be as module.query"):
            lstm_edu.from_torch(changed)


def changed(change, cell=None):
    """A module after something was done to it."""
    module = lstm_edu.to_torch(unit_model(cell or lstm_edu.LSTM(2)))
    change(module)
    return module


def a_head(module):
    module.head = torch.nn.Linear(2, 2)


def a_temperature(module):
    module.temperature = torch.nn.Parameter(torch.ones(1))


def a_layer_without_parameters(module):
    module.document.dropout = torch.nn.Dropout()


def a_buffer(module):
    module.query.register_buffer("mean", torch.zeros(2))


def a_parametrization(module):
    torch.nn.utils.parametrizations.weight_norm(module.query, "W1")


def none_for_a_bias(module):
    module.query.b1 = None


def no_bias(module):
    del module.document.b1


def no_side(module):
    del module.document


def another_side(module):
    module.query = torch.nn.Linear(2, 2)


def without_values(module):
    module.to("meta")


def one_without_values(module):
    module.document.W4 = torch.nn.Parameter(module.document.W4.to("meta"))


def a_sparse_one(module):
    module.query.Wrec1 = torch.nn.Parameter(module.query.Wrec1.to_sparse())


def whole_numbers(module):
    module.query.b3 = torch.nn.Parameter(torch.zeros(2, dtype=torch.int32), requires_grad=False)


def complex_numbers(module):
    module.to(torch.complex64)


def nothing_at_all(module):
    for name in module.query.params:
        for side in (module.query, module.document):
            delattr(side, name)


@pytest.mark.filterwarnings("ignore:Complex modules are a new feature")
@pytest.mark.parametrize(
    "change, told",
    [
        (a_head, "has head, which no model of lstm_edu can hold$"),
        (a_temperature, "has temperature, which no model of lstm_edu can hold$"),
        (a_layer_without_parameters, "has document.dropout, which no model of lstm_edu can hold$"),
        (a_buffer, "has query.mean, which no model of lstm_edu can hold$"),
        (a_parametrization, "has query.parametrizations, which no model of lstm_edu can hold$"),
        (none_for_a_bias, "has no parameter query.b1$"),
        (no_bias, "has no parameter document.b1$"),
        (nothing_at_all, "has no parameter query."),
        (no_side, "document: None; must be as module.query"),
        (another_side, r"query: .*Linear\(.*; must be a Reader"),
        (without_values, r"query.W1 cannot be read \(.*meta"),
        (one_without_values, r"document.W4 cannot be read \(.*meta"),
        (a_sparse_one, r"query.Wrec1 cannot be read \(.*"),
        (whole_numbers, "has parameters of float64 and int32; must be all float32"),
        (complex_numbers, "has parameters of complex64; must be all float32"),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_a_module_with_more_or_less_than_a_model_has_is_refused_by_name(change, told):
    with pytest.raises(InputError, match=f"^module(: |[.])({told})"):
        lstm_edu.from_torch(changed(change))


def test_one_reader_for_both_sides_is_a_model_still():
    """As whoever shares the weights does it; a parameter counts for each of its names."""

    def shared(module):
        module.document = module.query

    module = changed(shared, lstm_edu.Bidirectional(lstm_edu.RNN(2)))
    back = lstm_edu.from_torch(module)
    for name, w in back.query.params.items():
        assert np.array_equal(w, back.document.params[name])


@pytest.mark.parametrize("of_a_side", [False, True])
@pytest.mark.parametrize("strict", [False, True])
def test_a_state_of_other_trigrams_is_refused_and_nothing_is_written(of_a_side, strict):
    """In another order, or read by another rule, the shapes are the same."""
    trigrams, cell = HASHING.trigrams, lstm_edu.LSTM(2)
    others = [
        lstm_edu.LetterTrigrams(trigrams[::-1]),
        lstm_edu.LetterTrigrams([trigrams[1], trigrams[0], *trigrams[2:]]),
        lstm_edu.LetterTrigrams(trigrams, "lower"),
    ]
    for hashing in others:
        other = lstm_edu.to_torch(lstm_edu.DualEncoder(cell, hashing, 1))
        module = lstm_edu.to_torch(lstm_edu.DualEncoder(cell, HASHING, 2))
        before = copy.deepcopy(module.state_dict())
        other, into = (one.document if of_a_side else one for one in (other, module))
        with pytest.raises(InputError, match="^state_dict: is of other letter trigrams"):
            into.load_state_dict(other.state_dict(), strict=strict)
        after = module.state_dict()
        assert all(torch.equal(w, after[name]) for name, w in before.items())


def test_a_state_of_the_same_trigrams_goes_in_however_it_was_kept(tmp_path):
    """From a file that may hold tensors only, as float16, as a mean of several, and onto meta."""
    hashing = lstm_edu.LetterTrigrams(HASHING.trigrams[::-1])
    state = lstm_edu.to_torch(lstm_edu.DualEncoder(lstm_edu.GRU(2), hashing, 1)).state_dict()
    torch.save(state, tmp_path / "state.pt")
    kept = [
        torch.load(tmp_path / "state.pt", weights_only=True),
        {name: w.half() for name, w in state.items()},
        {name: (w + w + w) / 3 for name, w in state.items()},
    ]
    for some in kept:
        module = lstm_edu.to_torch(lstm_edu.DualEncoder(lstm_edu.GRU(2), hashing, 2))
        copied = copy.deepcopy(module)
        for one in (module, copied):
            one.load_state_dict(some)
            assert torch.allclose(one.query.Wz, state["query.Wz"], atol=1e-3)
    empty = lstm_edu.to_torch(lstm_edu.DualEncoder(lstm_edu.GRU(2), hashing, 2)).to("meta")
    empty.load_state_dict(state, assign=True)
    assert lstm_edu.from_torch(empty).hashing.trigrams == hashing.trigrams


def test_a_copied_module_still_refuses_other_trigrams():
    other = lstm_edu.LetterTrigrams(HASHING.trigrams[::-1])
    state = lstm_edu.to_torch(lstm_edu.DualEncoder(lstm_edu.RNN(2), other, 1)).state_dict()
    module = lstm_edu.to_torch(lstm_edu.DualEncoder(lstm_edu.RNN(2), HASHING, 1))
    for one in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        with pytest.raises(InputError, match="^state_dict: is of other letter trigrams"):
            one.load_state_dict(state)


def test_on_another_device_nothing_stays_behind():
    if not torch.cuda.is_available():
        pytest.skip("there is no graphics card here")
    module = lstm_edu.to_torch(unit_model(lstm_edu.Bidirectional(lstm_edu.LSTM(2))))
    on_card = copy.deepcopy(module).to("cuda")
    R = on_card(TEXTS, TEXTS).detach().cpu()
    assert torch.allclose(R, module(TEXTS, TEXTS), atol=1e-10)
    back, model = lstm_edu.from_torch(on_card), lstm_edu.from_torch(module)
    assert np.array_equal(back.query.params["forward.W1"], model.query.params["forward.W1"])
