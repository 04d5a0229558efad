"""Tests of lesson 06: claims about its short training runs and about longer benchmark runs."""

import numpy as np
from quoted import results
from trained import *

import lstm_edu

BROKEN = (
    ("06-17", "nesterov.clip(g, th_G))", "min(th_G, nesterov.clip(g, th_G)))"),
    ("06-25", "sign=-1", "sign=1"),
    ("06-38", '"no clipping": {"clip": 1e9}', '"no clipping": {}'),
    ("06-38", "epsilon / 4", "epsilon"),
    ("06-38", '"T = 0": {"truncate": 0}', '"T = 0": {"clip": 1e9}'),
    ("06-38", '{"truncate": 0, "step_size": 2 * epsilon}', "{}"),
    ("adam-45", "optimizer=optimizer", 'optimizer="nesterov"'),
    ("06-40", "epochs=10", "epochs=1"),
)
CLAIMS = {
    "the first gradients are all long enough to be clipped": Claim(
        lambda n: min(n.norms), above=30
    ),
    "the cost rises with the printed sign of (7)": Claim(
        lambda n: n.printed[-1] / n.printed[0], above=1
    ),
    "the model ranks worse without clipping": Claim(
        lambda n: n.end["base"] - n.end["no clipping"], above=0.01
    ),
    "an epoch without clipping makes the embeddings of all queries similar": Claim(
        lambda n: n.alike["no clipping"][1], above=0.85
    ),
    "embeddings of queries differ without clipping at a quarter of the step size": Claim(
        lambda n: n.alike["no clipping, ε / 4"][6], below=0.35
    ),
    "embeddings of queries differ with T = 0": Claim(lambda n: n.alike["T = 0"][6], below=0.35),
    "the model ranks worse with T = 0, even at twice the step size": Claim(
        lambda n: n.end["base"] - n.end["T = 0, 2 ε"], above=0.02
    ),
    "(6) moves rows of common trigrams further than Adam does, relative to rare ones": Claim(
        lambda n: np.divide(*n.ratio.values()), above=1.3
    ),
    "the cost of the model of the next lessons falls to a fifth": Claim(
        lambda n: n.last / n.first, below=0.2
    ),
}


def test_stored_runs_support_claims_of_lesson_06_about_settings():
    groups = results("settings")["groups"]
    ends = {
        name: [[run["held_out"][-1] for run in entry["runs"]] for entry in entries]
        for name, entries in groups.items()
    }
    gamma, n, clip, T, mu, scaled = (
        np.array(ends[name])
        for name in ("gamma", "n", "clip", "T", "mu", "mu, step (1 - mu) / 0.1 as large")
    )
    assert (gamma[2] - np.delete(gamma, 2, axis=0) > 0).all()  # gamma = 5 is best for every seed
    assert (np.diff(n.mean(axis=1)) > 0.02).all() and (np.diff(T.mean(axis=1)) > 0.02).all()
    assert [f"{T[k].mean():.2f}" for k in (0, 3, 4)] == ["0.21", "0.46", "0.49"]
    assert (T[4] > T[3]).all()
    assert clip[0].mean() < 0.2 and abs(clip[3] - clip[2]).max() < 0.01
    assert clip[-1].mean() < clip[3].mean() - 0.1
    assert mu.mean(axis=1).argmax() == scaled.mean(axis=1).argmax() == 2
    early = [
        np.mean([run["held_out"] for run in entry["runs"]], axis=0)[:5].mean()
        for entry in groups["mu, step (1 - mu) / 0.1 as large"]
    ]
    assert early[2] - early[0] > scaled[2].mean() - scaled[0].mean() > 0


def test_stored_overfitting_worsens_ranking_for_every_seed():
    runs = results("training_questions")["overfitting"]["runs"]
    cost, ranking = (np.array([run[name] for run in runs]) for name in ("cost", "held_out"))
    mean = ranking.mean(axis=0)
    best = mean.argmax()
    assert 5 < best < 20 and (ranking[:, best] - ranking[:, -1] > 0.005).all()
    assert 0.9 < cost[:, 0].mean() / cost[:, -1].mean() / 100 < 1.1
    assert (cost[:, best] > 1.5 * cost[:, -1]).all()


def test_package_defaults_are_the_settings_that_lesson_06_justifies():
    settings = lstm_edu.training.settings.Settings(optimizer="nesterov")
    assert (settings.truncate, settings.momentum, settings.clip) == (None, 0.9, 100)
    assert (settings.gamma, settings.n_negatives, settings.patience) == (10, "batch", None)
    rows = results("tune")["rows"]
    gamma = {
        row["changed"].get("gamma", 10.0): row["held out"]["data_samples"]["nDCG@10"]
        for row in rows
        if row["changed"].keys() <= {"gamma"}
    }
    assert gamma[10] > max(gamma[5], gamma[20])
    (at_30,) = (row["held out"] for row in rows if row["changed"] == {"clip": 30.0})
    for log in ("data_samples", "onet"):
        assert rows[0]["held out"][log]["nDCG@10"] > at_30[log]["nDCG@10"] + 0.01
