"""Calls of a student's function, with limits on time, output and the functions it may call.

`client` tries the function in a worker process first, which it may hang or crash. If it ends there,
it is run here. If no worker can be started (as in a browser's Python) or the function can't be
pickled, it is run here alone, after a line that an endless loop must be stopped by hand.
"""

import contextlib
import io
import os
import pathlib
import sys
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
from .worker import PRINTED, WALL, complete, ipython, refusing

# processor-time limit of a call: TIMES the solution's time, but at least LEAST seconds
TIMES, LEAST = 30, 10.0
LEFT_OUT = "…\n(the rest of what your function prints is left out)\n"
IN_BROWSER = sys.platform == "emscripten"
# Python in a browser can't measure its processor time
clock = time.perf_counter if IN_BROWSER else time.process_time
COURSE = pathlib.Path(__file__).parents[2]
CHECKS = tuple(str(COURSE / room) + os.sep for room in ("engine", "exercises"))
SYSTEM = pathlib.Path(lstm_edu.__file__).parent
PACKAGES = str(COURSE) + os.sep, str(SYSTEM) + os.sep
NO_ANSWERS = *CHECKS, str(SYSTEM / "_util") + os.sep  # os.fork calls functions in _util

FREE = letter_trigrams, sigmoid  # functions of the package that any answer may call
SOLUTIONS = set()  # code objects of the solutions, which answers must not call

STOPS = "Restart Kernel…" if IN_BROWSER else "Interrupt or Restart"
ALONE = (
    "Your function runs in this Python itself: an endless loop must be stopped by hand, with "
    f"{STOPS} in the menu Kernel."
)

# State of the running check: characters printed by answers, arguments of `Ended` if an answer was
# stopped, package functions that answers may call, the solution's processor time, and whether
# `ALONE` was printed.
START = {"printed": 0, "ended": None, "free": FREE, "taken": 0.0, "alone": False}
now = types.SimpleNamespace(**START)


class Ended(BaseException):
    """The answer was stopped; arguments: the reason, the traceback, and the wall-clock limit."""


class Forbidden(BaseException):
    """The answer calls a package function that solves the exercise; the argument is its name."""


@contextlib.contextmanager
def of_check(name):
    """Reset the state `now` for a check, and restore it afterwards."""
    before = dict(vars(now))
    vars(now).update(START, free=_free(name))
    with quiet():
        try:
            yield
        finally:
            vars(now).update(before)


@contextlib.contextmanager
def timed():
    """Measure the solution's processor time in this block; `seconds` computes the limit from it."""
    start = clock()
    yield
    now.taken = max(now.taken, clock() - start)


def seconds():
    """Return the limit of a call's processor time, in seconds."""
    return max(LEAST, TIMES * now.taken)


@contextlib.contextmanager
def quiet():
    """Silence warnings, because `compare` explains NaN and infinite values."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def refuse_exit():
    """Make `exit` raise an error in notebooks run by nbgrader, which then grades all cells."""
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
    """Call a student's function, and run the generators in its result.

    Once a check has stopped an answer, raise `Ended` without calling it again.

    Raises
    ------
    Ended, Forbidden, Refused
    """
    if now.ended:
        raise Ended(*now.ended)
    arguments = list(arguments)
    with quiet(), _reset(), refusing():
        ending = client.ending(function, arguments, seconds())
        if ending == client.UNTRIED and not now.alone:
            now.alone = True
            print(ALONE, flush=True)
        with contextlib.redirect_stdout(_Cut(sys.stdout)):
            with contextlib.redirect_stderr(_Cut(sys.stderr)):
                if ending in (None, client.UNTRIED):
                    with _guarded(now.free):
                        return complete(function(*arguments))
                how, printed, places = ending
                print(end=printed)
    now.ended = how, places, WALL * seconds()
    raise Ended(*now.ended)


@contextlib.contextmanager
def _reset():
    """Restore modules, NumPy's print options and the recursion limit after the block.

    Don't restore `np.random`, so that the next call draws other numbers.
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

    None allows all, because a student's test may compare with the package.
    """
    if check.startswith("check_test_"):
        return None
    if check in ("check_letter_trigrams", "check_sigmoid"):
        return ()
    if check in ("check_nearest_word", "check_collisions"):
        return (*FREE, LetterTrigrams.fit, LetterTrigrams.__init__, LetterTrigrams.operator)
    return (*FREE, most_active_cells) if check == "check_assigned_cells" else FREE


class _Cut(io.TextIOBase):
    """Output stream that passes on the first `PRINTED` characters of all answers of a check."""

    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        """Pass on the text up to the limit, and return its length."""
        left = max(0, PRINTED - now.printed)
        now.printed += len(text)
        self.stream.write(text[:left])
        if 0 < left <= len(text):
            self.stream.write(LEFT_OUT)
        return len(text)


@contextlib.contextmanager
def _guarded(free):
    """Raise `Forbidden` if a package function that is not in ``free`` is called, even indirectly.

    Functions that the check passes to the answer may call any.
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
