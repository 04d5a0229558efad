"""The worked example of the final project: its code, its numbers, what its proof would miss."""

import dataclasses
import inspect
import json
import textwrap

import pytest
from any_cells import Leaky
from conftest import ROOT

import lstm_edu
from lstm_edu import DualEncoder, LetterTrigrams

PAGE = (ROOT / "book" / "project.md").read_text(encoding="utf-8")


def test_page_shows_the_code_and_the_numbers_that_were_measured():
    assert inspect.getsource(Leaky.errors) in PAGE + "\n"
    found = json.loads((ROOT / "benchmarks" / "leaky.json").read_text(encoding="utf-8"))
    cells, leaky = found["cells"], found["cells"]["Leaky"]
    assert f"({found['date']})" in PAGE
    rows = [line for line in PAGE.replace("*", "").splitlines() if line.startswith("| ")]
    for name, row in (("RNN", "| RNN "), ("Leaky", "| leaky RNN "), ("LSTM", "| LSTM ")):
        (said,) = (line for line in rows if line.startswith(row))
        assert f"{cells[name]['nDCG@10']['mean']:.3f}" in said
        assert name == "LSTM" or f"{cells[name]['left 11 words back']:.4f}" in said
    for name, form in (
        ("above RNN", "by {mean:.1f} points, with an interval from {low:.1f} to {high:.1f}"),
        ("above LSTM", "{mean:+.1f} points, from {low:+.1f} to {high:+.1f}"),
        ("above LSTM, order decides", "by {mean:.1f} points, from {low:.1f} to {high:.1f}"),
    ):
        assert (
            form.format(**{key: 100 * leaky[name][key] for key in ("mean", "low", "high")}) in PAGE
        )
    assert f"the {leaky['above LSTM, order decides']['queries']} queries" in PAGE


@pytest.mark.parametrize("texts, hidden", [(("hotels", "cheap"), True), (("a b", "b c"), False)])
def test_one_word_hides_the_error_that_two_words_show(texts, hidden):
    """The straight term of dy(t-1) left out, as the page says."""
    source = textwrap.dedent(inspect.getsource(Leaky.errors))
    straight = "(1 - self.a) * dy[rows] + "
    assert source.count(straight) == 1
    exec(source.replace(straight, ""), names := dict(inspect.getmodule(Leaky).__dict__))
    errors = {"errors": names["errors"]}
    broken = dataclasses.make_dataclass("B", [], bases=(Leaky,), frozen=True, namespace=errors)
    model = DualEncoder(broken(3), LetterTrigrams.fit(texts), 0, "float64", 1.0, tied=False)
    query, title = texts
    check = lstm_edu.check_gradient(model, [query], [title], [[query]], verbose=False)
    assert (check.error < 1e-9) == hidden
