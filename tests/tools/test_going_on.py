"""The command line on stopping and going on: Ctrl-C, --resume, --start-from."""

import contextlib
import os
import pathlib
import sys

import pytest
from conftest import sample
from processes import python
from refusal import refused
from small_log import TRAIN, in_files

import lstm_edu
from lstm_edu.__main__ import main
from lstm_edu._util import array_files
from lstm_edu.cli.train import RECURRENT
from lstm_edu.table_iv import comparison
from lstm_edu.training import runs

folder = pytest.fixture(in_files)
pytestmark = pytest.mark.usefixtures("folder")


@contextlib.contextmanager
def stopped_at(module, name, call):
    """Ctrl-C comes when the function is called for the so manieth time."""
    function, calls = getattr(module, name), []

    def interrupted(*args, **named):
        calls.append(name)
        if len(calls) == call:
            raise KeyboardInterrupt
        return function(*args, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, interrupted)
        yield


def said_on_stop(capsys, arguments):
    assert main(arguments) == 130
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and error.startswith("lstm_edu: interrupted: ")
    return error.removeprefix("lstm_edu: interrupted: ").rstrip("\n")


def trained(out, *more):
    return [word.replace("m.npz", out) for word in TRAIN] + ["--epochs", "3", *more]


@pytest.mark.parametrize("how", [[], ["--overwrite"]])
@pytest.mark.parametrize("epochs, kept", [(1, "1 epoch"), (2, "2 epochs")])
def test_a_stopped_training_says_how_many_epochs_are_kept(capsys, epochs, kept, how):
    """And the same command goes on, though it began by overwriting."""
    go_on = f"n.npz keeps {kept}; the same command with --resume goes on from there"
    if how:
        pathlib.Path("n.npz").write_text("of before", encoding="utf-8")
    with stopped_at(runs, "save", epochs + 1):  # an epoch more is done, but not written
        assert said_on_stop(capsys, trained("n.npz", *how)) == go_on
    with stopped_at(runs, "record", 1):  # in the next one: what was kept still is
        assert said_on_stop(capsys, trained("n.npz", "--resume", *how)) == go_on
    assert main(trained("n.npz", "--resume", *how)) == main(trained("m.npz")) == 0
    assert pathlib.Path("n.npz").read_bytes() == pathlib.Path("m.npz").read_bytes()


def test_a_training_stopped_in_its_first_epoch_keeps_nothing(capsys):
    nothing = "no epoch is done, nothing is kept"
    for _ in range(2):  # the second time --out is an older file, which is not this run's
        with stopped_at(runs, "save", 1):
            assert said_on_stop(capsys, trained("m.npz", "--overwrite")) == nothing
        lstm_edu.DualEncoder(lstm_edu.LSTM(2), lstm_edu.LetterTrigrams.fit(["a"])).save("m.npz")


@contextlib.contextmanager
def written_by_another(path, epoch, theirs, then=lambda: None):
    """They write as an epoch is to be saved."""
    save = runs.save

    def after_them(run, *rest):
        if len(run.history["cost"]) == epoch:
            path.write_bytes(theirs)
            then()
        return save(run, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "save", after_them)
        yield


def ctrl_c():
    raise KeyboardInterrupt


@pytest.mark.parametrize("is_model", [True, False])
@pytest.mark.parametrize("epoch", [1, 2])
def test_a_place_that_another_has_taken(capsys, epoch, is_model):
    """The training stops, and says where it is kept; Ctrl-C says that nothing is."""
    path, theirs = pathlib.Path("n.npz"), b"mine"
    if is_model:
        lstm_edu.DualEncoder(lstm_edu.LSTM(2), lstm_edu.LetterTrigrams.fit(["a"])).save("n.npz")
        theirs = path.read_bytes()
        path.unlink()
    with written_by_another(path, epoch, theirs):
        assert main(trained("n.npz", "--quiet")) == 2
    (kept,) = pathlib.Path().glob("n.*.npz")
    said = "something else is there by now, and is left as it is; this training stops, and its"
    assert capsys.readouterr().err == f"lstm_edu: n.npz: {said} checkpoint is {kept}\n"
    assert path.read_bytes() == theirs
    assert main(trained(str(kept), "--resume")) == main(trained("m.npz")) == 0
    assert kept.read_bytes() == pathlib.Path("m.npz").read_bytes()
    path.unlink()
    capsys.readouterr()
    with written_by_another(path, epoch, theirs, ctrl_c):
        said = said_on_stop(capsys, trained("n.npz", "--quiet"))
    assert said == "n.npz is not this training's, nothing is kept"


def test_a_stopped_comparison_says_where_its_parts_are(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "cache"))
    command = ["compare", "pairs.tsv", "judgments.tsv", "--rows", "ulm", "--jobs", "1"]
    with stopped_at(comparison, "in_a_process", 1):
        assert main(command) == 130
    *_, said = capsys.readouterr().err.splitlines()
    words = "lstm_edu: interrupted: the parts that are done are kept in "
    kept = pathlib.Path(said.removeprefix(words).split(";")[0])
    assert said.startswith(words) and said.endswith("; the same command goes on from there")
    assert not list(kept.iterdir())
    assert tmp_path in kept.parents and not pathlib.Path("comparison").exists()
    assert main(command) == 0 and (kept / "ulm_0.json").exists()


@pytest.mark.parametrize("cell", sorted(RECURRENT))
def test_a_new_run_starts_from_the_weights_of_a_model(cell):
    more = "--cell", cell, "--bidirectional", "--min-count", "2"
    assert main(trained("m.npz", *more)) == 0
    again = ["train", "pairs.tsv", "--out", "n.npz", "--start-from", "m.npz", "--epochs", "2"]
    assert main([*again, "--seed", "7"]) == 0
    model, pairs = lstm_edu.load("m.npz"), lstm_edu.read_pairs("pairs.tsv")
    lstm_edu.train(model, pairs, epochs=2, seed=7)
    model.save("by_hand.npz")
    assert pathlib.Path("n.npz").read_bytes() == pathlib.Path("by_hand.npz").read_bytes()
    with stopped_at(runs, "record", 2):
        assert main([*again, "--seed", "7", "--out", "o.npz"]) == 130
    assert main([*again, "--seed", "7", "--out", "o.npz", "--resume"]) == 0
    assert pathlib.Path("o.npz").read_bytes() == pathlib.Path("n.npz").read_bytes()


KEPT = "--cell rnn,--cells 0,--forget-gate,--peepholes full,--bidirectional,--tied,--min-count 1"


@pytest.mark.parametrize(
    "more, said",
    [(own, f"{own.split()[0]}: --start-from keeps what its model has") for own in KEPT.split(",")]
    + [
        ("--out m.npz", "--out: m.npz is to be read, not written"),
        ("--start-from none.npz", "none.npz: No such file or directory"),
    ],
)
def test_what_a_started_run_cannot_have(capsys, more, said):
    lstm_edu.DualEncoder(lstm_edu.LSTM(2), lstm_edu.LetterTrigrams.fit(["a"])).save("m.npz")
    before = pathlib.Path("m.npz").read_bytes()
    command = ["train", "pairs.tsv", "--start-from", "m.npz", "--out", "n.npz", *more.split()]
    assert main(command) == 2 and capsys.readouterr().err == f"lstm_edu: {said}\n"
    assert pathlib.Path("m.npz").read_bytes() == before and not pathlib.Path("n.npz").exists()


def test_a_training_that_began_before_0_2_goes_on_as_it_began(capsys):
    text = pathlib.Path("pairs.tsv").read_text(encoding="utf-8")
    pathlib.Path("pairs.tsv").write_text(text + "o\u0308slo inn\tinn \uff4f\n", encoding="utf-8")
    pairs = lstm_edu.read_pairs("pairs.tsv")
    hashing = lstm_edu.LetterTrigrams.fit((t for pair in pairs for t in pair), rule="lower")
    assert "#o\u0308" in hashing.trigrams and "#\uff4f#" in hashing.trigrams
    how = dict(epochs=3, batch_size=16, step_size=0.01, optimizer="nesterov")
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(16), hashing)
    lstm_edu.train(model, pairs, checkpoint="whole.npz", **how)
    with stopped_at(runs, "record", 2), pytest.raises(KeyboardInterrupt):
        model = lstm_edu.DualEncoder(lstm_edu.LSTM(16), hashing)
        lstm_edu.train(model, pairs, checkpoint="m.npz", **how)
    arrays, meta = array_files.read_arrays("m.npz", "lstm_edu model", [2])
    del meta["rule"], meta["training"]["settings"]["optimizer"]
    array_files.write_arrays("m.npz", arrays, meta | {"version": 1})
    assert main(trained("m.npz", "--resume")) == 2  # Adam is the default since
    assert "its --optimizer is 'nesterov', not 'adam'" in capsys.readouterr().err
    assert main(trained("m.npz", "--resume", "--optimizer", "nesterov")) == 0
    assert pathlib.Path("m.npz").read_bytes() == pathlib.Path("whole.npz").read_bytes()


@pytest.mark.parametrize("letter, is_refused", [("\u00f6", True), ("o", False)])
def test_a_run_is_not_gone_on_with_by_another_rule(letter, is_refused):
    """Of ASCII letters both rules make the same, so that what is kept from before 0.2 serves."""
    pairs = [(f"{letter}slo inn", "inn"), ("a b", "b c")]
    trigrams = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair).trigrams
    settings = {"epochs": 2, "n_negatives": 1, "checkpoint": "m.npz"}

    def model(rule):
        return lstm_edu.DualEncoder(lstm_edu.RNN(3), lstm_edu.LetterTrigrams(trigrams, rule))

    lstm_edu.train(model("lower"), pairs, **settings)
    if is_refused:
        with refused("its rule is 'lower', not 'NFKC'"):
            lstm_edu.train(model("NFKC"), pairs, resume=True, **settings)
    else:
        assert len(lstm_edu.train(model("NFKC"), pairs, resume=True, **settings)["cost"]) == 2


def test_resume(folder, capsys):
    assert main([*TRAIN, "--epochs", "2"]) == 0
    whole = (folder / "m.npz").read_bytes()
    capsys.readouterr()
    assert main([*TRAIN, "--epochs", "2", "--resume"]) == 0
    said = "m.npz is complete; there was nothing to resume; to train it for longer, "
    assert capsys.readouterr().out == said + "--start-from m.npz and another --out\n"
    assert (folder / "m.npz").read_bytes() == whole


def test_what_is_there_is_replaced_only_when_asked(folder, capsys):
    """Before the log is read: a model, half-done or finished, and any other file."""
    assert main([*TRAIN, "--epochs", "1", "--quiet"]) == 0
    for path in (folder / "m.npz", folder / "titles.txt"):
        before, command = path.read_bytes(), [word.replace("m.npz", path.name) for word in TRAIN]
        command[1] = "no_log.tsv"
        assert main(command) == 2 and path.read_bytes() == before
        said = "is there already; --resume goes on from it, --overwrite replaces it\n"
        assert capsys.readouterr().err == f"lstm_edu: {path.name}: {said}"
    other = [*TRAIN, "--epochs", "1", "--quiet", "--seed", "7"]
    assert main([*other, "--resume"]) == 2 and main(other) == 2
    before = (folder / "m.npz").read_bytes()
    assert main([*other, "--overwrite"]) == 0 and (folder / "m.npz").read_bytes() != before


INTERRUPT = """
import signal, sys
# where the shell that started the tests ignores Ctrl-C, as in the background
signal.signal(signal.SIGINT, signal.default_int_handler)
class Interrupt:
    def find_spec(self, name, *_):
        if name == {name!r}:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
"""


LOADED = ["numpy", "lstm_edu.cli", "lstm_edu.cells", "lstm_edu.table_iv", "matplotlib"]


@pytest.mark.parametrize("name", sample(LOADED, LOADED[:2]))
def test_ctrl_c_while_a_command_loads_is_one_line(folder, name):
    (folder / "path").mkdir()
    text = INTERRUPT.format(name=name)
    (folder / "path" / "sitecustomize.py").write_text(text, encoding="utf-8")
    path = os.pathsep.join([str(folder / "path"), *filter(None, sys.path)])
    run = python("-m", "lstm_edu", *TRAIN, PYTHONPATH=path)
    if name == "matplotlib" and run.returncode == 0:
        return  # is not loaded to train
    assert (run.returncode, run.stderr) == (130, "lstm_edu: interrupted\n")


def test_ctrl_c_while_somebody_else_imports_the_package_is_theirs():
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    code += "import lstm_edu; print(signal.getsignal(signal.SIGINT).__name__)"
    assert python("-c", code).stdout == "default_int_handler\n"
