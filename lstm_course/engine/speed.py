"""Check of an answer's speed on a small input, since a slow answer may take days on a large one."""

from contextlib import suppress

from . import slips
from .calling import Late, call
from .report import Wrong
from .sandbox import runner
from .shown import message

LEAST = 0.05  # lower bound on the limit, in seconds of processor time


def check_speed(label, function, solution, given, reason):
    """Raise `Wrong` if the student's function is far slower than the solution.

    Parameters
    ----------
    label : str
    function, solution : callable
    given : dict
        An input on which a slow answer takes about a second.
    reason : str
        The likely cause and its remedy, for the message.

    Raises
    ------
    Wrong
        In each of three calls, the function takes over `LEAST` seconds and over `runner.TIMES`
        times the solution's time, or a call is stopped.
    """
    allowed = max(LEAST, runner.TIMES * _taken(slips.answer, solution, given))
    with suppress(Late):
        for _ in range(3):  # on a busy machine, one call may be slow, but not all three
            if _taken(call, label, function, given) <= allowed:
                return
    slow, came = f"{label} is right, and too slow.", f"more than {allowed:.2g} s of processor time"
    raise Wrong(message(slow, given, came, "some milliseconds", [reason]))


def _taken(function, *given):
    """Measure the processor time of a call, in seconds."""
    start = runner.clock()
    function(*given)
    return runner.clock() - start
