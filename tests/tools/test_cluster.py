"""Two workers on loopback do what one process does."""

import gc
import pickle
import socket
import threading

import joblib
import numpy as np
import pytest
from loopback import (
    check_same,
    client_of,
    compact,
    compact_sides,
    dask,
    patience,
    train,
    two_workers,
    weights,
)
from refusal import refused
from small_log import HASHING, PAIRS, new_model

from lstm_edu import (
    LSTM,
    PAPER,
    RNN,
    AlignedEncoder,
    Attention,
    Bidirectional,
    DualEncoder,
    LetterTrigrams,
    load,
)
from lstm_edu.__main__ import main
from lstm_edu.cells.dssm import DSSM
from lstm_edu.data.readers import Judged
from lstm_edu.gradients.minibatch import examples_of, minibatch_gradient
from lstm_edu.models import dual_encoder
from lstm_edu.table_iv import comparison, memory, workers
from lstm_edu.training import cluster

two = pytest.fixture(scope="module")(two_workers)
client = pytest.fixture(client_of)
patient = pytest.fixture(autouse=True)(patience)
pytestmark = pytest.mark.waits


WAYS = [
    (LSTM(8, True, "full"), "float64", {}),
    (LSTM(8), "float32", PAPER | {"step_size": 0.02}),
    (RNN(8), "float32", {"n_negatives": 3}),
    (RNN(8), "float64", {"truncate": 1, "average": None}),
    (Bidirectional(LSTM(4)), "float32", {"n_negatives": 2}),
    (Bidirectional(RNN(4)), "float64", PAPER | {"step_size": 0.02}),
    (Attention(Bidirectional(RNN(4))), "float64", {"truncate": 2}),
    (DSSM(12, 8), "float32", {}),
    (DSSM(12, 8), "float64", {"n_negatives": 4}),
    (LSTM(8), "float64", {"method": "printed", "held_out": 0.2}),
    (LSTM(8), "float64", {"optimizer": "adam"}),
    (RNN(8), "float64", {"optimizer": "adam", "n_negatives": 3, "average": None}),
]


@pytest.mark.waits(12)
@pytest.mark.parametrize("cell, dtype, changed", WAYS, ids=str)
def test_two_workers_reproduce_one_process(client, cell, dtype, changed):
    """Clipped in every update.

    So that clipping each part instead of the sum, or the sum twice, shows.
    """
    settings = dict(epochs=3, batch_size=20, seed=1, step_size=0.1) | changed | {"clip": 0.05}
    alone, together = new_model(cell, dtype=dtype), new_model(cell, dtype=dtype)
    start = weights(together)
    expected = train(alone, PAIRS, **settings)
    history = train(together, PAIRS, cluster=client, **settings)
    assert min(expected["gradient_norm_query"] + expected["gradient_norm_document"]) > 0.05
    check_same(together, history, alone, expected)
    assert max(abs(w - start[key]).max() for key, w in weights(alone).items()) > 1e-3


READERS = [(LSTM(8), {"held_out": 0.2, "truncate": 3})]
READERS += [(Bidirectional(RNN(4)), {"n_negatives": 3, "optimizer": "adam"})]
READERS += [(Attention(Bidirectional(LSTM(4))), {"average": None})]


@pytest.mark.waits(6)
@pytest.mark.parametrize("cell, changed", READERS, ids=str)
@pytest.mark.parametrize("both", [False, True])
def test_two_workers_align_words_as_one_process_does(client, cell, changed, both):
    settings = dict(epochs=3, batch_size=20, seed=1, step_size=0.01) | changed
    hashing = new_model().hashing
    alone, together = (
        AlignedEncoder(cell, hashing, 1, "float64", with_embedding=both) for _ in range(2)
    )
    expected = train(alone, PAIRS, **settings)
    history = train(together, PAIRS, cluster=client, **settings)
    check_same(together, history, alone, expected)


def test_a_gradient_is_the_sum_of_the_parts(client):
    """In float64 to 1e-12, with both workers at work, and more of them than there are texts."""
    model = new_model(dtype="float64")
    for side in (model.query, model.document):
        for w in side.weights.values():
            w *= 10
    for n in (2, 12):
        queries, titles = zip(*PAIRS[::4][:n])
        examples = examples_of(
            model, list(queries), list(titles), [[t for t in titles if t != own] for own in titles]
        )
        examples = examples._replace(
            queries=compact(model, queries), documents=compact(model, titles)
        )
        sides = compact_sides(model, examples)
        l, gradient = minibatch_gradient(sides, examples, 5.0)
        with cluster.workers(client) as by_workers:
            found, parts = by_workers(sides, examples, 5.0)
        np.testing.assert_allclose(found, l, rtol=1e-12)
        for side, expected in zip(parts, gradient):
            for name, g in expected.items():
                np.testing.assert_allclose(side[name], g, rtol=1e-10, atol=1e-13)


def test_only_touched_rows_travel(client, monkeypatch):
    """Ten times the trigrams, the same words: not a byte more."""
    sent, ask = [], cluster._ask
    noted = lambda *given: sent.append(len(pickle.dumps(given[-1]))) or ask(*given)
    monkeypatch.setattr(cluster, "_ask", noted)
    known = HASHING.trigrams
    for more in (0, 10):
        others = [chr(0x4E00 + k) + chr(0x4E00 + m) for k in range(more) for m in range(len(known))]
        hashing = LetterTrigrams(known + [f"{two}я" for two in others])
        train(DualEncoder(LSTM(8), hashing), PAIRS, epochs=1, batch_size=16, cluster=client)
    assert sent[: len(sent) // 2] == pytest.approx(sent[len(sent) // 2 :], rel=1e-3)


def test_encoding_goes_to_a_cluster_by_joblib_unchanged(client, monkeypatch):
    """And not one of the blocks is read here."""
    monkeypatch.setattr(dual_encoder, "TASK", 10)
    model, texts = new_model(LSTM(8)), [text for pair in PAIRS for text in pair]
    expected = model.encode_document(texts)
    monkeypatch.setattr(dual_encoder.Side, "embed", None)
    with joblib.parallel_config("dask", client=client):
        found = model.encode_document(texts)
    assert found.tobytes() == expected.tobytes() and found.dtype == expected.dtype


def test_a_comparison_goes_to_a_cluster_by_joblib_unchanged(client, tmp_path, monkeypatch):
    """And not one of the parts is worked on here."""
    pairs = PAIRS * 3
    queries, titles = zip(*PAIRS)
    docids = [f"{n}" for n in range(len(PAIRS))]
    judgments = [
        Judged(f"{k}", query, docids, list(titles), [int(j == k) for j in range(len(PAIRS))])
        for k, query in enumerate(queries)
    ]
    small = dict(rows=["ulm", "dssm"], epochs=1, search_pairs=50)
    expected = comparison.table_iv(pairs, judgments, str(tmp_path / "here"), **small)
    monkeypatch.setattr(workers, "_answer", None)  # here; the workers have theirs
    with joblib.parallel_config("dask", client=client):
        found = comparison.table_iv(pairs, judgments, str(tmp_path / "there"), **small)
    for row, other in zip(found["rows"], expected["rows"], strict=True):
        assert row["by_query"] == other["by_query"] and row["chosen"] == other["chosen"]
        assert row["memory"] is None if memory.peak_megabytes() is None else row["memory"] > 0


def test_from_the_command_line(two, tmp_path, capsys, monkeypatch):
    (tmp_path / "pairs.tsv").write_text(
        "".join(f"{query}\t{title}\n" for query, title in PAIRS), encoding="utf-8"
    )
    command = ["train", str(tmp_path / "pairs.tsv")]
    command += "--cells 8 --epochs 2 --batch-size 16 --quiet --out".split()
    assert main([*command, str(tmp_path / "alone.npz")]) == 0
    to_both = "--cluster", two.scheduler_address
    assert main([*command, str(tmp_path / "m.npz"), *to_both]) == 0
    alone, together = (load(tmp_path / name) for name in ("alone.npz", "m.npz"))
    for key, w in weights(alone).items():
        np.testing.assert_allclose(weights(together)[key], w, atol=1e-6)
    monkeypatch.setattr(cluster, "CONNECT", 1)
    assert main([*command, str(tmp_path / "n.npz"), "--cluster", "tcp://127.0.0.1:9"]) == 2
    assert capsys.readouterr().err.startswith(
        "lstm_edu: --cluster: no scheduler answers at 'tcp://127.0.0.1:9'"
    )


@pytest.mark.parametrize("address", ["", "tls://127.0.0.1:9", "nonsense://a", "a\nb", "inproc://"])
def test_an_address_that_is_none_is_one_line(monkeypatch, address):
    monkeypatch.setattr(cluster, "CONNECT", 1)
    with refused("^cluster: [^\n]*$"):
        with cluster.connected(address):
            pass


def test_nothing_is_left_of_an_address_where_none_answers(monkeypatch):
    """For the collector to close: it may come while another client holds dask's lock."""
    loops = lambda: sum(thread.name == "IO loop" for thread in threading.enumerate())
    monkeypatch.setattr(cluster, "CONNECT", 1)
    before = loops()
    gc.disable()
    try:
        with refused("no scheduler answers"):
            with cluster.connected("tcp://127.0.0.1:9"):
                pass
        assert loops() <= before
    finally:
        gc.enable()


def test_what_takes_a_call_and_says_nothing_is_no_scheduler(monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with refused("no scheduler answers"):
            with cluster.connected(f"tcp://127.0.0.1:{silent.getsockname()[1]}"):
                pass


def test_an_address_is_tried_with_the_certificates_of_dask_s_settings(monkeypatch):
    """Here with the demand for some, which a plain address does not meet."""
    monkeypatch.setattr(cluster, "CONNECT", 1)
    with dask.config.set({"distributed.comm.require-encryption": True}):
        with refused("no scheduler answers.*encryption required"):
            with cluster.connected("tcp://127.0.0.1:9"):
                pass
