"""Threads of our own: what they leave behind, and what a fork finds."""

import ctypes
import os
import threading

import numpy as np
import pytest
from conftest import PATIENCE, ROOT, needs
from processes import python
from small_log import PAIRS, new_model

import lstm_edu
from lstm_edu._util import threads
from lstm_edu.gradients import parallel
from lstm_edu.ranking import nearest

# Without the lock's care a child that is forked while it is held waits for it for ever.
FORKED = """
import os, sys, threading, time
import numpy as np
sys.path[:0] = "tests", "tests/helpers"
from conftest import TEXTS, unit_model
import lstm_edu
from lstm_edu._util import threads

model, held, done = unit_model(lstm_edu.LSTM(3)), threading.Event(), threading.Event()
expected, n, limit = model.encode_query(TEXTS), int(sys.argv[1]), threads._controller().limit

def limit_slowly(**how):
    held.set()  # the lock is
    time.sleep(0.01)
    return limit(**how)

def encode():
    while not done.is_set():
        assert (model.encode_query(TEXTS) == expected).all()

other = threading.Thread(target=encode)
threads._controller().limit = limit_slowly
other.start()
for k in range(n):
    held.clear()
    held.wait()
    child = os.fork()
    if child == 0:
        assert threads._inside == 0
        assert (model.encode_query(TEXTS) == expected).all()
        limits = {found["num_threads"] for found in threads._controller().info()}
        with threads.one_blas_thread():
            pass
        assert limits == {found["num_threads"] for found in threads._controller().info()}
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
done.set()
other.join()
print("all came back")
"""


@needs("processes that fork")
def test_a_process_that_is_forked_while_another_thread_encodes_is_not_stuck():
    run = python("-c", FORKED, "20", cwd=ROOT, timeout=PATIENCE)
    assert run.stdout == "all came back\n", run.stderr


def test_several_contexts_count_as_one_and_the_last_takes_the_limit_back():
    before = [found["num_threads"] for found in threads._controller().info()]
    with threads.one_blas_thread():
        with threads.two_threads() as map_:
            assert list(map_(np.sqrt, [4, 9])) == [2, 3] and threads._inside == 2
        assert threads._inside == 1
        pools = [found for found in threads._controller().info() if found["user_api"] == "blas"]
        assert {found["num_threads"] for found in pools} <= {1}
    assert threads._inside == 0
    assert [found["num_threads"] for found in threads._controller().info()] == before


# glibc gives each thread an arena of its own, while there are few; and ``malloc_info`` counts them.
ARENAS = """
import ctypes, sys, tempfile, threading
import numpy as np
from lstm_edu._util import threads

if sys.argv[1] == "after":
    with threads.two_threads() as map_:
        list(map_(np.ones, [9, 99]))
gate = threading.Barrier(7)

def work():
    kept = bytearray(5_000)
    gate.wait()
    gate.wait()

for _ in range(6):
    threading.Thread(target=work).start()
gate.wait()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
with tempfile.NamedTemporaryFile() as file:
    stream = ctypes.c_void_p(libc.fopen(file.name.encode(), b"w"))
    libc.malloc_info(0, stream)
    libc.fclose(stream)
    print(file.read().count(b"<heap "))
gate.wait()
"""


@pytest.mark.skipif(
    os.name != "posix" or not hasattr(ctypes.CDLL(None), "malloc_info"), reason="no glibc here"
)
def test_leaving_gives_new_threads_the_arenas_that_they_had():
    runs = [python("-c", ARENAS, when, cwd=ROOT, timeout=PATIENCE) for when in ("never", "after")]
    never, after = (int(run.stdout) for run in runs)
    assert after == never > 1


def test_trains_searches_and_encodes_where_no_thread_can_be_started(monkeypatch):
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
