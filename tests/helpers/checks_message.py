"""Functions that return the message of a failed check, as raised or as a notebook shows it."""

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from lstm_course.engine.calling import call
from lstm_course.engine.report import Wrong, compare

Y = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0], [2.0, 4.0, 7.0]])
GIVEN = {"l": np.arange(3.0), "words": ["a", "b"]}


def message(*args, **kwargs):
    """Return the message of the `Wrong` error that `compare` raises for these arguments."""
    with pytest.raises(Wrong) as caught:
        compare(*args, **kwargs)
    return str(caught.value)


def fault(function, **given):
    """Pass a function to `call`, and return the message of the `Wrong` error that it raises."""
    with pytest.raises(Wrong) as caught:
        call("it", function, given or {"x": 9})
    return str(caught.value)


def refused(check, function):
    """Return the message of the `Wrong` error that a check raises for a function."""
    with pytest.raises(Wrong) as caught:
        check(function)
    return str(caught.value)


def shown_by_a_notebook(code, **names):
    """Return the traceback lines that a notebook shows below a cell with this code."""
    shell, shown = InteractiveShell.instance(), []
    shell._showtraceback = lambda kind, value, lines: shown.extend(lines)
    shell.push(names)
    shell.run_cell(code)
    InteractiveShell.clear_instance()
    return shown
