"""A worker that is killed costs its step, and a run that has none left ends in a line."""

import threading
import time

import numpy as np
import pytest
from conftest import until
from loopback import (
    check_same,
    client_of,
    compact,
    compact_sides,
    connected,
    distributed,
    loopback,
    patience,
    train,
    two_workers,
    weights,
)
from refusal import refused
from small_log import PAIRS, SETTINGS, new_model

from lstm_edu import LSTM, load
from lstm_edu.gradients.relevance import Cosine
from lstm_edu.training import cluster, minibatches

psutil = pytest.importorskip("psutil")  # which distributed needs

two = pytest.fixture(scope="module")(two_workers)
client = pytest.fixture(client_of)
patient = pytest.fixture(autouse=True)(patience)
pytestmark = pytest.mark.waits


def pids(cluster):
    return [nanny.pid for nanny in cluster.workers.values() if nanny.pid]


def kill(pid):
    psutil.Process(pid).kill()  # on every system


def killed_at(step, kill_now, monkeypatch):
    """Call kill_now once, in that step, between the two halves of the work.

    Texts are read, their error is on its way.
    """
    steps, cost_gradient = [], Cosine.cost_gradient

    def watched(*arguments):
        steps.append(None)
        if len(steps) == step:
            kill_now()
        return cost_gradient(*arguments)

    monkeypatch.setattr(Cosine, "cost_gradient", watched)
    return steps


@pytest.mark.waits(3)
@pytest.mark.parametrize("direct, n_killed", [(True, 1), (False, 1), (True, 2)])
def test_a_killed_worker_costs_its_step(two, monkeypatch, direct, n_killed):
    """Of 9 steps, the fifth loses one worker, or both, and their nannies have to bring one back."""
    alone, together = new_model(), new_model()
    expected = train(alone, PAIRS, epochs=3, batch_size=16)
    with connected(two, direct) as client:
        victims = pids(two)[:n_killed]
        steps = killed_at(5, lambda: [kill(pid) for pid in victims], monkeypatch)
        history = train(together, PAIRS, epochs=3, batch_size=16, cluster=client)
    check_same(together, history, alone, expected)
    assert len(steps) == 9 + 1  # no step but the lost one was taken twice
    assert not set(victims) & set(pids(two))


def test_killed_when_its_share_was_made(two, client, monkeypatch):
    """Between the look at which it was ready and the next line: the run begins with the other."""
    alone, together, killed, fetch = new_model(), new_model(), [], distributed.Future.result

    def result(future, *arguments, **options):
        if not killed:
            killed.append(client.who_has([future])[future.key][0])
            where = {nanny.worker_address: nanny.pid for nanny in two.workers.values()}
            kill(where[killed[0]])
            while future.status == "finished":
                time.sleep(0.01)
        return fetch(future, *arguments, **options)

    monkeypatch.setattr(distributed.Future, "result", result)
    expected = train(alone, PAIRS, epochs=1)
    check_same(together, train(together, PAIRS, epochs=1, cluster=client), alone, expected)
    assert killed


@pytest.mark.parametrize("error", [TimeoutError, RuntimeError])
def test_lost_all_at_once_when_their_shares_were_made(client, monkeypatch, error):
    """None of those that were ready answers: they are asked again, as nannies bring them back."""
    alone, together, fetch, asked = new_model(), new_model(), distributed.Future.result, []

    def result(future, *arguments, **options):
        asked.append(future)
        if len(asked) <= 4:
            raise error
        return fetch(future, *arguments, **options)

    expected = train(alone, PAIRS, epochs=1)
    monkeypatch.setattr(distributed.Future, "result", result)
    check_same(together, train(together, PAIRS, epochs=1, cluster=client), alone, expected)


def test_killed_while_they_work(two, client):
    """One after the other, at moments nobody chose.

    The run goes on with the other, and takes the new one in.
    """
    alone, together, killed, done = new_model(LSTM(32)), new_model(LSTM(32)), [], threading.Event()
    settings = dict(epochs=10, batch_size=8)
    expected = train(alone, PAIRS, **settings)

    def killer():
        while not done.wait(0.35) and len(killed) < 2:
            there = [pid for pid in pids(two) if pid not in killed]
            if len(there) == 2:  # the one that was killed last is back
                killed.append(there[-1])
                kill(killed[-1])

    thread = threading.Thread(target=killer)
    thread.start()
    try:

        def slowly(model, history):
            time.sleep(0.1)
            if len(history["cost"]) == 9:  # in the last epoch one is lost at the latest
                until(lambda: killed, "a worker was killed")

        history = train(together, PAIRS, cluster=client, callback=slowly, **settings)
    finally:
        done.set()
        thread.join()
    check_same(together, history, alone, expected)


def test_none_left(tmp_path, monkeypatch):
    """One clear line; the model is as it was before the epoch, the checkpoint whole.

    And the run can be gone on with.
    """
    path, epochs, model, alone = tmp_path / "m.npz", [], new_model(), new_model()

    def kill_for_good():
        monkeypatch.setattr(cluster, "WAIT", 1)  # for what does not come any more
        for nanny in one.workers.values():
            nanny.close_gracefully()  # not to bring it back
            kill(nanny.pid)

    with loopback(1) as one, distributed.Client(one, set_as_default=False) as client:
        train(new_model(), PAIRS, epochs=1, cluster=client)  # it has loaded what it needs
        killed_at(2 * 3 + 2, kill_for_good, monkeypatch)  # in the third epoch
        with refused("^cluster: no worker is left$"):
            keep = lambda model, history: epochs.append(weights(model)) or None
            train(model, PAIRS, checkpoint=path, cluster=client, callback=keep, **SETTINGS)
        assert len(epochs) == 2 and load(path).training["finished"] is False
        for key, w in weights(model).items():
            assert (w == epochs[1][key]).all() and (w == weights(load(path))[key]).all()
        model = new_model()
        history = train(model, PAIRS, checkpoint=path, resume=True, **SETTINGS)
        check_same(model, history, alone, train(alone, PAIRS, **SETTINGS))
        with refused("^cluster: no worker is left$"):
            train(new_model(), PAIRS, cluster=client, **SETTINGS)
        client.close()
        with refused("cluster: its client is closed; must be running"):
            train(new_model(), PAIRS, cluster=client, **SETTINGS)


def test_a_step_that_costs_all_its_workers_ends(client, monkeypatch):
    def lost(*arguments):
        raise cluster._Lost

    monkeypatch.setattr(cluster, "_ask", lost)
    with refused("a worker was lost in each of 5 tries of the same step"):
        train(new_model(), PAIRS, epochs=1, cluster=client)


def test_what_fails_on_a_worker_is_not_tried_again(client, monkeypatch):
    steps = killed_at(-1, None, monkeypatch)
    with pytest.raises(KeyError, match="nonsense"):
        with cluster.workers(client) as by_workers:
            model, texts = new_model(), ["hotel oslo", "pizza lima"]
            batch, own = compact(model, texts), np.arange(2)
            examples = minibatches.Examples(batch, batch, own, own, ~np.eye(2, dtype=bool))
            sides = compact_sides(model, examples)
            by_workers(sides, examples, 5.0, "nonsense")
    assert len(steps) == 1
