"""A student's function, run so that it ends, prints no walls, and is the student's own.

It is tried in another process first, which it may hang or crash (`client`), and run here if it
comes to its end there. Where it can't have another process, because none can be started (in a
browser's Python) or because it can't be sent to one, it is run here alone, and a line says before
that nothing but a hand stops an endless loop.
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

TIMES, LEAST = 30, 10.0  # a call has so many times the solution's processor time, or these seconds
WAITS = 30.0  # on the clock, for one that waits
# a browser's Python doesn't know its processor time
clock = time.perf_counter if sys.platform == "emscripten" else time.process_time
COURSE = pathlib.Path(__file__).parents[2]
CHECKS = tuple(str(COURSE / room) + os.sep for room in ("engine", "exercises"))
SYSTEM = pathlib.Path(lstm_edu.__file__).parent
PACKAGES = str(COURSE) + os.sep, str(SYSTEM) + os.sep
NO_ANSWERS = *CHECKS, str(SYSTEM / "_util") + os.sep  # a fork runs what is registered there

FREE = letter_trigrams, sigmoid  # what an answer may call of the package; see `of_check`
SOLUTIONS = set()  # their code: nobody's answer calls them

ALONE = (
    "Your function runs in this Python itself: an endless loop must be stopped by hand, with "
    "Interrupt or Restart in the menu Kernel."
)

# of the check that runs: characters that its functions have printed, what they may call, the
# solution's processor time, and whether `ALONE` was said
now = types.SimpleNamespace(printed=0, free=FREE, taken=0.0, alone=False)


class Ended(Exception):
    """The answer did not return: how it ended, as `client.ending` says, and at which lines."""


class NotOwn(BaseException):
    """The answer calls a function of the package that does what is to be written; its name."""


@contextlib.contextmanager
def of_check(name):
    """Run answers as those of one check: what they print and call counts together."""
    before = dict(vars(now))
    vars(now).update(printed=0, free=_free(name), taken=0.0, alone=False)
    with quiet():
        try:
            yield
        finally:
            vars(now).update(before)


@contextlib.contextmanager
def timed():
    """Give the functions of this check `TIMES` the processor time that the solution takes here."""
    start = clock()
    yield
    now.taken = max(now.taken, clock() - start)


def seconds():
    """Return the processor time that a call may take."""
    return max(LEAST, TIMES * now.taken)


@contextlib.contextmanager
def quiet():
    """Silence warnings: `hold_against` finds and explains what is NaN or infinite."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def run(function, arguments):
    """Run a student's function, and the generators in what it returns.

    Raises
    ------
    Ended, NotOwn
    """
    arguments = list(arguments)
    cut = _Cut(sys.stdout), _Cut(sys.stderr)
    with quiet(), contextlib.redirect_stdout(cut[0]), contextlib.redirect_stderr(cut[1]), _kept():
        ending = client.ending(function, arguments, seconds(), WAITS)
        if ending and ending != client.UNTRIED:
            how, printed, places = ending
            print(end=printed)
            raise Ended(how, places)
        if ending and not now.alone:
            now.alone = True
            print(ALONE, file=cut[0].to, flush=True)
        with _own(now.free):
            return complete(function(*arguments))


@contextlib.contextmanager
def _kept():
    """What a function may change for all others is as it was before.

    Not the state of `np.random`: whoever draws from it shall get other numbers in the next call.
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
    """What the functions of a check may call of the package: what their lesson has before.

    None for all of it: a test that a student writes may take the package for what is right.
    """
    if check.startswith("check_test_"):
        return None
    if check in ("check_letter_trigrams", "check_sigmoid"):
        return ()
    if check in ("check_nearest_word", "check_collisions"):
        return (*FREE, LetterTrigrams.fit, LetterTrigrams.__init__, LetterTrigrams.operator)
    return (*FREE, most_active_cells) if check == "check_assigned_cells" else FREE


class _Cut(io.TextIOBase):
    """What is printed goes on to where it went, up to `PRINTED` characters of a check."""

    def __init__(self, to):
        self.to = to

    def write(self, text):
        """As a file's."""
        left = PRINTED - now.printed
        if left > 0:
            self.to.write(text[:left])
            if len(text) >= left:
                self.to.write("…\n(the rest of what your function prints is left out)\n")
        now.printed += len(text)
        return len(text)

    def flush(self):
        """As a file's."""
        self.to.flush()


@contextlib.contextmanager
def _own(free):
    """`NotOwn` is raised where the function, itself or through another, calls what is not free.

    What it is given by the check may call what it likes.
    """
    if free is None:
        yield
        return
    before, codes = sys.getprofile(), {function.__code__ for function in free}

    def watch(frame, event, _):
        code = frame.f_code
        file = code.co_filename
        if event == "call" and code in SOLUTIONS:
            raise NotOwn(code.co_name)
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
            raise NotOwn(getattr(code, "co_qualname", code.co_name))

    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(before)
