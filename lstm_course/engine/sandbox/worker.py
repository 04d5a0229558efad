"""The worker process of `client`: a script that runs each answer it gets and reports how it ended.

The system limits an answer's processor time, or on Windows faulthandler its time on the clock: both
work although native code keeps Python's lock. Faulthandler also writes the traceback. A thread
finds answers that wait, which use no processor time. When the kernel's process ends, for whatever
reason, the worker ends, too, with all processes that its answers have started.

It imports nothing of the package, so that it starts in a tenth of a second.
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
import time
import traceback
from collections.abc import Iterator

try:
    import resource
except ModuleNotFoundError:  # on Windows
    resource = None

MEMORY = 1 << 31  # bytes of data; only Linux has such a limit
PRINTED = 1000  # characters that an answer may print
TIMED = hasattr(signal, "setitimer")  # a timer of processor time; Windows has none
WALL = 6  # on Windows: seconds on the clock per second of processor time, for busy machines
SHARE = 200  # an answer that uses more than a 200th of one processor does not wait
REFUSED = {  # functions that no answer may call
    (builtins, "exit"),
    (builtins, "quit"),
    (builtins, "input"),
    (builtins, "breakpoint"),
    (builtins, "get_ipython"),  # lines with ! and % call it
    (bdb.Bdb, "set_trace"),
    (getpass, "getpass"),
    (os, "abort"),
    (os, "_exit"),
}
_exit = os._exit


def main():
    """Run the calls from standard input until it ends; report on standard output."""
    requests, answers, places = (
        os.fdopen(os.dup(k), mode) for k, mode in enumerate(("rb", "wb", "w"))
    )
    nothing = os.open(os.devnull, os.O_RDWR)
    for k in range(3):
        os.dup2(nothing, k)  # the student's own prints and reads
    with contextlib.suppress(AttributeError):  # Windows has no forks
        os.register_at_fork(after_in_child=lambda: os.close(answers.fileno()))
    with contextlib.suppress(OSError):  # if memory is short, Linux ends this process first
        pathlib.Path("/proc/self/oom_score_adj").write_bytes(b"1000")
    with contextlib.suppress(AttributeError, ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the kernel handles it, and ends this process
    faulthandler.enable(places)
    if TIMED:
        faulthandler.register(signal.SIGPROF, places, chain=True)

    def say(event, text=""):
        pickle.dump((event, text), answers)
        answers.flush()

    sys.path[:] = pickle.load(requests)
    todo = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests, todo), daemon=True).start()
    threading.Thread(target=_watch_each, daemon=True).start()
    said = None
    while said != "memory":  # the memory may not all be freed
        said = _try(*todo.get(), say, places)
        say(said)
    _exit(0)


def _read(requests, todo):
    try:
        while True:
            todo.put(pickle.load(requests))
    finally:
        with contextlib.suppress(AttributeError):  # there are no groups on Windows
            if os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)
        _exit(0)


def _try(answer, seconds, waits, longest, say, places):
    """Run a pickled answer, and return how it ended."""
    try:
        function, arguments = pickle.loads(answer)
    except BaseException:
        return "unread"
    say("read")
    sys.stdout, before = _Printed(say), _ended_children()
    try:
        with _within(seconds, waits, longest, say, places), refusing():
            complete(function(*arguments))
    except (MemoryError, KeyboardInterrupt) as error:
        for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
            print(f'File "{frame.f_code.co_filename}", line {line}', file=places, flush=True)
        return "memory" if isinstance(error, MemoryError) else "interrupt"
    except BaseException:
        pass
    return "ended" if before == _ended_children() else "children"


def _ended_children():
    """Return the resource usage of reaped child processes, or True if there are others.

    A change shows that an answer started processes, which may have left children themselves.
    """
    if resource is None:
        return None
    with contextlib.suppress(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
        return True
    return resource.getrusage(resource.RUSAGE_CHILDREN)


@contextlib.contextmanager
def _within(seconds, waits, longest, say, places):
    running = threading.Lock()
    running.acquire()
    if TIMED:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        watched.put((running, waits, longest, say, places))
    else:
        late = min(WALL * seconds, longest)
        faulthandler.dump_traceback_later(late, exit=True, file=places)
    try:
        yield
    finally:
        running.release()
        if TIMED:
            signal.setitimer(signal.ITIMER_PROF, 0)
        else:
            faulthandler.cancel_dump_traceback_later()


watched = queue.SimpleQueue()  # for one thread: starting one per call takes 4 ms, a call 0.5 ms


def _watch_each():
    while True:
        _watch(*watched.get())


def _watch(running, waits, longest, say, places):
    """Report an answer that waits or is late; the client then ends this process."""
    began, looks = time.process_time(), 0
    while not running.acquire(timeout=1):
        looks += 1  # seconds; a clock would go on while a laptop sleeps
        waited = looks - SHARE * (time.process_time() - began)
        if waited > waits or looks > longest:
            faulthandler.dump_traceback(places)
            return say("waits" if waited > min(waits, longest) / 2 else "late")


class Refused(BaseException):
    """The answer calls a function of `REFUSED`; the argument is its name."""


class _NoInput(io.TextIOBase):
    """Standard input that refuses to be read."""

    def read(self, *_):
        """Raise `Refused`."""
        raise Refused("sys.stdin")

    readline = read


def ipython():
    """Return the notebook's IPython shell, or None."""
    return getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()


@contextlib.contextmanager
def replaced(owner, name, value):
    """Replace an attribute of a module, class or object within the block."""
    before = vars(owner).get(name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        delattr(owner, name) if before is None else setattr(owner, name, before)


@contextlib.contextmanager
def refusing():
    """Raise `Refused` where an answer would end Python, wait for input, or run a shell command."""
    main, shell, process = vars(sys.modules["__main__"]), ipython(), os.getpid()
    names = [name for owner, name in REFUSED if owner is builtins and _is_ipythons(main.get(name))]
    hidden = {name: main.pop(name) for name in names}  # the built-in names below remain
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: main.update(hidden | main))
        stack.enter_context(replaced(sys, "stdin", _NoInput()))
        for owner, name in REFUSED | ({(shell, "ask_exit")} if shell else set()):
            refuse = _refused(name.removeprefix("ask_"), vars(owner).get(name), process)
            stack.enter_context(replaced(owner, name, refuse))
        try:
            yield
        except NotImplementedError as error:
            if type(error).__name__ == "StdinNotImplementedError":  # a `getpass` imported before
                raise Refused("input") from error
            raise


def _is_ipythons(value):
    """Return whether IPython defines a function or object."""
    return str(getattr(value, "__module__", "")).startswith("IPython.")


def _refused(name, function, process):
    """Make the function that raises `Refused`, except in a process that the answer has started."""

    def refuse(*args, **kwargs):
        if os.getpid() != process:  # multiprocessing ends its processes by `os._exit`
            return function(*args, **kwargs)
        raise Refused(name)

    return refuse


def complete(answer):
    """Run the generators in an answer while its time is limited."""
    if isinstance(answer, Iterator):
        return list(answer)
    if type(answer) in (tuple, list) and any(isinstance(part, Iterator) for part in answer[:100]):
        return type(answer)(map(complete, answer))
    return answer


class _Printed(io.TextIOBase):
    """A stream that reports at most `PRINTED` characters, and one more if there are more."""

    def __init__(self, say):
        self.say, self.left = say, PRINTED + 1

    def write(self, text):
        """Report as much of the text as the answer has left."""
        if self.left > 0:
            self.say("printed", text[: self.left])
        self.left -= len(text)
        return len(text)


if __name__ == "__main__":
    main()
