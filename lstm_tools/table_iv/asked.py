"""The check that the fitted rows of Table IV have in common."""

from lstm_edu._util.files import InputError


def check_fitted(row, name):
    """Raise InputError if a row lacks what its `fit` makes, the attribute of this name."""
    if getattr(row, name, None) is None:
        raise InputError(f"{type(row).__name__}: is not fitted; call fit first")
