"""Threads of our own: what they leave behind, and what a fork finds."""

import numpy as np
from conftest import PATIENCE, ROOT, needs
from processes import python

from lstm_edu._util import threads

# Without the lock's care a child that is forked while it is held waits for it for ever.
FORKED = """
import os, sys, threading, time
import numpy as np
sys.path.insert(0, "tests")
from conftest import TEXTS, unit_model
import lstm_edu
from lstm_edu._util import threads

model, held, done = unit_model(lstm_edu.LSTM(3)), threading.Event(), threading.Event()
expected, n, allocate_by = model.encode_query(TEXTS), int(sys.argv[1]), threads._allocate_by

def allocate_slowly(options):
    held.set()  # the lock is
    time.sleep(0.01)
    allocate_by(options)

def encode():
    while not done.is_set():
        assert (model.encode_query(TEXTS) == expected).all()

other = threading.Thread(target=encode)
threads._allocate_by = allocate_slowly
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
