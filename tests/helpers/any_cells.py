"""Test parameters: a cell of every class in the package, and one defined outside it."""

import pytest
from conftest import CELLS, NETWORKS, cell_name, sample

from benchmarks.experiments.leaky import Leaky  # a cell defined outside the package
from lstm_edu import Attention, Bidirectional

LEAKY = [Leaky(3), Bidirectional(Leaky(2)), Attention(Leaky(2)), Attention(Bidirectional(Leaky(2)))]
ALL = [*CELLS, *NETWORKS, *LEAKY]
# every class of cell, bare and in each wrapper; `make soak` tries all variants
KINDS = [CELLS[k] for k in (0, 1, 7, 8, 11, 12, 15)]
KINDS += [NETWORKS[k] for k in (0, 2, -1)] + [LEAKY[0], LEAKY[3]]
every_cell = pytest.mark.parametrize("cell", sample(ALL, KINDS), ids=cell_name)
