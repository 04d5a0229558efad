"""Commands do what Python does, from click pairs to ranked titles, and say how they are called."""

import json
import sys

import numpy as np
import pytest
from conftest import ROOT
from small_log import PAIRS, TRAIN, in_files

import lstm_edu
from lstm_edu.__main__ import main, parser
from lstm_edu.cli import log_size, rank
from lstm_edu.table_iv import comparison

folder = pytest.fixture(in_files)
BOTH_WAYS, ATTENTION = lstm_edu.Bidirectional, lstm_edu.Attention


def test_from_click_pairs_to_ranked_titles(folder, capsys):
    assert main([*TRAIN, "--epochs", "40"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 41 and said[-2].startswith("epoch  40 of 40  cost ")
    assert main(["evaluate", "m.npz", "judgments.tsv"]) == 0
    said = "48 queries; 0 without a relevant title left out"
    assert capsys.readouterr().out.splitlines()[-1] == said
    assert main(["evaluate", "m.npz", "judgments.tsv", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["nDCG@10"] > 0.8 and result["n_queries"] == 48
    assert main(["rank", "m.npz", "titles.txt", "--query", "hotel oslo", "--top", "2"]) == 0
    first, second = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert first[1] == "oslo inn guide" and float(first[0]) > float(second[0])


def test_titles_are_ranked_block_by_block_as_all_at_once(folder, capsys, monkeypatch):
    assert main([*TRAIN, "--epochs", "1", "--quiet"]) == 0
    # equal titles: in the file's order
    (folder / "titles.txt").write_text("".join(f"{d}\n" for _, d in PAIRS * 2), encoding="utf-8")
    command = ["rank", "m.npz", "titles.txt", "--query", "hotel oslo", "--top", "7"]
    assert main(command) == 0
    whole = capsys.readouterr().out
    monkeypatch.setattr(rank, "LINES", 5)
    assert main(command) == 0 and capsys.readouterr().out == whole and len(whole.splitlines()) == 7


CELLS = [
    ("--cell rnn", lstm_edu.RNN(288)),
    ("--cell gru --cells 4", lstm_edu.GRU(4)),
    ("", lstm_edu.LSTM(96)),
    ("--forget-gate --peepholes full --cells 4", lstm_edu.LSTM(4, True, "full")),
    ("--bidirectional --cells 4", BOTH_WAYS(lstm_edu.LSTM(4))),
    ("--attention --bidirectional --cell gru --cells 4", ATTENTION(BOTH_WAYS(lstm_edu.GRU(4)))),
]


@pytest.mark.parametrize("options, cell", CELLS)
def test_cells(folder, options, cell):
    more = ["--epochs", "1", "--quiet", *options.split()]
    assert main(["train", "pairs.tsv", "--out", "m.npz", *more]) == 0
    assert lstm_edu.load("m.npz").cell == cell


SETTINGS = [
    (
        "--paper --gamma 7 --truncate 3 --held-out 0.2 --patience 1",
        {"n_negatives": 4, "gamma": 7.0, "momentum": "schedule", "average": None}
        | {"truncate": 3, "held_out": 0.2, "patience": 1, "step_size": 0.01},
    ),
    (
        "--average none --optimizer nesterov --momentum 0.5 --negatives batch",
        {"average": None, "momentum": 0.5, "n_negatives": "batch"},
    ),
]


@pytest.mark.parametrize("some, expected", SETTINGS)
def test_settings_reach_the_training(folder, some, expected):
    assert main([*TRAIN, "--epochs", "2", "--quiet", *some.split()]) == 0
    assert expected.items() <= lstm_edu.load("m.npz").training["settings"].items()


def test_held_out_says_where_a_log_stands(folder, capsys):
    held_out = ["--held-out", "0.1", "--overwrite"]
    assert main([*TRAIN, "--epochs", "2", *held_out]) == 0  # the second is the worse
    *_, said, _ = capsys.readouterr().out.splitlines()
    best = max(lstm_edu.load("m.npz").training["history"]["held_out"])
    told = f"held-out nDCG@10 {best:.2f} of a log of 48 pairs; the course has no log of that size"
    assert said == told
    assert main("train pairs.tsv --start-from m.npz --out n.npz --held-out 0.1".split()) == 0
    assert "too high, as far as m.npz was trained on these queries" in capsys.readouterr().out
    log = [f"{query} {k}\t{title}\n" for k in range(1000) for query, title in PAIRS[:2]]
    (folder / "pairs.tsv").write_text("".join(log), encoding="utf-8")
    assert main([*TRAIN, "--epochs", "1", *held_out]) == 0
    *_, said, _ = capsys.readouterr().out.splitlines()
    sizes = log_size.MEASURED["sample"]
    low, high = sizes[1000][0], sizes[3000][0]
    like = low + np.log(2000 / 1000) / np.log(3) * (high - low)
    assert f" of a log of 2,000 pairs; on the course's logs, cut to that size, {like:.2f} (" in said


def test_what_is_said_of_a_logs_size_is_what_was_measured():
    stored = json.loads((ROOT / "benchmarks" / "log_size.json").read_text(encoding="utf-8"))
    for name, by_size in stored["logs"].items():
        assert list(map(str, log_size.MEASURED[name])) == list(by_size)
        for own, of in zip(log_size.MEASURED[name].values(), by_size.values()):
            means = of["lstm"]["held_out"], of["lstm"]["nDCG@10"]
            assert own == pytest.approx(means, abs=6e-4)
    at = log_size.MEASURED["sample"][300_000][0]
    assert f"{at:.2f} (sample)" in log_size.standing(300_000, 0.3)
    assert log_size.standing(400_000, 0.3).endswith("(sample)")  # thrice as many are too many


def test_the_same_by_python(folder, capsys):
    pairs = lstm_edu.read_pairs("pairs.tsv")
    hashing = lstm_edu.LetterTrigrams.fit(t for pair in pairs for t in pair)
    given = dict(epochs=2, batch_size=16, step_size=0.01)
    paper = lstm_edu.PAPER | {"momentum": None}
    for options, start, settings in (
        ("--seed 4", {"seed": 4}, given | {"seed": 4}),
        ("--optimizer nesterov", {}, given | {"optimizer": "nesterov"}),
        ("--no-tied", {"tied": False}, given),
        ("--paper --optimizer adam", {}, paper | given | {"optimizer": "adam"}),
    ):
        assert main([*TRAIN, "--epochs", "2", "--quiet", "--overwrite", *options.split()]) == 0
        assert capsys.readouterr().out == ""
        model = lstm_edu.DualEncoder(lstm_edu.LSTM(16), hashing, **start)
        lstm_edu.train(model, pairs, **settings)
        model.save("by_python.npz")
        assert (folder / "by_python.npz").read_bytes() == (folder / "m.npz").read_bytes()


@pytest.mark.parametrize(
    "started, name", [("lstm-edu", "lstm-edu"), ("lstm_edu/__main__.py", "python -m lstm_edu")]
)
def test_version_and_the_name_that_it_was_started_by(monkeypatch, capsys, started, name):
    monkeypatch.setattr(sys, "argv", [started])
    for arguments, said in (
        (["--version"], f"lstm-edu {lstm_edu.__version__}\n"),
        (["rank", "--help"], f"usage: {name} rank "),
    ):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert not ended.value.code and capsys.readouterr().out.startswith(said)


COMMANDS = "train", "evaluate", "rank", "compare", "sample"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_everything_is_and_its_default(capsys, command):
    for arguments in (["--help"], [command, "--help"]):
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        assert stop.value.code == 0
        said = " ".join(capsys.readouterr().out.split("options:")[1].split())
        assert "N_NEGATIVES" not in said and "n_negatives" not in said
    (subparsers,) = (a for a in parser()._actions if a.choices and command in a.choices)
    assert set(COMMANDS) <= set(subparsers.choices)
    for action in subparsers.choices[command]._actions:
        assert action.help and len(action.help) > 3, f"{action.dest} has no help"
    if command == "compare":
        assert all(row in said for row in comparison.ROWS)
    if command == "train":
        assert all(own in said for own in ("--negatives NEGATIVES", "(batch)", "(lstm)"))
