"""Inputs for a small Table IV, and a function that computes it with mocked fitting."""

from conftest import ROOT

import lstm_edu
from lstm_tools.table_iv import comparison

PAIRS = lstm_edu.read_pairs(ROOT / "data_samples" / "train_pairs.tsv")[:600]
JUDGMENTS = lstm_edu.read_judgments(ROOT / "data_samples" / "judgments.tsv")[:40]
# give one query no relevant title, so that a comparison must exclude it from the means
JUDGMENTS[7] = JUDGMENTS[7]._replace(grades=[0] * len(JUDGMENTS[7].grades))
SMALL = dict(epochs=2, search_pairs=200)


def pretended(monkeypatch):
    """Mock the fitting of rows.

    Return a function that runs a comparison, and a list of the (row, seed) pairs that its latest
    call fitted.
    """
    worked = []

    def pretend(function, task, data):
        worked.append(task[:2])
        facts = {"chosen": {"step_size": len(task.row)}}
        if task.seed is not None:
            first = {"dssm": 0.1, "skip_thought": 0.2}[task.row]
            shown = [first, *[0.1 + 0.1 * task.seed] * 2]
            facts = {"chosen": task.chosen, "parameters": 1, "ndcg": [shown] * 3}
        return task, facts | {"seconds": 1.0, "memory": 1}

    def compare(folder, rows, said=None, **more):
        worked.clear()
        say = None if said is None else said.append
        return comparison.table_iv(PAIRS[:50], JUDGMENTS[:3], str(folder), rows, say=say, **more)

    monkeypatch.setattr(comparison, "in_a_process", pretend)
    return compare, worked
