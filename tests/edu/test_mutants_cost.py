"""Every break of the cost and of its gradient is found, of embeddings and of aligned words."""

import itertools
import warnings

import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from conftest import HASHING, worst_difference
from gradient_mutants import EXAMPLES, broken, every, survivors

import lstm_edu
from lstm_edu.cells import rnn
from lstm_edu.gradients import aligned, autodiff, cost, minibatch
from lstm_edu.gradients.minibatch import Examples


def click_cost(y, clicked, unclicked, gamma):
    """Eq. (3)-(5) with autograd's NumPy; arguments as `lstm_edu.gradients.cost.cost_gradient`'s."""
    q, d = y
    cosine = lambda r, j: autodiff.cosine(q[r : r + 1], d[j : j + 1])[0]
    R = anp.array([[cosine(r, j) for j in range(len(d))] for r in range(len(q))])
    total = 0.0
    for r in range(len(q)):
        against = np.flatnonzero(unclicked[r]) if unclicked.dtype == bool else unclicked[r]
        if len(against):
            total = total + autodiff.loss(
                R[r, clicked[r]][None], [R[r, j][None] for j in against], gamma
            )
    return total


def cost_gap():
    """A function of the module: the worst difference of the cost's gradient from autograd's, for
    both forms of arguments.
    """
    rng = np.random.default_rng(0)
    yq = rng.standard_normal((4, 3))
    yd = rng.standard_normal((6, 3))
    clicked = np.array([0, 1, 1, 5])
    yq[3] = yd[4] = 0  # zero embeddings, which have cosine 0
    among = rng.random((4, 6)) < 0.6
    among[np.arange(4), clicked] = False
    among[2] = False  # a pair with nothing unclicked
    given = list(
        itertools.product((among, np.array([[1, 2], [0, 3], [5, 5], [4, 0]])), (1.0, 10.0, 3000.0))
    )
    by_autograd = autograd.value_and_grad(click_cost)
    expected = [by_autograd((yq, yd), clicked, *settings) for settings in given]

    def gap(module):
        worst = 0.0
        for settings, (total, (eq, ed)) in zip(given, expected):
            l, dyq, dyd = module.cost_gradient(yq, yd, clicked, *settings)
            for found, wanted in ((l.sum(), total), (dyq, eq), (dyd, ed)):
                differs = np.nan_to_num(np.abs(found - wanted), nan=np.inf).max()
                worst = max(worst, float(differs / np.abs(wanted).max()))
        return worst

    return gap


COST = "loss", "cost_gradient", "cosines_with_drawn", "cosines_with_all", "normalise"


@pytest.mark.filterwarnings("ignore:.*zero, their cosine")  # that of one text and of one title is
@every
def test_every_break_of_the_cost_is_found(every):
    survived, count = survivors(broken(cost, *COST, every=every), cost, cost_gap())
    assert survived == []
    assert count > 30 // every


def aligned_gap(monkeypatch):
    """A function of the module: the worst difference of its gradient from autograd's, for both
    kinds of unclicked titles, with and without (3), texts without words among them.
    """
    unclicked = [["cc", ""], ["ab", "ab"], ["cab", "a c"]]
    of_drawn = ["a b", "cab", "a b"], ["ab", "b c a", "cc"], unclicked
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = rnn.RNN(3), HASHING, 0, "float64", 1.0
        models = [lstm_edu.AlignedEncoder(*start, False, both) for both in (False, True)]
        given = [EXAMPLES, of_drawn]
        by_autograd = {"method": "autograd"}
        texts = [(model, *texts) for model in models for texts in given]
        expected = [lstm_edu.cost_and_gradient(*one, **by_autograd) for one in texts]

    def gap(module):
        found, worst = [], 0.0
        for model in models:
            relevance = module.Aligned(model.relevance.embedding)
            for texts in given:
                found.append(by_hand(model, relevance, texts, as_flags=False))
                worst = max(worst, forms_differ(model, relevance, texts))
        for (l, g), (total, e) in zip(found, expected):
            worst = max(worst, abs(l - total) / total, worst_difference(g, e))
        return worst

    def forms_differ(model, relevance, texts):
        """Drawn titles, each once, and the same as flags of all: what they differ by."""
        texts = texts[0], texts[1], [[title] for title, *_ in texts[2]]
        drawn, flags = (by_hand(model, relevance, texts, form) for form in (False, True))
        return max(abs(drawn[0] - flags[0]), worst_difference(drawn[1], flags[1]))

    def by_hand(model, relevance, texts, as_flags):
        with monkeypatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            patch.setattr(model, "relevance", relevance)
            if as_flags:
                patch.setattr(minibatch, "Examples", flagged)
            return lstm_edu.cost_and_gradient(model, *texts)

    return gap


def flagged(queries, documents, query, clicked, unclicked):
    """`Examples` whose unclicked titles are flags of all."""
    among = np.zeros((len(query), len(documents.order)), bool)
    np.put_along_axis(among, unclicked, True, axis=1)
    return Examples(queries, documents, query, clicked, among)


ALIGNED = "cost_gradient", "_blocks", "_tokens", "_nearest", "_loss_gradient", "_through_length"


@pytest.mark.parametrize("most", [1, 1 << 20])
@every
def test_every_break_of_aligned_words_is_found(monkeypatch, most, every):
    """Many queries at a time, and one by one."""
    gap = aligned_gap(monkeypatch)

    def in_blocks(module):
        module.MOST = most
        return gap(module)

    survived, count = survivors(broken(aligned, *ALIGNED, every=every), aligned, in_blocks)
    # how many queries or times at once changes nothing; where all are one block, its first is 0;
    # of words said again no text here has any, as it is for BLAS to say what would go wrong
    same = ["DRAWN", "count_nonzero", "`1 / Q.lengths[queries][q_of]` loses its left"]
    same += ["without `R[:, again[start:end]]"]
    same += ["first"] if most > 1 else []
    alive = [label for label in survived if not any(own in label for own in same)]
    assert alive == []
    assert count > 60 // every
