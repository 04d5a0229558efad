"""A module that is no longer a model is refused by name, and nothing is written before."""

import copy
import pickle
import re

import numpy as np
import pytest
from conftest import HASHING, unit_model

import lstm_edu
from lstm_edu import InputError

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed: pip install 'lstm_edu[torch]'"
)


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


def a_temperature(module):
    module.temperature = torch.nn.Parameter(torch.ones(1))


def a_layer_without_parameters(module):
    module.document.dropout = torch.nn.Dropout()


def a_buffer(module):
    module.query.register_buffer("mean", torch.zeros(2))


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


def a_sparse_one(module):
    module.query.Wrec1 = torch.nn.Parameter(module.query.Wrec1.to_sparse())


@pytest.mark.parametrize(
    "change, told",
    [
        (a_temperature, "has temperature, which no model of lstm_edu can hold$"),
        (a_layer_without_parameters, "has document.dropout, which no model of lstm_edu can hold$"),
        (a_buffer, "has query.mean, which no model of lstm_edu can hold$"),
        (none_for_a_bias, "has no parameter query.b1$"),
        (no_bias, "has no parameter document.b1$"),
        (no_side, "document: None; must be as module.query"),
        (another_side, r"query: .*Linear\(.*; must be a Reader"),
        (without_values, r"query.W1 cannot be read \(.*meta"),
        (a_sparse_one, r"query.Wrec1 cannot be read \(.*"),
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
        with pytest.raises(InputError, match="^state_dict: has other letter trigrams"):
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
        with pytest.raises(InputError, match="^state_dict: has other letter trigrams"):
            one.load_state_dict(state)
