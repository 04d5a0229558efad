"""What the fitted rows of Table IV share: a check, and scores of one query."""

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError


def check_fitted(row, name):
    """Raise InputError if a row lacks the attribute ``name``, which its `fit` sets."""
    if getattr(row, name, None) is None:
        raise InputError(f"{type(row).__name__}: is not fitted; call fit first")


class ManyAtOnce:
    """A row whose ``scores(queries, titles)`` reads the titles of many queries at once."""

    def score(self, query, titles):
        """Score each title for one query, (n_titles,)."""
        query, titles = arguments.text("query", query), arguments.texts("titles", titles)
        return self.scores([query], [titles])[0]
