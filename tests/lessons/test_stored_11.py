"""Tests of the stored times that the text of lesson 11 quotes."""

import pytest
from executed import texts_of
from quoted import results

from lstm_edu.training.settings import usual_epochs

STEP, EPOCH, ASKED = (results(name) for name in ("step", "epoch", "open_questions"))
PAPER, E = STEP["paper"], EPOCH["epoch"]
TEXTS = texts_of("11_train_at_scale")
FOLLOW = sum(side["words"] - side["texts"] for side in PAPER["minibatch"].values())
UPDATE = E["epoch_s"] / -(-E["pairs"] // 1024)
HOUR = 18e6 * E["epoch_s"] / E["pairs"] / 3600  # an epoch of ORCAS, in hours
EPOCHS = usual_epochs(18_000_000)
MINUTES = ASKED["C11"]["as in the lesson"]["least minutes"]
STAR = [
    f"one machine keeps the weights; {pairs} Gbit/s"
    for pairs in ("1,024 pairs, 1", "1,024 pairs, 10", "16,384 pairs, 1", "16,384 pairs, 10")
]


@pytest.mark.parametrize(
    "cell, quoted",
    [
        ("11-09t", f"after {E['reading_s']:.1f} s for reading"),
        ("11-09t", f"at most {E['peak_mb']} MB"),
        ("11-t1", f"{PAPER['ten_times_ms'] / PAPER['once_ms']:.2f} times as long"),
        ("11-t1", f"{PAPER['ten_times_dense_ms'] / PAPER['dense_ms']:.1f} times as long there"),
        ("11-10", f"{FOLLOW:,} words follow another word"),
        ("11-24t", f"tanh alone takes {PAPER['tanh_ms']:.0f} ms"),
        ("11-23", f"Is {PAPER['bptt_ms']:.0f} ms per step good?"),
        ("11-24d", f"autograd takes {PAPER['ratios']['autograd / bptt']:.0f} times as long"),
        ("11-24d", f"{PAPER['torch_ms']:.0f} ms, {PAPER['ratios']['torch / bptt']:.2f} times"),
        ("11-24d", f"{PAPER['torch_ms'] / 3:.0f} ms, below the floor of {PAPER['floor_ms']:.0f}"),
        ("11-35b", f"takes {1e3 * UPDATE:.0f} ms, {1e3 * UPDATE - PAPER['bptt_ms']:.0f} ms more"),
        ("11-35b", f"{1e6 * E['epoch_s'] / E['pairs']:.0f} μs per pair"),
        ("11-35b", f"**{60 * HOUR:.0f} minutes** on two cores, and the {EPOCHS} epochs"),
        ("11-35b", f"a log of that size take {60 * EPOCHS * HOUR:.0f} minutes"),
        ("11-41t", f"makes the {MINUTES[STAR[0]][0]:.0f}-minute epoch longer"),
        (
            "11-41t",
            f"{MINUTES[STAR[3]][1]} machines bring the epoch down to "
            f"{MINUTES[STAR[3]][0]:.0f} minutes",
        ),
    ],
)
def test_text_quotes_stored_number(cell, quoted):
    assert quoted in TEXTS[cell]


def test_stored_times_use_a_second_machine_only_for_large_minibatches_at_10_gbit():
    assert [MINUTES[line][1] for line in STAR] == [1, 1, 1, 4]
