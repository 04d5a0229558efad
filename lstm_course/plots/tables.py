"""Tables for notebooks: HTML, and text for terminals."""

import html
import re
from typing import NamedTuple

from .style import shown


def table(rows, *columns):
    """Make a table that a notebook shows as HTML, and a terminal as aligned text.

    Parameters
    ----------
    rows : list of sequences
    columns : str
        The names of the columns.

    Returns
    -------
    Table
    """
    return Table([[shown(str(value)) for value in row] for row in rows], list(map(shown, columns)))


class Table(NamedTuple):
    """A table's rows and column names, all str."""

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
    """Escape text as HTML, with each $ and \\ in an element, so that MathJax finds no formula."""
    return re.sub(r"[$\\]", r"<span>\g<0></span>", html.escape(text))
