"""Tests that stored runs support the claims of lesson 17."""

import numpy as np
from executed import texts_of
from quoted import order_decides, results

from lstm_course.lessons import claims


def lead(which, a, b):
    """Return row a's lead over row b on some queries, as the lesson computes it."""
    rows = claims.by_row(results("table_iv_sample")) | results("transformer")["rows"]
    part = {
        name: row | {"by_query": np.array(row["by_query"], float)[which]}
        for name, row in rows.items()
    }
    return claims.difference(part, a, b)


def test_stored_runs_support_claims_of_lesson_17():
    order, ours = order_decides(), "transformer_96"
    for other in ("lstm_37", "lstm_96_adam"):
        assert lead(order, ours, other).high < 0
    assert lead(~order, ours, "lstm_37").low > 0
    rows = results("transformer")["rows"]
    assert {len(row["by_seed"]) for row in rows.values()} == {5}
    assert (
        rows[ours]["parameters"] < rows["lstm_37"]["parameters"] < 1.02 * rows[ours]["parameters"]
    )
    assert rows[ours]["settings"] == rows["without_positions"]["settings"]


def test_stored_cost_grows_with_square_of_length_only_in_transformer():
    costs = results("transformer")["by length"]
    for kind in ("time", "memory"):
        assert 64 < costs["Transformer"][kind]["512"] < 64**2 / 4
        assert costs["LSTM"][kind]["512"] < 70


def test_lesson_quotes_stored_costs_and_effects_of_reversed_queries():
    stored = results("transformer")
    times, memory = (stored["by length"]["Transformer"][kind]["512"] for kind in ("time", "memory"))
    said = texts_of("17_read_all_words_at_once")
    quoted = f"some {round(times, -1):.0f} times in the stored run, and "
    assert quoted + f"{round(memory, -1):.0f} times the memory" in said["17-27"]
    before, after = (stored["turned around"][when] for when in ("untrained", "moved"))
    assert min(after["LSTM"]) > max(before["LSTM"]) and np.mean(after["LSTM"]) > 2 * np.mean(
        after["Transformer"]
    )
    assert max(after["Transformer"]) < min(before["Transformer"])
    assert "more than twice as far" in said["17-p2"]
