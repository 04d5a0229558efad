"""Draw the README's picture of the most active cells, with a model trained on the sample.

python -m benchmarks.experiments.picture MODEL.npz
"""

import sys

import lstm_edu
from book.build import ROOT
from lstm_course import plots

QUERY = "hotels in shanghai"
TITLE = "shanghai hotels accommodation hotel in shanghai discount and reservation"

if __name__ == "__main__":
    figure = plots.active_cells(lstm_edu.load(sys.argv[1]), QUERY, TITLE)
    figure.savefig(ROOT / "notebooks" / "reading.png", metadata={"Software": None})
