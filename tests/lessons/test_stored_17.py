"""Tests that the stored benchmark results support the claims of lesson 17."""

import numpy as np
from executed import texts_of
from quoted import order_decides, results

from lstm_course.lessons import claims


def lead(which, a, b, rows=None):
    """Return row a's lead over row b on the queries ``which``, as the lesson computes it."""
    rows = rows or claims.by_row(results("table_iv_sample")) | results("transformer")["rows"]
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


def test_transformers_deficit_is_stable_from_a_quarter_of_the_log_to_four_times_its_size():
    order, two = order_decides(), ("transformer_96", "lstm_96_adam")
    sizes = results("transformer")["by size"]["5000"], results("transformer_logs")["larger"]
    for rows in (
        claims.by_row(results("table_iv_sample")) | results("transformer")["rows"],
        *sizes,
    ):
        assert -15 < lead(order, *two, rows).mean < -13
        assert -1 < lead(~order, *two, rows).mean < 0.5


def test_attention_over_lstms_beats_transformer_on_onet_but_not_on_msrd():
    for log in ("msrd", "onet"):
        rows = claims.by_row(results(f"table_iv_{log}")) | results("transformer_logs")[log]
        ours = rows["transformer_96"]
        assert len(ours["by_seed"]) == 5 and 1.25e6 < ours["parameters"] < 1.35e6
        assert ours["settings"] == rows["without_positions"]["settings"]
        for other in ("bag_300", "lstm_96_adam", "without_positions"):
            found = claims.difference(rows, "transformer_96", other)
            assert -1 < found.low < 0 < found.high < 1
        above = claims.difference(rows, "attention_96", "transformer_96")
        assert (above.low > 0) == (log == "onet") and above.mean < 1
        assert min(rows[row]["parameters"] for row in ("bag_300", "lstm_96_adam")) > 3e6
        assert rows["attention_96"]["parameters"] > 6e6


def test_stored_cost_grows_faster_than_length_only_in_transformer():
    costs = results("transformer")["by length"]
    for kind in ("time", "memory"):
        assert 64 < costs["Transformer"][kind]["512"] < 64**2 / 4
        assert costs["LSTM"][kind]["512"] < 70


def test_lesson_quotes_stored_time_and_memory_and_effect_of_reversing_queries():
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
