"""Tests of interrupted commands, --resume, --overwrite and --start-from."""

import contextlib
import os
import pathlib
import sys

import pytest
from small_log import TRAIN, in_files

import lstm_edu
from lstm_edu.__main__ import main
from lstm_edu.training import runs
from lstm_tools.table_iv import comparison

folder = pytest.fixture(in_files)
pytestmark = pytest.mark.usefixtures("folder")


@contextlib.contextmanager
def stopped_at(module, name, call):
    """Patch a function to raise KeyboardInterrupt when it is called for the ``call``-th time."""
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


def small_model():
    return lstm_edu.DualEncoder(lstm_edu.LSTM(2), lstm_edu.LetterTrigrams.fit(["a"]))


def contents(*names):
    return [pathlib.Path(name).read_bytes() for name in names]


@pytest.mark.parametrize("n, how", [(1, []), (2, ["--overwrite"])])
def test_interrupted_training_says_how_to_resume(capsys, n, how):
    """Check the message, and that adding --resume works, with or without --overwrite."""
    go_on = "n.npz has the last finished epoch; run the same command with --resume to go on"
    if how:
        small_model().save("n.npz")
    with stopped_at(runs.Run, "record", 1):
        said = said_on_stop(capsys, trained("n.npz", *how))
    assert said == "no epoch is finished, nothing is saved"
    with stopped_at(runs.Run, "save", n + 1):  # epoch n + 1 is done, but not saved
        assert said_on_stop(capsys, trained("n.npz", *how)) == go_on
    with stopped_at(runs.Run, "record", 1):  # the resumed run finishes no epoch
        assert said_on_stop(capsys, trained("n.npz", "--resume", *how)) == go_on
    assert main(trained("n.npz", "--resume", *how)) == main(trained("m.npz")) == 0
    whole, resumed = contents("m.npz", "n.npz")
    assert whole == resumed
    capsys.readouterr()
    assert main(trained("m.npz", "--resume")) == 0
    assert capsys.readouterr().out.startswith("m.npz is trained: ")


def test_interrupted_comparison_prints_folder_of_its_parts(capsys, monkeypatch, tmp_path):
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "cache"))
    command = ["compare", "pairs.tsv", "judgments.tsv", "--rows", "ulm", "--jobs", "1"]
    ended = []
    monkeypatch.setattr(comparison, "end_all", lambda: ended.append(True))
    with stopped_at(comparison, "in_a_process", 1):
        assert main(command) == 130
    assert ended
    *_, said = capsys.readouterr().err.splitlines()
    words = "lstm_edu: interrupted: the finished parts are in "
    assert said.startswith(f"{words}{tmp_path / 'cache'}")
    assert said.endswith("; run the same command to resume")


def test_start_from_equals_training_loaded_model_in_python():
    assert main(trained("m.npz", "--cell", "gru", "--bidirectional", "--min-count", "2")) == 0
    command = "train pairs.tsv --start-from m.npz --epochs 2 --seed 7 --out".split()
    assert main([*command, "n.npz"]) == 0
    model, pairs = lstm_edu.load("m.npz"), lstm_edu.read_pairs("pairs.tsv")
    lstm_edu.train(model, pairs, epochs=2, seed=7)
    model.save("by_hand.npz")
    with stopped_at(runs.Run, "record", 2):
        assert main([*command, "o.npz"]) == 130
    assert main([*command, "o.npz", "--resume"]) == 0
    started, by_hand, resumed = contents("n.npz", "by_hand.npz", "o.npz")
    assert started == by_hand == resumed


KEPT = "--cell rnn,--cells 0,--forget-gate,--tied"


@pytest.mark.parametrize(
    "more, said",
    [(o, f"{o.split()[0]}: cannot change the model of --start-from") for o in KEPT.split(",")]
    + [("--out m.npz", "--out: m.npz is an input; must be another file")],
)
def test_train_refuses_options_that_contradict_start_from(capsys, more, said):
    small_model().save("m.npz")
    before = contents("m.npz")
    command = ["train", "pairs.tsv", "--start-from", "m.npz", "--out", "n.npz", *more.split()]
    assert main(command) == 2 and capsys.readouterr().err == f"lstm_edu: {said}\n"
    assert contents("m.npz") == before and not os.path.exists("n.npz")


def test_train_replaces_file_only_with_overwrite(capsys):
    """`train` must refuse an existing file before it reads the log."""
    small_model().save("m.npz")
    for name in ("m.npz", "titles.txt"):
        before, command = contents(name), [word.replace("m.npz", name) for word in TRAIN]
        command[1] = "no_log.tsv"
        assert main(command) == 2 and contents(name) == before
        said = "exists; --resume goes on from it, --overwrite replaces it\n"
        assert capsys.readouterr().err == f"lstm_edu: {name}: {said}"
    assert main([*TRAIN, "--epochs", "1", "--quiet", "--overwrite"]) == 0
    assert main([*TRAIN, "--epochs", "3", "--resume"]) == 2
    said = "its --epochs is 1, not 3; to train it for longer, start a new run from it\n"
    assert capsys.readouterr().err.endswith(said)


def test_interrupt_during_import_of_command_line_prints_one_line(capsys, monkeypatch):
    class Stopped:
        def __getattr__(self, name):
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "lstm_tools.cli.main", Stopped())
    assert main(["--version"]) == 130
    assert capsys.readouterr().err == "lstm_edu: interrupted\n"
