"""Calls to a submission's function, made in a process without access to the expected results.

The process runs the script `room.py`. The grader runs none of the submission's code itself.
"""

import contextlib
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

from .client import ONE_THREAD
from .room import LARGEST, SECONDS, plain
from .runner import Ended

COMMAND = [sys.executable, "-I", str(pathlib.Path(__file__).with_name("room.py"))]
LIMIT = 60  # seconds for the whole process, as native code ignores the limit set by room.py


def replayed(cells, name, inputs):
    """Call a submission's function on inputs, and return a function that looks up its results.

    Parameters
    ----------
    cells : list of str
        The submission's code.
    name : str
        The function's name.
    inputs : list of dict
        Each input's arguments, keyed by name, in the function's order.

    Returns
    -------
    function
        Takes an input's arguments, and returns the function's result. Without a
        result, raises the submission's first error.
    """
    given = [list(each.values()) for each in inputs]
    asked = pickle.dumps([path for path in sys.path if path]) + pickle.dumps((cells, name, given))
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    how = {"env": ONE_THREAD | kept, "cwd": os.sep, "stderr": subprocess.DEVNULL}
    try:
        with tempfile.TemporaryFile() as file:
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(COMMAND, input=asked, stdout=file, timeout=LIMIT, **how)
            file.seek(0)
            results, errors = json.loads(file.read(LARGEST))
        results = dict(zip(map(_written, given), map(json.loads, results)))
        kind, text = map(str, [*errors, ("RuntimeError", "no result")][0])
    except (ValueError, TypeError):  # the process has crashed, or its reply is forged
        results, kind, text = {}, "Ended", ""
    error = type(kind, (Exception,), {})(text)
    if kind == "NotImplementedError" or text == repr(name):
        error = NotImplementedError()
    elif kind in ("Ended", "KeyboardInterrupt"):
        error = Ended("crashed" if kind == "Ended" else "late", "", SECONDS)

    def repeat(*arguments):
        if (at := _written(arguments)) not in results:
            raise error
        return results[at]

    return repeat


def _written(arguments):
    return json.dumps(list(arguments), default=plain)
