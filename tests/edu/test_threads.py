"""Tests of threads after a fork, with single-threaded BLAS, and on systems without threads."""

import os
import signal
import sys
import threading
import time

import numpy as np
from conftest import PATIENCE, needs

from lstm_edu._util import threads


@needs("processes that fork")
def test_fork_does_not_deadlock_while_thread_has_lock():
    """Fork while another thread holds the lock of `one_blas_thread`."""
    locked = threading.Event()

    def encode():
        with threads.one_blas_thread(), threads._lock:
            locked.set()
            time.sleep(0.01)

    other = threading.Thread(target=encode)
    other.start()
    locked.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE)  # end the process if it deadlocks
        with threads.one_blas_thread():
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    other.join()


def test_last_context_to_exit_restores_blas_threads():
    before = [found["num_threads"] for found in threads._controller().info()]
    with threads.one_blas_thread():
        with threads.two_threads() as map_:
            assert list(map_(np.sqrt, [4, 9])) == [2, 3] and threads._inside == 2
        assert threads._inside == 1
        pools = [found for found in threads._controller().info() if found["user_api"] == "blas"]
        assert {found["num_threads"] for found in pools} <= {1}
    assert threads._inside == 0
    assert [found["num_threads"] for found in threads._controller().info()] == before


def test_two_threads_falls_back_to_map_if_no_thread_can_start(monkeypatch):
    monkeypatch.setattr(threading.Thread, "start", None)
    monkeypatch.setattr(sys, "platform", "emscripten")
    with threads.two_threads() as map_:
        assert list(map_(np.sqrt, [4, 9])) == [2, 3]
