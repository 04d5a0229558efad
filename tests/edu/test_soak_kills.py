"""Whatever is killed, at whatever moment, or finds no room: nothing is lost, and nothing lives on.

Each test is there twice: a few times in every run of the tests, and as often as SECURITY.md says in
``python course.py soak``. A write is killed within by `killed`; see there how.
"""

import json
import os
import random
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import HAS, ROOT, until
from small_log import PAIRS

import lstm_edu
from lstm_edu.table_iv import store

KILLED = str(ROOT / "tests" / "helpers" / "killed.py")


class Command:
    """A command that writes ``target``; how often it is interrupted, and what was lost."""

    def __init__(self, folder, *arguments):
        self.folder, self.arguments = folder, arguments
        self.environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)]),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def start(self, call=0, room=0):
        """The process."""
        return subprocess.Popen(
            [sys.executable, KILLED, str(call), str(room), *self.arguments],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def run(self, call=0, room=0):
        """Exit code, output and complaints."""
        with self.start(call, room) as process:
            out, err = process.communicate()
        return process.returncode, out, err

    def killed_at(self, seconds):
        """Whether it was still at work after so long; what it had started has to end with it."""
        with self.start() as process:
            try:
                process.communicate(timeout=seconds)
                return False
            except subprocess.TimeoutExpired:
                started = children(process.pid)
                process.kill()
                process.communicate()
        for child in started:
            until(lambda: not child.is_running() or child.status() == "zombie", "it ended, too")
        return True


def children(pid):
    try:
        import psutil
    except ImportError:  # it comes with the extra "cluster"
        return []
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def swept(folder):
    """Remove what killed runs have left beside the files that they wrote."""
    for path in folder.rglob("*.part"):
        path.unlink()


def interrupted(folder, command, n, seed, within, check, again):
    """Interrupt a command n times.

    Parameters
    ----------
    folder : pathlib.Path
    command : Command
    n, seed : int
    within : bool
        Within a write, or at any moment.
    check : function
        Raises if something is lost.
    again : function
        Called when a run came to its end; what the next one begins with.

    Returns
    -------
    list of str
        What was lost.
    """
    chance, lost, kills = random.Random(seed), [], 0
    began = time.monotonic()
    code, out, err = command.run()
    assert code == 0, err
    took, calls = time.monotonic() - began, int(out.split()[-1])
    check()
    again()
    while kills < n:
        if within:
            code, _, err = command.run(call=chance.randint(1, calls))
            was_killed = code not in (0, 2)
        else:
            was_killed = command.killed_at(chance.uniform(0, took))
        kills += was_killed
        try:
            check(whole=not was_killed)
        except Exception as error:
            lost.append(repr(error))
        if not was_killed:
            again()
        swept(folder)
    return lost


def train(folder):
    """A training in the folder, the check of its file, and how it begins anew."""
    log, path = folder / "pairs.tsv", folder / "m.npz"
    log.write_text("".join(f"{q}\t{d}\n" for q, d in PAIRS), encoding="utf-8")
    how = "train pairs.tsv --cells 32 --epochs 12 --batch-size 12 --quiet --out m.npz --resume"
    command = Command(folder, *how.split())
    expected = []

    def check(whole=True):
        if whole:
            expected.append(path.read_bytes())
            assert expected[0] == expected[-1], "another model than that of an uninterrupted run"
        elif path.exists():
            lstm_edu.load(path)

    return command, check, lambda: path.unlink()


def encode(folder):
    """As `train`, of embeddings that are written over others."""
    model = lstm_edu.DualEncoder(
        lstm_edu.LSTM(16), lstm_edu.LetterTrigrams.fit(t for pair in PAIRS for t in pair)
    )
    model.save(folder / "m.npz")
    titles = [title for _, title in PAIRS]
    (folder / "titles.txt").write_text("".join(f"{t}\n" for t in titles * 500), encoding="utf-8")
    path, before = folder / "y.npy", np.arange(5)
    expected = model.encode_document(titles * 500)

    def again():
        np.save(path, before)

    def check(whole=True):
        found = np.load(path)
        is_new = found.shape == expected.shape and (found == expected).all()
        assert is_new or not whole and np.array_equal(found, before), "neither the old nor the new"

    again()
    return Command(folder, "encode", "m.npz", "titles.txt", "y.npy"), check, again


def compare(folder):
    """As `train`, of a comparison, whose parts are kept."""
    pairs = "".join(f"{q}\t{d}\n" for q, d in PAIRS)
    (folder / "pairs.tsv").write_text(pairs, encoding="utf-8")
    judged = "".join(
        f"{k}\t{query}\t{j}\t{title}\t{int(k == j)}\n"
        for k, (query, _) in enumerate(PAIRS[:9])
        for j, (_, title) in enumerate(PAIRS[:9])
    )
    (folder / "judgments.tsv").write_text(judged, encoding="utf-8")
    rows, expected = "ulm,dssm", []
    how = f"compare pairs.tsv judgments.tsv --rows {rows} --epochs 1 --folder c --json"
    command = Command(folder, *how.split())

    def kept():
        """Row, what and all that is no measure of this machine, of every part."""
        found = {}
        for path in sorted((folder / "c").glob("*.json")):
            part = json.loads(path.read_text(encoding="utf-8"))
            inputs, seal = part.pop("inputs"), part.pop("seal")
            assert seal == store.digest_of(inputs, part), f"{path.name} is damaged"
            del part["seconds"], part["memory"]
            found[path.name] = part
        return found

    def check(whole=True):
        found = kept()
        if not expected:
            expected.append(found)
        assert found.items() <= expected[0].items() and (not whole or found == expected[0])

    def again():
        for path in (folder / "c").iterdir():
            path.unlink()

    return command, check, again


COMMANDS = {"train": train, "encode_titles": encode, "compare": compare}
# how often, in the soak: at any moment, within a write, on a full disk
TIMES = {"train": (0, 200, 60), "encode_titles": (50, 100, 60), "compare": (30, 40, 20)}
WITHIN = {False: "killed at random moments", True: "killed within a write"}


def check_kills(tmp_path, tally, name, n, within, seed=0):
    command, check, again = COMMANDS[name](tmp_path)
    lost = interrupted(tmp_path, command, n, seed, within, check, again)
    tally(f"{name}, {WITHIN[within]}", n, lost)


def check_full_disk(tmp_path, tally, name, n, seed=0):
    """Every file has less room than it needs: one line, exit 2, and what was there is there."""
    command, check, again = COMMANDS[name](tmp_path)
    assert command.run()[0] == 0
    check()
    target = tmp_path / ("y.npy" if name == "encode_titles" else "m.npz")
    size = 300 if name == "compare" else target.stat().st_size
    again()
    chance, lost = random.Random(seed), []
    for _ in range(n):
        code, _, err = command.run(room=chance.randrange(1, size - 1))
        *told, said = err.splitlines()
        try:
            assert code == 2 and "cannot be written (" in said, (code, err)
            assert said.startswith("lstm_edu: ") and "Traceback" not in err, err
            assert name == "compare" or not told, err
            assert not list(tmp_path.rglob("*.part")), "a part is left"
            check(whole=False)
        except Exception as error:
            lost.append(repr(error))
    tally(f"{name}, on a full disk", n, lost)


@pytest.mark.parametrize("within", WITHIN, ids=WITHIN.get)
@pytest.mark.parametrize("name", COMMANDS)
def test_killed_a_few_times(tmp_path, tally, name, within):
    if TIMES[name][within] == 0:
        pytest.skip("tests/edu/test_resume.py has it")
    check_kills(tmp_path, tally, name, 1, within)


ROOM = pytest.mark.skipif(not HAS["files of a limited size"](), reason="the system sets no limit")


@ROOM
@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk(tmp_path, tally, name):
    check_full_disk(tmp_path, tally, name, 1)


class Often:
    """As often as SECURITY.md says; a class a command, as xdist shares out classes."""

    @pytest.mark.parametrize("within", WITHIN, ids=WITHIN.get)
    def test_killed(self, tmp_path, tally, within, share):
        n = TIMES[self.command][within]
        if n == 0:
            pytest.skip("tests/edu/test_resume.py has it")
        check_kills(tmp_path, tally, self.command, share(n), within, seed=1)

    @ROOM
    def test_full_disks(self, tmp_path, tally, share):
        n = TIMES[self.command][2]
        check_full_disk(tmp_path, tally, self.command, share(n), seed=1)


@pytest.mark.soak
class TestTrain(Often):
    command = "train"


@pytest.mark.soak
class TestEncodeTitles(Often):
    command = "encode_titles"


@pytest.mark.soak
class TestCompare(Often):
    command = "compare"
