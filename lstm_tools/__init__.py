"""Tools to use `lstm_edu` with your own data, and to compute Table IV.

The command line, the baselines and the comparison of Table IV, the formats of TREC, BEIR, mteb and
ir_datasets, search among very many titles, and training on a cluster.
"""

from .formats.msrd import fetch

__all__ = ["fetch"]
