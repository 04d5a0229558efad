"""Two threads of our own, one for BLAS, and memory that is kept.

Our products are small: waiting for BLAS's other threads costs more than they bring, and sums would come
out differently on another number of cores. Work is split by side and by sentence instead.
"""
import functools
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
from threadpoolctl import ThreadpoolController


@functools.cache
def _controller():
    return ThreadpoolController()


def one_blas_thread():
    """A context in which BLAS uses one thread."""
    # glibc gives freed blocks back to the system, which clears them page by page when they are asked for again,
    # unless it has once seen a larger one come and go: its threshold moves up to 32 MB. Halves the time of a step.
    np.empty(31 << 20, np.uint8)
    return _controller().limit(limits=1, user_api="blas")


@contextmanager
def two_threads():
    """A context that gives a ``map`` over two threads, with one BLAS thread each."""
    with one_blas_thread(), ThreadPoolExecutor(2) as executor:
        yield executor.map
