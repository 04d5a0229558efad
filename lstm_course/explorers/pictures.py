"""Static figures for the explorers, drawn for given settings of their controls."""

import numpy as np

from .. import plots
from .looking import MANY, look

FRAME = (-4.6, -1.3), (3.2, 1.3)


def reading(model, query, t, titles=(), vectors=None):
    """Draw how a model reads a query up to one word, with tables of keywords and best titles.

    Parameters
    ----------
    model : DualEncoder
    query : str
    t : int
        The index of the last word to read.
    titles : list of str
    vectors : (n_titles, embedding size), optional
        ``model.encode_document(titles)``, if known already.

    Returns
    -------
    list
        A figure and a table of keywords; with ``titles``, also a table of the ten best, or a line
        that says why there are none. If the query can't be drawn, only a line that says why.
    """
    seen = look(model, {"query": query, "title": "", "t": t, "s": None}, "", titles, vectors)
    side, best = seen["query"], seen["best"]
    if not side["words"]:
        return ["Type a query."]
    if side["n_words"] > MANY:
        return [f"This query has {side['n_words']} words; the picture has room for {MANY}."]
    if not any(side["known"]):
        return [
            "Nothing in this query is known to the model: no letter trigram of it was in the log."
        ]
    shown = [
        plots.words_read(model.trace(query), t, title=f"Query: {' '.join(side['words'])}"),
        plots.assigned_cells(model, query),
    ]
    if best:
        found = [(f"{score:.3f}", title) for score, title in best]
        so_far = " ".join(side["words"][: t + 1])
        shown.append(plots.table(found, "cosine", f"best titles for: {so_far}"))
    elif titles:
        shown.append("Nothing known has been read yet, so there are no titles to show.")
    return shown


def race(descend, curvature, mu, epsilon):
    """Draw three descent paths on a quadratic cost, and tabulate when each arrives (lesson 06).

    Parameters
    ----------
    descend : function
        ``descend(mu, ahead, n_updates, epsilon)`` returns the parameters before the first update
        and after each, (n_updates + 1, 2). With ``ahead``, the gradient is taken at the look-ahead
        point of Nesterov's momentum.
    curvature : pair of float
        As for `lstm_course.plots.valley`.
    mu, epsilon : float

    Returns
    -------
    list
        A figure and a table.
    """
    ways = {"gradient descent": (0, False), "momentum": (mu, False)}
    ways["Nesterov's momentum, (6)"] = mu, True
    # ignore overflow, because a path may diverge
    with np.errstate(over="ignore", invalid="ignore"):
        paths = {name: descend(*way, n_updates=400, epsilon=epsilon) for name, way in ways.items()}
        above = {name: ~(path**2 @ curvature / 2 <= 0.001) for name, path in paths.items()}
    late = {name: np.flatnonzero(path)[-1] + 1 for name, path in above.items()}
    arrives = [(name, k if k <= 400 else "not in 400") for name, k in late.items()]
    figure = plots.valley({name: path[:61] for name, path in paths.items()}, curvature, FRAME)
    title = f"μ = {mu:g}, ε = {epsilon:g}, effective step ε/(1 − μ) = {epsilon / (1 - mu):.2g}"
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return [figure, plots.table(arrives, "", "updates until L stays below 0.001")]
