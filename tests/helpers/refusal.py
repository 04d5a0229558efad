"""Checks of refusals: one line, and little memory."""

import contextlib
import tracemalloc

import pytest

from lstm_edu import InputError


@contextlib.contextmanager
def refused(said=None):
    """Check that the block raises an InputError of one line; ``said`` is a regular expression."""
    with pytest.raises(InputError, match=said) as error:
        yield error
    assert "\n" not in str(error.value)


@contextlib.contextmanager
def memory():
    """Yield a function that returns, after the block, the peak of its memory in bytes."""
    tracemalloc.start()
    try:
        peak = []
        yield lambda: peak[0]
        peak.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
