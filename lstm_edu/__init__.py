"""Deep sentence embedding with LSTM networks, after Palangi et al. 2016.

Every equation as code, every gradient proven.
"""

from ._util.files import InputError
from .cells import GRU, LSTM, RNN, Attention, Bidirectional
from .gradients.check import check_gradient, compare
from .gradients.methods import cost_and_gradient
from .models.aligned_encoder import AlignedEncoder
from .models.dual_encoder import DualEncoder
from .models.loading import load
from .ranking.ndcg import evaluate
from .readers import read_judgments, read_pairs, sample
from .text.hashing import LetterTrigrams, letter_trigrams
from .training.loop import train
from .training.settings import PAPER

__version__ = "0.2.0"
__all__ = [
    "GRU",
    "LSTM",
    "PAPER",
    "RNN",
    "AlignedEncoder",
    "Attention",
    "Bidirectional",
    "DualEncoder",
    "InputError",
    "LetterTrigrams",
    "check_gradient",
    "compare",
    "cost_and_gradient",
    "evaluate",
    "from_torch",
    "letter_trigrams",
    "load",
    "read_judgments",
    "read_pairs",
    "sample",
    "to_torch",
    "train",
]


def to_torch(model: DualEncoder):
    """Convert a model to a `torch.nn.Module`; see `lstm_edu.models.pytorch.to_torch`."""
    from .models import pytorch

    return pytorch.to_torch(model)


def from_torch(module) -> DualEncoder:
    """Convert a `torch.nn.Module` back to a model; see `lstm_edu.models.pytorch.from_torch`."""
    from .models import pytorch

    return pytorch.from_torch(module)
