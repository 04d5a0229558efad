"""Measure how hard the sample questions are, for data_samples/questions/README.md.

    python -m benchmarks.experiments.questions [--seeds 3] [--json FILE]

The rankers are a random order, BM25, DSSM, and the LSTM dual encoder with the package's settings.
The figures are MRR and nDCG@10 with 95 % bootstrap intervals over the questions. With several
seeds, a question's value is its mean over the seeds.
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
    """Return the questions' folder, training log and judgments."""
    folder = lstm_edu.sample() / "questions"
    pairs = lstm_edu.read_pairs(folder / "train_pairs.tsv")
    return folder, pairs, lstm_edu.read_judgments(folder / "judgments.tsv")


def measured(model):
    """Evaluate a ranker; return lists of its MRR and nDCG@10 per question."""
    return [measure(model, data()[2]).tolist() for measure in MEASURES.values()]


def trained(row, seed):
    """Train the model of one row of `CELLS`; return its MRR and nDCG@10 per question."""
    return measured(experiment.trained(CELLS[row], data()[1], seed)[0])


if __name__ == "__main__":
    args = experiment.options(__doc__, seeds=1)
    folder, pairs, _ = data()
    with open(folder / "facts.tsv", encoding="utf-8") as file:
        case = np.array([line.split("\t")[2] for line in file])
    slices = {"all": np.ones(len(case), bool)}
    slices |= {name: case == name for name in ("known", "reworded", "order", "new")}
    runs = {"random order": [measured(RandomOrder())], "BM25": [measured(BM25().fit(pairs))]}
    runs |= experiment.by_row(trained, {row: (row,) for row in CELLS}, range(args.seeds))
    found = {row: np.mean(of_row, axis=0) for row, of_row in runs.items()}
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
