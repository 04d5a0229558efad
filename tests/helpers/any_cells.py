"""Cells of every class, one that is not the package's among them."""

import pytest
from conftest import CELLS, NETWORKS, cell_name, sample

from benchmarks.experiments.leaky import Leaky  # the worked project's
from lstm_edu import Attention, Bidirectional

OWN = [Leaky(3), Bidirectional(Leaky(2)), Attention(Leaky(2)), Attention(Bidirectional(Leaky(2)))]
ALL = [*CELLS, *NETWORKS, *OWN]
# every class, alone and within each that goes around another; make soak has every variant
KINDS = [CELLS[k] for k in (0, 1, 7, 8, 11, 12, 15)]
KINDS += [NETWORKS[k] for k in (0, 2, -1)] + [OWN[0], OWN[3]]
every_cell = pytest.mark.parametrize("cell", sample(ALL, KINDS), ids=cell_name)
