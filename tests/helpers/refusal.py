"""Contexts that check an InputError, and measure the memory of a block."""

import contextlib
import tracemalloc

import pytest

from lstm_edu import InputError


@contextlib.contextmanager
def refused(said=None):
    """Check that a block raises an InputError of one line that matches the pattern ``said``."""
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
