"""The rows of Table IV that learn from clicks as the LSTM does: the same model around another cell,
trained the same way.
"""

from typing import Any

from lstm_edu._util import arguments
from lstm_edu.models.aligned_encoder import AlignedEncoder
from lstm_edu.models.dual_encoder import DualEncoder
from lstm_edu.text.hashing import LetterTrigrams
from lstm_edu.training.loop import train
from lstm_edu.training.settings import PAPER


def settings_of(n, epochs) -> dict[str, Any]:
    """Return how a row is trained: the paper's way with n unclicked titles, or the package's.

    The package's is by Adam and with all of the minibatch.
    """
    return {"epochs": epochs} | ({} if n == "batch" else PAPER | {"n_negatives": n})


def model_of(cell, pairs, seed, aligned=False):
    """Make an untrained model for the pairs; both sides start alike, see `lstm_edu.DualEncoder`."""
    hashing = LetterTrigrams.fit(text for pair in pairs for text in pair)
    kind = AlignedEncoder if aligned else DualEncoder
    return kind(cell, hashing, seed)


def fit(cell, pairs, n=4, seed=0, epochs=16, aligned=False, **settings):
    """Train a model of a cell on a click log.

    Parameters
    ----------
    cell : DSSM, CLSM, RNN, LSTM or Bidirectional
    pairs : list of (query, title)
    n : int or "batch"
        Unclicked titles a pair, see `settings_of`.
    seed, epochs : int
    aligned : bool
        Whether it is a `lstm_edu.AlignedEncoder`, and not a `lstm_edu.DualEncoder`.
    settings
        Of `lstm_edu.train`, in the place of those that `settings_of` gives.

    Returns
    -------
    DualEncoder or AlignedEncoder
        With ``score(query, titles)``.
    """
    pairs, n = arguments.pairs(pairs), arguments.integer("n", n, 1, allow=["batch"])
    model = model_of(cell, pairs, seed, arguments.boolean("aligned", aligned))
    train(model, pairs, seed=seed, progress=False, **settings_of(n, epochs) | settings)
    return model
