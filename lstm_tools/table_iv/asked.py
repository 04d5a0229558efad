"""The check that a row of Table IV is fitted."""

from lstm_edu._util.files import InputError


def check_fitted(row, name):
    """Raise InputError if a row lacks the attribute ``name``, which its `fit` sets."""
    if getattr(row, name, None) is None:
        raise InputError(f"{type(row).__name__}: is not fitted; call fit first")
