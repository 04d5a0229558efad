"""Tools for using `lstm_edu` on your own data and for computing Table IV.

The command line, the baselines and the comparison of Table IV, the formats of TREC, BEIR, mteb and
ir_datasets, search among very many titles, and training on a cluster.
"""

from .formats.msrd import fetch

__all__ = ["fetch"]
