"""Draw the README's picture with a model trained on the sample data.

python -m benchmarks.experiments.picture MODEL.npz
"""

import sys

import lstm_edu
from lstm_course import plots

from .experiment import ROOT

QUERY = "hotels in shanghai"
TITLE = "shanghai hotels accommodation hotel in shanghai discount and reservation"

figure = plots.active_cells(lstm_edu.load(sys.argv[1]), QUERY, TITLE)
figure.savefig(ROOT / "notebooks" / "reading.png", metadata={"Software": None})
