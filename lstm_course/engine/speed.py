"""Whether an answer is quick enough, before an input for which a slow one would take days."""

import time

from .report import Wrong, call
from .shown import message


def hold_quick(what, function, given, reason):
    """Raise `Wrong` if the student's function takes more than some milliseconds here.

    Parameters
    ----------
    what : str
    function : callable
    given : dict
        An input that takes a slow answer a second or so, and that it gets right.
    reason : str
        What makes an answer slow, and what to do about it.

    Raises
    ------
    Wrong
        It takes longer.
    """
    for _ in range(3):  # a busy machine may take its time, but not each time
        start = time.process_time()  # its own: the machine may do other things as well
        call(what, function, given)
        taken = time.process_time() - start
        if taken <= 0.1:
            break
    else:
        slow = f"{what} is right, and too slow."
        raise Wrong(message(slow, given, f"{taken:.1f} s", "some milliseconds", [reason]))
