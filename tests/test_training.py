"""Algorithm 1, and the parts it is made of."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import CELLS, cell_name
from hypothesis import given
from hypothesis import strategies as st
from small_log import HASHING, PAIRS, new_model

import lstm_edu
from lstm_edu import (
    PAPER,
    RNN,
    Bidirectional,
    DualEncoder,
    InputError,
    LetterTrigrams,
    cost_and_gradient,
    train,
)
from lstm_edu.gradients import lanes
from lstm_edu.ranking import ndcg as ranking
from lstm_edu.training import click_log, held_out, nesterov
from lstm_edu.training import settings as settings_
from lstm_edu.training.settings import OPTIMIZERS, usual_epochs

# Nesterov


def test_update_is_equation_6():
    """Against (6) written out, with the gradient taken at the look-ahead point and clipped."""
    model, mu, step = new_model(dtype="float64"), 0.9, 0.01
    plain = new_model(dtype="float64")
    position = {
        side: {name: w.copy() for name, w in getattr(plain, side).params.items()}
        for side in ("query", "document")
    }
    change = {
        side: {name: np.zeros_like(w) for name, w in position[side].items()} for side in position
    }
    pairs = PAIRS[:12]
    log = click_log.from_pairs(pairs, HASHING, "float64")
    for epoch in range(3):  # the examples that train will draw
        rng = np.random.default_rng([5, 1, epoch])
        order = rng.permutation(len(pairs))
        drawn = click_log.sample_unclicked(log, log.query[order], 2, rng)
        texts = [" ".join(title.split()) for title in dict.fromkeys(title for _, title in pairs)]
        for side in position:
            for name, w in getattr(plain, side).params.items():
                w[...] = position[side][name] + mu * change[side][name]
        _, gradient = cost_and_gradient(
            plain,
            [pairs[k][0] for k in order],
            [pairs[k][1] for k in order],
            [[texts[t] for t in row] for row in drawn],
            gamma=5.0,
            method="autograd",
        )
        for side in position:
            norm = np.sqrt(sum((g**2).sum() for g in gradient[side].values()))
            assert norm > 1
            for name, g in gradient[side].items():
                change[side][name] = mu * change[side][name] - step * g * (1 / norm)
                position[side][name] += change[side][name]
    train(
        model,
        pairs,
        epochs=3,
        batch_size=12,
        n_negatives=2,
        gamma=5.0,
        optimizer="nesterov",
        step_size=step,
        momentum=mu,
        clip=1.0,
        average=None,
        seed=5,
    )
    for side in position:
        for name, w in getattr(model, side).params.items():
            np.testing.assert_allclose(w, position[side][name], rtol=1e-9, atol=1e-12)


def test_schedule():
    mu = [nesterov.momentum("schedule", k, 1000) for k in range(1000)]
    assert mu[:20] == [0.9] * 20 and mu[980:] == [0.9] * 20 and set(mu[20:980]) == {0.995}
    assert nesterov.momentum(0.5, 3, 10) == 0.5


@given(st.floats(0.01, 100))
def test_clip_keeps_the_direction_and_bounds_the_norm(threshold):
    gradient = {"W": np.array([[3.0, 0.0]]), "b": np.array([4.0])}
    assert nesterov.clip(gradient, threshold) == pytest.approx(5)
    norm = np.hypot(gradient["W"][0, 0], gradient["b"][0])
    assert norm == pytest.approx(min(5, threshold)) and gradient["W"][0, 0] / gradient["b"][
        0
    ] == pytest.approx(0.75)


def test_average_is_the_mean_at_first_and_forgets_later():
    model = new_model()
    seen = []
    train(
        model,
        PAIRS,
        epochs=4,
        batch_size=len(PAIRS),
        average=0.999,
        n_negatives=2,
        callback=lambda m, h: seen.append(m.query.weights["b"].copy()) or None,
    )
    raw = []
    for epochs in range(1, 5):
        model = new_model()
        train(model, PAIRS, epochs=epochs, batch_size=len(PAIRS), average=None, n_negatives=2)
        raw.append(model.query.weights["b"].copy())
    for k in range(4):
        np.testing.assert_allclose(seen[k], np.mean(raw[: k + 1], axis=0), rtol=1e-4, atol=1e-7)
    mean = {"b": np.zeros(1)}
    nesterov.average(mean, {"b": np.ones(1)}, 0.75)
    assert mean["b"] == 0.25


# The click log

pairs_strategy = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["k", "l", "m", "n", "K ", "o p"])),
    min_size=1,
    max_size=30,
)


@given(pairs_strategy, st.integers(1, 5), st.integers(0, 9))
def test_sampled_titles_are_different_and_never_clicked(pairs, n, seed):
    log = click_log.from_pairs(pairs, LetterTrigrams.fit(["a b c d k l m n o p"]))
    try:
        click_log.check_negatives(log, np.arange(len(pairs)), n)
    except InputError as error:
        assert "unclicked titles" in str(error)
        return
    drawn = click_log.sample_unclicked(log, log.query, n, np.random.default_rng(seed))
    clicked = set(zip(log.query, log.title))
    for q, row in zip(log.query, drawn):
        assert len(set(row)) == n and not any((q, t) in clicked for t in row)


@given(pairs_strategy, st.integers(1, 7), st.integers(0, 9))
def test_titles_of_the_minibatch_are_those_not_clicked_by_the_query(pairs, batch_size, seed):
    log = click_log.from_pairs(pairs, LetterTrigrams.fit(["a b c d k l m n o p"]))
    clicked = set(zip(log.query.tolist(), log.title.tolist()))
    order = np.random.default_rng(seed).permutation(len(pairs))
    n_seen = 0
    for examples in click_log.minibatches(
        log, np.arange(len(pairs)), batch_size, "batch", np.random.default_rng(seed)
    ):
        now = order[n_seen : n_seen + batch_size]
        queries, titles = np.unique(log.query[now]), np.unique(log.title[now])
        assert (queries[examples.query] == log.query[now]).all() and (
            titles[examples.clicked] == log.title[now]
        ).all()
        expected = [[(q, t) not in clicked for t in titles] for q in log.query[now].tolist()]
        assert (examples.unclicked == np.array(expected)).all()
        n_seen += len(examples.query)
    assert n_seen == len(pairs)


def test_texts_of_the_same_words_are_one():
    log = click_log.from_pairs(
        [("Hotels  in oslo", "Oslo"), ("hotels in OSLO", "lima"), ("oslo", "oslo ")], HASHING
    )
    assert log.query.tolist() == [0, 0, 1] and log.title.tolist() == [0, 1, 0]


def test_titles_are_drawn_evenly():
    log = click_log.from_pairs(
        [("a", "k")] * 50 + [("b", t) for t in "lmn"], LetterTrigrams.fit(["a b k l m n"])
    )
    drawn = click_log.sample_unclicked(log, np.zeros(6000, int), 1, np.random.default_rng(0))
    counts = np.bincount(drawn.ravel(), minlength=4)
    assert counts[0] == 0 and (abs(counts[1:] - 2000) < 150).all()


# Training


def _wider(cell, n_cells):
    """The same of more cells, or of two thirds as many in each of two directions."""
    if not hasattr(cell, "cell"):
        return replace(cell, n_cells=n_cells)
    two = isinstance(cell, Bidirectional)
    return replace(cell, cell=_wider(cell.cell, 2 * n_cells // 3 if two else n_cells))


@pytest.mark.parametrize("cell", CELLS, ids=cell_name)
def test_every_cell_learns(cell):
    model = DualEncoder(_wider(cell, 12), HASHING, seed=1)
    history = train(model, PAIRS, epochs=40, batch_size=16, step_size=0.005, seed=1)
    assert history["cost"][-1] < 0.6 * history["cost"][0]
    assert {len(values) for values in history.values()} == {40}
    for w in (*model.query.weights.values(), *model.document.weights.values()):
        assert w.dtype == np.float32


@pytest.mark.parametrize(
    "settings",
    [
        {"n_negatives": 4, "gamma": 5.0},
        PAPER | {"epochs": 60},
        {"truncate": 1},
        {"method": "printed"},
        {"n_negatives": 47, "momentum": "schedule", "optimizer": "nesterov", "step_size": 0.001},
        {"optimizer": "nesterov"},
        PAPER | {"optimizer": "adam", "momentum": None, "step_size": 0.01, "epochs": 60},
    ],
)
def test_every_setting_learns(settings):
    model = new_model()
    before = held(model)
    train(model, PAIRS, **({"epochs": 30, "batch_size": 16, "step_size": 0.01} | settings))
    assert held(model) > before + 0.3


@pytest.mark.parametrize(
    "n_pairs, epochs",
    [(1, 15), (27_000, 15), (28_000, 14), (110_000, 4), (120_000, 3), (10**9, 3)],
)
def test_how_many_epochs_a_log_gets_when_nobody_says(n_pairs, epochs):
    assert usual_epochs(n_pairs) == epochs


def test_epochs_that_nobody_gave_are_those_of_the_pairs_to_train_on(tmp_path, monkeypatch):
    monkeypatch.setattr(settings_, "PAIRS", 190)
    path = tmp_path / "m.npz"
    history = train(new_model(), PAIRS, held_out=0.2, checkpoint=path)
    n_kept = len(PAIRS) - round(0.2 * len(PAIRS))  # each has a query of its own
    assert len(history["cost"]) == round(190 / n_kept) != round(190 / len(PAIRS))
    assert lstm_edu.load(path).training["settings"]["epochs"] == len(history["cost"])
    before = path.read_bytes()
    train(new_model(), PAIRS, held_out=0.2, checkpoint=path, resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_one_thread_and_two_train_alike(monkeypatch, optimizer):
    """Small minibatches are one's work, large ones two's; the bits are the same."""
    trained = []
    for enough in (0, np.inf):
        monkeypatch.setattr(lanes, "ENOUGH", enough)
        model = new_model()
        train(model, PAIRS, epochs=2, batch_size=16, optimizer=optimizer, seed=1)
        trained.append(
            [w.tobytes() for s in (model.query, model.document) for w in s.weights.values()]
        )
    assert trained[0] == trained[1]


def test_two_threads_are_for_large_minibatches(monkeypatch):
    log = click_log.from_pairs(PAIRS, HASHING)
    rng = np.random.default_rng(0)
    examples = next(click_log.minibatches(log, np.arange(48), 48, "batch", rng))
    sides = new_model().query, new_model().document
    n = 8 * sum(len(batch.token) for batch in examples[:2])
    two = object()
    for enough, expected in ((n, two), (n + 1, map)):
        monkeypatch.setattr(lanes, "ENOUGH", enough)
        assert lanes.worth(two, sides, examples) is expected


def held(model):
    """nDCG@10 of the clicked titles of all queries."""
    log = click_log.from_pairs(PAIRS, HASHING)
    queries = np.arange(len(PAIRS))
    return held_out.ndcg(model, log, queries, np.arange(len(PAIRS)))


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_same_seed_same_bytes(tmp_path, optimizer):
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        model = new_model(seed=seed)
        settings = dict(epochs=3, batch_size=10, seed=seed, held_out=0.2, optimizer=optimizer)
        train(model, PAIRS, **settings)
        model.save(tmp_path / name)
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b != c


def test_cost_is_shown_per_pair():
    model = new_model()
    history = train(
        model, PAIRS, epochs=1, batch_size=len(PAIRS), n_negatives=3, step_size=1e-12, gamma=1e-9
    )
    assert history["cost"][0] == pytest.approx(np.log(4), abs=1e-5)


def test_a_model_for_which_all_is_one_wins_nothing_on_held_out_queries():
    model = new_model()
    for side in (model.query, model.document):
        for name, w in side.weights.items():
            w[...] = name == "b"  # no weight, so one embedding for all texts
    log = click_log.from_pairs(PAIRS + [(PAIRS[0][0], PAIRS[5][1])], HASHING)
    found = held_out.ndcg(model, log, np.arange(len(PAIRS)), np.arange(len(PAIRS)))
    assert found == pytest.approx(np.mean(1 / np.log2(np.arange(10) + 2)) * 10 / 48, rel=0.05)


def test_clicked_queries_are_held_out_whole():
    log = click_log.from_pairs(PAIRS + [(q, "another title") for q, _ in PAIRS], HASHING)
    kept, queries = held_out.split(log, 0.25, np.random.default_rng(0))
    assert len(queries) == 12 and not set(log.query[kept]) & set(queries)
    assert len(kept) == 2 * (48 - 12)


def test_held_out_ndcg_against_the_plain_definition():
    model = new_model()
    log = click_log.from_pairs(PAIRS + [(PAIRS[0][0], PAIRS[5][1])], HASHING)
    titles = [title for _, title in PAIRS]
    scores = model.scores([q for q, _ in PAIRS], [titles] * len(PAIRS))
    expected = np.mean(
        [
            ranking.ndcg(s, [int(t == k or (k, t) == (0, 5)) for t in range(len(titles))], 10)
            for k, s in enumerate(scores)
        ]
    )
    assert held_out.ndcg(
        model, log, np.arange(len(PAIRS)), np.arange(len(titles))
    ) == pytest.approx(expected, abs=1e-6)


def test_early_stopping_keeps_the_best_epoch():
    seen = []
    model = new_model()
    history = train(
        model,
        PAIRS,
        epochs=60,
        batch_size=16,
        step_size=0.05,
        held_out=0.2,
        patience=3,
        callback=lambda m, h: seen.append(m.query.weights["W"].copy()) or None,
    )
    best = int(np.argmax(history["held_out"]))
    assert len(seen) == len(history["held_out"]) == best + 4 < 60
    assert (model.query.weights["W"] == seen[best]).all()


def test_callback_stops():
    history = train(
        new_model(),
        PAIRS,
        epochs=9,
        callback=lambda model, history: np.bool_(len(history["cost"]) == 2),
    )
    assert len(history["cost"]) == 2


def test_truncation_and_method_reach_the_gradient():
    results = []
    for changed in ({}, {"truncate": 0}, {"method": "printed"}, {"clip": 1e-3}):
        model = new_model()
        train(model, PAIRS, epochs=1, **changed)
        results.append(model.query.weights["Wrec"].copy())
    for k in range(1, 4):
        assert not np.array_equal(results[0], results[k])


@pytest.mark.parametrize(
    "changed, said",
    [
        ({"epochs": 0}, "epochs: 0; must be None or a whole number from 1"),
        ({"batch_size": 2.5}, "batch_size: 2.5"),
        ({"gamma": 0}, "gamma: 0; must be a number above 0"),
        ({"gamma": -1.0}, "gamma"),
        ({"gamma": float("nan")}, "gamma"),
        ({"gamma": float("inf")}, "gamma"),
        ({"step_size": 0}, "step_size"),
        ({"clip": 0}, "clip"),
        ({"momentum": 1.0}, "momentum: 1.0"),
        ({"momentum": 0.9}, "momentum: 0.9; must be None for .* 'adam', .* 'nesterov' has"),
        ({"momentum": "fast"}, "momentum: 'fast'"),
        ({"optimizer": "sgd"}, "optimizer: 'sgd'; must be 'nesterov' or 'adam'"),
        ({"optimizer": None}, "optimizer: None; must be"),
        ({"optimizer": ["adam"]}, "optimizer: .'adam'.; must be"),
        (PAPER | {"optimizer": "adam"}, "momentum: 'schedule'; must be None for .* 'adam'"),
        ({"n_negatives": 48}, "n_negatives: 48; a query has only 47 unclicked titles"),
        ({"n_negatives": 0}, "n_negatives: 0"),
        ({"n_negatives": "all"}, "n_negatives: 'all'"),
        ({"average": 1.0}, "average"),
        ({"held_out": 1.0}, "held_out"),
        ({"held_out": 0.999}, "held_out: 0.999; no query is left"),
        ({"patience": 3}, "patience: needs held-out"),
        ({"patience": 0, "held_out": 0.1}, "patience: 0"),
        ({"seed": -1}, "seed"),
        ({"truncate": -1}, "truncate: -1"),
        ({"method": "autograd"}, "method"),
        ({"resume": True}, "resume: needs a checkpoint"),
        ({"n_negatives": True}, "n_negatives: True"),
        ({"gamma": 1e39}, "at most 1e.09"),
        ({"batch_size": 1}, "batch_size: 1; with n_negatives 'batch' it must be at least 2"),
        ({"checkpoint": "/nowhere/m.npz"}, "/nowhere/m.npz: the folder /nowhere does not exist"),
    ],
)
def test_bad_settings(changed, said):
    with pytest.raises(InputError, match=said):
        train(new_model(), PAIRS, **changed)


def test_no_pairs():
    with pytest.raises(InputError, match="pairs: none"):
        train(new_model(), [])
    with pytest.raises(InputError, match="only one title"):
        train(new_model(), PAIRS[:1] * 3)
    for pairs in (["ab", "cd"], [("a", "b", "c")], [("a", None)]):
        with pytest.raises(InputError, match=r"^pairs\[0\]: .* must be a .query, title. of two"):
            train(new_model(), pairs)


def test_numpy_numbers_are_settings_too(tmp_path):
    model = new_model()
    train(
        model,
        iter(PAIRS),
        epochs=np.int64(1),
        gamma=np.float32(5),
        seed=np.int32(1),
        checkpoint=tmp_path / "m.npz",
    )
    assert lstm_edu.load(tmp_path / "m.npz").training["settings"]["gamma"] == 5.0


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_too_large_a_step_is_said(recwarn, optimizer):
    settings = dict(step_size=1e38, clip=1e38, epochs=5, optimizer=optimizer)
    with pytest.raises(InputError, match="cost is not finite in epoch|step_size"):
        train(new_model(RNN(8)), PAIRS, **settings)
    assert len(recwarn) == 0


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("average", [None, 0.998])
def test_weights_that_are_no_numbers_are_not_saved(tmp_path, average, optimizer):
    model, before = new_model(), new_model()
    with pytest.raises(InputError, match="the cost is not finite in epoch 1, try a smaller one"):
        train(
            model,
            PAIRS,
            step_size=3e38,
            clip=1e38,
            epochs=1,
            average=average,
            optimizer=optimizer,
            checkpoint=tmp_path / "m.npz",
        )
    assert not (tmp_path / "m.npz").exists()
    assert all((w == before.query.weights[name]).all() for name, w in model.query.weights.items())


def test_a_title_without_known_trigrams_is_trained_on_with_a_warning():
    with pytest.warns(UserWarning, match="1 of 49 texts hold no letter trigram"):
        history = train(new_model(), PAIRS + [("hotel oslo", "ЖЖЖ")], epochs=2)
    assert np.isfinite(history["cost"]).all()
