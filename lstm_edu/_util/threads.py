"""Run on two threads, with one thread of BLAS each.

The products here are small: waiting for BLAS's other threads costs more than they bring, and sums
would come out differently on another number of cores. Work is split by side and by sentence.
"""

import functools
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

_lock, _inside = threading.RLock(), 0  # how many contexts have been entered and not left
_limit: Any = None


def _after_fork():
    """Replace the lock, which a thread that the new process lacks may have taken."""
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@functools.cache
def _controller():
    return ThreadpoolController()


@contextmanager
def one_blas_thread():
    """Enter a context in which BLAS uses one thread.

    The last of several Python threads to leave it lifts the limit; a process that is forked while
    another thread is inside keeps it.
    """
    global _limit, _inside
    with _lock:
        if _inside == 0:
            _limit = _controller().limit(limits=1, user_api="blas")
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limit.restore_original_limits()


@contextmanager
def two_threads():
    """Enter a context that gives a ``map`` over two threads, with one BLAS thread each.

    They inherit the settings of NumPy's warnings. In a browser, where no thread can be started, it
    is Python's own ``map``.
    """
    warn = functools.partial(np.seterr, **np.geterr())
    with one_blas_thread(), ThreadPoolExecutor(2, initializer=warn) as executor:
        yield map if sys.platform == "emscripten" else executor.map
