"""A process for each part of a comparison.

It ends with the one that started it, however that ends.
"""

import multiprocessing
import os
import signal
import threading
import traceback
from contextlib import contextmanager
from importlib.util import find_spec

from tqdm import tqdm

from lstm_edu._util.files import InputError

NAME = "a part of a comparison"  # of its process


def in_a_process(function, task, data):
    """``function(task, data)``, in a process that ends with this one. Errors name its row."""
    # a worker of dask, say, may start no process (it is one of its own), a browser's Python can't
    if multiprocessing.current_process().daemon or find_spec("_multiprocessing") is None:
        return function(task, data)
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_answer, args=(there,), name=NAME, daemon=True)
    try:
        with _no_interrupts():
            process.start()
        there.close()  # the other process has its own: when that is closed, no answer comes
        here.send((function, task, data))
        answer, error = here.recv()
    except (EOFError, OSError) as error:
        if process.pid is None:
            raise InputError(f"{task.row}: no process could be started ({error})") from None
        process.join()
        raise InputError(
            f"{task.row}: its process was ended from outside, or had not enough memory "
            f"(exit code {process.exitcode}); the parts that are done are kept"
        ) from None
    except BaseException:
        process.terminate()
        raise
    process.join()
    if error is not None:
        raise error
    return answer


def _answer(there):
    """What the process does; sends the answer and None, or None and what was raised."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is its parent's, which takes it along
    tqdm.set_lock(threading.RLock())  # its own would outlive a process that is ended, and be told
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        function, task, data = there.recv()
    except (EOFError, OSError):  # nobody wants it any more
        return
    try:
        answer = function(task, data), None
    except Exception as error:
        error.add_note(traceback.format_exc())
        answer = None, error
    there.send(answer)


def _end_with_parent():
    """No process lives on when its parent was killed; the same on all systems."""
    multiprocessing.parent_process().join()  # pyright: ignore
    os._exit(1)


@contextmanager
def _no_interrupts():
    """What is started in this context is not told of Ctrl-C while it loads, where that can be."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker  # here: not every Python has it

    resource_tracker.ensure_running()  # else it is started within, and unblocks what it has blocked
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_all():
    """End those that are at work, when nobody waits for them any more."""
    for process in multiprocessing.active_children():
        if process.name == NAME:
            process.terminate()
