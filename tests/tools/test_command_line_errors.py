"""Tests of the command line's errors and warnings, and of writing to a closed pipe."""

import os
import shlex
import subprocess
import sys

import pytest
from small_log import TRAIN, in_files, new_model

import lstm_edu
from lstm_edu.__main__ import main

folder = pytest.fixture(in_files)
RANK = "rank", "m.npz", "titles.txt", "--query", "hotel"


@pytest.fixture
def model(folder):
    new_model(lstm_edu.LSTM(2)).save("m.npz")


TRAININGS = [  # arguments added to `train pairs.tsv --out x.npz`, and a part of the error message
    ("--negatives " + "9" * 5000, "argument --negatives: 99999999999999999999... is too large"),
    ("--negatives 0", "--negatives: 0; must be 'batch' or a whole number from 1"),
    ("--cells 1_2", "argument --cells: invalid integer value: '1_2'"),
    ("--optimizer adam --momentum 0.5", "--momentum: 0.5; must be None for the optimizer 'adam'"),
    ("--cells 1000000000000", "Unable to allocate"),
    ("--min-count 1000", "no letter trigram occurs 1000"),
    ("--cell rnn --forget-gate", "--forget-gate: --cell rnn has none"),
]


@pytest.mark.parametrize(
    "arguments, said",
    [("train pairs.tsv --out x.npz " + more, said) for more, said in TRAININGS]
    + [
        ("'fly\nhigh'", "invalid choice"),
        ("train bad.tsv --out x.npz", "bad.tsv:2: 1 column(s)"),
        ("train pairs.tsv --out pairs.tsv", "is an input; must be another file"),
        ("evaluate m.npz pairs.tsv", "pairs.tsv:1: looks like text in 2 columns, as clicked"),
        ("rank m.npz titles.txt --query ' '", "--query: is empty"),
        ("rank m.npz titles.txt --query a --top 0", "--top: 0"),
        ("sample --out s --seed -1", "--seed: -1; must be a whole number from 0"),
        ("rank 'no\nfile\x1b[31m.npz' titles.txt --query a", r"path: 'no\nfile\x1b[31m.npz'; must"),
    ],
)
def test_command_error_prints_one_line_and_exits_with_code_2(
    folder, model, capsys, arguments, said
):
    (folder / "bad.tsv").write_text("a\tb\nc\n", encoding="utf-8")
    before = sorted(os.listdir())
    assert main(shlex.split(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("lstm_edu: ") and said in err
    assert sorted(os.listdir()) == before  # no partial file is left behind


HOSTILE = "\x1b]0;x\x07 \x1b[2J hotel\boslo \u202einn \x9b31m\x7f"


def test_commands_escape_control_characters(folder, model, capsys):
    """Control characters must be escaped in printed output, but not in written files."""
    (folder / "titles.txt").write_text(f"d1\t{HOSTILE}\n", encoding="utf-8", newline="\n")
    (folder / "plain.txt").write_text(f"{HOSTILE}\n", encoding="utf-8", newline="\n")
    (folder / "run\x9b2J\u202e.txt").write_text(f"{HOSTILE}\n", encoding="utf-8")
    (folder / "ids.txt").write_bytes("q Q0 d\u202e\x07\x9b 1 .5 t\nq Q0 \x07e 1 \x9b t\n".encode())
    model = lstm_edu.load("m.npz")
    model.training["settings"] = {"\x1b[2J": "\x07"}
    model.save("m.npz")
    for arguments, code in [
        (["rank", "m.npz", "plain.txt", "--query", HOSTILE], 0),
        (["rank", "m.npz", "titles.txt", "--query", HOSTILE], 0),
        (["rank", "m.npz", "plain.txt", "--query", "a", "--header"], 2),
        (["info", "m.npz"], 0),
        (["info", "m.npz", "--json"], 0),
        (["info", "run\x9b2J\u202e.txt"], 2),
        (["evaluate", "ids.txt", "judgments.tsv"], 2),
        (["train", "titles.txt", "--out", "x.npz", f"--cell={HOSTILE}"], 2),
        ([HOSTILE], 2),
    ]:
        assert main(arguments) == code, arguments
        out, err = capsys.readouterr()
        assert out + err and not set(out + err) & set("\x1b\x07\b\u202e\x9b\x7f"), arguments
    (folder / "queries.txt").write_text(f"q\u202e\t{HOSTILE}\n", encoding="utf-8", newline="\n")
    assert main("rank m.npz titles.txt --queries queries.txt --run run.txt".split()) == 0
    assert (folder / "run.txt").read_text(encoding="utf-8").startswith("q\u202e Q0 d1 1 ")


def test_sample_reports_missing_lstm_course(folder, capsys, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "lstm_course"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "lstm_course", None)
    assert main(["sample", "--out", "x"]) == 2
    said = "lstm_edu: sample: needs lstm_course, which is not installed\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("setting", ["IOENCODING=ascii", "WARNINGS=error", "WARNINGS=ignore"])
def test_warning_is_one_line_for_any_encoding_and_warning_filter(folder, model, setting):
    (folder / "titles.txt").write_text("hôtel\nЖЖЖ\n", encoding="utf-8")
    variable, _, value = setting.partition("=")
    environment = os.environ | {f"PYTHON{variable}": value}
    run = subprocess.run([*COMMAND, *RANK], capture_output=True, env=environment)
    said = b"lstm_edu: warning: 1 of 2 texts has no letter trigram that the model knows"
    assert run.returncode == 0 and run.stdout.count(b"\n") == 2
    assert run.stderr.splitlines() == [said]


def test_train_skips_bad_lines_with_one_warning(tmp_path, capsys):
    """`train` must warn only once, although it reads the log twice."""
    log, out = tmp_path / "log.tsv", str(tmp_path / "m.npz")
    log.write_text("Query\tTitle\na b\tc d\nno title\ne b\tf d\n", encoding="utf-8")
    command = ["train", str(log), "--out", out, "--epochs", "1", "--cells", "2", "--quiet"]
    assert main(command) == 2
    assert main([*command, "--skip-bad"]) == 0
    said = capsys.readouterr().err
    assert said.count("2 of 4 lines are left out: a header (Query <TAB> Title)") == 1
    whole = lstm_edu.load(out).hashing.size
    assert main([*command, "--skip-bad", "--max-words", "1", "--overwrite"]) == 0
    assert lstm_edu.load(out).hashing.size < whole


COMMAND = sys.executable, "-m", "lstm_edu"


@pytest.mark.parametrize(
    "command", [[*RANK, "--top", "50000"], pytest.param(TRAIN, marks=pytest.mark.soak)]
)
def test_command_ignores_closed_output_pipe(folder, model, command):
    """Read one line of the output, then close the pipe, like ``| head -1``."""
    (folder / "titles.txt").write_text("hotel\n" * 50_000, encoding="utf-8")
    more = ["--epochs", "40", "--overwrite"] if command is TRAIN else []
    pipe = subprocess.PIPE
    run = subprocess.Popen([*COMMAND, *command, *more], stdout=pipe, stderr=pipe)
    line = run.stdout.readline()
    run.stdout.close()
    with run.stderr:
        assert run.stderr.read() == b""
    assert run.wait() == 0
    assert line.rstrip().endswith(b"\thotel") or line.startswith(b"epoch   1 of ")
    assert command is not TRAIN or lstm_edu.load("m.npz").training["finished"]
