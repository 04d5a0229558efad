"""Deep sentence embedding by LSTM, after Palangi et al. 2016.

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

TYPE_CHECKING = False
if TYPE_CHECKING:  # what `__getattr__` gives, for whoever checks types
    from .models.pytorch import from_torch, to_torch

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
    "letter_trigrams",
    "load",
    "read_judgments",
    "read_pairs",
    "sample",
    "train",
]

TWINS = "from_torch", "to_torch"


def rooms():
    """The names of the rooms of the house."""
    from pkgutil import iter_modules

    return {room.name for room in iter_modules(__path__) if room.ispkg and room.name[0] != "_"}


def __dir__():
    """Every public name, and every room."""
    return sorted({*__all__, *TWINS, *rooms(), "__version__"})


def absent(error):
    """What stands for a function whose library is missing: called, it says so."""

    def needs_more(*_, **__):
        raise error

    return needs_more


def __getattr__(name):
    """What is loaded when it is first asked for; `to_torch` and `from_torch` want PyTorch."""
    if name in TWINS:
        try:
            from .models import pytorch
        except InputError as error:  # it is there for `hasattr`, and says what to install
            return absent(error)
        return getattr(pytorch, name)
    if name in rooms():
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
