"""Two threads of our own, and one for BLAS.

Our products are small: waiting for BLAS's other threads costs more than they bring, and sums would
come out differently on another number of cores. Work is split by side and by sentence instead.
"""

import functools
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

_lock, _inside = threading.RLock(), 0
_limit: Any = None
_own = threading.local()  # how many of these contexts this thread is in


def _after_fork():
    """Of all threads the one that forked is in the new process; nobody there leaves for the others.

    The lock is held: whoever forks takes it first, or another thread might have it for good.
    """
    global _inside
    others, _inside = _inside > 0, getattr(_own, "inside", 0)
    if others and _inside == 0:
        _limit.restore_original_limits()
    _lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_after_fork
    )


@functools.cache
def _controller():
    return ThreadpoolController()


@contextmanager
def one_blas_thread():
    """A context in which BLAS uses one thread.

    The last of several Python threads to leave it takes the limit back.
    """
    global _limit
    with _lock:
        if _inside == 0:
            _limit = _controller().limit(limits=1, user_api="blas")
        _count(1)
    try:
        yield
    finally:
        with _lock:
            _count(-1)
            if _inside == 0:
                _limit.restore_original_limits()


def _count(more):
    global _inside
    _inside += more
    _own.inside = getattr(_own, "inside", 0) + more


def _can_start():
    """Tell whether a thread can be started, which a browser's Python can't."""
    try:
        threading.Thread(target=int).start()
    except RuntimeError:
        return False
    return True


@contextmanager
def two_threads():
    """A context that gives a ``map`` over two threads, with one BLAS thread each.

    They inherit what NumPy warns of. Where no thread can be started it is Python's own ``map``.
    """
    warn = functools.partial(np.seterr, **np.geterr())
    with one_blas_thread(), ThreadPoolExecutor(2, initializer=warn) as executor:
        yield executor.map if _can_start() else map
