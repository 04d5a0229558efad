"""Tests that commands killed at any moment, or on a full disk, lose no data.

SECURITY.md states the number of trials; with ``--share 0.01``, only 1 % of them run.
tests/helpers/killed.py kills a command during a write.
"""

import functools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import HAS, ROOT, until
from small_log import HASHING, PAIRS, in_files

import lstm_edu
from lstm_edu.training.settings import OPTIMIZERS
from lstm_tools.table_iv import store

pytestmark = pytest.mark.soak


def start(arguments, call=0, room=0):
    """Start a command of lstm_edu in a process that tests/helpers/killed.py can kill."""
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    killed = str(ROOT / "tests" / "helpers" / "killed.py")
    return subprocess.Popen(
        [sys.executable, killed, str(call), str(room), *arguments],
        env=os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def run(arguments, **how):
    """Run a command; return its exit code, standard output and standard error."""
    with start(arguments, **how) as process:
        out, err = process.communicate()
    return process.returncode, out, err


def is_killed_after(arguments, seconds):
    """Kill a command after some seconds, unless it has ended; return whether it was killed.

    Check that its child processes end, too.
    """
    psutil = pytest.importorskip("psutil")
    with start(arguments) as process:
        try:
            process.communicate(timeout=seconds)
            return False
        except subprocess.TimeoutExpired:
            children = psutil.Process(process.pid).children(recursive=True)
            process.kill()
            process.communicate()
    for child in children:
        until(lambda: not child.is_running() or child.status() == "zombie", "a child ended")
    return True


# Each of the functions `train`, `encode` and `compare` returns a command's arguments, a function
# that checks the command's files, and a function that resets these files. The check's argument
# `whole` is true if the command was not interrupted.


def train(folder, optimizer):
    how = "train pairs.tsv --cells 32 --epochs 12 --batch-size 12 --quiet --out m.npz --resume"
    path, expected = folder / "m.npz", []

    def check(whole=True):
        if whole:
            expected.append(path.read_bytes())
            assert expected[0] == expected[-1], "not the model of an uninterrupted run"
        elif path.exists():
            lstm_edu.load(path)

    return [*how.split(), "--optimizer", optimizer], check, path.unlink


def encode(folder):
    """Prepare an `encode` command that overwrites a file of embeddings."""
    model, titles = lstm_edu.DualEncoder(lstm_edu.LSTM(16), HASHING), [t for _, t in PAIRS] * 500
    model.save(folder / "m.npz")
    (folder / "titles.txt").write_text("".join(f"{t}\n" for t in titles), encoding="utf-8")
    path, before, expected = folder / "y.npy", np.arange(5), model.encode_document(titles)

    def check(whole=True):
        found = np.load(path)
        is_new = found.shape == expected.shape and (found == expected).all()
        assert is_new or not whole and np.array_equal(found, before), "neither the old nor the new"

    def reset():
        np.save(path, before)

    reset()
    return ["encode", "m.npz", "titles.txt", "y.npy"], check, reset


def compare(folder):
    """Prepare a `compare` command, which stores each part in a file with a digest."""
    how, expected = "compare pairs.tsv judgments.tsv --rows ulm,dssm --epochs 1 --folder c", []

    def check(whole=True):
        found = {}
        for path in (folder / "c").glob("*.json"):
            part = json.loads(path.read_text(encoding="utf-8"))
            inputs, seal = part.pop("inputs"), part.pop("seal")
            assert seal == store.digest_of(inputs, part), f"{path.name} is damaged"
            found[path.name] = {k: v for k, v in part.items() if k not in ("seconds", "memory")}
        expected.append(found)
        assert found.items() <= expected[0].items() and (not whole or found == expected[0])

    return how.split(), check, lambda: shutil.rmtree(folder / "c", ignore_errors=True)


COMMANDS = {f"train, {name}": functools.partial(train, optimizer=name) for name in OPTIMIZERS}
COMMANDS |= {"encode_titles": encode, "compare": compare}
# numbers of trials: kills at random moments, kills during a write, full disks
TIMES = dict.fromkeys(COMMANDS, (300, 200, 60))
TIMES |= {"encode_titles": (50, 100, 60), "compare": (30, 40, 20)}


@pytest.fixture(params=COMMANDS)
def command(request, tmp_path, monkeypatch):
    """Run a command once; return (name, arguments, check, reset, seconds, calls during writes).

    Calls are counted by tests/helpers/killed.py.
    """
    in_files(tmp_path, monkeypatch)
    arguments, check, reset = COMMANDS[request.param](tmp_path)
    began = time.monotonic()
    code, out, err = run(arguments)
    assert code == 0, err
    check()
    return request.param, arguments, check, reset, time.monotonic() - began, int(out.split()[-1])


@pytest.mark.parametrize("within", [False, True], ids=["random", "write"])
def test_killed_command_loses_no_data(command, tmp_path, check_tally, share, within):
    name, arguments, check, reset, took, calls = command
    chance, lost, kills, n = random.Random(1), [], 0, share(TIMES[name][within])
    reset()
    while kills < n:
        if within:
            is_killed = run(arguments, call=chance.randint(1, calls))[0] not in (0, 2)
        else:
            is_killed = is_killed_after(arguments, chance.uniform(0, took))
        kills += is_killed
        try:
            check(whole=not is_killed)
        except Exception as error:
            lost.append(repr(error))
        if not is_killed:
            reset()
        for part in tmp_path.rglob("*.part"):
            part.unlink()
    check_tally(f"{name}, killed {'within a write' if within else 'at random moments'}", n, lost)


@pytest.mark.skipif(not HAS["files of a limited size"](), reason="the system sets no limit")
def test_command_on_full_disk_prints_one_line_and_loses_no_data(
    command, tmp_path, check_tally, share
):
    name, arguments, check, reset, *_ = command
    path = tmp_path / ("y.npy" if name == "encode_titles" else "m.npz")
    size = path.stat().st_size if path.exists() else 300  # files of `compare` have about 300 bytes
    reset()
    chance, lost, n = random.Random(1), [], share(TIMES[name][2])
    for _ in range(n):
        code, _, err = run(arguments, room=chance.randrange(1, size - 1))
        try:
            *progress, said = err.splitlines()
            assert re.match(r"lstm_edu: .*cannot be written \(", said) and code == 2, err
            assert "Traceback" not in err and (name == "compare" or not progress), err
            assert not list(tmp_path.rglob("*.part")), "a partial file is left"
            check(whole=False)
        except Exception as error:
            lost.append(repr(error))
    check_tally(f"{name}, on a full disk", n, lost)
