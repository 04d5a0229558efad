"""Parts of Table IV in processes: their memory is measured, and none outlives its parent."""

import os
import pathlib
import signal
import subprocess
import sys
import time
import types

import pytest
from conftest import PATIENCE, ROOT, until
from refusal import refused

from lstm_edu.table_iv import comparison, memory, workers


@pytest.mark.parametrize("system, unit", [("linux", 1024), ("darwin", 1024**2)])
def test_memory_in_megabytes_on_every_system(monkeypatch, system, unit):
    """Linux counts in kilobytes, macOS in bytes."""
    usage = types.SimpleNamespace(ru_maxrss=300 * unit)
    fake = types.SimpleNamespace(RUSAGE_SELF=0, getrusage=lambda who: usage)
    monkeypatch.setattr(memory, "resource", fake)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(sys, "platform", system)
        found = memory.peak_megabytes()
    assert found == 300 and memory.in_words(found) == "300 MB"


def test_memory_without_resource_is_psutil_s_or_none(monkeypatch):
    info = types.SimpleNamespace(peak_wset=300 << 20)
    process = types.SimpleNamespace(memory_info=lambda: info)
    monkeypatch.setattr(memory, "resource", None)
    monkeypatch.setitem(sys.modules, "psutil", types.SimpleNamespace(Process=lambda: process))
    assert memory.peak_megabytes() == 300
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert memory.peak_megabytes() is None


def _end_me(task, data):
    os._exit(7)


def _write_pid(task, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(str(os.getpid()))
    time.sleep(PATIENCE)


def test_names_row_and_exit_code_of_a_process_that_was_killed():
    with refused(r"^dssm: its process was ended .*\(exit code 7\)"):
        workers.in_a_process(_end_me, comparison.Task("dssm", "0"), None)


def test_makes_a_part_in_this_process_where_none_can_be_started(monkeypatch):
    monkeypatch.setitem(sys.modules, "_multiprocessing", None)  # a browser's Python has none
    assert workers.in_a_process(lambda task, data: os.getpid(), None, None) == os.getpid()


PARENT = """
import signal, sys
from test_workers import _write_pid
from lstm_edu.table_iv.comparison import Task
from lstm_edu.table_iv.workers import in_a_process
if __name__ == "__main__":
    # where the shell that started the tests ignores Ctrl-C, as in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)
    in_a_process(_write_pid, Task("dssm", "0"), sys.argv[1])
"""


@pytest.mark.soak
@pytest.mark.parametrize("how", ["kill", "terminate", "interrupt"])
def test_no_process_lives_on_when_its_parent_is_killed(tmp_path, how):
    psutil = pytest.importorskip("psutil")
    if how == "interrupt" and os.name == "nt":
        pytest.skip("there is no SIGINT for one process on Windows")
    (tmp_path / "parent.py").write_text(PARENT, encoding="utf-8")
    path = tmp_path / "pid"
    paths = [str(pathlib.Path(__file__).parent), str(ROOT), *sys.path]
    parent = subprocess.Popen(
        [sys.executable, tmp_path / "parent.py", path],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        stderr=subprocess.DEVNULL,
    )
    there = lambda: path.exists() and path.read_text(encoding="utf-8")
    part = psutil.Process(int(until(there, "the part is at work")))
    if how == "interrupt":
        parent.send_signal(signal.SIGINT)
    else:
        getattr(parent, how)()
    parent.wait()
    until(lambda: not part.is_running() or part.status() == "zombie", "the part ended")
