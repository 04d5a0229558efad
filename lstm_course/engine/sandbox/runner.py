"""Calls to a student's function, with limits on time, output and the functions it may call.

`client` first tries the function in a worker process, where it may hang or crash without harm. If
the call ends there, the function is run again in this process, the kernel. If no worker can be
started (as in a browser's Python) or the function can't be pickled, it is run only in the kernel,
after a printed warning that the user must stop an endless loop by hand.
"""

import contextlib
import math
import os
import pathlib
import signal
import sys
import tempfile
import threading
import time
import types
import warnings

import numpy as np

import lstm_edu
from lstm_edu.analysis.inspection import most_active_cells
from lstm_edu.cells.lstm import sigmoid
from lstm_edu.text.hashing import LetterTrigrams, letter_trigrams

from .. import kept
from . import client
from .worker import PRINTED, TIMED, complete, ipython, refusing, replaced

# processor-time limit of a call: TIMES the solution's time, but at least LEAST seconds
TIMES, LEAST = 30, 10.0
WALL = 2.5  # wall-clock limit per second of processor time, as machines may be busy
UNDER_NBGRADER = 24.0  # wall-clock limit of a check, as nbgrader ends a cell after 30 s
DISPLAYED = PRINTED // 10  # a displayed object counts as this many printed characters
LEFT_OUT = "…\n(the rest of what your function prints is left out)\n"
IN_BROWSER = sys.platform == "emscripten"
# Python in a browser can't measure its processor time
clock = time.perf_counter if IN_BROWSER else time.process_time
COURSE = pathlib.Path(__file__).parents[2]
CHECKS = tuple(str(COURSE / room) + os.sep for room in ("engine", "exercises"))
SYSTEM = pathlib.Path(lstm_edu.__file__).parent
PACKAGES = str(COURSE) + os.sep, str(SYSTEM) + os.sep
NO_ANSWERS = *CHECKS, str(SYSTEM / "_util") + os.sep  # _util, as os.fork calls hooks in it

FREE = letter_trigrams, sigmoid  # functions of the package that any answer may call
SOLUTIONS = set()  # code objects of the solutions, which answers must not call

STOPS = "Restart Kernel…" if IN_BROWSER else "Interrupt or Restart"
ALONE = (
    "Your function runs in this Python itself: an endless loop must be stopped by hand, with "
    f"{STOPS} in the menu Kernel."
)

# State of the running check: characters printed by answers, start time, arguments of `Ended` if an
# answer was stopped, package functions that answers may call, the solution's processor time, and
# whether `ALONE` was printed.
START = {"printed": 0, "began": math.inf, "ended": None, "free": FREE, "taken": 0.0, "alone": False}
now = types.SimpleNamespace(**START)


class Ended(BaseException):
    """Raised when an answer is stopped.

    Its arguments are the reason, the traceback, and the wall-clock limit in seconds.
    """


class Forbidden(BaseException):
    """Raised when an answer calls the solution or a package function that it must not call.

    Its argument is the function's name.
    """


@contextlib.contextmanager
def of_check(name):
    """Reset the state `now` for a check, and restore it afterwards."""
    before = dict(vars(now))
    vars(now).update(START, began=time.monotonic(), free=_free(name))
    with quiet():
        try:
            yield
        finally:
            vars(now).update(before)


@contextlib.contextmanager
def timed():
    """Measure the processor time of a block that runs the solution, and keep the check's maximum.

    `seconds` computes the limit for answers from this maximum.
    """
    start = clock()
    yield
    now.taken = max(now.taken, clock() - start)


def seconds():
    """Return the limit on a call's processor time, in seconds."""
    return max(LEAST, TIMES * now.taken)


def wall():
    """Return the limit on a call's wall-clock time, in seconds.

    Under nbgrader, a call's two runs, in the worker and in the kernel, each get at most half of the
    time that is left for the check, but at least 1 second.
    """
    limit = WALL * seconds()
    if "NBGRADER_EXECUTION" in os.environ:
        limit = min(limit, max(1.0, (UNDER_NBGRADER + now.began - time.monotonic()) / 2))
    return limit


@contextlib.contextmanager
def quiet():
    """Silence warnings, because `compare` explains NaN and infinite values."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def refuse_exit():
    """Make `exit` raise an error in notebooks run by nbgrader, so that the cells below run, too."""
    shell = ipython()
    kernel, leave = getattr(shell, "kernel", None), getattr(shell, "ask_exit", None)
    if kernel is None or leave is None:  # a browser's kernel has no ask_exit
        return

    def ask_exit():
        if kernel.get_parent().get("content", {}).get("allow_stdin", True):
            return leave()
        raise SystemExit("exit is refused, so that the cells below run")

    shell.ask_exit = ask_exit


def run(function, arguments):
    """Call a student's function, and return its result with iterators converted to lists.

    If an answer was stopped earlier in this check, raise `Ended` without calling the function.

    Raises
    ------
    Ended, Forbidden, Refused
    """
    if now.ended:
        raise Ended(*now.ended)
    arguments, longest = list(arguments), wall()
    with quiet(), _reset(), refusing():
        ending = client.ending(function, arguments, seconds(), longest)
        alone = ending == client.UNTRIED
        if alone and not now.alone:
            now.alone = True
            print(ALONE, flush=True)
        with _cut_output():
            if alone or ending is None:
                with _within(longest if alone else 0), _guarded(now.free):
                    return complete(function(*arguments))
            how, printed, places = ending
            print(end=printed)
            raise _ended(how, places, longest)


def _ended(*how):
    """Return `Ended` for a stopped answer, and store why, so that later calls fail at once."""
    now.ended = how
    return Ended(*how)


@contextlib.contextmanager
def _within(limit):
    """Raise `Ended` if the block takes longer than ``limit`` seconds.

    There is no limit if ``limit`` is 0, outside the main thread, or on Windows.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not (limit and TIMED and in_main):
        yield
        return

    def stop(*_):
        raise _ended("late", "", limit)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _reset():
    """Restore NumPy, the checks' modules, print options and the recursion limit after the block.

    The state of `np.random` isn't restored, so that the next call draws other numbers.
    """
    modules, limit = (np, np.linalg, *kept.modules()), sys.getrecursionlimit()
    names = [dict(vars(module)) for module in modules]
    try:
        with np.printoptions():
            yield
    finally:
        for module, before in zip(modules, names):
            vars(module).update(before)
        sys.setrecursionlimit(limit)


def _free(check):
    """Return the package functions that answers to this check may call.

    If students write a test, return None, which allows all functions, because a test may compare
    its function with the package's.
    """
    if check.startswith("check_test_"):
        return None
    if check in ("check_letter_trigrams", "check_sigmoid"):
        return ()
    if check in ("check_nearest_word", "check_collisions"):
        return (*FREE, LetterTrigrams.fit, LetterTrigrams.__init__, LetterTrigrams.operator)
    return (*FREE, most_active_cells) if check == "check_assigned_cells" else FREE


@contextlib.contextmanager
def _cut_output():
    """Limit the output of all answers of a check to `PRINTED` characters.

    A display or figure counts as `DISPLAYED` characters. Each stream's method `write` is replaced,
    not the stream itself, because `logging` handlers keep a reference to their stream.
    """
    tell, shell = sys.stdout.write, ipython()
    outputs = [(stream, "write", len) for stream in {sys.stdout, sys.stderr}]
    if shell:
        outputs.append((shell.display_pub, "publish", lambda *_: DISPLAYED))

    def limited(size, show):
        def shown(*args, **kwargs):
            n = size(*args)
            left = max(0, PRINTED - now.printed)
            now.printed += n
            if left:
                show(*(arg[:left] if type(arg) is str else arg for arg in args), **kwargs)
                if n >= left:
                    tell(LEFT_OUT)
            return n

        return shown

    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(sys.stdout))  # restores stdout at the end
        stack.enter_context(contextlib.redirect_stderr(sys.stderr))
        for owner, name, size in outputs:
            show = limited(size, getattr(owner, name))
            stack.enter_context(replaced(owner, name, show))
        if sys.stdout is not sys.__stdout__:
            stack.enter_context(_cut_descriptors())
        before = _figures()
        yield
        for number in _figures() - before:  # the notebook shows all figures that are still open
            if now.printed >= PRINTED:
                sys.modules["matplotlib.pyplot"].close(number)
            now.printed += DISPLAYED


def _figures():
    """Return the numbers of the open Matplotlib figures."""
    return set(getattr(sys.modules.get("matplotlib.pyplot"), "get_fignums", list)())


@contextlib.contextmanager
def _cut_descriptors():
    """Give child processes an empty standard input, and cut their output."""
    stdout, how = sys.stdout, {"encoding": "utf-8", "errors": "replace"}
    with tempfile.TemporaryFile("w+", **how) as file, open(os.devnull, "rb") as nothing:
        kept = [os.dup(k) for k in range(3)]
        sys.__stdout__.flush()
        for k, to in enumerate((nothing, file, file)):
            os.dup2(to.fileno(), k)
        try:
            yield
        finally:
            sys.__stdout__.flush()
            for k, descriptor in enumerate(kept):
                os.dup2(descriptor, k)
                os.close(descriptor)
            file.seek(0)
            stdout.write(file.read(PRINTED + 1))


@contextlib.contextmanager
def _guarded(free):
    """Raise `Forbidden` if a solution or a package function is called, even indirectly.

    The package functions in ``free`` are allowed. They, and functions that the check passes to the
    answer, may call any package function. If ``free`` is None, nothing is forbidden.
    """
    if free is None:
        yield
        return
    before, codes = sys.getprofile(), {function.__code__ for function in free}

    def watch(frame, event, _):
        code = frame.f_code
        file = code.co_filename
        if event == "call" and code in SOLUTIONS:
            raise Forbidden(code.co_name)
        if event != "call" or not file.startswith(PACKAGES) or file.startswith(NO_ANSWERS):
            return
        given = False
        while frame is not None and frame.f_code is not run.__code__:
            file = frame.f_code.co_filename
            given = given or file.startswith(CHECKS)
            if frame.f_code in codes or given and not file.startswith(PACKAGES):
                return
            frame = frame.f_back
        if frame is not None:
            raise Forbidden(getattr(code, "co_qualname", code.co_name))

    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(before)
