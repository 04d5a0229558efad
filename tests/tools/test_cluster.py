"""Tests that two workers train like one process, and that a killed worker costs one step."""

import socket

import pytest
from loopback import check_same, connected, distributed, loopback, patience, train, weights
from refusal import refused
from small_log import HASHING, PAIRS, new_model, write_table

import lstm_edu
from lstm_edu import LSTM, RNN, Attention, Bidirectional, DualEncoder, load
from lstm_edu.__main__ import main
from lstm_edu.cells.dssm import DSSM
from lstm_edu.gradients.relevance import Cosine
from lstm_tools import cluster

patient = pytest.fixture(autouse=True)(patience)
pytestmark = pytest.mark.waits


@pytest.fixture(scope="module")
def two():
    """Start two workers in this process."""
    with loopback(2, processes=False, host=None) as started:
        yield started


@pytest.fixture(scope="module")
def processes():
    """Start two workers in processes that can be killed."""
    with loopback(2) as started:
        yield started


@pytest.fixture
def client(two):
    with connected(two) as client:
        yield client


VARIANTS = [
    (DualEncoder, LSTM(8, True, "full"), {"optimizer": "adam"}),
    (DualEncoder, LSTM(8), {"method": "printed", "held_out": 0.2}),
    (DualEncoder, RNN(8), {"truncate": 1, "average": None}),
    (DualEncoder, Bidirectional(LSTM(4)), {"n_negatives": 2}),
    (DualEncoder, Attention(Bidirectional(RNN(4))), {"truncate": 2}),
    (DualEncoder, DSSM(12, 8), {"batch_size": 47, "n_negatives": 3}),  # the last batch has one pair
    (lstm_edu.AlignedEncoder, LSTM(8), {"truncate": 3}),
    (lstm_edu.AlignedEncoder, Bidirectional(RNN(4)), {"n_negatives": 3, "optimizer": "adam"}),
]


@pytest.mark.parametrize("kind, cell, changed", VARIANTS, ids=str)
def test_two_workers_reproduce_one_process(client, kind, cell, changed):
    """Clip every update, to detect a gradient that is clipped on each worker, or twice."""
    settings = dict(epochs=2, batch_size=20, seed=1, step_size=0.1) | changed | {"clip": 0.05}
    alone, together = (kind(cell, HASHING, 1, "float64") for _ in range(2))
    start = weights(together)
    expected = train(alone, PAIRS, **settings)
    history = train(together, PAIRS, workers=cluster.workers(client), **settings)
    assert min(expected["gradient_norm_query"] + expected["gradient_norm_document"]) > 0.05
    check_same(together, history, alone, expected)
    assert max(abs(w - start[key]).max() for key, w in weights(alone).items()) > 1e-3


def test_command_line_trains_on_cluster(two, tmp_path):
    write_table(tmp_path / "pairs.tsv", PAIRS)
    command = ["train", str(tmp_path / "pairs.tsv")]
    command += "--cells 8 --epochs 1 --batch-size 16 --quiet --out".split()
    assert main([*command, str(tmp_path / "alone.npz")]) == 0
    on_cluster = "--cluster", two.scheduler_address
    assert main([*command, str(tmp_path / "m.npz"), *on_cluster]) == 0
    check_same(load(tmp_path / "m.npz"), {}, load(tmp_path / "alone.npz"), {})


ADDRESSES = ["", "tls://127.0.0.1:9", "nonsense://a", "a\nb", "inproc://", "tcp://127.0.0.1:9"]


@pytest.mark.parametrize("address", [*ADDRESSES, "silent"])
def test_refuses_address_where_no_scheduler_answers(monkeypatch, address):
    monkeypatch.setattr(cluster, "CONNECT", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        if address == "silent":
            address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with refused("^cluster: "), cluster.connected(address):
            pass


def killed_at(step, kill_now, monkeypatch):
    """Call ``kill_now`` in a given step, between its forward and backward pass.

    Return a list that gets an element in every step.
    """
    steps, cost_gradient = [], Cosine.cost_gradient

    def watched(*arguments):
        steps.append(None)
        if len(steps) == step:
            kill_now()
        return cost_gradient(*arguments)

    monkeypatch.setattr(Cosine, "cost_gradient", watched)
    return steps


def kill(nannies):
    import psutil  # a dependency of distributed

    for nanny in nannies:
        psutil.Process(nanny.pid).kill()  # works on Windows, too


@pytest.mark.soak
@pytest.mark.parametrize("direct, n_killed", [(False, 1), (True, 2)])
def test_killed_worker_costs_one_step(processes, monkeypatch, direct, n_killed):
    """Kill one or both workers in step 5 of 9; dask's nannies must restart them."""
    alone, together = new_model(), new_model()
    expected = train(alone, PAIRS, epochs=3, batch_size=16)
    with connected(processes, direct) as client:
        victims = [nanny for nanny in processes.workers.values() if nanny.pid][:n_killed]
        steps = killed_at(5, lambda: kill(victims), monkeypatch)
        history = train(together, PAIRS, epochs=3, batch_size=16, workers=cluster.workers(client))
    check_same(together, history, alone, expected)
    assert len(steps) == 9  # dask recomputes only the lost results of step 5


def test_refuses_client_without_workers(client, monkeypatch):
    monkeypatch.setattr(cluster, "WAIT", 0.1)
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        with distributed.Client(empty, set_as_default=False) as alone:
            with refused("cluster: no worker is left"):
                train(new_model(), PAIRS, epochs=1, workers=cluster.workers(alone))
    client.close()
    with refused("cluster: its client is closed; must be running"):
        train(new_model(), PAIRS, epochs=1, workers=cluster.workers(client))


def test_does_not_repeat_step_that_fails_on_worker(client, monkeypatch):
    steps = killed_at(-1, None, monkeypatch)
    monkeypatch.setattr(cluster, "_go_back", lambda *given: {}["nonsense"])
    with pytest.raises(KeyError, match="nonsense"):
        train(new_model(), PAIRS, epochs=1, workers=cluster.workers(client))
    assert len(steps) == 1
