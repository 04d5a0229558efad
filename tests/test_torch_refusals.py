"""A module that is no longer a model is refused by name, and nothing is written before."""

import copy
import pickle
import re

import numpy as np
import pytest
from conftest import HASHING, unit_model
from refusal import refused

import lstm_edu

torch = pytest.importorskip(
    "torch", reason="PyTorch is not installed: pip install 'lstm_edu[torch]'"
)


def test_what_is_no_module_of_ours_is_refused_in_a_line():
    for bad in (None, 1, "model.npz", torch.nn.Linear(2, 2), unit_model(lstm_edu.RNN(2))):
        with refused("^module: .*must be what lstm_edu.to_torch gave$"):
            lstm_edu.from_torch(bad)
    with refused("^model: "):
        lstm_edu.to_torch(torch.nn.Linear(2, 2))
    module = lstm_edu.to_torch(unit_model(lstm_edu.RNN(2)))
    with refused("^texts"):
        module.query("ab")
    with refused("^module: has parameters of float16; must be all"):
        lstm_edu.from_torch(copy.deepcopy(module).half())
    mixed = copy.deepcopy(module)
    mixed.query.float()
    with refused("^module: has parameters of float32 and float64"):
        lstm_edu.from_torch(mixed)
    with torch.no_grad():
        module.document.Wrec[0, 1] = torch.nan
    with refused("^module: document.Wrec holds values that are not finite"):
        lstm_edu.from_torch(module)


def test_a_model_of_aligned_words_is_refused():
    """Its score is not the cosine of (3), which the module would give."""
    model = lstm_edu.AlignedEncoder(lstm_edu.LSTM(2), HASHING)
    with refused("^model: .*must be a lstm_edu.DualEncoder, with one vec"):
        lstm_edu.to_torch(model)


def test_what_a_module_has_become_must_be_a_model_still():
    """Else NumPy would spread one row over all, or a side of another model would be read."""

    def module(cell, hashing=HASHING):
        return lstm_edu.to_torch(lstm_edu.DualEncoder(cell, hashing, 1, "float64"))

    for shape in ((1, 2), (2,), (), (3, 3)):
        changed = module(lstm_edu.RNN(2))
        changed.query.Wrec = torch.nn.Parameter(torch.zeros(shape, dtype=torch.float64))
        told = f"^module: query.Wrec is of shape {re.escape(str(shape))}; must be "
        with refused(told):
            lstm_edu.from_torch(changed)
    reversed_trigrams = lstm_edu.LetterTrigrams(HASHING.trigrams[::-1])
    others = module(lstm_edu.LSTM(2)), module(lstm_edu.RNN(2), reversed_trigrams)
    for other in (*(module.document for module in others), torch.nn.Linear(2, 2).double()):
        changed = module(lstm_edu.RNN(2))
        changed.document = other
        with refused("^module.document: .*must be as module.query"):
            lstm_edu.from_torch(changed)


def changed(change, cell=None):
    """A module after something was done to it."""
    module = lstm_edu.to_torch(unit_model(cell or lstm_edu.LSTM(2)))
    change(module)
    return module


def nothing_at_all(module):
    for name in module.query.params:
        for side in (module.query, module.document):
            delattr(side, name)


Linear, Parameter, no_model = torch.nn.Linear, torch.nn.Parameter, "no model of lstm_edu can hold$"
CHANGES = {
    f"has head, which {no_model}": lambda m: setattr(m, "head", Linear(2, 2)),
    f"has temperature, which {no_model}": lambda m: setattr(
        m, "temperature", Parameter(torch.ones(1))
    ),
    f"has document.dropout, which {no_model}": lambda m: setattr(
        m.document, "dropout", torch.nn.Dropout()
    ),
    f"has query.mean, which {no_model}": lambda m: m.query.register_buffer("mean", torch.zeros(2)),
    f"has query.parametrizations, which {no_model}": lambda m: (
        torch.nn.utils.parametrizations.weight_norm(m.query, "W1")
    ),
    "has no parameter query.b1$": lambda m: setattr(m.query, "b1", None),
    "has no parameter document.b1$": lambda m: delattr(m.document, "b1"),
    "has no parameter query.": nothing_at_all,
    "document: None; must be as module.query": lambda m: delattr(m, "document"),
    r"query: .*Linear\(.*; must be a Reader": lambda m: setattr(m, "query", Linear(2, 2)),
    r"query.W1 cannot be read \(.*meta": lambda m: m.to("meta"),
    r"document.W4 cannot be read \(.*meta": lambda m: setattr(
        m.document, "W4", Parameter(m.document.W4.to("meta"))
    ),
    r"query.Wrec1 cannot be read \(.*": lambda m: setattr(
        m.query, "Wrec1", Parameter(m.query.Wrec1.to_sparse())
    ),
    "has parameters of float64 and int32; must be all float32": lambda m: setattr(
        m.query, "b3", Parameter(torch.zeros(2, dtype=torch.int32), requires_grad=False)
    ),
    "has parameters of complex64; must be all float32": lambda m: m.to(torch.complex64),
}


@pytest.mark.filterwarnings("ignore:Complex modules are a new feature")
@pytest.mark.parametrize("told", CHANGES)
def test_a_module_with_more_or_less_than_a_model_has_is_refused_by_name(told):
    with refused(f"^module(: |[.])({told})"):
        lstm_edu.from_torch(changed(CHANGES[told]))


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
    swapped = [trigrams[1], trigrams[0], *trigrams[2:]]
    others = [lstm_edu.LetterTrigrams(some) for some in (trigrams[::-1], swapped)]
    others += [lstm_edu.LetterTrigrams(trigrams, "lower")]
    for hashing in others:
        other = lstm_edu.to_torch(lstm_edu.DualEncoder(cell, hashing, 1))
        module = lstm_edu.to_torch(lstm_edu.DualEncoder(cell, HASHING, 2))
        before = copy.deepcopy(module.state_dict())
        other, into = (one.document if of_a_side else one for one in (other, module))
        with refused("^state_dict: is of other letter trigrams"):
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
        with refused("^state_dict: is of other letter trigrams"):
            one.load_state_dict(state)
