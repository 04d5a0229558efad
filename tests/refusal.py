"""What is refused, is so in one line."""

import contextlib

import pytest

from lstm_edu import InputError


@contextlib.contextmanager
def refused(said=None):
    """What is done within is refused by one line in which this regular expression is found."""
    with pytest.raises(InputError, match=said) as error:
        yield error
    assert "\n" not in str(error.value)
