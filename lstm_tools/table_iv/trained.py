"""Rows of Table IV that learn from clicks: models with different cells."""

from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from lstm_edu.cells import CLSM, DSSM, GRU, LSTM, RNN, Attention, Bag, Bidirectional
from lstm_edu.models.aligned_encoder import AlignedEncoder
from lstm_edu.models.dual_encoder import DualEncoder
from lstm_edu.ranking.ndcg import evaluate
from lstm_edu.text.hashing import LetterTrigrams
from lstm_edu.training.loop import NotFiniteError, train
from lstm_edu.training.settings import PAPER


class Row(NamedTuple):
    """A trained row of Table IV.

    Attributes
    ----------
    cell
    n : int or "batch"
        Unclicked titles per pair. With a number, the row is trained as in the paper. With "batch",
        it is trained with Adam and the defaults of `lstm_edu.train`.
    kind : type
        Class of the model.
    """

    cell: Any
    n: int | str = 4
    kind: type = DualEncoder

    def model(self, pairs, seed):
        """Make an untrained model for the letter trigrams of the log."""
        hashing = LetterTrigrams.fit(text for pair in pairs for text in pair)
        return self.kind(self.cell, hashing, seed)

    def settings(self, **chosen) -> dict[str, Any]:
        """Return the row's settings for `lstm_edu.train`, merged with the chosen ones."""
        return ({} if self.n == "batch" else PAPER | {"n_negatives": self.n}) | chosen

    def fit(self, pairs, seed, callback=None, **chosen):
        """Train a model on a click log and return it."""
        model, settings = self.model(pairs, seed), self.settings(**chosen)
        train(model, pairs, seed=seed, progress=False, callback=callback, **settings)
        return model

    def ndcg_by_epoch(self, pairs, held, seed, patience=np.inf, **chosen):
        """Train a model, and compute nDCG@10 on held-out searches after each epoch.

        Parameters
        ----------
        pairs : list of (query, title)
        held : list of Judged
        seed : int
        patience : int
            Epochs without improvement until training stops.
        chosen
            Settings of `lstm_edu.train`.

        Returns
        -------
        list of float
            nDCG@10 per finished epoch. It is [0.0] if the cost overflows in the first epoch
            because the step size is too large.
        """
        found = []

        def after_epoch(model, _):
            found.append(evaluate(model, held)["nDCG@10"])
            return len(found) - 1 - np.argmax(found) >= patience

        with suppress(NotFiniteError):
            self.fit(pairs, seed, after_epoch, **chosen)
        return found or [0.0]


TRAINED = {
    "dssm": Row(DSSM(288, 96)),
    "clsm_1": Row(CLSM(1, 288, 96)),
    "clsm_3": Row(CLSM(3, 288, 96)),
    "clsm_5": Row(CLSM(5, 288, 96)),
    "rnn": Row(RNN(288)),
    "lstm_32": Row(LSTM(32)),
    "lstm_64": Row(LSTM(64)),
    **{f"lstm_96_n{n}": Row(LSTM(96), n) for n in (2, 4, 6, 8)},
    "bilstm_96": Row(Bidirectional(LSTM(96))),
    "lstm_96_adam": Row(LSTM(96), "batch"),
    "lstm_best": Row(Bidirectional(LSTM(96)), "batch"),
    "gru": Row(GRU(96)),
    # as lstm_best, but scores depend on the outputs at all words, not only at the last
    "attention_96": Row(Attention(Bidirectional(LSTM(96))), "batch"),
    "align_96": Row(Bidirectional(LSTM(96)), "batch", AlignedEncoder),
    # as lstm_96_adam, but with other cells
    "bag_300": Row(Bag(300), "batch"),
    "dssm_batch": Row(DSSM(288, 96), "batch"),
    "clsm_1_batch": Row(CLSM(1, 288, 96), "batch"),
    "rnn_batch": Row(RNN(288), "batch"),
    "gru_batch": Row(GRU(96), "batch"),
}
