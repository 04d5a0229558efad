"""Worker processes, one for each part of a comparison.

A worker ends with its parent, even if the parent is killed, because the system then closes the pipe
to the worker's standard input. Ctrl-C in the parent's terminal does not reach a worker, which runs
in a session of its own (on Windows, in a process group of its own).
"""

import os
import pickle
import subprocess
import sys
import threading
import traceback

from tqdm import tqdm

from lstm_edu._util.files import InputError

AT_WORK = set()


def in_a_process(function, task, data):
    """Call ``function(task, data)`` in a new process; raise InputError if it is killed."""
    if sys.platform == "emscripten":  # Python in a browser cannot start processes
        return function(task, data)
    with subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # Windows
    ) as process:
        AT_WORK.add(process)
        try:
            pickle.dump((function, task, data), process.stdin)
            process.stdin.flush()
            answer = pickle.load(process.stdout)
        except (EOFError, OSError):
            raise InputError(
                f"{task}: its process ended early, perhaps for lack of memory "
                f"(exit code {process.wait()}); the finished parts are stored"
            ) from None
        finally:
            process.kill()
            process.stdin.raw.close()  # `stdin.close` would flush to the killed process
            AT_WORK.discard(process)
    if isinstance(answer, Exception):
        raise answer
    return answer


def end_all():
    """Kill all running workers."""
    for process in list(AT_WORK):
        process.kill()


def _answer():
    """Read a call from a worker's standard input; write its result or error to standard output."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # send the function's prints to stderr
    tqdm.set_lock(threading.RLock())  # tqdm's default lock would survive a killed process
    function, task, data = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        answer = function(task, data)
    except Exception as error:
        error.add_note(f"{task}:\n{traceback.format_exc()}")
        answer = error
    with answers:
        pickle.dump(answer, answers)


def _end_with_parent():
    os.read(0, 1)  # blocks until the pipe is closed
    os._exit(1)


if __name__ == "__main__":
    _answer()
