"""Functions that return the messages of checks, as raised or as shown by a notebook."""

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from lstm_course.engine.report import Wrong, call, compare

Y = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0], [2.0, 4.0, 7.0]])
GIVEN = {"l": np.arange(3.0), "words": ["a", "b"]}


def message(*args, **kwargs):
    """Return the message of the `Wrong` that `compare` raises."""
    with pytest.raises(Wrong) as caught:
        compare(*args, **kwargs)
    return str(caught.value)


def fault(function, **given):
    """Call a function by `call`, and return the message of the `Wrong` that it raises."""
    with pytest.raises(Wrong) as caught:
        call("it", function, given or {"x": 9})
    return str(caught.value)


def refused(check, function):
    """Return the message of the `Wrong` that a check raises for a function."""
    with pytest.raises(Wrong) as caught:
        check(function)
    return str(caught.value)


def shown_by_a_notebook(code, **names):
    """Return the lines that a notebook shows below a cell that raises an error."""
    shell, shown = InteractiveShell.instance(), []
    shell._showtraceback = lambda kind, value, lines: shown.extend(lines)
    shell.push(names)
    shell.run_cell(code)
    InteractiveShell.clear_instance()
    return shown
