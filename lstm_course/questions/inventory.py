"""The concept inventory, ``inventory.toml``, and a class's scores before and after the course."""

import csv
import pathlib
import tomllib

import numpy as np

from lstm_edu._util.files import InputError
from lstm_edu.ranking.statistics import interval

ITEMS = tomllib.loads(
    pathlib.Path(__file__).with_name("inventory.toml").read_text(encoding="utf-8")
)


def read_answers(path):
    """Read a class's answers from a CSV file with a column ``student`` and a column per item.

    A cell has the text of the chosen answer, or 1 if that is right and 0 if it is wrong. An empty
    cell counts as wrong.

    Returns
    -------
    dict
        An (n_items,) array of bool, whether each answer is right, keyed by student.
    """
    with open(path, encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restval="")
        missing = {"student", *ITEMS} - set(reader.fieldnames or [])
        if missing:
            raise InputError(f"{path}: without the columns {', '.join(sorted(missing))}")
        found = {}
        for row in reader:
            at, student = f"{path}, line {reader.line_num}", row["student"].strip()
            if not student or student in found:
                raise InputError(f"{at}: student {student!r}; each needs a code of their own")
            found[student] = np.array([_is_right(name, row[name], at) for name in ITEMS])
    return found


def _is_right(name, cell, at):
    """Return whether a cell is an item's right answer, ignoring emphasis, case and spaces."""
    choices = [_plain(choice) for choice, *_ in ITEMS[name]["answers"]]
    allowed = {"": False, "0": False, "1": True} | dict.fromkeys(choices[1:], False)
    allowed[choices[0]] = True
    if _plain(cell) not in allowed:
        raise InputError(f"{at}: {name} is {cell!r}; allowed are 0, 1 or the text of a choice")
    return allowed[_plain(cell)]


def _plain(text):
    return " ".join(text.replace("*", "").split()).casefold()


def scored(before, after):
    """Score the students who answered both before and after the course.

    Parameters
    ----------
    before, after : dict
        As `read_answers` returns them.

    Returns
    -------
    dict
        ``n_students``; ``before`` and ``after``, mean shares of right answers; ``gain``, the mean
        difference and its 95 % interval over students; ``normalised``, the gain as a share of the
        largest possible gain; ``difficulty``, (2, n_items), the share of right answers to each item
        before and after; ``gains``, (n_items, 3), each item's gain and interval;
        ``discrimination``, (n_items,), from `discrimination` of the answers after the course.
    """
    both = sorted(before.keys() & after.keys())
    if not both:
        raise InputError("no student is in both files")
    a, b = (np.array([answers[s] for s in both], float) for answers in (before, after))
    gain = interval((b - a).mean(axis=1))
    return {
        "n_students": len(both),
        "before": a.mean(),
        "after": b.mean(),
        "gain": gain,
        "normalised": gain[0] / (1 - a.mean()) if a.mean() < 1 else np.nan,
        "difficulty": np.array([a.mean(axis=0), b.mean(axis=0)]),
        "gains": np.array([interval(column) for column in (b - a).T]),
        "discrimination": discrimination(b),
    }


def discrimination(right):
    """Correlate each item with the number of other items that a student answered correctly.

    Parameters
    ----------
    right : (n_students, n_items)

    Returns
    -------
    (n_items,)
        NaN if all students answer the item alike, or have equally many other right answers.
    """
    others = right.sum(axis=1, keepdims=True) - right
    x, y = right - right.mean(axis=0), others - others.mean(axis=0)
    lengths = np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
    return (x * y).sum(axis=0) / np.where(lengths > 1e-9, lengths, np.nan)
