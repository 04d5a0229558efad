"""A student's function, run so that it ends, prints no walls, and is the student's own.

It is tried in another process first, which it may hang or crash (`client`). What cannot be sent
there is watched here by another thread, which raises an error in the first when its time is over:
that needs no signals, so it works on Windows and beside the main thread, too. Time is processor
time, so that a busy machine stops nobody; who uses next to none of it waits, and has longer. The
error strikes between two steps of Python; while native code does not return, a line says so, if it
lets another thread run, and that the way out is to restart the kernel. What waits is interrupted as
by hand, which Windows and other threads than the main one do not know.
"""

import contextlib
import ctypes
import io
import math
import os
import pathlib
import signal
import sys
import threading
import time
import warnings

import numpy as np

import lstm_edu
from lstm_edu._util.threads import _after_fork
from lstm_edu.analysis.inspection import most_active_cells
from lstm_edu.cells.lstm import sigmoid
from lstm_edu.text.hashing import LetterTrigrams, letter_trigrams

from .. import kept
from . import client
from .worker import PRINTED, SHARE, complete

SECONDS = 5.0  # of processor time, for each call
WAITS = 30.0  # on the clock, for one that waits
COURSE = pathlib.Path(__file__).parents[2]
CHECKS = tuple(str(COURSE / room) + os.sep for room in ("engine", "exercises"))
PACKAGES = str(COURSE) + os.sep, str(pathlib.Path(lstm_edu.__file__).parent) + os.sep

FREE = letter_trigrams, sigmoid  # what an answer may call of the package; see `of_check`
SOLUTIONS = set()  # their code: nobody's answer calls them

STUCK = (
    "your function has taken more than {:g} seconds, and is inside native code, which cannot be "
    "stopped from here. If it does not come to an end, restart the kernel."
)

printed = [0]  # by the functions of the check that runs
free = [FREE]  # to them


class TooLong(BaseException):
    """Raised in the student's function; no `except Exception` of theirs takes it for their own."""


class Waits(TooLong):
    """The answer waits for something that does not come."""


class TooMuch(TooLong):
    """The answer fills the memory."""


class Crashed(TooLong):
    """The answer ends the process that it runs in."""


ENDINGS = {"too long": TooLong, "waits": Waits, "memory": TooMuch, "crashed": Crashed}


class NotOwn(BaseException):
    """The answer calls a function of the package that does what is to be written; its name."""


@contextlib.contextmanager
def of_check(name):
    """Run answers as those of one check: what they print and call counts together."""
    before, printed[0], free[0] = free[0], 0, _free(name)
    with quiet():
        try:
            yield
        finally:
            free[0] = before


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
    TooLong, Waits, TooMuch, Crashed
        With the lines where it was, as text, if it was in another process.
    NotOwn
    """
    arguments = list(arguments)
    cut = _Cut(sys.stdout), _Cut(sys.stderr)
    with quiet(), contextlib.redirect_stdout(cut[0]), contextlib.redirect_stderr(cut[1]), _kept():
        ending = client.ending(function, arguments, SECONDS, WAITS)
        if ending and ending != client.UNTRIED:
            how, printed, places = ending
            print(end=printed)
            raise ENDINGS[how](places)
        with _own(free[0]):  # who came to an end there may wait here, as for what is typed
            return _bounded(function, arguments, SECONDS, WAITS if ending else math.inf)


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


def _bounded(function, arguments, seconds, waits=math.inf):
    """What a function returns, within so many seconds of this thread's processor time."""
    me, here, clock, running = threading.get_ident(), sys._getframe(), _clock(), threading.Lock()
    end = clock() + seconds
    interrupted, wakes = [], _can_be_interrupted()

    def watch():
        struck = looks = 0
        while not running.acquire(timeout=0.05):
            looks += 1
            used = clock() - end + seconds
            if wakes and looks * 0.05 > waits + SHARE * used and not interrupted:
                interrupted.append(True)
                signal.pthread_kill(me, signal.SIGINT)
            # again if it was caught; not in what comes after the function
            if clock() > end and _is_below(sys._current_frames().get(me), here):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(me), ctypes.py_object(TooLong)
                )
                struck += 1
                if struck == 40:
                    print(STUCK.format(seconds), file=getattr(sys.stderr, "to", sys.stderr))

    running.acquire()
    threading.Thread(target=watch, daemon=True).start()
    try:
        return complete(function(*arguments))
    except KeyboardInterrupt as error:
        if interrupted:
            raise Waits().with_traceback(error.__traceback__) from None
        raise
    finally:
        running.release()


def _can_be_interrupted():
    """Whether a signal wakes this thread, and raises KeyboardInterrupt in it."""
    return (
        hasattr(signal, "pthread_kill")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )


def _is_below(frame, other):
    """Whether a frame was called from another, itself or through others."""
    while frame is not None:
        frame = frame.f_back
        if frame is other:
            return True
    return False


def _clock():
    """A function that returns the processor time of this thread, from any thread.

    Where there is none of a single thread, as on Windows, that of the process.
    """
    if hasattr(time, "pthread_getcpuclockid"):
        try:
            number = time.pthread_getcpuclockid(threading.get_ident())
            return lambda: time.clock_gettime(number)
        except OSError:
            pass
    return time.process_time


class _Cut(io.TextIOBase):
    """What is printed goes on to where it went, up to `PRINTED` characters of a check."""

    def __init__(self, to):
        self.to = to

    def write(self, text):
        """As a file's."""
        left = PRINTED - printed[0]
        if left > 0:
            self.to.write(text[:left])
            if len(text) >= left:
                self.to.write("…\n(the rest of what your function prints is left out)\n")
        printed[0] += len(text)
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
    before, codes = sys.getprofile(), {function.__code__ for function in (*free, _after_fork)}

    def watch(frame, event, _):
        code = frame.f_code
        file = code.co_filename
        if event == "call" and code in SOLUTIONS:
            raise NotOwn(code.co_name)
        if event != "call" or not file.startswith(PACKAGES) or file.startswith(CHECKS):
            return
        given = False
        while frame is not None and frame.f_code is not _bounded.__code__:
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
