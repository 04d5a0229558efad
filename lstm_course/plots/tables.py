"""Tables for pages and terminals."""

import html
import re
from typing import NamedTuple

from .style import shown


def table(rows, *columns):
    """Make a table for a notebook: HTML, and aligned text where HTML isn't shown.

    Parameters
    ----------
    rows : list of sequences
    columns : str
        The columns' names.

    Returns
    -------
    Table
    """
    return Table([[shown(str(value)) for value in row] for row in rows], list(map(shown, columns)))


class Table(NamedTuple):
    """The rows and column names of a table, all str."""

    rows: list
    columns: list

    def _repr_html_(self):
        def cells(row, tag):
            return "".join(
                f"<{tag} style='text-align: left'>{_in_page(value)}</{tag}>" for value in row
            )

        body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in self.rows)
        head = cells(self.columns, "th")
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def __repr__(self):
        widths = [max(map(len, column)) for column in zip(self.columns, *self.rows)]
        return "\n".join(
            "  ".join(value.ljust(width) for value, width in zip(row, widths)).rstrip()
            for row in [self.columns, *self.rows]
        )


def _in_page(text):
    """Return HTML in which MathJax finds no formula, as formulas can't contain elements."""
    return re.sub(r"[$\\]", r"<span>\g<0></span>", html.escape(text))
