"""Tests of threads with single-threaded BLAS, and on systems without threads."""

import sys
import threading

import numpy as np

from lstm_edu._util import threads


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
