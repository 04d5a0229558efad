"""Compute on two Python threads, each of which uses one BLAS thread.

More BLAS threads would cost more time than they save, because the matrix products are small, and
the rounding of sums would depend on the number of cores. Instead, the two threads divide the
sentences of queries and titles.
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

_lock, _inside = threading.RLock(), 0  # _inside: number of active `one_blas_thread` contexts
_limit: Any = None


def _after_fork():
    """Replace the lock after a fork, because a thread of the parent may have acquired it."""
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@functools.cache
def _controller():
    return ThreadpoolController()


@contextmanager
def one_blas_thread():
    """Return a context manager within which BLAS uses one thread.

    If several Python threads are in the context, the last one to leave lifts the limit. A process
    that is forked in the context keeps the limit.
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
    """Return a context manager that gives a ``map`` over two threads with one BLAS thread each.

    The threads inherit NumPy's error state (`numpy.seterr`). In a browser, which cannot start
    threads, the context manager gives Python's ``map``.
    """
    warn = functools.partial(np.seterr, **np.geterr())
    with one_blas_thread(), ThreadPoolExecutor(2, initializer=warn) as executor:
        yield map if sys.platform == "emscripten" else executor.map
