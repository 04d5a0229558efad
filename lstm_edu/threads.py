"""Two threads of our own, one for BLAS, and memory that is kept.

Our products are small: waiting for BLAS's other threads costs more than they bring, and sums would come
out differently on another number of cores. Work is split by side and by sentence instead.
"""
import functools
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
from threadpoolctl import ThreadpoolController


_lock, _inside, _limit = threading.Lock(), 0, None


@functools.cache
def _controller():
    return ThreadpoolController()


@contextmanager
def one_blas_thread():
    """A context in which BLAS uses one thread; the last of several Python threads to leave it takes that back."""
    global _inside, _limit
    with _lock:
        if _inside == 0:
            # glibc gives freed blocks back to the system, which clears them page by page when they are asked for again,
            # unless it has once seen a larger one come and go: its threshold moves up to 32 MB. Halves the time of a step.
            np.empty(31 << 20, np.uint8)
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
    """A context that gives a ``map`` over two threads, with one BLAS thread each. They inherit what NumPy warns of."""
    with one_blas_thread(), ThreadPoolExecutor(2, initializer=lambda warn=np.geterr(): np.seterr(**warn)) as executor:
        yield executor.map
