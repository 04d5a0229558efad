"""Real judged searches: the whole way on the command line. Skipped where there is no such data."""

import json

import pytest

from lstm_edu.__main__ import main


def trained(folder, tmp_path, capsys, *options):
    model = str(tmp_path / "m.npz")
    assert (
        main(["train", str(folder / "train_pairs.tsv"), "--out", model, "--quiet", *options]) == 0
    )
    assert main(["evaluate", model, str(folder / "judgments.tsv"), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name, at_least", [("msrd", 0.86), ("onet", 0.72)])
def test_one_epoch_learns_most(real_data, tmp_path, capsys, name, at_least):
    assert trained(real_data / name, tmp_path, capsys, "--epochs", "1")["nDCG@10"] > at_least


@pytest.mark.soak
@pytest.mark.parametrize("name, at_least", [("msrd", 0.875), ("onet", 0.81)])
def test_the_defaults_reach_what_was_asked(real_data, tmp_path, capsys, name, at_least):
    assert trained(real_data / name, tmp_path, capsys)["nDCG@10"] >= at_least
