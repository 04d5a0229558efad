"""Tests that the timings quoted in lesson 11 match the stored benchmark results."""

import re

import pytest
from conftest import ROOT
from executed import texts_of
from quoted import results

from lstm_edu.training.settings import usual_epochs

PAPER = results("step")["paper"]
E = results("epoch")["epoch"]
TEXTS = texts_of("11_train_at_scale")
FOLLOW = sum(side["words"] - side["texts"] for side in PAPER["minibatch"].values())
HOUR = 18e6 * E["epoch_s"] / E["pairs"] / 3600  # hours per epoch on ORCAS's 18 million pairs
EPOCHS = usual_epochs(18_000_000)


@pytest.mark.parametrize(
    "cell, quoted",
    [
        ("11-t1", f"{PAPER['ten_times_ms'] / PAPER['once_ms']:.2f} times as long"),
        ("11-t1", f"{PAPER['ten_times_dense_ms'] / PAPER['dense_ms']:.1f} times as long there"),
        ("11-10", f"{FOLLOW:,} words follow another word"),
        ("11-24t", f"takes {PAPER['ratios']['autograd / bptt']:.0f} times as long"),
        ("11-35b", f"{1e6 * E['epoch_s'] / E['pairs']:.0f} μs per pair"),
        ("11-35b", f"**{60 * HOUR:.0f} minutes** on two cores, and the {EPOCHS} epochs"),
        ("11-35b", f"a log of that size take {60 * EPOCHS * HOUR:.0f} minutes"),
    ],
)
def test_text_of_lesson_11_quotes_stored_number(cell, quoted):
    assert quoted in TEXTS[cell]


def test_lesson_11_quotes_range_of_ratios_from_benchmarks_page():
    page = (ROOT / "benchmarks/README.md").read_text("utf-8").partition("PyTorch by machine.")[2]
    table = page.partition("**Autograd**")[0]
    ratios = sorted(map(float, re.findall(r"^\| .+ \| (1?\.\d\d) \|$", table, re.M)))
    assert len(ratios) == 5
    assert f"between {ratios[0]:.2f} and {ratios[-1]:.2f} times as long" in TEXTS["11-24t"]
    stored = [results(name)["paper"]["ratios"]["torch / bptt"] for name in ("step", "step_avx512")]
    assert {*stored} <= {*ratios}
