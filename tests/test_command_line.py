import errno
import json
import os
import pathlib
import subprocess
import sys

import pytest
from conftest import sample
from test_training import PAIRS

import lstm_edu
from lstm_edu import __main__ as command_line
from lstm_edu.__main__ import main
from lstm_edu.commands import rank


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.tsv").write_text("".join(f"{q}\t{d}\n" for q, d in PAIRS), encoding="utf-8")
    (tmp_path / "judgments.tsv").write_text(
        "".join(
            f"{k}\t{q}\t{j}\t{d}\t{3 * (j == k)}\n"
            for k, (q, _) in enumerate(PAIRS)
            for j, (_, d) in enumerate(PAIRS)
        ),
        encoding="utf-8",
    )
    (tmp_path / "titles.txt").write_text("".join(f"{d}\n" for _, d in PAIRS), encoding="utf-8")
    return tmp_path


TRAIN = [
    "train",
    "pairs.tsv",
    "--out",
    "m.npz",
    "--cells",
    "16",
    "--batch-size",
    "16",
    "--step-size",
    "0.01",
]


def test_from_click_pairs_to_ranked_titles(folder, capsys):
    assert main([*TRAIN, "--epochs", "40"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 40 and said[-1].startswith("epoch  40  cost ")
    assert main(["evaluate", "m.npz", "judgments.tsv"]) == 0
    assert (
        capsys.readouterr().out.splitlines()[-1]
        == "48 queries; 0 without a relevant title left out"
    )
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


def test_the_same_by_python(folder, capsys):
    assert main([*TRAIN, "--epochs", "3", "--quiet", "--seed", "4"]) == 0
    assert capsys.readouterr().out == ""
    pairs = lstm_edu.read_pairs("pairs.tsv")
    model = lstm_edu.DualEncoder(
        lstm_edu.LSTM(16), lstm_edu.LetterTrigrams.fit(t for pair in pairs for t in pair), seed=4
    )
    lstm_edu.train(model, pairs, epochs=3, batch_size=16, step_size=0.01, seed=4)
    model.save("by_python.npz")
    assert (folder / "by_python.npz").read_bytes() == (folder / "m.npz").read_bytes()


@pytest.mark.parametrize(
    "options, cell",
    [
        (["--cell", "rnn"], lstm_edu.RNN(288)),
        (["--cell", "rnn", "--cells", "4"], lstm_edu.RNN(4)),
        (["--cell", "gru", "--cells", "4"], lstm_edu.GRU(4)),
        ([], lstm_edu.LSTM(96)),
        (["--forget-gate", "--peepholes", "full", "--cells", "4"], lstm_edu.LSTM(4, True, "full")),
        (["--bidirectional", "--cells", "4"], lstm_edu.Bidirectional(lstm_edu.LSTM(4))),
        (["--attention", "--cells", "4"], lstm_edu.Attention(lstm_edu.LSTM(4))),
        (
            ["--attention", "--bidirectional", "--cell", "gru", "--cells", "4"],
            lstm_edu.Attention(lstm_edu.Bidirectional(lstm_edu.GRU(4))),
        ),
    ],
)
def test_cells(folder, options, cell):
    assert main(["train", "pairs.tsv", "--out", "m.npz", "--epochs", "1", "--quiet", *options]) == 0
    assert lstm_edu.load("m.npz").cell == cell


def test_settings_reach_the_training(folder):
    assert (
        main(
            [
                *TRAIN,
                "--epochs",
                "2",
                "--quiet",
                "--paper",
                "--gamma",
                "7",
                "--truncate",
                "3",
                "--held-out",
                "0.2",
                "--patience",
                "1",
            ]
        )
        == 0
    )
    settings = lstm_edu.load("m.npz").training["settings"]
    assert {
        name: settings[name]
        for name in (
            "n_negatives",
            "gamma",
            "momentum",
            "average",
            "truncate",
            "held_out",
            "patience",
            "step_size",
        )
    } == {
        "n_negatives": 4,
        "gamma": 7.0,
        "momentum": "schedule",
        "average": None,
        "truncate": 3,
        "held_out": 0.2,
        "patience": 1,
        "step_size": 0.01,
    }
    assert (
        main(
            [
                *TRAIN,
                "--epochs",
                "1",
                "--quiet",
                "--overwrite",
                "--average",
                "none",
                "--optimizer",
                "nesterov",
                "--momentum",
                "0.5",
                "--negatives",
                "batch",
            ]
        )
        == 0
    )
    settings = lstm_edu.load("m.npz").training["settings"]
    assert (settings["average"], settings["momentum"], settings["n_negatives"]) == (
        None,
        0.5,
        "batch",
    )


def test_adam_and_what_both_sides_start_with(folder):
    pairs = lstm_edu.read_pairs("pairs.tsv")
    hashing = lstm_edu.LetterTrigrams.fit(t for pair in pairs for t in pair)
    given = dict(epochs=2, batch_size=16, step_size=0.01)
    paper = lstm_edu.PAPER | {"momentum": None}
    for options, tied, settings in (
        (["--optimizer", "nesterov"], True, given | {"optimizer": "nesterov"}),
        (["--no-tied"], False, given),
        (["--paper", "--optimizer", "adam"], True, paper | given | {"optimizer": "adam"}),
    ):
        assert main([*TRAIN, "--epochs", "2", "--quiet", "--overwrite", *options]) == 0
        model = lstm_edu.DualEncoder(lstm_edu.LSTM(16), hashing, tied=tied)
        lstm_edu.train(model, pairs, **settings)
        model.save("by_python.npz")
        assert (folder / "by_python.npz").read_bytes() == (folder / "m.npz").read_bytes()


@pytest.mark.parametrize("read", ["pairs.tsv", "judgments.tsv", "titles.txt", "m/utable.npy"])
def test_a_figure_does_not_take_the_place_of_what_is_compared(folder, capsys, read):
    (folder / "m").mkdir()
    (folder / "m" / "utable.npy").write_bytes(b"a table")
    before, command = (folder / read).read_bytes(), "compare pairs.tsv judgments.tsv --rows bm25"
    more = "--folder", "parts", "--sentences", "titles.txt", "--skip-thought", "m", "--figure", read
    assert main([*command.split(), *more]) == 2 and (folder / read).read_bytes() == before
    assert capsys.readouterr().err == f"lstm_edu: --figure: {read} is to be read, not written\n"
    assert not (folder / "parts").exists()


def test_resume(folder, capsys):
    assert main([*TRAIN, "--epochs", "2"]) == 0
    whole = (folder / "m.npz").read_bytes()
    capsys.readouterr()
    assert main([*TRAIN, "--epochs", "2", "--resume"]) == 0
    assert capsys.readouterr().out == "m.npz is complete; there was nothing to resume\n"
    assert (folder / "m.npz").read_bytes() == whole


def test_what_is_there_is_replaced_only_when_asked(folder, capsys):
    """Before the log is read: a model, half-done or finished, and any other file."""
    assert main([*TRAIN, "--epochs", "1", "--quiet"]) == 0
    for path in (folder / "m.npz", folder / "titles.txt"):
        before, command = path.read_bytes(), [word.replace("m.npz", path.name) for word in TRAIN]
        command[1] = "no_log.tsv"
        assert main(command) == 2 and path.read_bytes() == before
        assert capsys.readouterr().err == (
            f"lstm_edu: {path.name}: is there already; "
            "--resume goes on from it, --overwrite replaces it\n"
        )
    other = [*TRAIN, "--epochs", "1", "--quiet", "--seed", "7"]
    assert main([*other, "--resume"]) == 2 and main(other) == 2
    before = (folder / "m.npz").read_bytes()
    assert main([*other, "--overwrite"]) == 0 and (folder / "m.npz").read_bytes() != before


@pytest.mark.parametrize(
    "started, name", [("lstm-edu", "lstm-edu"), ("lstm_edu/__main__.py", "python -m lstm_edu")]
)
def test_version_and_the_name_that_it_was_started_by(monkeypatch, capsys, started, name):
    monkeypatch.setattr(sys, "argv", [started])
    for arguments, said in (
        (["--version"], f"lstm-edu {lstm_edu.__version__}\n"),
        (
            ["rank", "--help"],
            f"usage: {name} rank ",
        ),
    ):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert not ended.value.code and capsys.readouterr().out.startswith(said)


@pytest.mark.parametrize(
    "arguments, said",
    [
        ([], "required"),
        (["fly"], "invalid choice: 'fly'"),
        (["train", "pairs.tsv"], "--out"),
        (["train", "nothing.tsv", "--out", "x.npz"], "nothing.tsv: No such file"),
        (["train", "bad.tsv", "--out", "x.npz"], "bad.tsv:2: 1 column(s)"),
        (["train", "pairs.tsv", "--out", "no/x.npz"], "does not exist"),
        (["train", "pairs.tsv", "--out", "pairs.tsv/x.npz"], "is a file, not a folder"),
        (["train", "pairs.tsv", "--out", "."], "is a folder"),
        (["train", "pairs.tsv", "--out", "pairs.tsv"], "is to be read, not written"),
        (["train", "pairs.tsv", "--out", "x.npz", "--gamma", "0"], "gamma: 0.0"),
        (["train", "pairs.tsv", "--out", "x.npz", "--gamma", "-2"], "gamma: -2.0"),
        (
            ["train", "pairs.tsv", "--out", "x.npz", "--negatives", "48"],
            "--negatives: 48; a query has only 47",
        ),
        (["train", "pairs.tsv", "--out", "x.npz", "--negatives", "some"], "--negatives: invalid"),
        (["train", "pairs.tsv", "--out", "x.npz", "--seed", "-1"], "seed: -1"),
        (
            ["train", "pairs.tsv", "--out", "x.npz", "--optimizer", "sgd"],
            "--optimizer: invalid choice: 'sgd'",
        ),
        (
            ["train", "pairs.tsv", "--out", "x.npz", "--optimizer", "adam", "--momentum", "0.5"],
            "--momentum: 0.5; must be None for the optimizer 'adam', which has none",
        ),
        (["train", "pairs.tsv", "--out", "x.npz", "--cells", "0"], "--cells: 0"),
        (
            ["train", "pairs.tsv", "--out", "x.npz", "--cell", "rnn", "--peepholes", "full"],
            "--cell rnn has none",
        ),
        (["train", "pairs.tsv", "--out", ""], "is no name of a file"),
        (["train", "pairs.tsv", "--out", "x.npz", "--gamma", "1e39"], "gamma: 1e+39"),
        (["train", "pairs.tsv", "--out", "x.npz", "--cells", "1000000000000"], "not enough memory"),
        (
            ["train", "pairs.tsv", "--out", "x.npz", "--min-count", "1000"],
            "no letter trigram occurs 1000",
        ),
        (["evaluate", "pairs.tsv", "judgments.tsv"], "not an lstm_edu model file"),
        (["evaluate", "m.npz", "pairs.tsv"], "pairs.tsv:1: 2 column(s); expected 5"),
        (["evaluate", "none.npz", "judgments.tsv"], "none.npz: No such file"),
        (["rank", "m.npz", "titles.txt", "--query", " "], "--query: is empty"),
        (
            ["sample", "--out", "pairs.tsv"],
            "pairs.tsv: " + ("File exists" if os.name == "posix" else ""),
        ),
        (["rank", "m.npz", "titles.txt", "--query", "a", "--top", "0"], "--top: 0"),
        (
            ["train", "pairs.tsv", "--out", "x.npz", "--cells", "9" * 23],
            "argument --cells: 99999999999999999999... is too large",
        ),
        (["train", "pairs.tsv", "--out", "x.npz", "--cells", "9" * 12], "not enough memory"),
        (
            ["train", "pairs.tsv", "--out", "x.npz", "--cells", "9" * 18],
            "--cells: 999999999999999999; must be a whole number from 1, at most 1000000000000",
        ),
        (
            ["train", "pairs.tsv", "--out", "x.npz", "--negatives", "9" * 5000],
            "argument --negatives: 99999999999999999999... is too large",
        ),
        (["train", "pairs.tsv", "--out", "x.npz", "--cluster", ""], "--cluster: "),
        (["sample", "--out", "s", "--seed", "-1"], "--seed: -1; must be a whole number from 0"),
        (["evaluate", "m.npz", "zeros.tsv"], "zeros.tsv:1: grade '00000000000000000000'; must be"),
        (
            ["rank", "no\nfile\x1b[31m.npz", "titles.txt", "--query", "a"],
            r"path: 'no\nfile\x1b[31m.npz'; must be the name of a file",
        ),
        (
            ["rank", "m.npz", "a\nfile", "--query", "a"],
            r"path: 'a\nfile'; must be the name of a file",
        ),
        (["fly\nhigh"], "invalid choice"),
        (["rank", "m.npz", "bad.tsv", "--query", "a"], "bad.tsv:1: 2 column(s)"),
    ],
)
def test_errors_are_one_line_and_exit_2(folder, capsys, arguments, said):
    (folder / "bad.tsv").write_text("a\tb\nc\n", encoding="utf-8")
    zeros = f"q\ta\td\tb\t{'0' * 5000}\n"
    (folder / "zeros.tsv").write_text(zeros, encoding="utf-8")
    lstm_edu.DualEncoder(lstm_edu.LSTM(2), lstm_edu.LetterTrigrams.fit(["a"])).save("m.npz")
    before = sorted(os.listdir())
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("lstm_edu: ") and said in err
    assert sorted(os.listdir()) == before  # nothing half-written


def test_warnings_are_one_line(folder):
    (folder / "more.tsv").write_text(
        "".join(f"{q}\t{d}\n" for q, d in PAIRS) + "hotel oslo\tЖЖЖ\n", encoding="utf-8"
    )
    lstm_edu.DualEncoder(lstm_edu.LSTM(2), lstm_edu.LetterTrigrams.fit(["a hotel"])).save("m.npz")
    (folder / "titles.txt").write_text("hotel\nЖЖЖ\n", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "lstm_edu", "rank", "m.npz", "titles.txt", "--query", "hotel"],
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 0 and len(run.stdout.splitlines()) == 2
    assert (
        run.stderr
        == "lstm_edu: warning: 1 of 2 texts hold no letter trigram that the model knows\n"
    )


def read_one_line(*arguments):
    """What ``| head -1`` does, with no shell."""
    run = subprocess.Popen(
        [sys.executable, "-m", "lstm_edu", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    line = run.stdout.readline()
    run.stdout.close()
    with run.stderr:
        said = run.stderr.read()
    return line, said, run.wait()


def test_a_reader_that_has_enough_is_no_error(folder):
    lstm_edu.DualEncoder(lstm_edu.LSTM(2), lstm_edu.LetterTrigrams.fit(["a hotel"])).save("m.npz")
    (folder / "titles.txt").write_text("hotel\n" * 50_000, encoding="utf-8")
    command = ["rank", "m.npz", "titles.txt", "--query", "hotel", "--top", "50000"]
    line, said, code = read_one_line(*command)
    assert line.rstrip().endswith(b"\thotel") and (said, code) == (b"", 0)


def test_a_reader_that_has_enough_does_not_end_the_training(folder):
    line, said, code = read_one_line(*TRAIN, "--epochs", "40")
    assert line.startswith(b"epoch   1  cost ") and (said, code) == (b"", 0)
    assert lstm_edu.load("m.npz").training["finished"]


@pytest.mark.parametrize(
    "system, number, code",
    [("linux", errno.EPIPE, 0), ("win32", errno.EINVAL, 0), ("linux", errno.EINVAL, 2)],
)
def test_windows_has_another_word_for_a_reader_that_has_enough(
    folder, monkeypatch, capsys, system, number, code
):
    lstm_edu.DualEncoder(lstm_edu.LSTM(2), lstm_edu.LetterTrigrams.fit(["a hotel"])).save("m.npz")
    ended = []

    def unread(*_, file=None, **rest):
        if file is None:
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr(rank, "print", unread, raising=False)
    monkeypatch.setattr(command_line, "print_no_more", lambda: ended.append(1))
    monkeypatch.setattr(sys, "platform", system)
    assert main(["rank", "m.npz", "titles.txt", "--query", "hotel"]) == code
    monkeypatch.undo()
    assert len(ended) == (code == 0)


@pytest.mark.parametrize(
    "variable, value",
    [("PYTHONIOENCODING", "ascii"), ("PYTHONWARNINGS", "error"), ("PYTHONWARNINGS", "ignore")],
)
def test_no_traceback_in_an_odd_environment(folder, variable, value):
    lstm_edu.DualEncoder(lstm_edu.LSTM(2), lstm_edu.LetterTrigrams.fit(["a hotel"])).save("m.npz")
    (folder / "titles.txt").write_text("hôtel\nЖЖЖ\n", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "lstm_edu", "rank", "m.npz", "titles.txt", "--query", "hotel"],
        capture_output=True,
        env=os.environ | {variable: value},
    )
    assert run.returncode == 0 and run.stdout.count(b"\n") == 2 and run.stderr.count(b"\n") == 1


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    said = capsys.readouterr().out
    assert all(name in said for name in ("train", "evaluate", "rank", "sample"))
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    assert "--resume" in capsys.readouterr().out


FULL = pathlib.Path("/dev/full")
ON_A_FULL_DISK = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")


def on_a_full_disk(*arguments, **full):
    """Run a command whose output, or complaints, or both, find no place."""
    where = {name: subprocess.PIPE for name in ("stdout", "stderr")}
    with open(FULL, "wb") as no_place:
        run = subprocess.run(
            [sys.executable, "-m", "lstm_edu", *arguments],
            **where | {name: no_place for name in full["full"]},
        )
    return run.returncode, run.stdout, run.stderr


SAID = b"lstm_edu: No space left on device\n"


OUTPUTS = [
    # in the end, within the work, by argparse, and as it goes; make soak has the rest
    ["rank", "m.npz", "titles.txt", "--query", "hotel"],
    ["rank", "m.npz", "titles.txt", "--query", "hotel", "--top", "50000"],
    ["--version"],
    [*TRAIN, "--epochs", "1", "--overwrite"],
    ["evaluate", "m.npz", "judgments.tsv", "--json"],
    ["--help"],
    ["train", "--help"],
    ["compare", "pairs.tsv", "judgments.tsv", "--rows", "ulm", "--folder", "c"],
]


@ON_A_FULL_DISK
@pytest.mark.parametrize("arguments", sample(OUTPUTS, OUTPUTS[:4]), ids=" ".join)
def test_output_to_a_full_disk_is_one_line_more(folder, arguments):
    lstm_edu.DualEncoder(lstm_edu.LSTM(2), lstm_edu.LetterTrigrams.fit(["a hotel"])).save("m.npz")
    (folder / "titles.txt").write_text("hotel\n" * 50_000, encoding="utf-8")
    code, _, said = on_a_full_disk(*arguments, full=["stdout"])
    assert code == 2 and said.splitlines(keepends=True)[-1] == SAID
    assert b"Traceback" not in said and b"Exception" not in said
    assert on_a_full_disk(*arguments, full=["stdout", "stderr"])[0] == 2


@ON_A_FULL_DISK
def test_complaints_to_a_full_disk_change_nothing(folder):
    lstm_edu.DualEncoder(lstm_edu.LSTM(2), lstm_edu.LetterTrigrams.fit(["a hotel"])).save("m.npz")
    (folder / "titles.txt").write_text("hotel\nЖЖЖ\n", encoding="utf-8")  # one is warned of
    rank = ["rank", "m.npz", "titles.txt", "--query", "hotel"]
    code, out, _ = on_a_full_disk(*rank, full=["stderr"])
    assert code == 0 and len(out.splitlines()) == 2
    assert on_a_full_disk("rank", "none", full=["stderr"])[:2] == (2, b"")
    compare = ["compare", "pairs.tsv", "judgments.tsv", "--rows", "ulm", "--folder", "c"]
    code, out, _ = on_a_full_disk(*compare, full=["stderr"])
    assert code == 0 and b"\nulm " in out


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


LOADED = ["numpy", "lstm_edu.commands", "lstm_edu.cells", "lstm_edu.table_iv", "matplotlib"]


@pytest.mark.parametrize("name", sample(LOADED, LOADED[:2]))
def test_ctrl_c_while_a_command_loads_is_one_line(folder, name):
    (folder / "path").mkdir()
    text = INTERRUPT.format(name=name)
    (folder / "path" / "sitecustomize.py").write_text(text, encoding="utf-8")
    path = os.pathsep.join([str(folder / "path"), *filter(None, sys.path)])
    run = subprocess.run(
        [sys.executable, "-m", "lstm_edu", *TRAIN],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        encoding="utf-8",
    )
    if name == "matplotlib" and run.returncode == 0:
        return  # is not loaded to train
    assert (run.returncode, run.stderr) == (130, "lstm_edu: interrupted\n")


def test_ctrl_c_while_somebody_else_imports_the_package_is_theirs():
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "import lstm_edu; print(signal.getsignal(signal.SIGINT).__name__)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert said.stdout == "default_int_handler\n"
