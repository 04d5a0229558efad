"""A model of any cell in a file: saved, loaded, gone on with, and files from before."""

import pytest
from any_cells import OWN, Leaky, every_cell
from conftest import HASHING, TEXTS, cell_name
from refusal import refused
from small_log import gone_on_with

import lstm_edu
from lstm_edu import LSTM, RNN, Bidirectional, DualEncoder
from lstm_edu._util import array_files
from lstm_edu.text.hashing import RULE

PAIRS = [("ab ba", "abc"), ("a b c", "cab"), ("cc", "ac b")] * 4


@every_cell
def test_a_model_of_any_cell_is_saved_loaded_and_gone_on_with(cell, tmp_path):
    own = [Leaky] if cell in OWN else []
    again, path = gone_on_with(lambda: DualEncoder(cell, HASHING, seed=1), PAIRS, tmp_path)
    loaded = lstm_edu.load(path, cells=own)
    assert loaded.cell == cell and repr(loaded.cell) == repr(cell)
    assert (loaded.encode_query(TEXTS) == again.encode_query(TEXTS)).all()


def test_a_checkpoint_of_safetensors_is_gone_on_with(tmp_path):
    pytest.importorskip("safetensors", reason="the extra `safetensors` is not installed")
    gone_on_with(lambda: DualEncoder(LSTM(4), HASHING), PAIRS, tmp_path, "safetensors")


def test_a_file_of_an_unknown_cell_says_how_to_load_it(tmp_path):
    path = tmp_path / "m.npz"
    for cell in OWN:
        DualEncoder(cell, HASHING).save(path)
        with refused() as said:
            lstm_edu.load(path)
        assert str(said.value) == (
            f"{path}: is a model of the cell Leaky, which is not one of lstm_edu's; "
            "give its class: lstm_edu.load(path, cells=[Leaky])"
        )


@pytest.mark.parametrize(
    "cell", [LSTM(3, True, "full"), RNN(4), Bidirectional(LSTM(2))], ids=cell_name
)
def test_files_of_before_are_still_read(cell, tmp_path):
    """They named a bidirectional model's inner cell, and said that it is one."""
    model, inner = DualEncoder(cell, HASHING), getattr(cell, "cell", cell)
    model.save(tmp_path / "now.npz")
    arrays, meta = array_files.read_arrays(tmp_path / "now.npz", "lstm_edu model", [2])
    del meta["rule"]
    meta |= {"version": 1, "cell": type(inner).__name__, "arguments": vars(inner)}
    meta |= {"bidirectional": inner is not cell}
    array_files.write_arrays(tmp_path / "then.npz", arrays, meta)
    loaded = lstm_edu.load(tmp_path / "then.npz")
    assert (loaded.hashing.rule, model.hashing.rule) == ("lower", RULE)
    assert loaded.cell == cell and (loaded.encode_query(TEXTS) == model.encode_query(TEXTS)).all()
