"""Trial run of an answer in a worker process, because the answer may hang or crash.

A watchdog thread could not stop native code that never releases Python's lock (the GIL), such as
`sum(itertools.count())`, but a process can be killed. Each kernel has one worker, started by the
first check and ended with the kernel. If the answer returns or raises an error in the worker, it is
run again in the kernel, and only this second run counts. So its effects on files or the network
happen twice.

If no process can be started, as in a browser, or if the answer can't be pickled (because it refers
to an open file, a lock or a generator, for example), it is run only in the kernel.

Processes that an answer starts in the worker are killed with the worker, except on Windows, or if
they have left the worker's process group, as daemons do. Processes that an answer starts in the
kernel keep running, as after any cell.
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

try:
    import cloudpickle
except ModuleNotFoundError:  # joblib before 1.6 contains a copy
    from joblib.externals import cloudpickle

SCRIPT = pathlib.Path(__file__).with_name("worker.py")
ONE_THREAD = {f"{blas}_NUM_THREADS": "1" for blas in ("OPENBLAS", "OMP", "MKL", "VECLIB")}

UNTRIED = "untried", "", ""
IN_WORKER = "LSTM_COURSE_IN_WORKER"  # environment variable that is set in the worker
STOPPED = "memory", "interrupt"  # reasons that the worker itself reports

_started = {}  # workers keyed by the kernel's process id, since a forked kernel needs a new worker


def ending(function, arguments, seconds, wall):
    """Try a call in the worker process, and return how it was stopped, or None if it ended.

    Parameters
    ----------
    function : callable
    arguments : list
    seconds : float
        Limit on processor time, which isn't enforced on Windows, in seconds.
    wall : float
        Limit on wall-clock time, in seconds.

    Returns
    -------
    None or (str, str, str)
        None if the call returns or raises an error. Otherwise the reason ("untried", "too long",
        "late", "crashed" or one of `STOPPED`), the printed text, and the traceback.
    """
    if IN_WORKER in os.environ:  # the worker ran a check as it imported the answer's module
        return UNTRIED
    try:
        answer = cloudpickle.dumps((function, arguments))
    except Exception:
        return UNTRIED
    for _ in range(2):  # try again, as another program may have killed the worker
        try:
            return _ending(_child(), (answer, seconds, wall))
        except Exception:
            stop()
        except BaseException:  # such as a KeyboardInterrupt
            stop()
            raise
    return UNTRIED


def stop():
    """Kill the worker and its process group."""
    child = _started.pop(os.getpid(), None)
    if child:
        # AttributeError: Windows lacks process groups; OSError: the worker has already ended
        with contextlib.suppress(AttributeError, OSError):
            os.killpg(child.pid, signal.SIGKILL)
        child.kill()
        child.communicate()
        child.places.close()


atexit.register(stop)


def _child():
    child = _started.get(os.getpid())
    if child is None:
        places = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        command, environment = (
            [sys.executable, "-P", SCRIPT],
            os.environ | ONE_THREAD | {IN_WORKER: "1"},
        )
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": places}
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        how = {"start_new_session": True, "creationflags": flags, **pipes}
        child = _started[os.getpid()] = subprocess.Popen(command, env=environment, **how)
        child.places = places
        _send(child, sys.path)
    return child


def _send(child, request):
    pickle.dump(request, child.stdin)
    child.stdin.flush()


def _ending(child, request):
    _send(child, request)
    said, printed = "unread", ""
    with contextlib.suppress(EOFError, pickle.UnpicklingError):  # the worker process has died
        while said not in STOPPED:
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
    stop()  # kills the process group before reading the exit status, which frees its id
    if said == "unread":
        return UNTRIED
    if said not in STOPPED:
        too_long = child.returncode == -getattr(signal, "SIGPROF", 0)
        late = places.startswith("Timeout")
        said = "late" if late else "too long" if too_long else "crashed"
    return said, printed, places
