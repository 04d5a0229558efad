"""A minibatch in parts, for threads and for workers."""

import warnings

import numpy as np
import pytest
from small_log import PAIRS, new_model

from lstm_edu.text import batch as batches
from lstm_edu.text import lanes as in_parts
from lstm_edu.text import sentences


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
