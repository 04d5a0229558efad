"""What was found in single parameters, each by its name."""

import types

import numpy as np
import pytest
from bad_values import Loud, Mute
from public_calls import HASHING, JUDGED, Y
from refusal import refused
from seen import seen

from lstm_edu import LSTM, DualEncoder, train
from lstm_edu._util import arguments
from lstm_edu.ranking.ndcg import evaluate
from lstm_edu.ranking.nearest import top_of_blocks


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
    assert seen(model) == before


def test_each_vector_of_a_block_has_a_docid():
    with refused("^blocks.*one for each of the document_vectors"):
        top_of_blocks(Y, [(["a"], Y)])


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
