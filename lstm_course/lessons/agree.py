"""Comparison of many arrays, summarised in one line."""

from dataclasses import dataclass
from html import escape

from lstm_edu._util.files import InputError
from lstm_edu.gradients.check import compared


@dataclass(frozen=True)
class Agreement:
    """The result of `agree`: one line, which a notebook can unfold to one line per array.

    Attributes
    ----------
    summary : str
    lines : tuple of str
        For each array, the line that `lstm_edu.compare` prints.
    """

    summary: str
    lines: tuple

    def __repr__(self):
        return self.summary

    def _repr_html_(self):
        lines = escape("\n".join(self.lines))
        return f"<details><summary>{escape(self.summary)}</summary><pre>{lines}</pre></details>"


def agree(what, values, expected, tolerance=1e-12):
    """Compare arrays of the same name, and summarise in one line whether all are equal.

    Parameters
    ----------
    what : str
        A plural noun for the arrays, such as "errors".
    values, expected : dict of arrays
        The arrays, keyed by name; names and shapes must match.
    tolerance : float
        As for `lstm_edu.compare`.

    Returns
    -------
    Agreement

    Raises
    ------
    InputError
        Names or shapes differ.
    """
    if set(values) != set(expected):
        odd = ", ".join(sorted(set(values) ^ set(expected)))
        raise InputError(f"{what}: not in both: {odd}")
    found = {name: compared(name, values[name], expected[name], tolerance) for name in values}
    wrong = [name for name, (equal, _) in found.items() if not equal]
    summary = f"{len(found)} {what}: equal to {tolerance:.0e}"
    if wrong:
        summary = f"{len(wrong)} of {len(found)} {what} DIFFER: {', '.join(wrong)}"
    return Agreement(summary, tuple(line for _, line in found.values()))
