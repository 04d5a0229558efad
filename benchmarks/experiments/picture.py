"""The README's picture: python -m benchmarks.experiments.picture MODEL.npz
(a model trained on the sample data).
"""

import os
import sys

import lstm_edu
from lstm_course import plots

figure = plots.active_cells(
    lstm_edu.load(sys.argv[1]),
    "hotels in shanghai",
    "shanghai hotels accommodation hotel in shanghai discount and reservation",
)
figure.savefig(
    os.path.join(os.path.dirname(__file__), "..", "..", "notebooks", "reading.png"),
    metadata={"Software": None},
)
