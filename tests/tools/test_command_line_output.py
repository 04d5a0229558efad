"""Output that nobody reads to its end, or that finds no place on the disk."""

import errno
import os
import pathlib
import subprocess
import sys

import pytest
from conftest import sample
from small_log import TRAIN, in_files, new_model

import lstm_edu
from lstm_edu import __main__ as command_line
from lstm_edu.__main__ import main
from lstm_edu.cli import rank

folder = pytest.fixture(in_files)


COMMAND = sys.executable, "-m", "lstm_edu"


def read_one_line(*arguments):
    """What ``| head -1`` does, with no shell."""
    pipe = subprocess.PIPE
    run = subprocess.Popen([*COMMAND, *arguments], stdout=pipe, stderr=pipe)
    line = run.stdout.readline()
    run.stdout.close()
    with run.stderr:
        said = run.stderr.read()
    return line, said, run.wait()


def test_a_reader_that_has_enough_is_no_error(folder):
    new_model(lstm_edu.LSTM(2)).save("m.npz")
    (folder / "titles.txt").write_text("hotel\n" * 50_000, encoding="utf-8")
    command = ["rank", "m.npz", "titles.txt", "--query", "hotel", "--top", "50000"]
    line, said, code = read_one_line(*command)
    assert line.rstrip().endswith(b"\thotel") and (said, code) == (b"", 0)


def test_a_reader_that_has_enough_does_not_end_the_training(folder):
    line, said, code = read_one_line(*TRAIN, "--epochs", "40")
    assert line.startswith(b"epoch   1 of ") and (said, code) == (b"", 0)
    assert lstm_edu.load("m.npz").training["finished"]


@pytest.mark.parametrize(
    "system, number, code",
    [("linux", errno.EPIPE, 0), ("win32", errno.EINVAL, 0), ("linux", errno.EINVAL, 2)],
)
def test_windows_has_another_word_for_a_reader_that_has_enough(
    folder, monkeypatch, capsys, system, number, code
):
    new_model(lstm_edu.LSTM(2)).save("m.npz")
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


FULL = pathlib.Path("/dev/full")
ON_A_FULL_DISK = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")


def on_a_full_disk(*arguments, full):
    """Run a command whose output, or complaints, or both, find no place."""
    with open(FULL, "wb") as no_place:
        where = {name: no_place if name in full else subprocess.PIPE for name in OUTPUT}
        run = subprocess.run([*COMMAND, *arguments], **where)
    return run.returncode, run.stdout, run.stderr


SAID = b"lstm_edu: No space left on device\n"
OUTPUT = "stdout", "stderr"


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
    new_model(lstm_edu.LSTM(2)).save("m.npz")
    (folder / "titles.txt").write_text("hotel\n" * 50_000, encoding="utf-8")
    code, _, said = on_a_full_disk(*arguments, full=["stdout"])
    assert code == 2 and said.splitlines(keepends=True)[-1] == SAID
    assert b"Traceback" not in said and b"Exception" not in said
    assert on_a_full_disk(*arguments, full=["stdout", "stderr"])[0] == 2


@ON_A_FULL_DISK
def test_complaints_to_a_full_disk_change_nothing(folder):
    new_model(lstm_edu.LSTM(2)).save("m.npz")
    (folder / "titles.txt").write_text("hotel\nЖЖЖ\n", encoding="utf-8")  # one is warned of
    rank = ["rank", "m.npz", "titles.txt", "--query", "hotel"]
    code, out, _ = on_a_full_disk(*rank, full=["stderr"])
    assert code == 0 and len(out.splitlines()) == 2
    assert on_a_full_disk("rank", "none", full=["stderr"])[:2] == (2, b"")
    compare = ["compare", "pairs.tsv", "judgments.tsv", "--rows", "ulm", "--folder", "c"]
    code, out, _ = on_a_full_disk(*compare, full=["stderr"])
    assert code == 0 and b"\nulm " in out
