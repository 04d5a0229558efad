"""Two workers on loopback do what one process does; a worker that is killed costs its step."""

import pickle
import threading
import time
import warnings

import joblib
import numpy as np
import pytest
from conftest import PATIENCE, until
from small_log import PAIRS, new_model
from test_resume import SETTINGS, Stop, stop_after

from lstm_edu import (
    LSTM,
    PAPER,
    RNN,
    AlignedEncoder,
    Attention,
    Bidirectional,
    DualEncoder,
    InputError,
    LetterTrigrams,
    load,
)
from lstm_edu import model as dual_encoder
from lstm_edu import train as lstm_edu_train
from lstm_edu.__main__ import main
from lstm_edu.cells.dssm import DSSM
from lstm_edu.data.clicks import Judged
from lstm_edu.gradients.minibatch import examples_of, minibatch_gradient
from lstm_edu.gradients.relevance import Cosine
from lstm_edu.table_iv import comparison, memory, processes
from lstm_edu.text import batch as batches
from lstm_edu.text import lanes as in_parts
from lstm_edu.text import sentences
from lstm_edu.training import click_log, cluster

distributed = pytest.importorskip(
    "distributed", reason="dask.distributed is not installed: pip install lstm_edu[cluster]"
)
psutil = pytest.importorskip("psutil")  # which distributed needs
pytestmark = pytest.mark.waits
dask = pytest.importorskip("dask")
# it gives up a worker for good that is not back in 15 seconds
dask.config.set({"distributed.deploy.lost-worker-timeout": f"{PATIENCE}s"})


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A busy machine may need longer to start a worker than a user would care to wait."""
    monkeypatch.setattr(cluster, "WAIT", PATIENCE)
    monkeypatch.setattr(cluster, "CONNECT", PATIENCE)


def loopback(n):
    """A cluster whose workers are processes, each with a nanny that brings it back."""
    return distributed.LocalCluster(
        n_workers=n, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1"
    )


@pytest.fixture(scope="module")
def two():
    with loopback(2) as both:
        yield both


@pytest.fixture
def client(two):
    with connected(two) as client:
        yield client


def connected(two, direct=True):
    client = distributed.Client(two, direct_to_workers=direct, set_as_default=False)
    # not by the client's own method: it takes from the cluster's book what that has still to see
    until(lambda: len(client.nthreads()) == 2, "two workers")
    return client


def pids(cluster):
    return [nanny.pid for nanny in cluster.workers.values() if nanny.pid]


def kill(pid):
    psutil.Process(pid).kill()  # on every system


def weights(model):
    return {
        (k, name): w.copy()
        for k, side in enumerate((model.query, model.document))
        for name, w in side.weights.items()
    }


def train(*given, **settings):
    """By Nesterov's momentum, unless Adam is asked for: what rounding does to a gradient near 0,
    Adam makes into a step.
    """
    return lstm_edu_train(*given, **{"optimizer": "nesterov"} | settings)


def check_same(model, history, other, expected):
    """Weights and history of two trainings, but for the seconds."""
    for key, w in weights(model).items():
        np.testing.assert_allclose(w, weights(other)[key], rtol=0, atol=1e-6, err_msg=str(key))
    for name in expected.keys() - {"seconds"}:
        np.testing.assert_allclose(history[name], expected[name], rtol=1e-6, err_msg=name)


@pytest.mark.parametrize(
    "cell, dtype, changed",
    [
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
    ],
    ids=str,
)
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


@pytest.mark.parametrize(
    "cell, changed",
    [
        (LSTM(8), {"held_out": 0.2, "truncate": 3}),
        (Bidirectional(RNN(4)), {"n_negatives": 3, "optimizer": "adam"}),
        (Attention(Bidirectional(LSTM(4))), {"average": None}),
    ],
    ids=str,
)
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
        sides = [
            type(side)(side.cell, side.weights | {"W": side.weights["W"][batch.touched]})
            for side, batch in (
                (model.query, examples.queries),
                (model.document, examples.documents),
            )
        ]
        l, gradient = minibatch_gradient(sides, examples, 5.0)
        with cluster.workers(client) as by_workers:
            found, parts = by_workers(sides, examples, 5.0)
        np.testing.assert_allclose(found, l, rtol=1e-12)
        for side, expected in zip(parts, gradient):
            for name, g in expected.items():
                np.testing.assert_allclose(side[name], g, rtol=1e-10, atol=1e-13)


def compact(model, texts):
    batch = batches.side_by_side(sentences.from_texts(texts, model.hashing, model.dtype))
    return batch._replace(Wh=batch.Wh_touched)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 60])
def test_parts_are_all_texts_once_and_bring_the_rows_they_touch(n):
    texts = [title for _, title in PAIRS[::3]] + ["lima", "", "Ж"]
    whole = _batch(texts)
    parts = in_parts.split(whole, n)
    assert len(parts) <= n and sorted(np.concatenate([part.order for part in parts])) == list(
        range(len(texts))
    )
    for part in parts:
        assert len(part.touched) == part.Wh.shape[1] and part.Wh is part.Wh_touched
        for place, k in enumerate(part.order):
            tokens = part.token[[part.offsets[t] + place for t in range(part.lengths[place])]]
            found = np.zeros((len(tokens), whole.Wh.shape[1]))
            found[:, part.touched] = part.Wh[tokens].toarray()
            alone = _batch([texts[k]])
            expected = alone.Wh.toarray()[
                [alone.token[alone.offsets[t]] for t in range(alone.lengths[0])]
            ]
            assert (found == expected).all()
    if n == 2:
        assert max(len(part.token) for part in parts) < 0.7 * len(whole.token)
        assert max(len(part.touched) for part in parts) < len(whole.touched)


def _batch(texts):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return batches.side_by_side(sentences.from_texts(texts, new_model().hashing))


def test_only_touched_rows_travel(client, monkeypatch):
    """Ten times the trigrams, the same words: not a byte more."""
    sent, ask = [], cluster._ask
    monkeypatch.setattr(
        cluster,
        "_ask",
        lambda client, shares, method, arguments: (
            sent.append(len(pickle.dumps(arguments))) or ask(client, shares, method, arguments)
        ),
    )
    known = LetterTrigrams.fit(text for pair in PAIRS for text in pair).trigrams
    for more in (0, 10):
        hashing = LetterTrigrams(
            known
            + [
                f"{chr(0x4E00 + k)}{chr(0x4E00 + m)}я"
                for k in range(more)
                for m in range(len(known))
            ]
        )
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
    pairs, judgments = (
        PAIRS * 3,
        [
            Judged(
                f"{k}",
                query,
                [f"{n}" for n in range(len(PAIRS))],
                [title for _, title in PAIRS],
                [int(title == own) for _, title in PAIRS],
            )
            for k, (query, own) in enumerate(PAIRS)
        ],
    )
    small = dict(rows=["ulm", "dssm"], epochs=1, search_pairs=50)
    expected = comparison.table_iv(pairs, judgments, str(tmp_path / "here"), **small)
    monkeypatch.setattr(processes, "_answer", None)  # here; the workers have theirs
    with joblib.parallel_config("dask", client=client):
        found = comparison.table_iv(pairs, judgments, str(tmp_path / "there"), **small)
    for row, other in zip(found["rows"], expected["rows"], strict=True):
        assert (
            row["by_query"] == other["by_query"]
            and row["chosen"] == other["chosen"]
            and (row["memory"] is None if memory.peak_megabytes() is None else row["memory"] > 0)
        )


# Workers that are lost


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
            kill(
                next(
                    nanny.pid for nanny in two.workers.values() if nanny.worker_address == killed[0]
                )
            )
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


@pytest.mark.parametrize("address", ["", "tls://127.0.0.1:9", "nonsense://a", "a\nb", "inproc://"])
def test_an_address_that_is_none_is_one_line(monkeypatch, address):
    monkeypatch.setattr(cluster, "CONNECT", 1)
    with pytest.raises(InputError, match="^cluster: [^\n]*$"):
        with cluster.connected(address):
            pass


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
        history = train(
            together,
            PAIRS,
            cluster=client,
            callback=lambda model, history: time.sleep(0.1),
            **settings,
        )
    finally:
        done.set()
        thread.join()
    assert killed
    check_same(together, history, alone, expected)


def test_none_left(tmp_path, monkeypatch):
    """One clear line; the model is as it was before the epoch, the checkpoint whole.

    And the run can be gone on with.
    """
    path, epochs, model, alone = tmp_path / "m.npz", [], new_model(), new_model()

    def kill_for_good():
        for nanny in one.workers.values():
            nanny.close_gracefully()  # not to bring it back
            kill(nanny.pid)

    with loopback(1) as one, distributed.Client(one, set_as_default=False) as client:
        train(new_model(), PAIRS, epochs=1, cluster=client)  # it has loaded what it needs
        monkeypatch.setattr(cluster, "WAIT", 1)
        killed_at(2 * 3 + 2, kill_for_good, monkeypatch)  # in the third epoch
        with pytest.raises(InputError, match="^cluster: no worker is left$"):
            train(
                model,
                PAIRS,
                checkpoint=path,
                cluster=client,
                callback=lambda model, history: epochs.append(weights(model)) or None,
                **SETTINGS,
            )
        assert len(epochs) == 2 and load(path).training["finished"] is False
        for key, w in weights(model).items():
            assert (w == epochs[1][key]).all() and (w == weights(load(path))[key]).all()
        model = new_model()
        check_same(
            model,
            train(model, PAIRS, checkpoint=path, resume=True, **SETTINGS),
            alone,
            train(alone, PAIRS, **SETTINGS),
        )
        with pytest.raises(InputError, match="^cluster: no worker is left$"):
            train(new_model(), PAIRS, cluster=client, **SETTINGS)
        client.close()
        with pytest.raises(InputError, match="cluster: its client is closed; must be running"):
            train(new_model(), PAIRS, cluster=client, **SETTINGS)


def test_a_step_that_costs_all_its_workers_ends(client, monkeypatch):
    def lost(*arguments):
        raise cluster._Lost

    monkeypatch.setattr(cluster, "_ask", lost)
    with pytest.raises(InputError, match="a worker was lost in each of 5 tries of the same step"):
        train(new_model(), PAIRS, epochs=1, cluster=client)


def test_resumed_on_a_cluster(client, tmp_path):
    path = tmp_path / "m.npz"
    with pytest.raises(Stop):
        train(
            new_model(), PAIRS, checkpoint=path, callback=stop_after(3), cluster=client, **SETTINGS
        )
    model, alone = new_model(), new_model()
    check_same(
        model,
        train(model, PAIRS, checkpoint=path, resume=True, cluster=client, **SETTINGS),
        alone,
        train(alone, PAIRS, **SETTINGS),
    )
    assert load(path).training["finished"] is True


def test_what_fails_on_a_worker_is_not_tried_again(client, monkeypatch):
    steps = killed_at(-1, None, monkeypatch)
    with pytest.raises(KeyError, match="nonsense"):
        with cluster.workers(client) as by_workers:
            model, texts = new_model(), ["hotel oslo", "pizza lima"]
            examples = click_log.Examples(
                compact(model, texts),
                compact(model, texts),
                np.arange(2),
                np.arange(2),
                ~np.eye(2, dtype=bool),
            )
            sides = [
                type(side)(
                    side.cell, side.weights | {"W": side.weights["W"][examples.queries.touched]}
                )
                for side in (model.query, model.document)
            ]
            by_workers(sides, examples, 5.0, "nonsense")
    assert len(steps) == 1


def test_from_the_command_line(two, tmp_path, capsys, monkeypatch):
    (tmp_path / "pairs.tsv").write_text(
        "".join(f"{query}\t{title}\n" for query, title in PAIRS), encoding="utf-8"
    )
    command = [
        "train",
        str(tmp_path / "pairs.tsv"),
        "--cells",
        "8",
        "--epochs",
        "2",
        "--batch-size",
        "16",
        "--quiet",
        "--out",
    ]
    assert (
        main([*command, str(tmp_path / "alone.npz")])
        == main([*command, str(tmp_path / "m.npz"), "--cluster", two.scheduler_address])
        == 0
    )
    alone, together = (load(tmp_path / name) for name in ("alone.npz", "m.npz"))
    for key, w in weights(alone).items():
        np.testing.assert_allclose(weights(together)[key], w, atol=1e-6)
    monkeypatch.setattr(cluster, "CONNECT", 1)
    assert main([*command, str(tmp_path / "n.npz"), "--cluster", "tcp://127.0.0.1:9"]) == 2
    assert capsys.readouterr().err.startswith(
        "lstm_edu: --cluster: no scheduler answers at 'tcp://127.0.0.1:9'"
    )


@pytest.mark.parametrize("wrong", ["tcp://127.0.0.1:1", 2, {}])
def test_what_is_no_client_is_said(wrong):
    with pytest.raises(InputError, match="^cluster: .*; must be None or a dask.distributed.Client"):
        train(new_model(), PAIRS, cluster=wrong)
