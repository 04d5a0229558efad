"""The pages on other tools and on the project: their code works, their numbers are stored."""

import inspect
import json
import re

import numpy as np
import pytest
from any_cells import Leaky
from conftest import ROOT
from small_log import PAIRS, new_model

import lstm_edu

OTHER_TOOLS, PROJECT = (
    (ROOT / "book" / name).read_text(encoding="utf-8") for name in ("other_tools.md", "project.md")
)


def test_thirty_lines_of_numpy_embed_as_the_package_does(tmp_path):
    pytest.importorskip("safetensors", reason="safetensors is not installed")
    (code,) = (c for c in re.findall(r"```python\n(.*?)```", OTHER_TOOLS, re.S) if "def embed" in c)
    exec(code, names := {"lstm_edu": None})
    model = new_model(dtype="float32")
    lstm_edu.train(model, PAIRS, epochs=2, progress=False)
    model.save(tmp_path / "m.safetensors")
    stored = names["read"](tmp_path / "m.safetensors")
    texts = ["Hotels in  Shanghai", "ｃｈｅａｐ bus", "zzzz hotel", "boston pizza pie guide"]
    for side, encode in (("query", model.encode_query), ("document", model.encode_document)):
        found = [names["embed"](*stored, text, side) for text in texts]
        np.testing.assert_allclose(found, encode(texts), atol=1e-6)


def test_project_shows_the_code_and_the_numbers_that_were_measured():
    assert inspect.getsource(Leaky.errors) in PROJECT + "\n"
    found = json.loads((ROOT / "benchmarks" / "leaky.json").read_text(encoding="utf-8"))
    cells, leaky = found["cells"], found["cells"]["Leaky"]
    rows = [line for line in PROJECT.replace("*", "").splitlines() if line.startswith("| ")]
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
            form.format(**{key: 100 * leaky[name][key] for key in ("mean", "low", "high")})
            in PROJECT
        )
