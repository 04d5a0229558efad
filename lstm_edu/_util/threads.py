"""Two threads of our own, one for BLAS, and memory that is kept.

Our products are small: waiting for BLAS's other threads costs more than they bring, and sums would
come out differently on another number of cores. Work is split by side and by sentence instead.
"""

import ctypes
import functools
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

# For glibc's mallopt: M_MMAP_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD, M_ARENA_MAX. It gives large
# freed blocks back to the system, which clears them page by page when they are asked for again: a
# quarter of a step at the paper's scale. KEEP: from one heap, and nothing is given back.
KEEP = (-4, 0), (-3, 32 << 20), (-1, 2**31 - 1), (-8, 1)
RELEASE = (-4, 65_536), (-3, 32 << 20), (-1, 64 << 20)

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
        _leave()
    _lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_after_fork
    )


@functools.cache
def _controller():
    return ThreadpoolController()


@functools.cache
def _libc() -> Any:
    """The C library, where it is glibc; else None."""
    libc = ctypes.CDLL(None) if os.name == "posix" else None
    return libc if hasattr(libc, "mallopt") and hasattr(libc, "malloc_trim") else None


def _allocate_by(options):
    for what, value in options if _libc() else ():
        _libc().mallopt(what, value)


@contextmanager
def one_blas_thread():
    """A context in which BLAS uses one thread and freed memory is kept.

    The last of several Python threads to leave it takes both back.
    """
    global _limit
    with _lock:
        if _inside == 0:
            _allocate_by(KEEP)
            _limit = _controller().limit(limits=1, user_api="blas")
        _count(1)
    try:
        yield
    finally:
        with _lock:
            _count(-1)
            if _inside == 0:
                _leave()


def _count(more):
    global _inside
    _inside += more
    _own.inside = getattr(_own, "inside", 0) + more


def _leave():
    _limit.restore_original_limits()
    _allocate_by(RELEASE)


@contextmanager
def two_threads():
    """A context that gives a ``map`` over two threads, with one BLAS thread each.

    They inherit what NumPy warns of.
    """
    warn = functools.partial(np.seterr, **np.geterr())
    try:
        with one_blas_thread(), ThreadPoolExecutor(2, initializer=warn) as executor:
            yield executor.map
    finally:
        if _libc():
            _libc().malloc_trim(0)  # the system may have it now
