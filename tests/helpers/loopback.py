"""Fixtures for training on a local cluster, and a comparison with training in one process."""

import numpy as np
import pytest
from conftest import PATIENCE, until

from lstm_edu import train as lstm_edu_train
from lstm_tools import cluster

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
# how long a lost worker may be missing before dask removes it from the cluster
pytest.importorskip("dask").config.set({"distributed.deploy.lost-worker-timeout": "10h"})


def patience(monkeypatch):
    """Fixture that raises dask's timeouts, because a busy machine may start workers slowly."""
    monkeypatch.setattr(cluster, "WAIT", PATIENCE)
    monkeypatch.setattr(cluster, "CONNECT", PATIENCE)


def loopback(n, **how):
    """Start a cluster whose workers are processes, which dask's nannies restart."""
    how = {"threads_per_worker": 1, "dashboard_address": ":0", "host": "127.0.0.1"} | how
    return distributed.LocalCluster(n_workers=n, **how)


def connected(two, direct=True):
    client = distributed.Client(two, direct_to_workers=direct, set_as_default=False)
    # don't use `wait_for_workers`, which overwrites the cluster's record of its workers
    until(lambda: len(client.nthreads()) == 2, "two workers")
    return client


def weights(model):
    sides = enumerate((model.query, model.document))
    return {(k, name): w.copy() for k, side in sides for name, w in side.weights.items()}


def train(*given, **settings):
    """Train a model, with Nesterov's momentum unless another optimizer is given.

    The default isn't Adam, which turns a rounding error in a gradient near 0 into a full step.
    """
    return lstm_edu_train(*given, **{"optimizer": "nesterov"} | settings)


def check_same(model, history, other, expected):
    """Check that two training runs agree, up to rounding, in weights and history.

    The history's seconds may differ.
    """
    for key, w in weights(model).items():
        np.testing.assert_allclose(w, weights(other)[key], rtol=0, atol=1e-6, err_msg=str(key))
    for name in expected.keys() - {"seconds"}:
        np.testing.assert_allclose(history[name], expected[name], rtol=1e-6, err_msg=name)
