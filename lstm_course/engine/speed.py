"""Whether an answer is quick enough, before an input for which a slow one would take days."""

from contextlib import suppress

from . import slips
from .report import Late, Wrong, call
from .sandbox import runner
from .shown import message

LEAST = 0.05  # seconds of processor time, where `runner.TIMES` the solution's are less


def hold_quick(what, function, solution, given, reason):
    """Raise `Wrong` if the student's function takes far longer here than the solution.

    Parameters
    ----------
    what : str
    function, solution : callable
    given : dict
        An input that takes a slow answer a second or so, and that it gets right.
    reason : str
        What makes an answer slow, and what to do about it.

    Raises
    ------
    Wrong
        It takes longer.
    """
    allowed = max(LEAST, runner.TIMES * _taken(slips.answer, solution, given))
    with suppress(Late):
        for _ in range(3):  # a busy machine may take its time, but not each time
            if _taken(call, what, function, given) <= allowed:
                return
    slow, came = f"{what} is right, and too slow.", f"more than {allowed:.2g} s of processor time"
    raise Wrong(message(slow, given, came, "some milliseconds", [reason]))


def _taken(function, *given):
    """Seconds of this process: the machine may do other things as well."""
    start = runner.clock()
    function(*given)
    return runner.clock() - start
