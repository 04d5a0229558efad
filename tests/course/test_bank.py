"""Tests of the conceptual questions: their data imply the right answer, and no part is missing."""

import re

import numpy as np
import pytest
from conftest import sample

from lstm_course.plots.figure import png
from lstm_course.questions import bank
from lstm_edu.ranking.statistics import holm

# each function is named after a question, and computes the right answer's row from its data


def errors_back(error):
    if 0 in error:
        return 3
    factor = (error[-1] / error[0]) ** (1 / 11)
    return 2 if 0.9 < factor < 1 else int(factor > 1)


def wrong_gradient(words, W, b):
    if (W > 1e-9).tolist() != (b > 1e-9).tolist():
        return 3
    return {1: 1, 2: 0, 8: 2}[words[W > 1e-9].min()]


def momentum_by_hand(k, mu, epsilon, change):
    slips = [lambda d: mu * d - epsilon, lambda d: -epsilon]
    slips += [lambda d: -mu * d - epsilon, lambda d: mu * d - (1 - mu) * epsilon]
    before = np.r_[0, change[:-1]]
    return [n for n, slip in enumerate(slips) if np.allclose(slip(before), change)][0]


def interval_allows(n, mean, low, high):
    return 0 if low > 0 else 1 if high < 0 else 2 if -0.5 < low and high < 0.5 else 3


def two_sources(lead, queries, trainings):
    both = np.hypot(queries, trainings)
    return 2 if both < 0.6 * lead else (3 if queries > lead < trainings else int(queries < lead))


def five_trainings(low, high):
    if (low < 0).all() and (high > 0).all():
        return 3 if max(high.max(), -low.min()) < 0.5 else 2
    return 0 if (low > 0).all() else 1


def six_claims(claim, p):
    return sum(np.array(holm(p)) < 0.05)


def needless(run, right):
    return ([k for k in range(3) if right[0] - right[k + 1] < 0.02] + [3])[0]


def one_cell(i, c):
    at = i.argmax()
    if abs(c[at - 2]) > 0.3:
        return 3
    return 2 if abs(c[at]) < 0.1 else int(abs(c[min(at + 4, 11)]) < 0.2)


def two_curves(**run):
    cost, ndcg = run.values()
    if (np.diff(cost) > 0.05).any():
        return 2
    if np.ptp(ndcg) < 0.05:
        return 3
    return int(ndcg[-3:].mean() > ndcg[:17].max() - 0.01)


def chosen_by(step, cost, held_out, judged, chosen):
    best = held_out.argmax(), judged.argmax(), cost.argmin()
    return ([k for k in range(3) if chosen[best[k]]] + [3])[0]


FREE = {name for name, asked in bank.BANK.items() if "free" in asked}


@pytest.mark.parametrize("seed", sample(range(50), [0]))
@pytest.mark.parametrize("name", sorted(set(bank.BANK) - FREE))
def test_data_of_a_question_imply_its_right_answer(name, seed):
    rows = [text for text, *_ in bank.BANK[name]["answers"]]
    for right in range(4):
        question = bank.drawn(name, right, np.random.default_rng([seed, right]))
        assert globals()[name](**question["values"]) == right
        assert sorted(text for text, _ in question["choices"]) == sorted(rows)
        assert question["choices"][question["right"]][0] == rows[right]


@pytest.mark.parametrize("name", bank.BANK)
def test_question_is_complete(name):
    """Check that no placeholder is left, and that a figure's alt text gives its numbers."""
    question = bank.drawn(name, 0, np.random.default_rng(0))
    assert "{" not in question["text"]
    assert len(question["choices"]) == (0 if name in FREE else 4)
    if question["figure"]:
        picture, about = png(question["figure"])
        assert picture[:4] == b"\x89PNG" and not about["alt"].endswith("…")
        numbers = sum(len(v) for v in question["values"].values())
        assert len(re.findall(r"[−-]?\d[\d.]*", about["alt"])) > numbers
    if question["table"]:
        assert len({line.rstrip().count("  ") > 0 for line in question["table"].split("\n")}) == 1


def test_bank_has_at_least_twelve_questions_of_five_kinds():
    assert len(bank.BANK) >= 12
    assert len({asked["kind"] for asked in bank.BANK.values()}) == 5
