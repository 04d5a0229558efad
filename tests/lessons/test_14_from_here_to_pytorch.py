"""Tests of lesson 14: claims about the model that it trains in PyTorch."""

import numpy as np
from trained import *

BROKEN = (("14-39", "loss.backward()", "(-loss).backward()"),)
CLAIMS = {
    "the cost falls in training with PyTorch": Claim(
        lambda n: n.costs[0] - np.mean(n.costs[-5:]), above=1
    ),
    "nDCG@10 rises in training with PyTorch": Claim(lambda n: n.ndcg[1] - n.ndcg[0], above=0.05),
}
