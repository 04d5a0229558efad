"""An answer is tried in another process first, so that it is that one which hangs, or crashes.

A thread that watches (see `running`) is held up by native code that holds Python's lock and does
not return, as `sum(itertools.count())`; another process can be ended. There is one for each kernel,
started by its first check and ended with it. An answer that comes to its end there, by whatever
result or error, is then run in place, and what it gives there counts: nothing is seen of the trial,
but that what it does to files, or over the network, is done twice.

What cannot be sent to a process is run in place alone: what holds an open file, a lock or a
generator, for example.
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

from .tried import TIMED

try:
    import cloudpickle
except ModuleNotFoundError:  # joblib needs it, and before its 1.6 holds it
    from joblib.externals import cloudpickle

SCRIPT = pathlib.Path(__file__).with_name("tried.py")
ONE_THREAD = {f"{blas}_NUM_THREADS": "1" for blas in ("OPENBLAS", "OMP", "MKL", "VECLIB")}

_lock = threading.Lock()
_started = {}  # by which process: one that is forked from it starts its own


def ending(function, arguments, seconds):
    """How an answer ends that does not come to its end.

    Parameters
    ----------
    function : callable
    arguments : list
    seconds : float
        Of processor time; on Windows, of six times as much on the clock.

    Returns
    -------
    None or (str, str, str)
        None if it does come to an end, or cannot be tried. Else "too long", "memory" or "crashed",
        what it printed before, and at which lines of which files it was.
    """
    try:
        answer = cloudpickle.dumps((function, arguments))
    except Exception:
        return None
    with _lock:
        try:
            return _ending(_child(), (answer, seconds))
        except Exception:  # none can be started, or it was ended from outside
            stop()
        except BaseException:  # stopped by hand
            stop()
            raise


def stop():
    """End the other process."""
    child = _started.pop(os.getpid(), None)
    if child:
        child.kill()
        child.communicate()
        child.places.close()


atexit.register(stop)


def _child():
    child = _started.get(os.getpid())
    if child is None:
        places = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        child = _started[os.getpid()] = subprocess.Popen(
            [sys.executable, "-P", SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=places,
            env=os.environ | ONE_THREAD,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
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
        while said != "memory":
            said, text = pickle.load(child.stdout)
            if said in ("ended", "unread"):
                return None
            printed += text
    code = child.wait()
    child.places.seek(0)
    places = child.places.read()
    stop()
    if said == "unread":
        return None
    late = code == -signal.SIGPROF if TIMED else places.startswith("Timeout")
    return "memory" if said == "memory" else "too long" if late else "crashed", printed, places
