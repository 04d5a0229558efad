"""Script of the worker process, which runs the answers sent by `client` and reports how they end.

A system timer limits an answer's processor time, except on Windows, and `faulthandler` limits its
wall-clock time. Both work even if native code never releases Python's lock (the GIL).
`faulthandler` also writes the traceback. When the notebook's kernel ends, for whatever reason, the
worker ends, too, with all processes that its answers have started.

The script imports nothing from the package, so that the worker starts in a tenth of a second.
"""

import bdb
import builtins
import contextlib
import faulthandler
import getpass
import io
import os
import pathlib
import pickle
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Iterator

try:
    import resource
except ModuleNotFoundError:  # on Windows
    resource = None

MEMORY = 1 << 31  # limit on memory for data, in bytes; only Linux enforces it
PRINTED = 1000  # characters that an answer may print
TIMED = hasattr(signal, "setitimer")  # Windows has no processor-time timers
# functions that answers must not call; lines with ! and % call get_ipython
BUILT_IN = "exit", "quit", "input", "breakpoint", "get_ipython"
REFUSED = {(bdb.Bdb, "set_trace"), (getpass, "getpass"), (os, "abort"), (os, "_exit")}
REFUSED |= {(builtins, name) for name in BUILT_IN}
_exit = os._exit


def main():
    """Read calls from standard input until it is closed, and report to standard output."""
    requests, answers, places = (
        os.fdopen(os.dup(k), mode) for k, mode in enumerate(("rb", "wb", "w"))
    )
    nothing = os.open(os.devnull, os.O_RDWR)
    for k in range(3):
        os.dup2(nothing, k)  # native code in answers reads from and prints to os.devnull
    with contextlib.suppress(AttributeError):  # Windows has no forks
        os.register_at_fork(after_in_child=lambda: os.close(answers.fileno()))
    with contextlib.suppress(OSError):  # let Linux end this process first if memory is short
        pathlib.Path("/proc/self/oom_score_adj").write_bytes(b"1000")
    with contextlib.suppress(AttributeError, ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the kernel handles interrupts
    faulthandler.enable(places)
    if TIMED:
        faulthandler.register(signal.SIGPROF, places, chain=True)

    def say(event, text=""):
        pickle.dump((event, text), answers)
        answers.flush()

    sys.path[:] = pickle.load(requests)
    todo = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests, todo), daemon=True).start()
    said = None
    while said != "memory":  # exit after a memory error, as memory may not be freed
        said = _try(*todo.get(), say, places)
        say(said)
    _exit(0)


def _read(requests, todo):
    try:
        while True:
            todo.put(pickle.load(requests))
    finally:
        with contextlib.suppress(AttributeError):  # Windows has no process groups
            if os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)
        _exit(0)


def _try(answer, seconds, wall, say, places):
    """Run a pickled answer, and return how it ended.

    The result is "unread" if unpickling failed, "memory" for a MemoryError, "interrupt" for a
    KeyboardInterrupt, "children" if the answer started processes, and otherwise "ended".
    """
    try:
        function, arguments = pickle.loads(answer)
    except BaseException:
        return "unread"
    say("read")
    sys.stdout, before = _Printed(say), _ended_children()
    try:
        with _within(seconds, wall, places), refusing():
            complete(function(*arguments))
    except (MemoryError, KeyboardInterrupt) as error:
        for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
            print(f'File "{frame.f_code.co_filename}", line {line}', file=places, flush=True)
        return "memory" if isinstance(error, MemoryError) else "interrupt"
    except BaseException:
        pass
    return "ended" if before == _ended_children() else "children"


def _ended_children():
    """Return the resource usage of ended child processes, or True if a child still exists.

    If the value changes while an answer runs, the answer has started processes. On Windows, return
    None.
    """
    if resource is None:
        return None
    with contextlib.suppress(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
        return True
    return resource.getrusage(resource.RUSAGE_CHILDREN)


@contextlib.contextmanager
def _within(seconds, wall, places):
    """End this process if the block takes too much processor time or wall-clock time."""
    faulthandler.dump_traceback_later(wall, exit=True, file=places)
    if TIMED:
        signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        if TIMED:
            signal.setitimer(signal.ITIMER_PROF, 0)


class Refused(BaseException):
    """Raised when an answer calls a function in `REFUSED` or reads standard input.

    Its argument is the function's name, or "sys.stdin".
    """


class _NoInput(io.TextIOBase):
    """A standard input that raises `Refused` when an answer reads it."""

    def read(self, *_):
        """Raise `Refused`, because no user can reply."""
        raise Refused("sys.stdin")

    readline = read


def ipython():
    """Return the notebook's IPython shell, or None."""
    return getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()


@contextlib.contextmanager
def replaced(owner, name, value):
    """Replace an attribute of a module, class or object during the block."""
    before = vars(owner).get(name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        delattr(owner, name) if before is None else setattr(owner, name, before)


@contextlib.contextmanager
def refusing():
    """Make functions that end Python, wait for input or run shell commands raise `Refused`."""
    main, shell, process = vars(sys.modules["__main__"]), ipython(), os.getpid()
    # remove IPython's versions from the notebook, so that calls reach the replaced built-ins
    hidden = {name: main.pop(name) for name in BUILT_IN if _is_ipythons(main.get(name))}
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: main.update(hidden | main))
        stack.enter_context(replaced(sys, "stdin", _NoInput()))
        for owner, name in REFUSED | ({(shell, "ask_exit")} if shell else set()):
            refuse = _refused(name.removeprefix("ask_"), getattr(owner, name, None), process)
            stack.enter_context(replaced(owner, name, refuse))
        try:
            yield
        except NotImplementedError as error:
            # raised by IPython's `getpass` if the answer imported `getpass` before its replacement
            if type(error).__name__ == "StdinNotImplementedError":
                raise Refused("input") from error
            raise


def _is_ipythons(value):
    """Return whether a function or object is defined by IPython."""
    return str(getattr(value, "__module__", "")).startswith("IPython.")


def _refused(name, function, process):
    """Make a function that raises `Refused`, or calls ``function`` if in a child process."""

    def refuse(*args, **kwargs):
        if os.getpid() != process:  # multiprocessing needs `os._exit` to end its processes
            return function(*args, **kwargs)
        raise Refused(name)

    return refuse


def complete(answer):
    """Convert iterators in an answer to lists, so that the time limit covers their evaluation."""
    if isinstance(answer, Iterator):
        return list(answer)
    if type(answer) in (tuple, list) and any(isinstance(part, Iterator) for part in answer[:100]):
        return type(answer)(map(complete, answer))
    return answer


class _Printed(io.TextIOBase):
    """Output stream that reports only the first `PRINTED` + 1 characters."""

    def __init__(self, say):
        self.say, self.left = say, PRINTED + 1

    def write(self, text):
        """Report the text up to the limit, and return its length."""
        if self.left > 0:
            self.say("printed", text[: self.left])
        self.left -= len(text)
        return len(text)


if __name__ == "__main__":
    main()
