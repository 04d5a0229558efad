"""Tests of the wrapper for mteb against stored signatures, so that mteb need not be installed.

`mteb_signatures.json` has the signatures of mteb's `EncoderProtocol` from `inspect.signature`,
without annotations, and the version of mteb that they come from.
"""

import inspect
import json
import sys
from enum import StrEnum

import numpy as np
import pytest
from conftest import HASHING, HELPERS, TEXTS, unit_model
from refusal import refused

import lstm_edu
from lstm_tools.formats.mteb import Encoder

STORED = json.loads((HELPERS / "mteb_signatures.json").read_text(encoding="utf-8"))
PromptType = StrEnum("PromptType", ["query", "document"])  # like mteb's class of this name


@pytest.fixture
def encoder():
    return Encoder(unit_model(lstm_edu.LSTM(3)), "class/mine")


def test_encoder_has_methods_and_signatures_of_mteb():
    names = {name for name in vars(Encoder) if not name.startswith("_")} - {"mteb_model_meta"}
    found = {name: str(inspect.signature(getattr(Encoder, name))) for name in names}
    assert found == STORED["signatures"]


def test_encoder_chooses_side_by_prompt_type(encoder):
    model = encoder.model
    batches = [{"text": TEXTS[:2], "title": ["x", "y"]}, {"text": TEXTS[2:]}]
    asked = {"task_metadata": None, "hf_split": "test", "hf_subset": "default", "batch_size": 32}
    for prompt_type, expected in (
        (PromptType.query, model.encode_query(TEXTS)),
        (PromptType.document, model.encode_document(TEXTS)),
        (None, model.encode_document(TEXTS)),
    ):
        found = encoder.encode(iter(batches), prompt_type=prompt_type, **asked)
        np.testing.assert_array_equal(found, expected)


def test_pairwise_similarities_are_diagonal_of_similarity(encoder):
    first, second = np.random.default_rng(0).standard_normal((2, 4, 3))
    every = encoder.similarity(first, second)
    np.testing.assert_allclose(encoder.similarity_pairwise(first, second), np.diag(every))
    with refused("^model: .*must be a lstm_edu.DualEncoder, with one vec"):
        Encoder(lstm_edu.AlignedEncoder(lstm_edu.RNN(2), HASHING))
    with refused("^embeddings1, embeddings2: "):
        encoder.similarity_pairwise(first[:1], second)


def test_mteb_model_meta_reports_missing_mteb(encoder, monkeypatch):
    monkeypatch.setitem(sys.modules, "mteb.models", None)
    with refused("^mteb_model_meta: needs mteb: pip install mteb$"):
        repr(encoder.mteb_model_meta)
