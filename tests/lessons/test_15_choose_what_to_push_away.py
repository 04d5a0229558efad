"""Tests of lesson 15: claims about titles that its model pushes away, and benchmark results."""

from executed import texts_of
from quoted import results
from trained import *

STORED = results("negatives")
ABOVE_ALL = STORED["points above all of the minibatch"]
GAINS = STORED["points of all of the minibatch above 4 drawn"]

# changes that break the claims: train on few pairs, or make the factor M/n small
BROKEN = (("15-02", "model, pairs, epochs=10", "model, pairs[:256], epochs=1"),)
SMALL = (("15-11", '("M/n", M / n)', '("M/n", 0.01)'),)

ONE_RULE = (("15-16a", '("all", negatives.whole_batch)', '("all", negatives.drawn(4))'),)

CLAIMS = {
    "in the small live trainings all of the minibatch beats four drawn titles": Claim(
        lambda n: n.live["all"] - n.live["4 drawn"], above=2, broken=ONE_RULE
    ),
    "wanted titles get many times their share of the push": Claim(
        lambda n: n.share_of_push / n.share, above=120
    ),
    "the nearest unclicked title is often wanted": Claim(
        lambda n: sum(share[0] for share in n.by_rank.values()), above=0.3
    ),
    "the hardest hundredth of all titles gets a large part of the push": Claim(
        lambda n: n.by_rule["all", "1"][1], above=0.35
    ),
    "with M/n it gets hardly any of the push of four drawn titles": Claim(
        lambda n: n.by_rule[4, "M/n"][1], below=0.12, broken=SMALL
    ),
    "M/n makes the pull of four drawn titles strong": Claim(
        lambda n: n.by_rule[4, "M/n"][0] - n.by_rule[4, "1"][0], above=5, broken=SMALL
    ),
}


def test_lesson_15_states_number_of_training_variants():
    kinds = len(STORED["nDCG@10"]) - 2  # two kinds are listed twice
    assert f"{kinds} kinds of training" in texts_of("15_choose_what_to_push_away")["15-35b"]


def is_clear(row, test, sign=1):
    """Return whether an interval lies entirely above 0, or, if ``sign`` is negative, below 0."""
    return row[test]["low"] > 0 if sign > 0 else row[test]["high"] < 0


def test_stored_runs_support_lesson_15_claims_about_numbers_and_weights():
    for row in ("4 drawn", "32 of the minibatch", "minibatches of 64"):
        assert is_clear(ABOVE_ALL[row], "all titles", -1)
    assert is_clear(ABOVE_ALL["32 of the minibatch"], "judged", -1)
    assert (
        ABOVE_ALL["4 drawn"]["judged"]["mean"] < ABOVE_ALL["32 of the minibatch"]["judged"]["mean"]
    )
    factor = STORED["points of 4 drawn, M/n above 4 drawn"]
    assert is_clear(factor, "judged") and is_clear(ABOVE_ALL["4 drawn, M/n"], "judged", -1)
    for row, test in (("minibatches of 64", "judged"), ("minibatches of 1024", "all titles")):
        assert ABOVE_ALL[row][test]["low"] < 0 < ABOVE_ALL[row][test]["high"]


def test_stored_runs_support_lesson_15_claims_about_mining():
    for row in ("all, 4 of the 20 nearest", "all, the 4 nearest"):
        assert is_clear(ABOVE_ALL[row], "judged")
    nearest = ABOVE_ALL["all, the 4 nearest"]["judged"]["mean"]
    added = STORED["points of the 4 nearest without wanted titles above the 4 nearest"]
    assert is_clear(added, "judged") and 0.6 < added["judged"]["mean"] / nearest < 1.2
    assert is_clear(ABOVE_ALL["the 4 nearest"], "all titles", -1)
    for row in ("all, 4 drawn", "all, without wanted titles"):
        assert all(abs(ABOVE_ALL[row][test]["mean"]) < 0.4 for test in ABOVE_ALL[row])


def test_stored_runs_support_lesson_15_claims_about_causes():
    assert all(gain["random titles"]["mean"] < 1.5 for gain in GAINS.values())
    sample, letters = GAINS["sample, as it is"], GAINS["sample, foreign letters"]
    assert sample["similar titles"]["mean"] > 5 and sample["all titles"]["mean"] > 10
    for test in sample:
        assert abs(letters[test]["mean"] - sample[test]["mean"]) < 2.5
    for changed in ("as many pairs", "one title per query"):
        for test in sample:
            assert GAINS[f"msrd, {changed}"][test]["mean"] < sample[test]["mean"] / 3
    more = STORED["points by which msrd gains more with foreign letters"]
    assert [test for test in more if not is_clear(more, test)] == ["judged"]
