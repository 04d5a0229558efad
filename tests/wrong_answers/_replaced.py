"""Wrong answers as a table: a right one with a piece of code in the place of another, or a line."""

import linecache
from itertools import count, permutations

import numpy as np

from lstm_edu.analysis import inspection
from lstm_edu.cells.lstm import sigmoid

NUMBERS = count()


def replaced(source, *pairs):
    """Functions, one for each (right, wrong): the source with ``wrong`` for ``right``."""
    return [_function(source, right, wrong) for right, wrong in pairs]


def said(*rows):
    """Functions, one for each (what is wrong with it, the function)."""
    for text, function in rows:
        function.__doc__ = text
    return [function for _, function in rows]


def _function(source, right, wrong):
    assert source.count(right) == 1, (source, right)
    code, file = source.replace(right, wrong), f"wrong answer {next(NUMBERS)}"
    # so that a check can show the line that raised an error
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)
    names = {"np": np, "permutations": permutations, "sigmoid": sigmoid, "inspection": inspection}
    names["__name__"] = "__main__"  # as in a notebook
    before = set(names)
    exec(compile(code, file, "exec"), names)
    function = next(names[name] for name in names if name not in before | {"__builtins__"})
    function.__doc__ = f"{wrong!r} for {right!r}."
    return function
