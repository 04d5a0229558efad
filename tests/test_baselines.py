"""Every baseline against its definition."""
import numpy as np
import pytest
from conftest import HASHING, TEXTS, clicks, unit_model

import lstm_edu
from lstm_edu import InputError, sentences
from lstm_edu.baselines.clsm import CLSM
from lstm_edu.baselines.dssm import DSSM

NETWORKS = [DSSM(4, 3), CLSM(1, 4, 3), CLSM(3, 4, 3), CLSM(5, 4, 3)]


@pytest.mark.parametrize("cell", NETWORKS, ids=str)
@pytest.mark.parametrize("n", [1, 4])
def test_the_gradient_of_the_networks_is_exact(cell, n):
    model = unit_model(cell)
    check = lstm_edu.check_gradient(model, *clicks(n), verbose=False)
    assert check.error < 1e-9 and check.n_elements == model.n_parameters


@pytest.mark.parametrize("cell", NETWORKS, ids=str)
def test_a_batch_is_embedded_as_its_texts_are_one_by_one(cell):
    model = unit_model(cell)
    batch = sentences.batch(sentences.read(TEXTS, model.hashing, "float64"))
    y = model.query.embed(batch)
    np.testing.assert_allclose(y, [model.trace(text).y[-1] for text in TEXTS], atol=1e-13)


def test_dssm_is_blind_to_order_and_clsm_sees_as_far_as_its_window():
    def same(cell, a, b):
        y = unit_model(cell).encode_query([a, b])
        return bool(np.allclose(y[0], y[1], atol=1e-12))

    assert same(DSSM(4, 3), "ab c a", "a c ab") and same(CLSM(1, 4, 3), "ab c a", "a c ab")
    assert not same(CLSM(3, 8, 3), "ab c a", "a c ab")
    # the same pairs of neighbours, and the same triples but for the ends of the text
    assert not same(CLSM(5, 8, 3), "ab c a b", "ab c b a")


def test_networks_train_on_clicks_and_refuse_what_they_cannot_be():
    rng = np.random.default_rng(0)
    pairs = [(TEXTS[k], f"{TEXTS[k]} {rng.choice(['a', 'b'])}") for k in range(1, len(TEXTS))]
    for cell in NETWORKS:
        model = lstm_edu.DualEncoder(cell, HASHING, scale=0.5)
        costs = lstm_edu.train(model, pairs, epochs=100, batch_size=4, step_size=0.01)["cost"]
        assert costs[-1] < 0.5 * costs[0], cell
    for wrong, said in ((dict(window=2), "window: 2"), (dict(n_hidden=0), "n_hidden: 0")):
        with pytest.raises(InputError, match=said):
            CLSM(**wrong)
