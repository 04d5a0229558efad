"""The bank of conceptual questions, ``bank.toml``: read it, and draw the data of a question.

The right answer is chosen first, and the expression in its row generates data that fit it. So no
code computes the answer from the data.
"""

import pathlib
import re
import tomllib

import numpy as np

from ..plots.style import looks, subplots


def read(file):
    """Read questions from a file like ``bank.toml``.

    The file must be trusted, because `drawn` evaluates its expressions.
    """
    return tomllib.loads(pathlib.Path(file).read_text(encoding="utf-8"))


BANK = read(pathlib.Path(__file__).with_name("bank.toml"))


def drawn(name, right, rng, of=BANK):
    """Draw the data and the choices of a question, given its right answer.

    Parameters
    ----------
    name : str
        The question's name.
    right : int
        Row of the right answer.
    rng : numpy.random.Generator
        Draws the data and the order of the choices.
    of : dict
        The questions by name, as `read` returns them.

    Returns
    -------
    dict
        ``name``, ``kind``, ``lesson``, ``text``; ``values``, the data; ``table``, a str or None;
        ``figure``, a figure with alternative text or None; ``choices``, a list of (choice, evidence
        that would show it), empty if the question is answered in words; ``right``, the index of the
        right choice; ``model``, the right answer with its evidence; ``rubric``, how points are
        given.
    """
    asked = of[name]
    values = _values(asked.get("given", {}), asked["answers"][right][2], rng)
    order = rng.permutation(len(asked["answers"]))
    answer, evidence, _ = asked["answers"][right]
    fixed = "2 points for the right choice, none for others."
    return {
        "name": name,
        "kind": asked["kind"],
        "lesson": asked["lesson"],
        "values": values,
        "text": _filled(asked["text"], values),
        "table": _table(asked["columns"], values) if "columns" in asked else None,
        "figure": globals()[asked["figure"]](asked, values) if "figure" in asked else None,
        "choices": [] if "free" in asked else [tuple(asked["answers"][k][:2]) for k in order],
        "right": int(np.flatnonzero(order == right)[0]),
        "model": f"{answer.rstrip('.')}: {evidence}",
        "rubric": asked.get("rubric", fixed),
    }


def _values(given, expression, rng):
    """Evaluate the expression for an answer's data, which may use the names in ``given``."""

    def about(values, share=0.05):
        return values * np.exp(share * rng.standard_normal(len(values)))

    names = {"np": np, "rng": rng, "about": about}
    for name, text in given.items():
        names[name] = eval(text, names)
    return eval(expression, names)


def _filled(text, values):
    """Replace each name in braces by its value, with a true minus sign."""
    return re.sub(r"\{(\w+)\}", lambda found: str(values[found[1]]).replace("-", "−"), text)


def _table(columns, values):
    """Format right-aligned columns as text, with their names on top."""
    cells = [[name, *(format(v, how) for v in values[name])] for name, how in columns.items()]
    widths = [max(map(len, column)) for column in cells]
    rows = zip(*([cell.rjust(n) for cell in column] for column, n in zip(cells, widths)))
    return "\n".join("   ".join(row).rstrip() for row in rows)


def curves(asked, values):
    """Plot one line per series; leave out zeros if the axis is logarithmic."""
    figure, axis = subplots(figsize=(5.2, 3), grid="y")
    x = np.arange(1, 1 + len(next(iter(values.values()))))
    for (name, y), look in zip(values.items(), looks(len(values))):
        axis.plot(x, np.where(y == 0, np.nan, y) if "log" in asked else y, label=name, **look)
    axis.set(xlim=(0.5, len(x) + 0.5), xticks=x[::2], ylim=asked["limits"])
    axis.set(xlabel=asked["axes"][0], ylabel=asked["axes"][1])
    axis.set(yscale="log" if "log" in asked else "linear")
    if len(values) > 1:
        axis.legend()
    numbers = (f"{name}: {', '.join(f'{v:.2g}' for v in y)}." for name, y in values.items())
    return figure.says(f"Values by {asked['axes'][0]}, from 1.", *numbers)


def intervals(asked, values):
    """Draw one horizontal bar per interval, and a line at 0."""
    figure, axis = subplots(figsize=(5.2, 2.4), grid="x")
    rows = np.arange(1, len(values["low"]) + 1)
    axis.hlines(rows, values["low"], values["high"], linewidth=3, color="black")
    axis.axvline(0, color="black", linewidth=0.8)
    axis.set(xlabel=asked["axes"][0], ylabel=asked["axes"][1], yticks=rows)
    axis.invert_yaxis()
    ends = (f"{k}: {a:.2f} to {b:.2f}." for k, a, b in zip(rows, values["low"], values["high"]))
    return figure.says(f"Intervals by {asked['axes'][1]}.", *ends)
