"""Base class of Table IV's models that score many queries at once, and a check of their fit."""

from typing import Any

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError


def check_fitted(row, name):
    """Raise InputError unless `fit` has set the attribute ``name`` of a row."""
    if getattr(row, name, None) is None:
        raise InputError(f"{type(row).__name__}: is not fitted; call fit first")


class ManyAtOnce:
    """Base class of rows that score many queries at once with ``scores(queries, titles)``."""

    scores: Any

    def score(self, query, titles):
        """Compute the score of each title for one query; return an (n_titles,) array."""
        query, titles = arguments.text("query", query), arguments.texts("titles", titles)
        return self.scores([query], [titles])[0]
