"""The worked example of the final project: its code, its numbers, what its proof would miss."""

import dataclasses
import inspect
import json
import textwrap

from any_cells import Leaky
from conftest import ROOT

import lstm_edu
from lstm_edu import DualEncoder, LetterTrigrams

PAGE = (ROOT / "book" / "project.md").read_text(encoding="utf-8")
FOUND = json.loads((ROOT / "benchmarks" / "leaky.json").read_text(encoding="utf-8"))
CELLS = FOUND["cells"]


def test_the_page_shows_the_file_s_code():
    assert inspect.getsource(Leaky.errors) in PAGE + "\n"


def test_its_numbers_are_those_that_were_measured():
    assert f"({FOUND['date']})" in PAGE
    lines = [line.replace("*", "") for line in PAGE.splitlines()]
    for name, row in (("RNN", "RNN"), ("Leaky", "leaky RNN"), ("LSTM", "LSTM")):
        said = next(line for line in lines if line.startswith(f"| {row} "))
        assert f"{CELLS[name]['nDCG@10']['mean']:.3f}" in said
        if name != "LSTM":
            assert f"{CELLS[name]['left 11 words back']:.4f}" in said
    leaky = CELLS["Leaky"]
    for name, form in (
        ("above RNN", "by {mean:.1f} points, with an interval from {low:.1f} to {high:.1f}"),
        ("above LSTM", "{mean:+.1f} points, from {low:+.1f} to {high:+.1f}"),
        ("above LSTM, order decides", "by {mean:.1f} points, from {low:.1f} to {high:.1f}"),
    ):
        points = {key: 100 * leaky[name][key] for key in ("mean", "low", "high")}
        assert form.format(**points) in PAGE
    assert f"the {leaky['above LSTM, order decides']['queries']} queries" in PAGE
    assert 40 < leaky["left 11 words back"] / CELLS["RNN"]["left 11 words back"] < 60


def test_one_word_would_hide_what_two_words_show():
    """The straight term of dy(t-1) left out, as the page says."""
    source = textwrap.dedent(inspect.getsource(Leaky.errors))
    straight = "(1 - self.a) * dy[rows] + "
    assert source.count(straight) == 1
    names = dict(inspect.getmodule(Leaky).__dict__)
    exec(source.replace(straight, ""), names)
    broken = dataclasses.make_dataclass(
        "Broken", [], bases=(Leaky,), frozen=True, namespace={"errors": names["errors"]}
    )
    for n_words, hidden in ((1, True), (2, False)):
        texts = [" ".join("hotels in shanghai".split()[:n_words]), "cheap bus"]
        texts[1] = " ".join(texts[1].split()[:n_words])
        hashing = LetterTrigrams.fit(texts)
        model = DualEncoder(broken(3), hashing, 0, "float64", 1.0, tied=False)
        check = lstm_edu.check_gradient(model, [texts[0]], [texts[1]], [[texts[0]]], verbose=False)
        assert (check.error < 1e-9) == hidden
