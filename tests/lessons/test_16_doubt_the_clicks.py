"""Tests of lesson 16: claims about models trained on two engines' clicks, and benchmark results."""

import numpy as np
import pytest
from executed import cells_of, texts_of
from quoted import results
from trained import *

STORED = results("clicks")
SIZES = "1,000", "10,000", "100,000"
AGREES = "agrees with words"

# a change that breaks the claim: both models learn from the clicks of one engine
BROKEN = (("16-24", 'engine="upside down"', 'engine="words"'),)

CLAIMS = {
    "between equal grades, shared words count more after a helpful engine's clicks": Claim(
        lambda n: np.nanmean(n.tastes["words"]) - np.nanmean(n.tastes["upside down"]), above=0.02
    )
}


def lead(engine, name, measure="nDCG@10"):
    found = STORED[engine]["leads"][name][measure]
    return found["low"], found["mean"], found["high"]


@pytest.mark.parametrize("engine, sign", [("words", None), ("upside down", -1)])
def test_stored_runs_show_no_significant_cost_of_bias(engine, sign):
    for size in SIZES:
        low, mean, high = lead(engine, f"1/k, {size} clicks, plain - no bias")
        assert low < 0 < high and (sign is None or sign * mean > 0)


def test_stored_stronger_bias_helps_on_small_log_and_harms_on_large_one():
    assert lead("words", "1/k², 10,000 clicks, plain - no bias")[0] > 0
    assert lead("words", "1/k², 100,000 clicks, plain - no bias")[2] < 0


def test_click_weights_never_raise_ndcg_and_the_more_variable_ones_lower_it_more():
    names = [
        (engine, name)
        for engine in ("words", "long", "upside down")
        for name in STORED[engine]["leads"]
        if name.endswith(" - plain")
    ]
    assert len(names) == 12 and all(lead(*name)[0] < 0 for name in names)
    assert any(lead(*name)[2] < 0 for name in names)
    loss = [
        lead("words", f"1/k, 10,000 clicks, {how} - plain")[1]
        for how in ("estimated", "known", "clipped")
    ]
    assert loss == sorted(loss) and loss[-1] < 0
    assert abs(lead("upside down", "1/k, 100,000 clicks, known - plain")[1]) < 0.001


def test_click_weights_reduce_the_preferences_learned_from_the_old_engine():
    name = "1/k, 100,000 clicks, known - plain"
    assert lead("words", name, AGREES)[2] < 0 < lead("upside down", name, AGREES)[0]
    assert lead("long", "1/k, 10,000 clicks, known - plain", "agrees with long")[2] < 0
    for engine in ("words", "upside down"):
        _, before, _ = lead(engine, "1/k, 100,000 clicks, plain - no bias", AGREES)
        _, after, _ = lead(engine, "1/k, 100,000 clicks, known - no bias", AGREES)
        assert abs(after) < abs(before)


def test_models_of_two_engines_differ_even_without_position_bias():
    row = "no bias, 100,000 clicks, plain"
    words, down = (STORED[engine]["rows"][row][AGREES] for engine in ("words", "upside down"))
    assert words["low"] > down["high"]


def test_lesson_16_quotes_counts_that_its_cells_compute():
    texts = texts_of("16_doubt_the_clicks")
    assert f"{STORED['variants tried']} rows were trained" in texts["16-22s"]
    assert "(c): 1,106." in texts["16-27"] and "5,299 trigrams" in texts["16-27"]
    counted = next(cell for cell in cells_of("16_doubt_the_clicks") if cell["id"] == "16-28")
    assert "".join(counted["outputs"][0]["text"]).startswith("1,106 of 5,299 trigrams")
