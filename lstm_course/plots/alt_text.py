"""Alternative text for figures: one or two sentences, computed from the data.

It is stored as the figure's label, and notebooks, pages and the book pass it on to screen readers.
"""

import re

import numpy as np

LONGEST = 520  # maximum length of an alternative text, in characters
QUOTED = 40  # maximum length of a quotation, in characters


def shown(text):
    """Replace surrogates and control characters, which can't be shown, with �."""
    return re.sub("[\0-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "�", text)


def number(x):
    """Format a number with three significant digits and a true minus sign."""
    plain = 999.5 <= abs(x) < 1e12
    return (f"{x:,.0f}" if plain else f"{x + 0:.3g}").replace("-", "−")


def course(values):
    """Describe how a curve's values change, as in "falls from 3 to 1, at most 4"."""
    values = np.ravel(np.asarray(values, float))
    first, last, low, high = map(number, (values[0], values[-1], values.min(), values.max()))
    beyond = f", at least {low}" if low not in (first, last) else ""
    beyond += f", at most {high}" if high not in (first, last) else ""
    if first == last:
        return f"begins and ends at {first}{beyond}" if beyond else f"stays at {first}"
    return f"{'rises' if values[0] < values[-1] else 'falls'} from {first} to {last}{beyond}"


def span(values):
    """Describe the range of values: "from −1 to 2"."""
    low, high = number(np.min(values)), number(np.max(values))
    return f"always {low}" if low == high else f"from {low} to {high}"


def count(n, noun):
    """Format a count with its noun: "1 word", "3 words"."""
    many = noun[:-1] + "ies" if noun.endswith("ry") else noun + "s"
    return f"{n:,} {noun if n == 1 else many}"


def listed(items, most=4, between=", "):
    """Join items for a sentence: "a, b and c", "a, b, c, d and 5 more"."""
    items = list(map(str, items))
    if len(items) > most + 1:
        items = [*items[:most], f"{len(items) - most} more"]
    if len(items) < 2:
        return items[0] if items else "none"
    return between.join(items[:-1]) + (" and " if between == ", " else between) + items[-1]


def largest(rows, columns, values):
    """Name the column of each row's largest value: "“a” at “x” (0.5) and “b” at “y” (1)"."""
    best = [(row, columns[np.argmax(of)], np.max(of)) for row, of in zip(rows, values)]
    return listed(f"{quoted(row)} at {quoted(column)} ({number(x)})" for row, column, x in best)


def quoted(text):
    """Shorten a text to `QUOTED` characters, and put it in quotation marks."""
    text = " ".join(shown(str(text)).split())
    return f"“{text if len(text) <= QUOTED else text[: QUOTED - 1] + '…'}”"
