"""Run of a student's function, with limits on its time, its output and its calls of the package.

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
from .worker import PRINTED, complete

TIMES, LEAST = 30, 10.0  # limit of a call: multiple of the solution's processor time, or seconds
WAITS = 30.0  # limit on the clock, for a call that waits
# a browser's Python doesn't know its processor time
clock = time.perf_counter if sys.platform == "emscripten" else time.process_time
COURSE = pathlib.Path(__file__).parents[2]
CHECKS = tuple(str(COURSE / room) + os.sep for room in ("engine", "exercises"))
SYSTEM = pathlib.Path(lstm_edu.__file__).parent
PACKAGES = str(COURSE) + os.sep, str(SYSTEM) + os.sep
NO_ANSWERS = *CHECKS, str(SYSTEM / "_util") + os.sep  # a fork runs functions registered there

FREE = letter_trigrams, sigmoid  # functions of the package that any answer may call
SOLUTIONS = set()  # their code, which no answer may call

ALONE = (
    "Your function runs in this Python itself: an endless loop must be stopped by hand, with "
    "Interrupt or Restart in the menu Kernel."
)

# state of the running check: characters that its functions printed, the package's functions that
# they may call, the solution's processor time, and whether `ALONE` was printed
now = types.SimpleNamespace(printed=0, free=FREE, taken=0.0, alone=False)


class Ended(Exception):
    """The answer did not return; its arguments are the end and traceback of `client.ending`."""


class Forbidden(BaseException):
    """The answer calls a function of the package that solves the exercise; argument: its name."""


@contextlib.contextmanager
def of_check(name):
    """Start a check, whose answers share a limit of printed characters and a set of free calls."""
    before = dict(vars(now))
    vars(now).update(printed=0, free=_free(name), taken=0.0, alone=False)
    with quiet():
        try:
            yield
        finally:
            vars(now).update(before)


@contextlib.contextmanager
def timed():
    """Measure the solution's processor time in this block; `seconds` allows `TIMES` as much."""
    start = clock()
    yield
    now.taken = max(now.taken, clock() - start)


def seconds():
    """Return the processor time that a call may take."""
    return max(LEAST, TIMES * now.taken)


@contextlib.contextmanager
def quiet():
    """Silence warnings: `compare` finds and explains NaN and infinite values."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def run(function, arguments):
    """Run a student's function, and the generators in its result.

    Raises
    ------
    Ended, Forbidden
    """
    arguments = list(arguments)
    cut = _Cut(sys.stdout), _Cut(sys.stderr)
    with quiet(), contextlib.redirect_stdout(cut[0]), contextlib.redirect_stderr(cut[1]), _reset():
        ending = client.ending(function, arguments, seconds(), WAITS)
        if ending and ending != client.UNTRIED:
            how, printed, places = ending
            print(end=printed)
            raise Ended(how, places)
        if ending and not now.alone:
            now.alone = True
            print(ALONE, file=cut[0].to, flush=True)
        with _guarded(now.free):
            return complete(function(*arguments))


@contextlib.contextmanager
def _reset():
    """Reset modules, printing options and recursion limit to their state before the block.

    Leave the state of `np.random`, so that the next call draws other numbers.
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
    """Return the package's functions that a check's answers may call: those that its lesson has.

    None allows all of them: a test that a student writes may compare with the package.
    """
    if check.startswith("check_test_"):
        return None
    if check in ("check_letter_trigrams", "check_sigmoid"):
        return ()
    if check in ("check_nearest_word", "check_collisions"):
        return (*FREE, LetterTrigrams.fit, LetterTrigrams.__init__, LetterTrigrams.operator)
    return (*FREE, most_active_cells) if check == "check_assigned_cells" else FREE


class _Cut(io.TextIOBase):
    """A stream that forwards at most `PRINTED` characters per check."""

    def __init__(self, to):
        self.to = to

    def write(self, text):
        """Forward as much of the text as the check has left."""
        left = PRINTED - now.printed
        if left > 0:
            self.to.write(text[:left])
            if len(text) >= left:
                self.to.write("…\n(the rest of what your function prints is left out)\n")
        now.printed += len(text)
        return len(text)

    def flush(self):
        """Flush the stream behind."""
        self.to.flush()


@contextlib.contextmanager
def _guarded(free):
    """Raise `Forbidden` if the function calls, directly or not, a package function not in ``free``.

    Functions that the check passes as arguments may call any.
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
