"""Test parameters: cells of every class in the package, and of two classes defined outside it."""

import pytest
from conftest import CELLS, NETWORKS, cell_name, sample

from benchmarks.experiments.leaky import Leaky
from lstm_course.transformer import Transformer
from lstm_edu import Attention, Bidirectional

OUTSIDE = [Leaky, Transformer]  # classes defined outside the package
NETWORKS = [*NETWORKS, Transformer(4, 2, 3), Transformer(3, 1, 2, positions=False)]
LEAKY = [Leaky(3), Bidirectional(Leaky(2)), Attention(Leaky(2)), Attention(Bidirectional(Leaky(2)))]
ALL = [*CELLS, *NETWORKS, *LEAKY]
# `make test` tries every class of cell, and some of the cells in wrappers; `make soak` tries all
KINDS = [CELLS[k] for k in (0, 1, 7, 8, 11, 12, 15)]
KINDS += [NETWORKS[k] for k in (0, 2, 4, 5)] + [LEAKY[0], LEAKY[3]]
every_cell = pytest.mark.parametrize("cell", sample(ALL, KINDS), ids=cell_name)
