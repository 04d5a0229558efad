"""An answer that hangs, or ends Python, does so in another process: the student's goes on."""

import contextlib
import itertools
import linecache
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import psutil
import pytest
from checks_message import told
from conftest import PATIENCE, ROOT, needs, until

from lstm_course import checks
from lstm_course.engine.report import call
from lstm_course.engine.sandbox import client, runner, worker

numbers = itertools.count()


def written(source, **names):
    """The function `f` of a source, as one of a notebook's cell."""
    cell = f"/tmp/ipykernel_1/{next(numbers)}.py"
    linecache.cache[cell] = len(source), None, source.splitlines(keepends=True), cell
    names["__name__"] = "__main__"
    exec(compile(source, cell, "exec"), names)
    return names["f"]


@pytest.fixture(autouse=True)
def nothing_is_printed_yet(monkeypatch):
    monkeypatch.setattr(runner.now, "printed", 0)


@pytest.fixture
def soon(monkeypatch):
    monkeypatch.setattr(runner, "LEAST", 0.2)


@pytest.fixture
def nothing_in_place(monkeypatch):
    """A trial that fails is not followed by the answer itself, which would hang this process."""

    def own(*_):
        raise AssertionError("it came to its end in the other process")

    monkeypatch.setattr(runner, "_own", own)


HANGS = {
    "sum": "sum(itertools.count())",
    "list": "list(itertools.repeat(1))",
    "power": "10 ** 10 ** x",
    "regular expression": "re.match('(a+)+$', 'a' * 40 + 'b')",
    "callback": "sorted([1, 2], key=lambda k: sum(itertools.count()))",
    "linear algebra": "np.linalg.svd(np.ones((5000, 5000)))",
    "thread": "thread(target=sum, args=(itertools.count(),)).start()",
    "Python": "[0 for _ in iter(int, 1)]",
}


@pytest.mark.parametrize("hanging", HANGS.values(), ids=HANGS)
def test_native_code_that_does_not_return_is_stopped(hanging, soon, nothing_in_place):
    imports = "import itertools, re\nfrom threading import Thread as thread\nimport numpy as np\n"
    said = told(written(f"{imports}def f(x):\n    return {hanging}\n"))
    assert said.startswith("it: your function was stopped.\n  given     x = 9\n  came      nothing")
    if hanging != HANGS["thread"]:
        assert f"It was at `return {hanging}`" in said


@pytest.fixture
def waits(monkeypatch):
    monkeypatch.setattr(runner, "WAITS", 2.0)


WAITING = {
    "sleep": "time.sleep(10**6)",
    "lock": "with (lock := threading.Lock()): lock.acquire()",
    "process": "subprocess.run([sys.executable, '-c', 'import time; time.sleep(10**6)'])",
}
IMPORTS = "import os, subprocess, sys, threading, time\n"


@pytest.mark.skipif(not worker.TIMED, reason="here the clock counts, and half a minute goes by")
@pytest.mark.parametrize("waiting", WAITING.values(), ids=WAITING)
def test_what_waits_for_what_does_not_come_is_stopped(waiting, waits, nothing_in_place):
    said = told(written(f"{IMPORTS}def f(x):\n    {waiting}\n"))
    assert said.startswith("it: your function was stopped.\n  given     x = 9\n  came      nothing")
    assert "within 2 seconds, and next to no work" in said and "likely    your answer waits" in said
    assert f"It was at `{waiting}`" in said


class Looks:
    """A lock that is free after so many looks."""

    def __init__(self, n):
        self.n = n

    def acquire(self, timeout):
        self.n -= 1
        return self.n < 0


def test_who_has_had_a_little_of_a_busy_processor_does_not_wait(monkeypatch, tmp_path):
    with open(tmp_path / "places", "w+", encoding="utf-8") as places:
        for share, n, expected in (0, 30, []), (0, 31, ["waits"]), (0.006, 999, []):
            clock, said = itertools.count(), []
            monkeypatch.setattr(worker.time, "process_time", lambda: share * next(clock))
            worker._watch(Looks(n), 30, said.append, places)
            assert said == expected


SLEEPER = """import os, pathlib, subprocess, sys, time
if len(sys.argv) > 1:
    subprocess.Popen([sys.executable, __file__])
else:
    pathlib.Path(__file__).with_name("part").write_text(str(os.getpid()), encoding="utf-8")
    os.rename("part", "pid")
    time.sleep(10**6)
"""
LEAVES = {"one": "subprocess.Popen(sleeper)", "one's": "subprocess.run([*sleeper, 'has one'])"}
AFTER = {"ended": "return x", "crashed": "os._exit(3)", "too long": "while True: pass"}


@needs("processes that fork")
@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("leaves", LEAVES.values(), ids=LEAVES)
def test_what_an_answer_starts_ends_with_it(leaves, after, monkeypatch, tmp_path):
    monkeypatch.setattr(runner, "LEAST", 1.0)
    monkeypatch.setattr(runner, "WAITS", PATIENCE)  # till it has begun
    script, pid = tmp_path / "sleeper.py", tmp_path / "pid"
    script.write_text(SLEEPER, encoding="utf-8")
    wait = f"while not os.path.exists({str(pid)!r}): time.sleep(0.05)"
    lines = [f"{IMPORTS}def f(x):", f"os.chdir({str(tmp_path)!r})", leaves, wait, AFTER[after]]
    f = written("\n    ".join(lines), sleeper=[sys.executable, str(script)])
    assert (ends(f) or "ended") == after
    number = int(pid.read_text(encoding="utf-8"))
    until(lambda: not psutil.pid_exists(number) or has_ended(psutil.Process(number)), "its end")
    assert ends(abs) is None  # by another


@pytest.mark.parametrize("endless", ["return itertools.count()", "while True: yield x"])
def test_an_endless_generator_is_stopped(endless, soon, nothing_in_place):
    assert "was stopped" in told(written(f"import itertools\ndef f(x):\n    {endless}\n"))


ENDS = {
    "os._exit(0)": "from os import _exit\ndef f(x): _exit(0)",
    "os._exit(3)": "from os import _exit\ndef f(x): _exit(3)",
    "a segmentation fault": "import ctypes\ndef f(x): return ctypes.string_at(0)",
}


@pytest.mark.parametrize("source", ENDS.values(), ids=ENDS)
def test_what_ends_python_is_told_of(source, nothing_in_place):
    said = told(written(source))
    assert "came      the end of Python itself" in said and "likely    it leaves Python" in said
    if "ctypes" in source:
        assert "It was at `def f(x): return ctypes.string_at(0)`" in said


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or worker.resource is None,
    reason="this system limits no process's memory",
)
@pytest.mark.parametrize("large", ["np.zeros(3 << 28)", "bytes(3 << 30)", "[0] * (3 << 28)"])
def test_a_wall_of_memory_is_told_of(large, nothing_in_place):
    said = told(written(f"import numpy as np\ndef f(x):\n    return {large}\n"))
    assert "came      more than 2 GB in memory" in said and f"It was at `return {large}`" in said


def test_what_is_far_too_large_for_any_memory_is_told_of():
    said = told(written("import numpy as np\ndef f(x):\n    return np.zeros(10**15)\n"))
    assert "2 GB" in said or "MemoryError" in said


COSINE = """import numpy as np
def f(yq, yd):
    q, d = (np.linalg.norm(y, axis=1) for y in (yq, yd))
    return yq @ yd.T / q[:, None] / d
"""


def test_the_kernel_goes_on_and_the_next_answer_is_tried_anew(monkeypatch, capsys):
    with monkeypatch.context() as soon:
        soon.setattr(runner, "LEAST", 0.2)
        endless = "import itertools\ndef f(x): return sum(itertools.count())"
        assert "stopped" in told(written(endless))
    checks.check_cosine(written(COSINE))
    assert "check_cosine: passed on " in capsys.readouterr().out
    assert client._started[os.getpid()].poll() is None  # one that goes on as well


def test_what_was_printed_before_is_shown_and_cut(soon, capsys):
    told(written("import itertools\ndef f(x):\n    print('here')\n    sum(itertools.count())"))
    assert capsys.readouterr().out == "here\n"
    told(written("def f(x):\n    while True: print('x' * 99)\n"))
    out = capsys.readouterr().out
    assert len(out) < 1100 and out.count("left out") == 1


COUNTS = """n = 0
def f(x):
    global n
    n += 1
    print(n)
    x[:] = n
    return n
"""


def test_a_right_answer_is_seen_once(capsys):
    f = written(COUNTS)
    for n in 1, 2, 3:
        x = np.zeros(2)
        assert call("it", f, {"x": x}, changes=["x"]) == n and (x == 0).all()
        assert capsys.readouterr().out == f"{n}\n"


def ends(function, x=9):
    """How it ended, or None."""
    found = client.ending(function, [x], runner.seconds(), runner.WAITS)
    return found and found[0]


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): return 1 / 0",
        "def f(x): raise SystemExit",
        "def f(x): raise KeyboardInterrupt",
        "def f(x): return f(x)",
        "def f(x): return input('?')",
        "def f(x):\n    import os\n    os.write(1, b'x'), os.write(2, b'Timeout'), os.close(0)",
        "import sys\ndef f(x):\n    sys.stdout.close()\n    print(1)",
        "import sys\ndef f(x): sys.stdout = sys.stderr = None",
        "import mine_that_is_nowhere\ndef f(x): pass",
        "async def f(x): return x",
        "class A:\n    def f(self, x): return x\nf = A().f",
        "import functools\nf = functools.partial(lambda y, x: x, 1)",
        "from lstm_edu.cells.lstm import sigmoid\ndef f(x): return sigmoid(x)",
        "from lstm_course.engine.report import hold_against\ndef f(x): return hold_against",
        "import lstm_edu\ndef f(x): return lstm_edu.letter_trigrams('word')",
    ],
)
def test_all_others_come_to_their_end(source):
    with contextlib.suppress(ModuleNotFoundError):
        f = written(source)
        assert ends(f) is None
        child = client._started[os.getpid()]
        assert ends(f) is None and client._started[os.getpid()] is child  # not started again


class Unreadable:
    """It can be sent, and not be read."""

    def __deepcopy__(self, _):
        return self

    def __reduce__(self):
        return int, ("no number",)


def test_what_cannot_be_sent_or_read_is_run_in_place():
    for function, x in ((lambda x, lock=threading.Lock(): 9, 9), (lambda x: 9, Unreadable())):  # noqa: B008
        assert ends(function, x) == "untried" and call("it", function, {"x": x}) == 9


def test_runs_in_place_and_says_so_once_where_no_process_or_thread_can_be_started(
    monkeypatch, capsys
):
    def refuses(*_, **__):
        raise OSError("this system starts none")

    client.stop()
    monkeypatch.setattr(subprocess, "Popen", refuses)
    monkeypatch.setattr(threading.Thread, "start", refuses)
    for _ in range(2):
        checks.check_cosine(written(COSINE))
        said, passed = capsys.readouterr().out.splitlines()
        assert said == runner.ALONE and passed.startswith("check_cosine: passed")
    assert not client._started.get(os.getpid())
    said = told(written("def f(x):\n    return x / 0\n"))
    assert "raised an error" in said and "look at your line: `return x / 0`" in said


def test_allows_thirty_times_the_solutions_time_and_ten_seconds_at_least(monkeypatch):
    ticks, allowed = itertools.count(), []
    monkeypatch.setattr(client, "ending", lambda *given: allowed.append(given[2]))
    checks.check_cosine(written(COSINE))
    monkeypatch.setattr(runner, "clock", lambda: next(ticks))
    checks.check_cosine(written(COSINE))
    assert set(allowed) == {10, 30}
    assert runner.seconds() == 10  # of another check


def test_a_process_that_was_ended_from_outside_is_started_again():
    assert ends(abs) is None
    child = client._started[os.getpid()]
    child.kill()
    child.wait()
    assert ends(written("from os import _exit\ndef f(x): _exit(0)")) == "crashed"


def test_threads_have_it_one_after_the_other(soon):
    sources = ["def f(x):\n    return x", "def f(x):\n    while True: pass"] * 4
    with ThreadPoolExecutor(8) as threads:
        assert [*threads.map(ends, map(written, sources))] == [None, "too long"] * 4


def test_stopping_by_hand_ends_it(monkeypatch):
    assert ends(abs) is None
    child = client._started[os.getpid()]

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(client.pickle, "load", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ends(abs)
    assert child.poll() is not None and not client._started


KERNEL = """
import sys
from lstm_course.engine.sandbox import client
client.ending(abs, [1], 5, 30)
print(next(iter(client._started.values())).pid, flush=True)
if sys.argv[1] == "waits":
    def f(x):
        import time
        time.sleep(x)
    client.ending(f, [10**6], 5, 10**6)
sys.stdin.read()
"""


@pytest.mark.parametrize("how", ["ends", "is killed", "waits"])
def test_none_is_left_when_the_kernel_ends(how):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    kernel = subprocess.Popen([sys.executable, "-c", KERNEL, how], env=environment, **pipes)
    child = psutil.Process(int(kernel.stdout.readline()))
    if how != "ends":
        kernel.kill()
    kernel.communicate()  # what it reads is at its end, now that its process was looked at
    until(lambda: has_ended(child), "the process of the trials ended")


def has_ended(process):
    """Whether there is none any more, or nobody who asks how it ended."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() == psutil.STATUS_ZOMBIE
    return True


def test_it_starts_with_little():
    """Numbers of seconds say less: what it imports is what it costs."""
    command = [sys.executable, "-P", "-X", "importtime", str(client.SCRIPT)]
    how = {"stdin": subprocess.DEVNULL, "capture_output": True, "encoding": "utf-8"}
    loaded = subprocess.run(command, **how).stderr
    assert "pickle" in loaded and not {"numpy", "lstm_edu", "scipy"} & set(loaded.split())
