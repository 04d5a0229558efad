"""What the command line refuses or warns of: one line, exit 2, and nothing half-written."""

import os
import shlex
import subprocess
import sys

import pytest
from small_log import TRAIN, in_files, new_model

import lstm_edu
from lstm_edu.__main__ import main

folder = pytest.fixture(in_files)
FIGURE = "compare pairs.tsv judgments.tsv --rows bm25 --figure x.png"


@pytest.mark.parametrize("read", ["pairs.tsv", "judgments.tsv", "titles.txt", "m/utable.npy"])
def test_a_figure_does_not_take_the_place_of_what_is_compared(folder, capsys, read):
    (folder / "m").mkdir()
    (folder / "m" / "utable.npy").write_bytes(b"a table")
    before, command = (folder / read).read_bytes(), "compare pairs.tsv judgments.tsv --rows bm25"
    more = "--folder", "parts", "--sentences", "titles.txt", "--skip-thought", "m", "--figure", read
    assert main([*command.split(), *more]) == 2 and (folder / read).read_bytes() == before
    assert capsys.readouterr().err == f"lstm_edu: --figure: {read} is to be read, not written\n"
    assert not (folder / "parts").exists()


@pytest.mark.parametrize("asked, what", [("sample --out x", "sample"), (FIGURE, "--figure")])
def test_what_belongs_to_the_course_is_one_line_without_it(
    folder, capsys, monkeypatch, asked, what
):
    for name in [name for name in sys.modules if name.split(".")[0] == "lstm_course"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "lstm_course", None)
    assert main(asked.split()) == 2
    said = f"lstm_edu: {what}: needs lstm_course, which is left out here\n"
    assert capsys.readouterr().err == said


TRAININGS = [  # train pairs.tsv --out x.npz …
    ("--gamma 1e39", "gamma: 1e+39"),
    ("--negatives 48", "--negatives: 48; a query has only 47"),
    ("--negatives " + "9" * 5000, "argument --negatives: 99999999999999999999... is too large"),
    ("--seed -1", "seed: -1"),
    ("--cells 1_2", "argument --cells: invalid integer value: '1_2'"),
    ("--seed ٣", "invalid integer value"),
    ("--clip inf", "argument --clip: invalid numeral value: 'inf'"),
    ("--momentum 0_1", "invalid numeral or 'schedule' value"),
    ("--optimizer sgd", "--optimizer: invalid choice: 'sgd'"),
    ("--optimizer adam --momentum 0.5", "--momentum: 0.5; must be None for the optimizer 'adam'"),
    ("--cells 1000000000000", "not enough memory"),
    ("--cells " + "9" * 18, "--cells: 999999999999999999; must be a whole number from 1, at most"),
    ("--cell rnn --peepholes full", "--cell rnn has none"),
    ("--min-count 1000", "no letter trigram occurs 1000"),
    ("--cluster ''", "--cluster: "),
]


@pytest.mark.parametrize(
    "arguments, said",
    [("train pairs.tsv --out x.npz " + more, said) for more, said in TRAININGS]
    + [
        ("", "required"),
        ("fly", "invalid choice: 'fly'"),
        ("'fly\nhigh'", "invalid choice"),
        ("train pairs.tsv", "--out"),
        ("train nothing.tsv --out x.npz", "nothing.tsv: No such file"),
        ("train bad.tsv --out x.npz", "bad.tsv:2: 1 column(s)"),
        ("train pairs.tsv --out no/x.npz", "does not exist"),
        ("train pairs.tsv --out pairs.tsv", "is to be read, not written"),
        ("evaluate pairs.tsv judgments.tsv", "not an lstm_edu model file"),
        ("evaluate m.npz pairs.tsv", "pairs.tsv: 48 of 48 lines are bad: 2 column(s); expected 5"),
        ("evaluate none.npz judgments.tsv", "none.npz: No such file"),
        ("rank m.npz titles.txt --query ' '", "--query: is empty"),
        ("rank m.npz titles.txt --query a --top 0", "--top: 0"),
        ("rank 'no\nfile\x1b[31m.npz' titles.txt --query a", r"path: 'no\nfile\x1b[31m.npz'; must"),
        ("rank m.npz 'a\nfile' --query a", r"path: 'a\nfile'; must be the name of a file"),
        ("rank m.npz bad.tsv --query a", "bad.tsv:1: 2 column(s)"),
        ("sample --out pairs.tsv", "pairs.tsv: " + ("File exists" if os.name == "posix" else "")),
        ("sample --out s --seed -1", "--seed: -1; must be a whole number from 0"),
    ],
)
def test_errors_are_one_line_and_exit_2(folder, capsys, arguments, said):
    (folder / "bad.tsv").write_text("a\tb\nc\n", encoding="utf-8")
    new_model(lstm_edu.LSTM(2)).save("m.npz")
    before = sorted(os.listdir())
    assert main(shlex.split(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("lstm_edu: ") and said in err
    assert sorted(os.listdir()) == before  # nothing half-written


@pytest.mark.parametrize("odd", ["", "IOENCODING=ascii", "WARNINGS=error", "WARNINGS=ignore"])
def test_a_warning_is_one_line_in_any_environment(folder, odd):
    new_model(lstm_edu.LSTM(2)).save("m.npz")
    (folder / "titles.txt").write_text("hôtel\nЖЖЖ\n", encoding="utf-8")
    variable, _, value = odd.partition("=")
    rank = [sys.executable, "-m", "lstm_edu", "rank", "m.npz", "titles.txt", "--query", "hotel"]
    environment = os.environ | {f"PYTHON{variable or 'UTF8'}": value or "1"}
    run = subprocess.run(rank, capture_output=True, env=environment)
    said = b"lstm_edu: warning: 1 of 2 texts hold no letter trigram that the model knows"
    assert run.returncode == 0 and run.stdout.count(b"\n") == 2
    assert run.stderr.splitlines() == [said]


SETTINGS = [
    ("--negatives 0", "--negatives: 0; must be 'batch' or a whole number from 1"),
    ("--batch-size 1", "--batch-size: 1; with --negatives 'batch' it must be at least 2"),
    ("--patience 3", "--patience: needs held-out queries; give --held-out a share of them"),
    ("--negatives many", "argument --negatives: invalid integer or 'batch' value: 'many'"),
]


@pytest.mark.parametrize("more, said", SETTINGS)
def test_settings_are_called_by_their_names_on_the_command_line(folder, capsys, more, said):
    assert main([*TRAIN, *more.split()]) == 2
    assert capsys.readouterr().err == f"lstm_edu: {said}\n"


def test_a_log_with_bad_lines_is_trained_on_if_they_are_to_be_left_out(tmp_path, capsys):
    """It is read twice, and warned of once."""
    log, out = tmp_path / "log.tsv", str(tmp_path / "m.npz")
    log.write_text("Query\tTitle\na b\tc d\nno title\ne b\tf d\n", encoding="utf-8")
    command = ["train", str(log), "--out", out, "--epochs", "1", "--cells", "2", "--quiet"]
    assert main(command) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "2 of 4 lines are bad, skip_bad=True, or --skip-bad" in said
    assert main([*command, "--skip-bad"]) == 0
    said = capsys.readouterr().err
    assert said.count("2 of 4 lines are left out: a header (Query <TAB> Title)") == 1
    assert main([*command, "--skip-bad", "--overwrite", "--max-words", "0"]) == 2
    said = "lstm_edu: --max-words: 0; must be None or a whole number from 1\n"
    assert capsys.readouterr().err.endswith(said)
    cut = str(tmp_path / "cut.npz")
    assert main([*command, "--skip-bad", "--max-words", "1", "--out", cut]) == 0
    assert lstm_edu.load(cut).hashing.size < lstm_edu.load(out).hashing.size
