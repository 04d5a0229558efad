"""Test of the code on the page other_tools.md."""

import re

import numpy as np
import pytest
from conftest import ROOT
from small_log import PAIRS, new_model

import lstm_edu

OTHER_TOOLS = (ROOT / "book" / "pages" / "other_tools.md").read_text(encoding="utf-8")


def test_thirty_numpy_lines_compute_same_embedding_as_lstm_edu(tmp_path):
    pytest.importorskip("safetensors", reason="safetensors is not installed")
    found = re.findall(r"```python\n(.*?)```", OTHER_TOOLS, re.S)
    (code,) = (code for code in found if "def embed" in code)
    exec(code, names := {"lstm_edu": None})
    model = new_model(dtype="float32")
    lstm_edu.train(model, PAIRS, epochs=2, progress=False)
    model.save(tmp_path / "m.safetensors")
    stored = names["read"](tmp_path / "m.safetensors")
    texts = ["Hotels in  Shanghai", "ｃｈｅａｐ bus", "zzzz hotel", "boston pizza pie guide"]
    for side, encode in (("query", model.encode_query), ("document", model.encode_document)):
        found = [names["embed"](*stored, text, side) for text in texts]
        np.testing.assert_allclose(found, encode(texts), atol=1e-6)
