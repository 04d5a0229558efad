"""Tests of lesson 07: claims about its networks, and numbers quoted from benchmark results."""

import numpy as np
from quoted import asked, not_quoted, results
from trained import *

UNTRAINED = (
    ("07-13", "step_size=step_sizes[name]", "step_size=1e-9"),
    ("07-22", 'step_size=step_sizes["RNN"]', "step_size=1e-9"),
)
FORGETS = (
    ("07-13", "lstm_edu.LSTM(32)", "lstm_edu.LSTM(32, forget_gate=True)"),
    ("07-20", "MemoryAlone(32)", "MemoryAlone(32, forget_gate=True)"),
)
BROKEN = (  # changes to the lesson, each of which breaks a different claim
    ("07-17", "words_back=8", "words_back=1"),
    ("07-22", "getattr(copied, side)", "getattr(copied, {'query': 'document'}.get(side, 'query'))"),
    ("07-22", "truncate=T", "truncate=None if T == 0 else 0"),
    ("07-24b", 'at_10["LSTM"] - at_10["RNN"]', 'at_10["RNN"] - at_10["LSTM"]'),
    ("07-26b", "[::-1]", "[::1]"),
)
CLAIMS = {
    "the error eight words back is almost 0 in an untrained RNN": Claim(
        lambda n: n.before["RNN"], below=0.02
    ),
    "the error eight words back is large in the trained RNN": Claim(
        lambda n: n.after["RNN"], above=0.3, broken=UNTRAINED
    ),
    "the untrained LSTM keeps nearly all of the error eight words back": Claim(
        lambda n: n.before["LSTM"], above=0.9, broken=FORGETS
    ),
    "most of the trained LSTM's error flows through the cell state alone": Claim(
        lambda n: n.alone["after"], above=0.5, broken=FORGETS
    ),
    "the RNN's error eight words back depends on W_rec": Claim(
        lambda n: (
            n.reaches["untrained, with the trained W_rec"]
            - n.reaches["trained, with its first W_rec"]
        ),
        above=0.15,
    ),
    "the error eight words back grows several times in training with T = 0": Claim(
        lambda n: n.reaches["two epochs with T = 0"] / n.reaches["untrained"],
        above=5,
        broken=UNTRAINED,
    ),
    "the error eight words back grows more in training without truncation": Claim(
        lambda n: n.reaches["two epochs, all the way"] - n.reaches["two epochs with T = 0"],
        above=0,
    ),
    "the LSTM's lead is larger on queries in which order does not decide": Claim(
        lambda n: n.yours[~n.order_decides].mean() - n.yours[n.order_decides].mean(),
        above=0.02,
    ),
    "the LSTM's embeddings of a query and its reverse are almost equal": Claim(
        lambda n: n.R["LSTM"][1], above=0.975, broken=FORGETS
    ),
    "the RNN's embeddings of a query and its reverse differ": Claim(
        lambda n: n.R["RNN"][1], below=0.85
    ),
}


def with_words(n, words, how):
    """Return the LSTM's stored nDCG@10 for a log with n random words added to each title."""
    return results("controls")[f"{n} random words, {words} in each epoch, {how}"]["LSTM"]["mean"]


def equal(n_cells, part, form):
    """Format the LSTM's stored lead over an RNN with the same number of cells."""
    return form.format(**results("controls")[f"{n_cells} cells each"][part]["LSTM - RNN"])


def behind(n_cells, ahead=1):
    """Return the LSTM's largest, mean and smallest deficit on queries in which word order decides.

    With ``ahead=-1``, return the largest lead in place of the smallest deficit.
    """
    lead = results("controls")[f"{n_cells} cells each"]["order decides"]["LSTM - RNN"]
    return -lead["low"], -lead["mean"], -ahead * lead["high"]


def test_stored_rnn_ranks_at_chance_with_redrawn_words_and_lstm_with_adam_leads():
    runs = results("controls")
    chance = results("sample")["rows"]["random order"]["all"]["mean"]
    new = [run for name, run in runs.items() if "drawn anew" in name]
    assert len(new) == 7
    assert all(run["RNN"]["low"] < chance < run["RNN"]["high"] for run in new)
    adam = [run for name, run in runs.items() if name.endswith("Adam")]
    assert all(run["LSTM - RNN"]["low"] > 0.3 for run in adam)


def test_text_quotes_numbers_of_stored_runs():
    curves, sample = results("curves"), results("sample")["rows"]
    paper, show = curves["models"], "{mean:.3f} ({low:.3f} to {high:.3f})".format
    cost = {name: np.array(run["cost"]).mean(axis=0) for name, run in paper.items()}
    last = {name: values[-1] for name, values in cost.items()}
    held_out = {name: paper[name]["held_out_by_step_size"] for name in ("RNN", "LSTM")}
    best = {name: max(tried, key=tried.get) for name, tried in held_out.items()}
    reached = np.argmax(cost["LSTM"] < last["RNN"]) + 1
    lead, gain = "nDCG@10, LSTM - RNN, ", "nDCG@10, forget gate - LSTM, "
    assert not not_quoted(
        "07_rnn_and_lstm",
        f"is {asked(lead + 'order decides')} where order decides, {asked(lead + 'order does not')} "
        f"on the other queries, and {asked(lead + 'all')} on all of them",
        f"by {asked(gain + 'order decides')} where order decides, {asked(gain + 'order does not')} "
        f"elsewhere, and {asked(gain + 'all')} over all queries",
        f"a step of {float(best['LSTM']):.4f} and reaches a held-out nDCG@10 of "
        f"{held_out['LSTM'][best['LSTM']]:.3f}",
        f"(b) about {held_out['RNN'][best['RNN']]:.2f}\n"
        f"- (c) about {held_out['RNN'][best['LSTM']]:.3f}\n",
        f"which is {float(best['LSTM']) / float(best['RNN']):.0f} times smaller",
        f"After {curves['epochs']} epochs the LSTM's cost is {last['LSTM']:.4f} and the RNN's "
        f"{last['RNN']:.4f}, {last['RNN'] / last['LSTM']:.1f} times as much. After {reached} ",
        f"ends at {last['GRU']:.4f}, a little above the LSTM's",
        f"the 15 judged titles {sample['random order']['all']['mean']:.3f}",
        f"the lead is {asked('nDCG@10, LSTM - RNN, 6 words or more, order does not', '{mean:.3f}')}"
        f", on the short ones {asked('nDCG@10, LSTM - RNN, 1 to 3 words', '{mean:.3f}')}.",
        f"an nDCG@10 of {show(**sample['LSTM']['order decides'])} where order decides",
        f"it reaches only {show(**sample['LSTM, words sorted']['order decides'])}.",
        f"the LSTM about {with_words(10, 'the same', 'lesson 07'):.2f}",
        f"the LSTM still reaches {with_words(10, 'the same', 'lesson 07'):.2f}",
        f"from {with_words(10, 'drawn anew', 'lesson 07'):.2f} to "
        f"{with_words(10, 'drawn anew', 'Adam'):.2f} with ten words, and from chance to "
        f"{with_words(20, 'drawn anew', 'Adam'):.2f} with twenty",
        f"is {equal(32, 'all queries', '{mean:+.3f}, at 32 cells ({low:.3f} to {high:.3f})')} as "
        f"at 96 {equal(96, 'all queries', '({low:.3f} to {high:.3f})')}",
        "behind by {1:.3f} at 32 cells ({2:.3f} to {0:.3f})".format(*behind(32)),
        "from {0:.3f} behind to {2:.3f} ahead".format(*behind(96, ahead=-1)),
    )
    assert equal(96, "all queries", "{mean:.3f}") == equal(32, "all queries", "{mean:.3f}")
    for question, said in (
        (
            "pairs of titles in the right order, LSTM - RNN",
            "{:.1f} in a hundred ({:.1f} to {:.1f})",
        ),
        ("share of cells assigned to filler, RNN - LSTM", "{:.0f} in a hundred ({:.0f} to {:.0f})"),
    ):
        found = results("claims_asked")["asked"][question]
        ends = (100 * found[end] for end in ("mean", "low", "high"))
        assert not not_quoted("07_rnn_and_lstm", said.format(*ends))


def test_stored_runs_support_claims_of_lesson_07():
    for name in ("curves", "curves_classroom"):
        models = results(name)["models"]
        last = {network: np.array(run["cost"])[:, -1] for network, run in models.items()}
        assert last["LSTM"].max() < last["RNN"].min()  # for every seed
        assert last["LSTM"].max() <= last.get("GRU", last["RNN"]).min()
    assert models["LSTM"]["step_size"] == 0.002  # also used in lessons 06, 08 and 09
    leads = [
        results("claims_asked")["asked"][f"nDCG@10, LSTM - RNN, {kind}"]["by_seed"]
        for kind in ("order decides", "order does not", "all")
    ]
    assert max(leads[0]) < 0 < min(leads[1])
    assert leads[0][0] == min(leads[0]) and leads[2][0] == min(leads[2])
    five = results("claims_asked")["asked"]
    before, after = (
        five[f"error left eight words back, RNN, {when}"]["by_seed"]
        for when in ("before training", "after")
    )
    assert 180 < np.min(np.divide(after, before)) < np.max(np.divide(after, before)) < 240
    cost = {
        start: [run["cost"][-1] for run in runs]
        for start, runs in results("open_questions")["B7"].items()
    }
    assert max(cost["0.9 I"]) < min(cost["ours"]) <= max(cost["ours"]) < min(cost["orthogonal"])
