"""Tests of the command line: training, evaluation, ranking, info and help."""

import json

import pytest
from small_log import HASHING, TRAIN, in_files, new_model

import lstm_edu
from lstm_tools.cli import log_size
from lstm_tools.cli.main import main, parser
from lstm_tools.table_iv import comparison

folder = pytest.fixture(in_files)
LSTM, GRU, RNN = lstm_edu.LSTM, lstm_edu.GRU, lstm_edu.RNN
BIDIRECTIONAL = lstm_edu.Attention(lstm_edu.Bidirectional(LSTM(4)))


def test_commands_train_evaluate_and_rank_with_one_model(folder, capsys):
    assert main([*TRAIN, "--epochs", "40"]) == 0
    first, *_, last, end = capsys.readouterr().out.splitlines()
    assert first.startswith("epoch   1 of 40  cost ") and first.endswith(" s to go")
    assert last.startswith("epoch  40 of 40  cost ") and "to go" not in last
    assert end == 'm.npz is trained: python -m lstm_edu rank m.npz TITLES --query "..."'
    assert main(["evaluate", "m.npz", "judgments.tsv"]) == 0
    said = "48 queries; 0 without a relevant title left out"
    assert capsys.readouterr().out.splitlines()[-1] == said
    assert main(["evaluate", "m.npz", "judgments.tsv", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["nDCG@10"] > 0.8 and result["n_queries"] == 48
    assert main(["rank", "m.npz", "titles.txt", "--query", "hotel oslo", "--top", "2"]) == 0
    first, second = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert first[1] == "oslo inn guide" and float(first[0]) > float(second[0])


BY_PAPER = lstm_edu.PAPER | {"step_size": 0.01}
OPTIONS = [
    ("--cell rnn", RNN(288), {}),
    ("--cell gru --cells 4 --seed 4", GRU(4), {"seed": 4}),
    ("--optimizer nesterov --momentum 0.5", LSTM(96), {"optimizer": "nesterov", "momentum": 0.5}),
    ("--forget-gate --peepholes full --cells 4 --no-tied", LSTM(4, True, "full"), {}),
    ("--attention --bidirectional --cells 4 --average none", BIDIRECTIONAL, {"average": None}),
    (
        "--paper --gamma 7 --truncate 3 --held-out 0.2 --patience 1 --cells 4",
        LSTM(4),
        BY_PAPER | {"gamma": 7.0, "truncate": 3, "held_out": 0.2, "patience": 1},
    ),
    (
        "--paper --optimizer adam --cells 4 --negatives batch",
        LSTM(4),
        BY_PAPER | {"momentum": None, "optimizer": "adam", "n_negatives": "batch"},
    ),
]


@pytest.mark.parametrize("options, cell, changed", OPTIONS)
def test_train_options_give_same_file_as_python_arguments(folder, capsys, options, cell, changed):
    common = "--epochs 2 --batch-size 16 --step-size 0.01 --out m.npz --quiet"
    assert main(["train", "pairs.tsv", *common.split(), *options.split()]) == 0
    assert capsys.readouterr().out == ""
    tied = {"tied": False} if "--no-tied" in options else {}
    model = lstm_edu.DualEncoder(cell, HASHING, changed.get("seed", 0), **tied)
    settings = dict(epochs=2, batch_size=16, step_size=0.01) | changed
    lstm_edu.train(model, lstm_edu.read_pairs("pairs.tsv"), **settings)
    model.save("by_python.npz")
    assert (folder / "by_python.npz").read_bytes() == (folder / "m.npz").read_bytes()


def test_info_describes_model_and_training(folder, capsys):
    new_model(LSTM(2)).save("m.npz")
    assert main(["info", "m.npz"]) == 0
    assert "training:               none\n" in capsys.readouterr().out
    assert main([*TRAIN, "--overwrite", "--epochs", "1", "--held-out", "0.2", "--quiet"]) == 0
    capsys.readouterr()
    assert main(["info", "m.npz", "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert info["training"] == "1 epoch" and "held_out 0.2" in info["settings"]
    assert 0 <= float(info["best held-out nDCG@10"]) <= 1 and float(info["last cost"]) > 0
    assert info["epoch kept"] == "1 of 1, the best on held-out queries"
    model = lstm_edu.load("m.npz")
    model.training["history"]["held_out"] = [0.5, 0.75, 0.625]
    model.save("m.npz")
    assert main(["info", "m.npz"]) == 0
    kept = "epoch kept:             2 of 3, the best on held-out queries\n"
    assert kept in capsys.readouterr().out


def test_model_trained_with_max_words_ignores_later_words(folder, capsys):
    assert main([*TRAIN, "--epochs", "1", "--quiet", "--max-words", "2"]) == 0
    model = lstm_edu.load("m.npz")
    assert model.hashing.max_words == 2
    texts = ["oslo inn guide", "Oslo  inn and more", "oslo inn"]
    assert len(set(map(tuple, model.encode_document(texts)))) == 1
    assert model.score("hotel", texts).tolist() == 3 * model.score("hotel", ["oslo inn"]).tolist()
    assert main(["info", "m.npz"]) == 0
    assert "max_words:              reads the first 2 words of a text\n" in capsys.readouterr().out
    start = "train pairs.tsv --start-from m.npz --epochs 1 --quiet --out".split()
    assert main([*start, "n.npz"]) == main([*start, "o.npz", "--max-words", "5"]) == 0
    assert [lstm_edu.load(f"{name}.npz").hashing.max_words for name in "no"] == [2, 5]


def test_train_compares_held_out_ndcg_with_logs_of_same_size(folder, capsys):
    # the first epoch has the higher nDCG, so the best is not the last
    assert main([*TRAIN, "--epochs", "2", "--held-out", "0.1"]) == 0
    *_, said, _ = capsys.readouterr().out.splitlines()
    best = max(lstm_edu.load("m.npz").training["history"]["held_out"])
    begin = f"held-out nDCG@10 {best:.2f} of a log of"
    assert said == f"{begin} 48 pairs; the course has no log of that size"
    said = log_size.standing(2000, best)
    assert f"{begin} 2,000 pairs; on the course's logs, cut to that size, 0.58 (sample)" in said
    more = "--start-from m.npz --out n.npz --epochs 1 --held-out 0.1".split()
    assert main(["train", "pairs.tsv", *more]) == 0
    assert ": too high, as far as m.npz was trained on these" in capsys.readouterr().out


WORDS = {
    "train": ["--negatives NEGATIVES", "(batch)", "(lstm)"],
    "compare": comparison.ROWS,
    **dict.fromkeys(["evaluate", "rank", "encode", "info", "sample"], ()),
}


def test_help_explains_every_option_and_its_default(capsys):
    (subparsers,) = (a for a in parser()._actions if a.choices and "train" in a.choices)
    assert set(WORDS) == set(subparsers.choices)
    for command, expected in WORDS.items():
        with pytest.raises(SystemExit):
            main([command, "--help"])
        said = " ".join(capsys.readouterr().out.split("options:")[1].split())
        assert all(words in said for words in expected)
        for action in subparsers.choices[command]._actions:
            assert action.help and len(action.help) > 3, f"{action.dest} has no help"
