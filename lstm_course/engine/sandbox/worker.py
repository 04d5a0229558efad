"""The other process of `client`: a script that runs each answer it is sent and says how it ended.

Its time is limited by the system, or on Windows by faulthandler: neither waits for native code that
holds Python's lock. Faulthandler says as well at which line it was. An answer that waits uses no
time; a thread looks for that. It ends, too, when the process that sends the answers does, however
that comes about, and with it all that its answers have started.

It imports nothing of the package, so that it starts in a tenth of a second.
"""

import contextlib
import faulthandler
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

MEMORY = 1 << 31  # bytes of data, where the system knows such a limit: on Linux
PRINTED = 1000  # characters that an answer may print
TIMED = hasattr(signal, "setitimer")  # a process ends when it has used its time; not on Windows
WALL = 6  # there: seconds on the clock for one of processor time, as others may be busy
SHARE = 200  # who has had a 200th of one processor, beside others that are busy, does not wait


def main():
    """Run the calls that come by standard input until it ends; answer on standard output."""
    requests, answers, places = (
        os.fdopen(os.dup(k), mode) for k, mode in enumerate(("rb", "wb", "w"))
    )
    nothing = os.open(os.devnull, os.O_RDWR)
    for k in range(3):
        os.dup2(nothing, k)  # the student's own prints and reads
    with contextlib.suppress(AttributeError):  # on Windows none is forked
        os.register_at_fork(after_in_child=lambda: os.close(answers.fileno()))
    with contextlib.suppress(OSError):  # where memory is short, Linux ends this process first
        pathlib.Path("/proc/self/oom_score_adj").write_bytes(b"1000")
    with contextlib.suppress(AttributeError, ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for whom stops the check by hand
    faulthandler.enable(places)
    if TIMED:
        faulthandler.register(signal.SIGPROF, places, chain=True)

    def say(what, text=""):
        pickle.dump((what, text), answers)
        answers.flush()

    sys.path[:] = pickle.load(requests)
    todo = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests, todo), daemon=True).start()
    threading.Thread(target=_watch_each, daemon=True).start()
    said = None
    while said != "memory":  # not all of it may come back
        said = _try(*todo.get(), say, places)
        say(said)
    os._exit(0)


def _read(requests, todo):
    try:
        while True:
            todo.put(pickle.load(requests))
    finally:
        with contextlib.suppress(AttributeError):  # there are no groups on Windows
            if os.getpgrp() == os.getpid():
                os.killpg(0, signal.SIGKILL)
        os._exit(0)


def _try(answer, seconds, waits, say, places):
    """Run a pickled answer; how it ended."""
    try:
        function, arguments = pickle.loads(answer)
    except BaseException:
        return "unread"
    say("read")
    sys.stdout, before = _Printed(say), _ended_children()
    try:
        with _within(seconds, waits, say, places):
            complete(function(*arguments))
    except MemoryError as error:
        for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
            print(f'File "{frame.f_code.co_filename}", line {line}', file=places, flush=True)
        return "memory"
    except BaseException:
        pass
    return "ended" if before == _ended_children() else "children"


def _ended_children():
    """What the system counts of this process's children that have ended; True if there are others.

    Those that have ended may have left children of their own.
    """
    if resource is None:
        return None
    with contextlib.suppress(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
        return True
    return resource.getrusage(resource.RUSAGE_CHILDREN)


@contextlib.contextmanager
def _within(seconds, waits, say, places):
    running = threading.Lock()
    running.acquire()
    if TIMED:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        watched.put((running, waits, say, places))
    else:
        faulthandler.dump_traceback_later(WALL * seconds, exit=True, file=places)
    try:
        yield
    finally:
        running.release()
        if TIMED:
            signal.setitimer(signal.ITIMER_PROF, 0)
        else:
            faulthandler.cancel_dump_traceback_later()


watched = queue.SimpleQueue()  # one thread for all answers: a thread each takes 4 ms of a call's .5


def _watch_each():
    while True:
        _watch(*watched.get())


def _watch(running, waits, say, places):
    """Say so when an answer waits; who hears it ends this process."""
    began, looks = time.process_time(), 0
    while not running.acquire(timeout=1):
        looks += 1  # no clock, which goes on while a laptop sleeps
        if looks > waits + SHARE * (time.process_time() - began):
            faulthandler.dump_traceback(places)
            return say("waits")


def complete(answer):
    """Run the generators in an answer, where an endless one would never end."""
    if isinstance(answer, Iterator):
        return list(answer)
    if type(answer) in (tuple, list) and any(isinstance(part, Iterator) for part in answer[:100]):
        return type(answer)(map(complete, answer))
    return answer


class _Printed(io.TextIOBase):
    """What is printed is said, up to `PRINTED` characters."""

    def __init__(self, say):
        self.say, self.left = say, PRINTED + 1  # so that it is seen that there was more

    def write(self, text):
        """As a file's."""
        if self.left > 0:
            self.say("printed", text[: self.left])
        self.left -= len(text)
        return len(text)


if __name__ == "__main__":
    main()
