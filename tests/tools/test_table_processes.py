"""Parts of Table IV in processes of their own: what is told of their memory, and that none outlives
its parent.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import types

import pytest
from conftest import PATIENCE, ROOT, sample, until
from refusal import refused
from small_table import JUDGMENTS, PAIRS, pretend_a_part

from lstm_edu.table_iv import comparison, memory, results, workers


@pytest.mark.parametrize("system, unit", [("linux", 1024), ("darwin", 1024**2)])
def test_memory_in_megabytes_on_every_system(monkeypatch, system, unit):
    """Linux counts in kilobytes, macOS in bytes; Windows has another way, psutil's."""
    told = types.SimpleNamespace(
        RUSAGE_SELF=0, getrusage=lambda who: types.SimpleNamespace(ru_maxrss=300 * unit)
    )
    monkeypatch.setattr(memory, "resource", told)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(sys, "platform", system)
        found = memory.peak_megabytes()
    assert found == 300 and memory.in_words(found) == "300 MB"


@pytest.mark.parametrize("told, found", [({"peak_wset": 300 << 20}, 300), ({"rss": 1}, None)])
def test_memory_without_resource_is_psutil_s_or_none(monkeypatch, told, found):
    process = types.SimpleNamespace(memory_info=lambda: types.SimpleNamespace(**told))
    monkeypatch.setattr(memory, "resource", None)
    monkeypatch.setitem(sys.modules, "psutil", types.SimpleNamespace(Process=lambda: process))
    assert memory.peak_megabytes() == found
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert memory.peak_megabytes() is None


def test_memory_that_nobody_tells_is_said_to_be_unmeasured(tmp_path, monkeypatch):
    pretended = {"dssm": 0.1, "rnn": 0.0}

    def unmeasured(*arguments):
        task, part = pretend_a_part(pretended, None, *arguments)
        no_memory = task.row == "rnn" or task.what == "search"
        return task, part | {"memory": None if no_memory else 7}

    monkeypatch.setattr(comparison, "in_a_process", unmeasured)
    said = []
    result = comparison.table_iv(
        PAIRS[:50], JUDGMENTS[:3], str(tmp_path), list(pretended), jobs=1, say=said.append
    )
    assert [row["memory"] for row in json.loads(json.dumps(result["rows"]))] == [7, None]
    _, dssm, rnn, *_ = results.as_text(result).splitlines()
    assert "  7  " in dssm and "  not measured  " in rnn
    done = [line for line in said if line.startswith("[")]
    assert {line.split(", ")[-1] for line in done} == {"memory not measured", "7 MB"}


def _end_me(task, data):
    os._exit(7)


def _say_where(task, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(str(os.getpid()))
    time.sleep(PATIENCE)


def test_a_part_whose_process_is_killed_is_said_in_a_line():
    with refused(r"^dssm: its process was ended .*\(exit code 7\)"):
        workers.in_a_process(_end_me, comparison.Task("dssm", "0"), None)


def test_where_no_process_can_be_started_a_part_is_made_in_this_one(monkeypatch):
    monkeypatch.setitem(sys.modules, "_multiprocessing", None)  # a browser's Python has none
    assert workers.in_a_process(lambda task, data: os.getpid(), None, None) == os.getpid()


PARENT = """
import signal, sys
from test_table_processes import _say_where
from lstm_edu.table_iv.comparison import Task
from lstm_edu.table_iv.workers import in_a_process
if __name__ == "__main__":
    # where the shell that started the tests ignores Ctrl-C, as in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)
    in_a_process(_say_where, Task("dssm", "0"), sys.argv[1])
"""


@pytest.mark.parametrize("how", sample(["kill", "terminate", "interrupt"], ["kill", "interrupt"]))
def test_no_process_lives_on_when_its_parent_is_killed(tmp_path, how):
    psutil = pytest.importorskip("psutil")
    if how == "interrupt" and os.name == "nt":
        pytest.skip("there is no SIGINT for one process on Windows")
    (tmp_path / "parent.py").write_text(PARENT, encoding="utf-8")
    path = tmp_path / "pid"
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(pathlib.Path(__file__).parent), str(ROOT), *sys.path])
    }
    parent = subprocess.Popen(
        [sys.executable, tmp_path / "parent.py", path], env=environment, stderr=subprocess.DEVNULL
    )
    pid = int(
        until(lambda: path.exists() and path.read_text(encoding="utf-8"), "the part is at work")
    )
    part = psutil.Process(pid)
    if how == "interrupt":
        parent.send_signal(signal.SIGINT)
    else:
        getattr(parent, how)()
    parent.wait()
    until(lambda: not part.is_running() or part.status() == "zombie", "the part ended")
