"""Context managers that check for an InputError, and measure a block's peak memory."""

import contextlib
import tracemalloc

import pytest

from lstm_edu import InputError


@contextlib.contextmanager
def refused(said=None):
    """Check that a block raises a one-line InputError that matches the regex ``said``."""
    with pytest.raises(InputError, match=said) as error:
        yield error
    assert "\n" not in str(error.value)


@contextlib.contextmanager
def memory():
    """Yield a function that, after the block, returns the block's peak memory in bytes."""
    tracemalloc.start()
    try:
        peak = []
        yield lambda: peak[0]
        peak.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
