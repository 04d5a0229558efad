"""What one needs to use `lstm_edu` on data of one's own, and for Table IV.

The command line, the baselines and the comparison of Table IV, the formats of TREC, BEIR, mteb and
ir_datasets, the nearest of very many titles, and training on a cluster.
"""

from .formats.msrd import fetch

__all__ = ["fetch"]
