"""Measure the difficulty of the questions, for data_samples/questions/README.md.

    python -m benchmarks.experiments.questions [--seeds 3] [--json FILE]

The rankers are a random order, BM25, DSSM, and the LSTM dual encoder with the package's settings.
The figures are MRR and nDCG@10 with 95 % bootstrap intervals over the questions. With several
seeds, a question's value is its mean over them.
"""

import numpy as np

import lstm_edu
from lstm_edu.cells.dssm import DSSM
from lstm_edu.ranking.reciprocal_rank import reciprocal_ranks
from lstm_tools.table_iv.bm25 import BM25

from . import experiment
from .sample import RandomOrder, by_slice

CELLS = {"DSSM": DSSM(288, 96), "LSTM": lstm_edu.LSTM(96)}
MEASURES = {"MRR": reciprocal_ranks, "nDCG@10": experiment.at_10}


def data():
    """Read the questions' log and judgments."""
    folder = lstm_edu.sample() / "questions"
    pairs = lstm_edu.read_pairs(folder / "train_pairs.tsv")
    return folder, pairs, lstm_edu.read_judgments(folder / "judgments.tsv")


def measured(row, seed):
    """Train a row and return its measures per question."""
    _, pairs, judgments = data()
    model, _ = experiment.trained(CELLS[row], pairs, seed)
    return [measure(model, judgments).tolist() for measure in MEASURES.values()]


def main():
    args = experiment.options(__doc__, seeds=1)
    folder, pairs, judgments = data()
    with open(folder / "facts.tsv", encoding="utf-8") as file:
        case = np.array([line.split("\t")[2] for line in file])
    slices = {"all": np.ones(len(case), bool)}
    slices |= {name: case == name for name in ("known", "reworded", "order", "new")}
    fixed = {"random order": RandomOrder(), "BM25": BM25().fit(pairs)}
    found = {
        row: [measure(model, judgments) for measure in MEASURES.values()]
        for row, model in fixed.items()
    }
    for row in CELLS:
        tasks = [(row, seed) for seed in range(args.seeds)]
        found[row] = np.mean(experiment.run(measured, tasks), axis=0)
    figures = {
        "interval": "95 % bootstrap over questions",
        "seeds": args.seeds,
        "questions": {name: int(mine.sum()) for name, mine in slices.items()},
        "rows": {
            measure: by_slice({row: values[k] for row, values in found.items()}, slices)
            for k, measure in enumerate(MEASURES)
        },
    }
    experiment.write(args.json, figures)


if __name__ == "__main__":
    main()
