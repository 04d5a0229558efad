"""How hard the questions are: the figures of data_samples/questions/README.md.

    python -m benchmarks.experiments.questions [--data FOLDER] [--seeds 1] [--json FILE]

Measures a random order, BM25, DSSM and the LSTM dual encoder with the package's settings: MRR and
nDCG@10 with 95 % bootstrap intervals over the questions; with several seeds a question counts with
its mean over them.
"""

import os

import numpy as np

import lstm_edu
from lstm_edu.cells.dssm import DSSM
from lstm_edu.ranking.reciprocal_rank import reciprocal_ranks

from . import experiment as harness
from .sample import BM25, RandomOrder, interval, main, ndcg_by_query

CASES = "known", "reworded", "order", "new"
MEASURES = {"MRR": reciprocal_ranks, "nDCG@10": ndcg_by_query}


def trained(cell, pairs, seed):
    """A dual encoder as `lstm_edu.train` trains it when told nothing."""
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    model = lstm_edu.DualEncoder(cell, hashing, seed=seed)
    lstm_edu.train(model, pairs, seed=seed)
    return model


def measure(folder, seeds):
    """All figures, as a dict to print and to store."""
    pairs = lstm_edu.read_pairs(os.path.join(folder, "train_pairs.tsv"))
    judgments = lstm_edu.read_judgments(os.path.join(folder, "judgments.tsv"))
    with open(os.path.join(folder, "facts.tsv"), encoding="utf-8") as file:
        case = np.array([line.split("\t")[2] for line in file])
    answers = [answer for _, answer in pairs]
    answers += [answer for search in judgments for answer in search.titles]
    rows = {
        "random order": [RandomOrder()],
        "BM25": [BM25(answers)],
        "DSSM": [trained(DSSM(288, 96), pairs, seed) for seed in range(seeds)],
        "LSTM": [trained(lstm_edu.LSTM(96), pairs, seed) for seed in range(seeds)],
    }
    by_question = {
        measure: {
            row: np.mean([of(model, judgments) for model in models], axis=0)
            for row, models in rows.items()
        }
        for measure, of in MEASURES.items()
    }
    slices = {"all": np.ones(len(case), bool)} | {name: case == name for name in CASES}
    return {
        "date": harness.today(),
        "interval": "95 % bootstrap over questions",
        "seeds": seeds,
        "questions": {name: int(chosen.sum()) for name, chosen in slices.items()},
        "rows": {
            measure: {
                row: {name: interval(values[chosen]) for name, chosen in slices.items()}
                for row, values in found.items()
            }
            for measure, found in by_question.items()
        },
    }


def table(figures):
    """The figures as a table in Markdown."""
    names = list(figures["questions"])
    head = [f"{name} ({figures['questions'][name]})" for name in names]
    lines = ["| | " + " | ".join(head) + " |", "|---" * (len(head) + 1) + "|"]
    for measure, rows in figures["rows"].items():
        for row, cells in rows.items():
            texts = ["{mean:.3f} [{low:.3f}, {high:.3f}]".format(**cells[name]) for name in names]
            lines.append(f"| {row}, {measure} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main("the questions are", lstm_edu.sample() / "questions", measure, table)
