"""Tests of a comparison's worker processes: peak memory, exit codes and termination."""

import os
import subprocess
import sys
import threading
import time
import types

import pytest
from conftest import PATIENCE, until
from refusal import refused

from lstm_tools.table_iv import comparison, memory, workers


@pytest.mark.parametrize("system, unit", [("linux", 1024), ("darwin", 1024**2)])
def test_peak_megabytes_converts_units_of_each_system(monkeypatch, system, unit):
    """Simulate Linux, which counts in kilobytes, and macOS, which counts in bytes."""
    usage = types.SimpleNamespace(ru_maxrss=300 * unit)
    fake = types.SimpleNamespace(RUSAGE_SELF=0, getrusage=lambda who: usage)
    monkeypatch.setattr(memory, "resource", fake)
    monkeypatch.setattr(memory, "sys", types.SimpleNamespace(platform=system))
    assert memory.peak_megabytes() == 300


def test_peak_megabytes_uses_psutil_on_windows(monkeypatch):
    monkeypatch.setattr(memory, "resource", None)
    usage = types.SimpleNamespace(peak_wset=300 * 2**20)
    process = types.SimpleNamespace(memory_info=lambda: usage)
    monkeypatch.setitem(sys.modules, "psutil", types.SimpleNamespace(Process=lambda: process))
    assert memory.peak_megabytes() == 300
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert memory.in_words(memory.peak_megabytes()) == "memory not measured"


def _end_me(task, data):
    os._exit(7)


def test_in_a_process_reports_exit_code_of_process_that_ends_early():
    with refused(r"^dssm seed 0: its process ended early.*\(exit code 7\)"):
        workers.in_a_process(_end_me, comparison.Task("dssm", 0, ""), None)


def _write_pid(task, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(str(os.getpid()))
    time.sleep(PATIENCE)


@pytest.mark.soak
@pytest.mark.waits
@pytest.mark.parametrize("how", ["kill", "terminate"])
def test_process_ends_when_its_parent_is_killed(tmp_path, how):
    psutil, path = pytest.importorskip("psutil"), tmp_path / "pid"
    code = "import sys, test_workers as t; t.workers.in_a_process(t._write_pid, None, sys.argv[1])"
    paths = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    parent = subprocess.Popen([sys.executable, "-c", code, path], env=os.environ | paths)
    pid = until(lambda: path.exists() and path.read_text(encoding="utf-8"), "the part is at work")
    part = psutil.Process(int(pid))
    getattr(parent, how)()
    parent.wait()
    until(lambda: not part.is_running() or part.status() == "zombie", "the part ended")


def test_end_all_ends_processes_of_other_threads(tmp_path):
    path, ended = tmp_path / "pid", []

    def work():
        with refused("^dssm seed 0: its process ended early"):
            workers.in_a_process(_write_pid, comparison.Task("dssm", 0, ""), path)
        ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    until(lambda: path.exists() and path.read_text(encoding="utf-8"), "the part is at work")
    workers.end_all()
    until(lambda: ended, "its thread ended")
    thread.join()
