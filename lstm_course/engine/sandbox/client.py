"""An answer is tried in another process first, so that it is that one which hangs, or crashes.

A thread that watches would be held up by native code that holds Python's lock and does not return,
as `sum(itertools.count())`; another process can be ended. There is one for each kernel, started by
its first check and ended with it. An answer that comes to its end there, by whatever result or
error, is then run in place, and what it gives there counts: nothing is seen of the trial, but that
what it does to files, or over the network, is done twice.

Where no process can be started, as in a browser, an answer is run in place alone; so is one that
can't be sent: that holds an open file, a lock or a generator, for example.

All that an answer starts there is ended with it, but for what has left its group (as daemons do).
Not on Windows; and what it starts in place is the kernel's, as what any cell starts.
"""

import atexit
import contextlib
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading

from .worker import TIMED

try:
    import cloudpickle
except ModuleNotFoundError:  # joblib needs it, and before its 1.6 holds it
    from joblib.externals import cloudpickle

SCRIPT = pathlib.Path(__file__).with_name("worker.py")
ONE_THREAD = {f"{blas}_NUM_THREADS": "1" for blas in ("OPENBLAS", "OMP", "MKL", "VECLIB")}

UNTRIED = "untried", "", ""

_lock = threading.Lock()
_started = {}  # by which process: one that is forked from it starts its own


def ending(function, arguments, seconds, waits):
    """Try a call in the other process; say how it ends if it does not return.

    Parameters
    ----------
    function : callable
    arguments : list
    seconds : float
        Of processor time; on Windows, of six times as much on the clock.
    waits : float
        Seconds on the clock, for one that uses next to no processor time. The share that the others
        leave it on a busy machine is more than that.

    Returns
    -------
    None or (str, str, str)
        None if it does come to an end. Else "untried", "too long", "waits", "memory" or "crashed",
        what it printed before, and at which lines of which files it was.
    """
    try:
        answer = cloudpickle.dumps((function, arguments))
    except Exception:
        return UNTRIED
    with _lock:
        for _ in range(2):  # the first may have been ended from outside
            try:
                return _ending(_child(), (answer, seconds, waits))
            except Exception:
                stop()
            except BaseException:  # stopped by hand
                stop()
                raise
    return UNTRIED


def stop():
    """End the other process and its group."""
    child = _started.pop(os.getpid(), None)
    if child:
        with contextlib.suppress(AttributeError, OSError):  # on Windows; all have ended
            os.killpg(child.pid, signal.SIGKILL)
        child.kill()
        child.communicate()
        child.places.close()


atexit.register(stop)


def _child():
    child = _started.get(os.getpid())
    if child is None:
        places = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        command, environment = [sys.executable, "-P", SCRIPT], os.environ | ONE_THREAD
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": places}
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        how = {"start_new_session": True, "creationflags": flags, **pipes}
        child = _started[os.getpid()] = subprocess.Popen(command, env=environment, **how)
        child.places = places
        _send(child, sys.path)
    return child


def _send(child, what):
    pickle.dump(what, child.stdin)
    child.stdin.flush()


def _ending(child, request):
    _send(child, request)
    said, printed = "unread", ""
    with contextlib.suppress(EOFError, pickle.UnpicklingError):  # it ended, amid a word
        while said not in ("memory", "waits"):
            said, text = pickle.load(child.stdout)
            if said == "ended":
                return None
            if said == "unread":
                return UNTRIED
            if said == "children":
                return stop()
            printed += text
    child.places.seek(0)
    places = child.places.read()
    stop()  # before it is asked how it ended: till then its group's number is no other's
    if said == "unread":
        return UNTRIED
    late = child.returncode == -signal.SIGPROF if TIMED else places.startswith("Timeout")
    how = said if said in ("memory", "waits") else "too long" if late else "crashed"
    return how, printed, places
