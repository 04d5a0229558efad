"""Run on two threads, with one thread of BLAS each.

The matrix products are small: waiting for further BLAS threads costs more than they save, and sums
would depend on the number of cores. Work is split by side and by sentence.
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
    """Replace the lock: a thread that the new process lacks may have taken it."""
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

    If several Python threads are in it, the last to leave lifts the limit. A process that is forked
    meanwhile keeps the limit.
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
    """Enter a context with a ``map`` over two threads, with one BLAS thread each.

    They inherit the settings of NumPy's warnings. In a browser, which cannot start threads, it is
    Python's builtin ``map``.
    """
    warn = functools.partial(np.seterr, **np.geterr())
    with one_blas_thread(), ThreadPoolExecutor(2, initializer=warn) as executor:
        yield map if sys.platform == "emscripten" else executor.map
