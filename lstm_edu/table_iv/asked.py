"""What the fitted rows of Table IV check when they are asked for scores."""

from ..files import InputError
from ..text.hashing import check_texts


def check_fitted(row, name):
    """Raise InputError if a row lacks what its `fit` makes, the attribute of this name."""
    if getattr(row, name, None) is None:
        raise InputError(f"{type(row).__name__}: is not fitted; call fit first")


def check_searches(queries, titles):
    """Queries and the titles of each, as lists; raises InputError as `DualEncoder.scores` does."""
    queries = check_texts("queries", queries)
    titles = [check_texts("titles", some) for some in titles]
    if len(queries) != len(titles):
        raise InputError(
            f"queries, titles: of lengths {len(queries)}, {len(titles)}; must be equal"
        )
    return queries, titles
