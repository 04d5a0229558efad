"""Test of the command line's default settings on real click logs; skipped without these."""

import json

import pytest

from lstm_edu.__main__ import main


@pytest.mark.soak
@pytest.mark.parametrize("name, at_least", [("msrd", 0.875), ("onet", 0.81)])
def test_defaults_reach_minimum_ndcg_on_real_data(real_data, tmp_path, capsys, name, at_least):
    model, folder = str(tmp_path / "m.npz"), real_data / name
    assert main(["train", str(folder / "train_pairs.tsv"), "--out", model, "--quiet"]) == 0
    assert main(["evaluate", model, str(folder / "judgments.tsv"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nDCG@10"] >= at_least
