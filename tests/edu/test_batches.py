"""Texts that are read side by side, or in lanes, give what the plain step gives of each alone."""

import numpy as np
import pytest
from conftest import CELLS, NETWORKS, TEXTS, clicks, unit_model, worst_difference

from lstm_edu import Attention, Bidirectional
from lstm_edu._util import threads
from lstm_edu.gradients import minibatch as gradients
from lstm_edu.gradients.parallel import gradient_in_lanes as by_threads
from lstm_edu.text import lanes as in_parts


def test_batches_of_any_mix_of_lengths_read_as_the_plain_step_does():
    for cell in [*CELLS, *NETWORKS]:
        model = unit_model(cell)
        for texts in (TEXTS, TEXTS[::-1], ["a"], ["", *TEXTS[3:5], ""]):
            if "" in texts:
                with pytest.warns(match="1 of 3 texts hold no letter trigram"):
                    batched = model.encode_query(texts)
            else:
                batched = model.encode_query(texts)
            for text, y in zip(texts, batched):
                if text == "":
                    assert (y == 0).all()
                    continue
                trace = model.trace(text)
                rows, half = trace.y, trace.y.shape[1] // 2
                if isinstance(cell, Attention):
                    plain = trace.a @ rows
                elif isinstance(cell, Bidirectional):
                    plain = np.concatenate([rows[-1, :half], rows[0, half:]])
                else:
                    plain = rows[-1]
                np.testing.assert_allclose(y, plain, rtol=0, atol=1e-14)


@pytest.mark.parametrize("most", [2, 5, 100])
def test_a_large_batch_is_read_in_lanes(monkeypatch, most):
    """Which changes nothing but the order of sums."""
    for name, value in {"LANE": 2, "SMALL": 1, "MOST_LANES": most, "COLUMNS": 2}.items():
        monkeypatch.setattr(in_parts, name, value)
    for cell in CELLS:
        model = unit_model(cell)
        examples = gradients.examples_of(model, *clicks(4, n_pairs=9))
        for batch in (examples.queries, examples.documents):
            lanes = in_parts.lanes(batch, cell.size)
            assert 2 <= len(lanes) <= most
            assert (np.concatenate([lane.order for lane in lanes]) == batch.order).all()
            assert all(lane.Wh.shape[0] == len(set(lane.token.tolist())) for lane in lanes)
            assert sum(len(lane.token) for lane in lanes) == len(batch.token)
        sides = model.query, model.document
        truncate = 4 if cell.recurrent else None
        l, whole = gradients.minibatch_gradient(sides, examples, 10.0, truncate=truncate)
        with threads.two_threads() as two:
            l_split, split = by_threads(sides, examples, 10.0, truncate=truncate, threads=two)
        np.testing.assert_allclose(l_split, l, rtol=1e-12)
        assert 0 < worst_difference(dict(enumerate(split)), dict(enumerate(whole))) < 1e-10
