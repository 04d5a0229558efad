"""Our threads: what a fork finds, the limit on BLAS, and where none can be started."""

import os
import signal
import threading
import time

import numpy as np
from conftest import PATIENCE, needs
from small_log import PAIRS, new_model

import lstm_edu
from lstm_edu._util import threads
from lstm_edu.gradients import parallel
from lstm_edu.ranking import nearest


@needs("processes that fork")
def test_fork_while_other_thread_encodes_is_not_stuck():
    """That thread is inside the context, and holds the lock for a moment."""
    held = threading.Event()

    def encode():
        with threads.one_blas_thread(), threads._lock:
            held.set()
            time.sleep(0.01)

    other = threading.Thread(target=encode)
    other.start()
    held.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE)  # instead of being stuck
        with threads.one_blas_thread():
            os._exit(0 if threads._inside == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0
    other.join()


def test_last_of_several_contexts_lifts_blas_limit():
    before = [found["num_threads"] for found in threads._controller().info()]
    with threads.one_blas_thread():
        with threads.two_threads() as map_:
            assert list(map_(np.sqrt, [4, 9])) == [2, 3] and threads._inside == 2
        assert threads._inside == 1
        pools = [found for found in threads._controller().info() if found["user_api"] == "blas"]
        assert {found["num_threads"] for found in pools} <= {1}
    assert threads._inside == 0
    assert [found["num_threads"] for found in threads._controller().info()] == before


def test_works_where_no_thread_can_be_started(monkeypatch):
    monkeypatch.setattr(parallel, "ENOUGH", 0)  # two threads share every minibatch, if they can

    def trained():
        model = new_model()
        lstm_edu.train(model, PAIRS, epochs=2, batch_size=16)
        titles = model.encode_document([title for _, title in PAIRS])
        return *model.document.weights.values(), *nearest.top(titles[:9], titles, 3)

    def start(_):
        raise RuntimeError("can't start new thread")

    by_two = trained()
    monkeypatch.setattr(threading.Thread, "start", start)
    monkeypatch.setattr("tqdm.tqdm.monitor", None)  # a bar would start another
    for by_one, expected in zip(trained(), by_two, strict=True):
        np.testing.assert_allclose(by_one, expected, rtol=0, atol=1e-5)
