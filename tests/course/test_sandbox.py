"""Tests of the sandbox, which stops answers that hang, and refuses functions of the package."""

import contextlib
import itertools
import linecache
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import types

import numpy as np
import psutil
import pytest
from checks_message import fault, shown_by_a_notebook
from conftest import ROOT, sample, until
from solutions import CHECK

import lstm_course
import lstm_edu
from lstm_course import checks
from lstm_course.engine import report
from lstm_course.engine.calling import call
from lstm_course.engine.report import Wrong
from lstm_course.engine.sandbox import client, runner, worker
from lstm_course.exercises import cosine_and_cost as cost
from lstm_edu.text import hashing

numbers = itertools.count()


def written(source, **names):
    """Run source code as a notebook cell, and return the function `f` that it defines."""
    cell = f"/tmp/ipykernel_1/{next(numbers)}.py"
    linecache.cache[cell] = len(source), None, source.splitlines(keepends=True), cell
    names["__name__"] = "__main__"
    exec(compile(source, cell, "exec"), names)
    return names["f"]


def ends(function, x=9):
    """Return why a function was stopped in the worker, or None if it returned or raised."""
    found = client.ending(function, [x], runner.seconds(), runner.wall())
    return found and found[0]


def has_ended(process):
    """Return whether a process has ended or is a zombie."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() == psutil.STATUS_ZOMBIE
    return True


@pytest.fixture(autouse=True)
def no_answer_ran_yet(monkeypatch):
    monkeypatch.setattr(runner.now, "printed", 0)
    monkeypatch.setattr(runner.now, "taken", 0.0)
    monkeypatch.setattr(runner.now, "ended", None)


@pytest.fixture
def in_place(monkeypatch):
    """Run answers in this process, without the worker."""
    monkeypatch.setattr(client, "ending", lambda *_: None)


@pytest.fixture
def nothing_in_place(monkeypatch):
    """Fail the test if an answer runs in this process, where it might hang."""

    def refuse(*_):
        raise AssertionError("the trial ended, so the answer would run in this process")

    monkeypatch.setattr(runner, "_guarded", refuse)


IMPORTS = "import itertools\nimport numpy as np\n"
COSINE = """import numpy as np
def f(yq, yd):
    q, d = (np.linalg.norm(y, axis=1) for y in (yq, yd))
    return yq @ yd.T / q[:, None] / d
"""
HANGS = ["sum(itertools.count())", "itertools.count()", "np.linalg.svd(np.ones((5000, 5000)))"]


@pytest.mark.parametrize("hanging", sample(HANGS, HANGS[:1]))
def test_stops_hanging_answer_and_runs_the_next_one(hanging, monkeypatch, nothing_in_place, capsys):
    with monkeypatch.context() as soon:
        soon.setattr(runner, "LEAST", 0.2)
        said = fault(written(f"{IMPORTS}def f(x):\n    print('here')\n    return {hanging}\n"))
    assert said.startswith("it: your function was stopped.\n  given     x = 9\n  came      nothing")
    assert capsys.readouterr().out == "here\n"
    if hanging == HANGS[0]:
        assert f"It was at `return {hanging}`" in said
    assert ends(written(COSINE)) is None
    assert client._started[os.getpid()].poll() is None


@pytest.mark.parametrize("waits", ["time.sleep(99)", "queue.Queue().get()"])
def test_stops_waiting_answer_at_wall_clock_limit(waits, monkeypatch, nothing_in_place):
    monkeypatch.setattr(runner, "LEAST", 0.4)
    said = fault(written(f"import queue, time\ndef f(x):\n    {waits}\n"))
    assert "came      nothing within 1 seconds on the clock" in said
    assert f"It was at `{waits}`" in said


@pytest.mark.skipif(not worker.TIMED, reason="this system has no timer")
@pytest.mark.parametrize("hanging", ["lock.acquire()", "while lock: pass"])
def test_stops_hanging_answer_that_cannot_be_pickled(hanging, monkeypatch):
    monkeypatch.setattr(runner, "LEAST", 0.1)
    lock = threading.Lock()
    lock.acquire()
    said = fault(written(f"def f(x):\n    {hanging}\n", lock=lock))
    assert "nothing within 0.25 seconds on the clock" in said and f"It was at `{hanging}`" in said


CALLS = "exit() quit() sys.exit() os._exit(3) os.abort() input('?') getpass.getpass() "
CALLS += "list(sys.stdin) breakpoint() pdb.Pdb().set_trace() get_ipython().system('cat')"


@pytest.mark.parametrize("tried", [True, False], ids=["in both processes", "in place alone"])
@pytest.mark.parametrize("called", CALLS.split())
def test_refuses_calls_that_end_python_or_wait_for_input(called, tried, monkeypatch):
    if not tried:
        monkeypatch.setattr(client, "ending", lambda *_: client.UNTRIED)
    before = {place: vars(place[0]).get(place[1]) for place in worker.REFUSED}, sys.stdin
    said = fault(written(f"import getpass, os, pdb, sys\ndef f(x):\n    {called}\n"))
    assert re.match("it: your function calls `(.*)`", said)[1] in called
    assert f"It was at `{called}`" in said
    assert before == ({place: vars(place[0]).get(place[1]) for place in before[0]}, sys.stdin)


ENDS = {"os.kill(os.getpid(), 9)": "the end", "ctypes.string_at(0)": "the end of Python itself"}
ENDS["raise KeyboardInterrupt"] = "a KeyboardInterrupt"


@pytest.mark.parametrize("end", ENDS)
def test_reports_answer_that_kills_or_interrupts_python(end, nothing_in_place):
    said = fault(written(f"import ctypes, os\ndef f(x): {end}\n"))
    assert f"came      {ENDS[end]}" in said
    assert f"It was at `def f(x): {end}`" in said or "kill" in end


def test_check_does_not_call_answer_again_after_a_timeout(monkeypatch):
    tries = []
    monkeypatch.setattr(client, "ending", lambda *_: tries.append(0) or ("late", "", ""))
    for check in checks.check_cosine, checks.check_test_ndcg:
        with pytest.raises(
            Wrong, match="(?s)25 seconds on the clock.*likely    does it end, and wait"
        ):
            check(abs)
    assert len(tries) == 2


def test_calls_get_less_wall_clock_time_under_nbgrader(monkeypatch):
    clock, allowed = itertools.count(step=6), []
    monkeypatch.setattr(runner.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(client, "ending", lambda *given: allowed.append(given[3]))
    checks.check_cosine(written(COSINE))
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    checks.check_cosine(written(COSINE))
    n = allowed.index(9)  # (24 s - 6 s) / 2, since a call runs twice
    assert set(allowed[:n]) == {25} and allowed[n : n + 5] == [9, 6, 3, 1, 1]


def test_answer_prints_and_changes_state_once_per_call(capsys):
    f = written("n = 0\ndef f(x):\n    global n\n    n += 1\n    print(n)\n    return n\n")
    for n in 1, 2, 3:
        assert call("it", f, {"x": 9}) == n and capsys.readouterr().out == f"{n}\n"


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): exit()",
        "def f(x):\n    import os\n    os.write(1, b'x'), os.write(2, b'Timeout'), os.close(0)",
        "import lstm_edu\ndef f(x): return lstm_edu.letter_trigrams('word')",
    ],
)
def test_worker_is_reused_after_answers_that_do_not_end_it(source):
    f = written(source)
    assert ends(f) is None
    child = client._started[os.getpid()]
    assert ends(f) is None and client._started[os.getpid()] is child


@pytest.mark.skipif(worker.resource is None, reason="Windows has no process groups")
def test_process_that_answer_starts_ends_with_its_trial(tmp_path):
    file = tmp_path / "id"
    start = f"open({str(file)!r}, 'w').write(str(subprocess.Popen(['sleep', '99']).pid))"
    assert ends(written(f"import subprocess\ndef f(x):\n    {start}\n")) is None
    number = int(file.read_text(encoding="utf-8"))
    until(
        lambda: not psutil.pid_exists(number) or has_ended(psutil.Process(number)),
        "the process ended",
    )


def test_check_called_in_worker_starts_no_second_worker(monkeypatch):
    client.stop()
    assert client.ending(abs, [-1], 10.0, 30.0) is None
    (child,) = client._started.values()
    assert client.IN_WORKER in psutil.Process(child.pid).environ()
    monkeypatch.setenv(client.IN_WORKER, "1")
    assert client.ending(abs, [-1], 10.0, 30.0) == client.UNTRIED


def test_runs_answer_in_kernel_and_prints_note_if_no_process_can_start(monkeypatch, capsys):
    def refuses(*_, **__):
        raise OSError("this system starts none")

    client.stop()
    monkeypatch.setattr(subprocess, "Popen", refuses)
    monkeypatch.setattr(threading.Thread, "start", refuses)
    checks.check_cosine(written(COSINE))
    said, passed = capsys.readouterr().out.splitlines()
    assert said == runner.ALONE and passed.startswith("check_cosine: passed")
    assert "look at your line: `return x / 0`" in fault(written("def f(x):\n    return x / 0\n"))


def test_time_limit_is_thirty_times_solution_time_but_at_least_ten_seconds(monkeypatch):
    ticks, allowed = itertools.count(), []
    monkeypatch.setattr(client, "ending", lambda *given: allowed.append(given[2]))
    checks.check_cosine(written(COSINE))
    monkeypatch.setattr(runner, "clock", lambda: next(ticks))
    checks.check_cosine(written(COSINE))
    assert set(allowed) == {10, 30}
    assert runner.seconds() == 10  # the next check has the default limit again


@pytest.mark.soak
def test_worker_process_ends_when_kernel_is_killed():
    look = "client.ending(abs, [1], 5, 30); print(client._started[os.getpid()].pid, flush=True)"
    code = f"import os, sys; from {client.__package__} import client; {look}; sys.stdin.read()"
    how = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "cwd": ROOT}
    with subprocess.Popen([sys.executable, "-c", code], **how) as kernel:
        child = psutil.Process(int(kernel.stdout.readline()))
        kernel.kill()
    until(lambda: has_ended(child), "the process of the trials ended")


# ---- tests that need no worker


def test_interrupted_check_shows_one_line_without_traceback(in_place):
    def interrupted(*_):
        signal.raise_signal(signal.SIGINT)  # raised in this process, since the worker ignores it

    code = "from lstm_course import checks\nchecks.check_cosine(interrupted)"
    shown = shown_by_a_notebook(code, interrupted=interrupted)
    assert shown == ["check_cosine: stopped by hand"]


PRINTS = {
    "stdout": "print('y' * 9999)",
    "stderr": "print('y' * 9999, file=sys.stderr)",
    "logging": "[logging.error('y') for _ in range(999)]",
    "descriptor": "os.write(1, b'y' * 9999), sys.__stderr__.write('y' * 9999)",
    "process": "subprocess.run([sys.executable, '-c', 'print(9999 * chr(121))'])",
    "display": "[display('y') for _ in range(999)]",
}


@pytest.mark.parametrize("how", PRINTS)
def test_truncates_long_output_of_answers(how, capsys, in_place):
    handler = logging.StreamHandler()  # like the one that `logging.basicConfig` adds
    logging.getLogger().addHandler(handler)
    source = "import logging, os, subprocess, sys\nfrom IPython.display import display\n"
    call("it", written(f"{source}def f(x):\n    {PRINTS[how]}\n"), {"x": 1})
    print("z" * 1200)
    logging.error("z" * 1200)
    logging.getLogger().removeHandler(handler)
    shown = "".join(capsys.readouterr())
    assert 0 < shown.count("y") < 1100 and shown.count("left out") == 1
    assert shown.count("z") == 2400


@pytest.mark.parametrize("line, called", [("exit()", "exit"), ("!cat", "get_ipython")])
def test_refuses_exit_and_shell_commands_in_notebook(line, called):
    code = f"def f(yq, yd):\n    {line}\nfrom lstm_course import checks\nchecks.check_cosine(f)"
    assert shown_by_a_notebook(code)[0] == f"the cosine: your function calls `{called}`."


def test_exit_stops_notebook_except_under_nbgrader(monkeypatch):
    content, ends = {"allow_stdin": False}, []
    kernel = types.SimpleNamespace(get_parent=lambda: {"content": content})
    shell = types.SimpleNamespace(kernel=kernel, ask_exit=lambda: ends.append(0))
    monkeypatch.setattr(runner, "ipython", lambda: shell)
    runner.refuse_exit()
    with pytest.raises(SystemExit, match="the cells below run"):
        shell.ask_exit()
    content["allow_stdin"] = True
    assert not ends and shell.ask_exit() is None and ends


def test_truncates_long_messages_of_checks(in_place):
    def long_winded(x):
        raise ValueError("word " * 10_000)

    assert max(map(len, fault(long_winded, x=["text"] * 10_000).split("\n"))) < 200


@pytest.mark.parametrize("error", [GeneratorExit(), BaseException("no")])
def test_reports_line_that_raises_a_base_exception(error, in_place):
    def function(x):
        raise error

    said = fault(function)
    assert "raised an error" in said and "`raise error`" in said and type(error).__name__ in said


def test_restores_global_state_changed_by_answer_except_random_state(in_place):
    def changes(x):
        np.tanh = np.linalg.norm = None
        np.seterr(all="raise")
        np.set_printoptions(precision=1)
        sys.setrecursionlimit(limit + 99)
        sys.stdout = sys.stderr = None
        np.random.seed(x)
        return np.random.normal()

    state = lambda: (np.tanh, np.linalg.norm, np.geterr(), np.get_printoptions())
    system = lambda: (sys.getrecursionlimit(), sys.stdout, sys.stderr)
    before, limit = (state(), system()), sys.getrecursionlimit()
    drawn = call("it", changes, {"x": 1})
    assert (state(), system()) == before
    assert call("it", lambda: np.random.normal(), {}) != drawn


@pytest.mark.parametrize("function", [lambda: 0, lambda x, y, z: 0, lambda *, x, y: 0, len])
def test_message_lists_expected_arguments_if_function_cannot_take_them(function, in_place):
    assert "likely    it is called with x, y, in this order" in fault(function, x=1, y=2)


PACKAGE_CALLS = [
    checks.check_letter_trigrams.solution,
    lambda word: lstm_edu.letter_trigrams(word),
    lambda word: lstm_edu.LetterTrigrams.fit([word]).trigrams,
    lambda word: hashing._cut(word.lower()),
]


@pytest.mark.parametrize("answer", PACKAGE_CALLS)
def test_refuses_answer_that_is_or_calls_package_function(answer, in_place):
    with pytest.raises(Wrong, match=r"(?s)of the package\.\n  given     word.*lines of your own"):
        checks.check_letter_trigrams(answer)


def test_refuses_to_replace_a_check():
    with pytest.raises(AttributeError, match="^check_cosine is the check"):
        checks.check_cosine = print
    with pytest.raises(AttributeError, match="^lstm_course.checks are the checks"):
        lstm_course.checks = None


FAKES = [
    "checks = sys.modules['lstm_course.checks'] = types.SimpleNamespace()",
    "def cosine(yq, yd): cost.compare = report._difference = print",
]


@pytest.mark.parametrize("fake", FAKES)
def test_wrong_answer_fails_even_if_student_fakes_the_check(fake, in_place):
    names = {"__name__": "__main__", "sys": sys, "types": types, "cost": cost, "report": report}
    exec(f"def cosine(yq, yd): return yq @ yd.T\n{fake}", names)
    with pytest.raises(checks.Wrong, match="^the cosine is"):
        exec(CHECK + "checks.check_cosine(cosine)", names)
    assert sys.modules["lstm_course.checks"] is checks
