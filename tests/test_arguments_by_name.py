"""What was found in single parameters, each by its name."""

import types

import numpy as np
import pytest
from bad_values import Loud, Mute
from public_calls import FOUND, HASHING, JUDGED, MODEL, PAIRS, RUN, Y
from refusal import refused
from seen import seen

import lstm_edu
from lstm_edu import LSTM, DualEncoder, train
from lstm_edu._util import arguments
from lstm_edu.analysis.inspection import cells_by_topic
from lstm_edu.ranking.ndcg import evaluate, evaluate_run, ndcg
from lstm_edu.ranking.nearest import top_of_blocks
from lstm_edu.table_iv.bm25 import BM25


def test_small_integers_of_numpy_train_as_python_s_do():
    def trained(**settings):
        model = DualEncoder(LSTM(2), HASHING)
        train(
            model, PAIRS * 8, progress=False, optimizer="nesterov", momentum="schedule", **settings
        )
        return seen(model)

    assert trained(epochs=np.int8(6)) == trained(epochs=6)
    assert trained(epochs=2, batch_size=np.uint8(16)) == trained(epochs=2, batch_size=16)


def test_what_is_trained_with_a_long_number_can_be_saved(tmp_path):
    path = str(tmp_path / "m.npz")
    model = DualEncoder(LSTM(2), HASHING, seed=np.int8(3), scale=np.float16(0.5))
    train(model, PAIRS, epochs=1, step_size=np.longdouble("1e-3"), checkpoint=path)
    assert seen(lstm_edu.load(path).query) == seen(model.query)
    assert type(model.training["settings"]["step_size"]) is float


def test_a_callback_is_asked_for_before_the_first_epoch(tmp_path):
    model, path = DualEncoder(LSTM(2), HASHING), tmp_path / "m.npz"
    with refused("^callback: 5; must be None or a function$"):
        train(model, PAIRS, callback=5, checkpoint=path)
    assert not path.exists() and not model.training


@pytest.mark.filterwarnings("ignore:.*letter trigram")
def test_a_log_must_say_something_that_the_model_knows():
    model = DualEncoder(LSTM(2), HASHING)
    before = seen(model)
    for pairs, side in (
        ([("xyz", "xxz"), ("zzz", "yyy")], "query"),
        ([("ab", "xxz"), ("ba", "yyy")], "title"),
    ):
        with refused(f"^pairs: no {side} holds a letter trigram that the"):
            train(model, pairs)
    with refused("^pairs: none"):
        train(model, iter([]))
    assert seen(model) == before


@pytest.mark.parametrize("grades", [[-5, 1], [2.5, 1], ["1", 1], [101, 0], [True, False]])
def test_a_grade_is_a_whole_number_from_0_to_100(grades):
    for call in (
        lambda: ndcg([0.5, 0.25], grades, 3),
        lambda: ndcg([0.5, 0.25], [1, 0], 3, judged=grades),
        lambda: evaluate(BM25(), [JUDGED[0]._replace(grades=grades)]),
        lambda: evaluate_run(RUN, {"q1": dict(zip(("d1", "d2"), grades))}),
    ):
        with refused(r"(grades|judged).*must be whole numbers from 0 to 1"):
            call()
    assert ndcg([0.5, 0.25], np.array([3.0, 0.0]), 3) == ndcg([0.5, 0.25], [3, 0], 3) == 1


def test_lists_of_wrong_lengths():
    for call in (
        lambda: MODEL.scores(["ab"], []),
        lambda: ndcg([1.0], [1, 0], 3),
        lambda: evaluate(MODEL, [JUDGED[0]._replace(titles=["abc"])]),
        lambda: top_of_blocks(Y, [(["a"], Y)]),
        lambda: cells_by_topic(np.array(FOUND), [0]),
        lambda: MODEL.similarity(np.zeros((1, 2)), np.zeros((1, 3))),
    ):
        with refused("equal|as many|one for each|of one size"):
            call()


def test_a_model_of_one_s_own_that_scores_badly_is_named():
    for scores in (None, [[1.0]], [[1.0, float("nan")]], [["1", "2"]], [[1j, 2]], "ab", [None]):
        model = types.SimpleNamespace(scores=lambda queries, titles, found=scores: found)
        with refused("^scores"):
            evaluate(model, JUDGED)


def test_what_is_shown_of_a_value_is_one_short_line():
    for value in (Loud(), [Loud()], "a\x1b[31m\n" * 99, "\u202e\ud800", 10**5000, np.eye(99)):
        said = arguments.shown(value)
        assert said.isprintable() and len(said) < 120
    assert arguments.shown("short\n") == repr("short\n") and arguments.shown(Mute()) == "a Mute"
    assert len(arguments.shown("x" * 999)) == 60
