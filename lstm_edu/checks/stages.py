"""Where an answer begins to be wrong, if no mistake that a check knows gives what came."""

from .report import UNNAMED, Wrong, call, hold_against


def hold(what, function, given, expected, reasons=(), simpler=(), tolerance=1e-9, show=dict):
    """Nothing, if the student's function gives what is expected.

    Parameters
    ----------
    what : str
    function : callable
    given : dict
    expected, reasons, tolerance
        As for `hold_against`.
    simpler : sequence of (text, given, expected), or (text, what, function, given, expected)
        Simpler inputs or smaller parts of the answer, the simplest first. Where no reason fits, the
        first that is wrong is shown in the place of the full input, with its text as the reason.
    show : function of given
        Returns what the message shows of an input.

    Raises
    ------
    Wrong
    """
    got = call(what, function, given)
    try:
        hold_against(what, got, expected, show(given), reasons, tolerance)
    except Wrong as wrong:
        if UNNAMED not in str(wrong):
            raise
        for text, *stage in simpler:
            of, asked, *rest = stage if len(stage) == 4 else (what, function, *stage)
            answer = call(of, asked, rest[0])
            hold_against(of, answer, rest[1], show(rest[0]), [(text, answer)], tolerance)
        raise
