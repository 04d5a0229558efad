"""Plots of question answering: a list of answers, rankers by case, top answers (lesson 13)."""

import numpy as np

from .alt_text import count, listed, number
from .style import COLOURS, name_rows, subplots

LOOKS = {
    "random order": dict(marker="|", color="#777777", markersize=10),
    "BM25": dict(marker="s", color=COLOURS["words in common"], markersize=6),
    "DSSM": dict(marker="D", color=COLOURS["trigrams"], markersize=6),
    "LSTM": dict(marker="o", color=COLOURS["LSTM"], markersize=7),
}
# bar styles by kind of answer; hatches distinguish them in black and white
SAID = {
    "right": dict(color=COLOURS["LSTM"]),
    "turned round": dict(color="#BBBBBB", hatch="////"),
    "another fact": dict(color="#F5D58A", hatch="...."),
    "another place": dict(color="#DDDDDD"),
}
# markers, by the parts of the right answer that an answer contains
SHARES = {
    "right": dict(marker="o", color=COLOURS["LSTM"], s=80),
    "same place, another fact": dict(marker="s", color="#DDAA33", s=45),
    "same fact and kind": dict(marker="^", color="#777777", s=45),
    "same fact and name": dict(marker="v", color="#777777", s=45),
    "same fact, another place": dict(marker="x", color="#777777", s=35),
}


def in_the_middle(vectors, shares):
    """Plot a list of answers, projected onto their first two principal components.

    Parameters
    ----------
    vectors : (n_answers, size)
        The answers' embeddings; they are normalised first, as for the cosine.
    shares : list of str
        A key of `SHARES` for each answer.
    """
    away = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    away = away - away.mean(axis=0)
    flat = away @ np.linalg.svd(away, full_matrices=False)[2][:2].T
    distances = []
    figure, axis = subplots(figsize=(6.5, 3.4))
    for kind, look in SHARES.items():
        of = np.array([share == kind for share in shares])
        if of.any():
            axis.scatter(*flat[of].T, label=kind, **look)
            distances.append(f"{kind} {number(np.linalg.norm(away[of], axis=1).mean())}")
    axis.plot(0, 0, "+", color="black", markersize=12, label="the mean of all")
    axis.set_aspect("equal", adjustable="datalim")
    axis.set_axis_off()
    axis.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    answers = f"{count(len(shares), 'answer')} of one list, laid flat."
    return figure.says(answers, f"Distance from the mean of all: {listed(distances)}.")


def by_case(values):
    """Plot the mean reciprocal rank of several rankers by case, with intervals.

    A case is a kind of question.

    Parameters
    ----------
    values : dict of dicts
        Keyed by ranker, then by case: (mean, low, high).
    """
    cases = list(next(iter(values.values())))
    figure, axis = subplots(figsize=(6.5, 0.9 + 0.62 * len(cases)))
    for k, (ranker, found) in enumerate(values.items()):
        mean, low, high = np.array([found[case] for case in cases]).T
        y = np.arange(len(cases)) + 0.16 * (k - (len(values) - 1) / 2)
        look = dict(linestyle="none", capsize=3, linewidth=1.4) | LOOKS[ranker]
        axis.errorbar(mean, y, xerr=[mean - low, high - mean], label=ranker, **look)
    name_rows(axis, cases)
    axis.set(xlim=(0, 1.02), xlabel="MRR, with 95 % interval over questions")
    for y in np.arange(len(cases) - 1) + 0.5:
        axis.axhline(y, color="#EEEEEE", linewidth=1)
    axis.legend(ncols=len(values), loc="lower left", bbox_to_anchor=(0, 1))
    return figure.reads(f"The cases are {listed(cases)}.", along="x")


def comes_first(counts):
    """Draw a stacked bar per case and ranker, with the share of top answers of each kind.

    Parameters
    ----------
    counts : dict of dicts of dicts
        Keyed by case, ranker and kind, a key of `SAID`: the number of questions whose top answer is
        of this kind.
    """
    rows = [(case, ranker) for case, rankers in counts.items() for ranker in rankers]
    figure, axis = subplots(figsize=(6.5, 0.9 + 0.34 * len(rows)))
    left = np.zeros(len(rows))
    shares = [sum(counts[case][ranker].values()) for case, ranker in rows]
    for said, look in SAID.items():
        n = np.array([counts[case][ranker].get(said, 0) for case, ranker in rows])
        if n.any():
            width = n / shares
            axis.barh(range(len(rows)), width, 0.72, left, label=said, edgecolor="white", **look)
            left += width
    names = [f"{case}, {ranker}" for case, ranker in rows]
    name_rows(axis, names)
    axis.set(xlim=(0, 1), xlabel="share of the questions")
    axis.legend(ncols=len(SAID), loc="lower left", bbox_to_anchor=(0, 1))
    return figure.reads(f"The rows are {listed(names, between='; ')}.", along="x")
