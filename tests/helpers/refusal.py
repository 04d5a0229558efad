"""What is refused, is so in one line."""

import contextlib
import tracemalloc

import pytest

from lstm_edu import InputError


@contextlib.contextmanager
def refused(said=None):
    """What is done within is refused by one line in which this regular expression is found."""
    with pytest.raises(InputError, match=said) as error:
        yield error
    assert "\n" not in str(error.value)


@contextlib.contextmanager
def memory():
    """A function of the bytes that are taken at a time within, as Python and NumPy ask for them."""
    tracemalloc.start()
    try:
        most = []
        yield lambda: most[0]
        most.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
