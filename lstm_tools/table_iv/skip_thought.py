"""Skip-Thought (Kiros et al. 2015): GRUs that were trained to predict a sentence's neighbours.

The weights come from the authors' files (`lstm_tools.table_iv.skip_thought_files`) or from a small
model that is trained here.
"""

from typing import Any

from lstm_edu._util import arguments
from lstm_edu._util.files import MissingError
from lstm_edu.gradients.cost import cosine
from lstm_edu.text.sentences import rows

from .asked import ManyAtOnce, check_fitted
from .skip_thought_encoder import encode
from .skip_thought_files import FILES, read_model

AT_ONCE = 200  # queries per batch; bounds the memory for titles' vectors (4,800 numbers each)


class SkipThought(ManyAtOnce):
    """Row of Table IV that ranks titles by the cosine of skip-thought vectors.

    It learns nothing from clicks.

    Parameters
    ----------
    folder : str, optional
        Folder with the authors' files.
    sentences : str, optional
        File to train a small model on instead, in the format of `lstm_edu.readers.read_passages`.
        Held-out passages, not clicks or judgments, decide when training stops.
    seed : int
        Seed for training on the sentences.

    Raises
    ------
    MissingError
        Neither ``folder`` nor ``sentences`` is given, or a file of the folder is missing.
    InputError
        A file is damaged, or its arrays do not fit each other.
    """

    def __init__(self, folder=None, sentences=None, seed=0):
        self.sentences = arguments.path("sentences", sentences, allow=[None])
        self.seed = arguments.seed(seed)
        self.model: Any = None
        folder = arguments.path("folder", folder, allow=[None])
        if folder is not None:
            self.model = read_model(folder)
        elif sentences is None:
            raise MissingError(
                f"Skip-Thought needs a folder with the authors' {', '.join(FILES)} "
                "(github.com/ryankiros/skip-thoughts), or sentences to train on"
            )

    def fit(self, pairs):
        """Train on the sentences if no folder was given; the pairs are not used."""
        arguments.pairs(pairs, least=0)
        if self.model is None:
            from .skip_thought_trainer import train  # imported here, because it needs autograd

            self.model = train(self.sentences, self.seed)
        return self

    @property
    def n_parameters(self):
        """Number of weights in the encoders and in the tables of word embeddings."""
        check_fitted(self, "model")
        weights = [w for gru in (*self.model.uni, *self.model.bi) for w in gru.values()]
        return sum(w.size for w in (*weights, self.model.utable, self.model.btable))

    def scores(self, queries, titles):
        """Compute the cosine of each query with each of its titles.

        Each distinct text is encoded once per `AT_ONCE` queries.
        """
        check_fitted(self, "model")
        found, asked = [], [*zip(*arguments.searches(queries, titles))]
        for start in range(0, len(asked), AT_ONCE):
            batch = asked[start : start + AT_ONCE]
            row = rows(text for query, listed in batch for text in (query, *listed))
            y = encode(self.model, row)
            for query, listed in batch:
                yd = y[[row[title] for title in listed]]
                found.append(cosine(y[[row[query]]], yd)[0])
        return found
