"""Many comparisons in one line, which opens to all of them."""

from dataclasses import dataclass
from html import escape

from lstm_edu._util.files import InputError
from lstm_edu.gradients.check import compared


@dataclass(frozen=True)
class Agreement:
    """What `agree` found; printed as one line, and in a page one that opens to the arrays.

    Attributes
    ----------
    summary : str
    lines : tuple of str
        One an array, as `lstm_edu.compare` prints it.
    """

    summary: str
    lines: tuple

    def __repr__(self):
        return self.summary

    def _repr_html_(self):
        lines = escape("\n".join(self.lines))
        return f"<details><summary>{escape(self.summary)}</summary><pre>{lines}</pre></details>"


def agree(what, values, expected, tolerance=1e-12):
    """Compare arrays by their names, and say in one line whether all of them are equal.

    Parameters
    ----------
    what : str
        What they are, "errors".
    values, expected : dict of arrays
        With the same names and shapes.
    tolerance : float
        As for `lstm_edu.compare`.

    Returns
    -------
    Agreement

    Raises
    ------
    InputError
        Their names or their shapes differ.
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
