"""Plot of a class's progress: how many students have solved each exercise."""

import numpy as np

from .alt_text import listed
from .style import COLOURS, name_rows, subplots

LOOKS = {  # hatches distinguish the parts in black and white
    "right at the first try": dict(color=COLOURS["query"]),
    "right": dict(color=COLOURS["query"]),
    "right later": dict(color="#99C7E0", hatch="//"),
    "not right": dict(color=COLOURS["document"], hatch="xx"),
}


def progress(names, parts, label):
    """Draw a bar per exercise, whose parts are the numbers of students by outcome.

    Parameters
    ----------
    names : list of str
        The exercises.
    parts : dict of lists
        Keyed by outcome, a key of `LOOKS`: the number of students for each exercise.
    label : str
        The label of the x axis: which students are counted.
    """
    figure, axis = subplots(figsize=(6.5, 1 + 0.3 * len(names)), grid="x")
    left, said = np.zeros(len(names)), []
    for part, numbers in parts.items():
        look = LOOKS[part] | dict(edgecolor="white", linewidth=0.5, label=part)
        bars = axis.barh(range(len(names)), numbers, left=left, **look)
        box = dict(facecolor="white", edgecolor="none", boxstyle="square,pad=0.1")
        for text in axis.bar_label(bars, label_type="center", fontsize=8, bbox=box):
            text.set_visible(text.get_text() != "0")
        most = [k for k in np.argsort(numbers)[::-1][:3] if numbers[k]]
        most = listed(f"{names[k]} ({numbers[k]})" for k in most)
        said.append(f"{part} {sum(numbers)}, most in {most}")
        left += numbers
    name_rows(axis, names, 0.6)
    axis.set_xlabel(label)
    figure.legend(loc="outside upper left", ncols=len(parts))
    return figure.says(f"{label}, by exercise: {listed(said, between='; ')}.")
