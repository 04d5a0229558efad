"""Doc2Vec (Le & Mikolov 2014), computed with gensim."""

import zlib
from typing import Any

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError, from_extra

from .asked import check_fitted
from .held_out import best
from .terms import terms

# the paper's settings for Doc2Vec
SETTINGS: dict[str, Any] = dict(dm=1, min_count=1, window=5, sample=1e-4, negative=5)
CHOSEN = "seed", "epochs", "vector_size", "sample"
SAMPLES = SETTINGS["sample"], 1e-3, 1e-2, 0.0


class Doc2Vec:
    """Row of Table IV that ranks titles by the cosine of paragraph vectors (PV-DM).

    The vector of a text, averaged with the vectors of neighbouring words, predicts each word of the
    text. The paper fits Doc2Vec on both the training set and the test set. Likewise, `fit` learns
    from the texts of the log and the judged texts. It uses neither clicks, except to choose
    ``sample``, nor grades, and does not know which title was judged for which query.

    Each distinct query or title is a document: texts with the same words in the same order share
    one vector.

    Parameters
    ----------
    seed : int
    epochs : int
    vector_size : int
    sample : float or None
        Threshold for downsampling frequent words: training skips, at random, occurrences of words
        whose share of all words is larger than this; 0 skips none. The paper's 1e-4 is meant for
        large collections. In a log of 100,000 words it skips occurrences of every word that occurs
        more than about ten times, so the vectors hardly learn. With None, `fit` chooses 1e-4, 1e-3,
        1e-2 or 0 on held-out searches of the log (`lstm_tools.table_iv.held_out.best`), without
        the judged texts.
    """

    def __init__(self, seed=0, epochs=30, vector_size=100, sample=None):
        self.seed = arguments.seed(seed, arguments.LIBRARIES_SEEDS)
        self.epochs = arguments.integer("epochs", epochs, 1)
        self.vector_size = arguments.integer("vector_size", vector_size, 1)
        self.sample = arguments.number("sample", sample, allow=[None])

    def fit(self, pairs, texts=()):
        """Train the vectors of words and texts; first choose ``sample`` if it is None.

        Parameters
        ----------
        pairs : list of (query, title)
        texts : iterable of str
            Further texts, such as the judged queries and titles. For a text that is neither here
            nor in the pairs, `score` infers a vector.

        Raises
        ------
        InputError
            gensim is not installed, or no text has a word.
        """
        pairs, texts = arguments.pairs(pairs, least=0), arguments.texts("texts", texts)
        with from_extra("baselines", "Doc2Vec needs gensim"):
            from gensim.models import doc2vec
        every = (*(text for pair in pairs for text in pair), *texts)
        documents = dict.fromkeys(tuple(terms(text)) for text in every)
        documents.pop((), None)
        if not documents:
            raise InputError("pairs: none of the texts has a word; Doc2Vec needs some to read")
        if self.sample is None:
            # without pairs, there are no held-out searches to compare settings on
            self.sample = self._choose(pairs) if pairs else SETTINGS["sample"]
        self.row = {document: k for k, document in enumerate(documents)}
        tagged = [doc2vec.TaggedDocument(list(document), [k]) for document, k in self.row.items()]
        settings = SETTINGS | {name: getattr(self, name) for name in CHOSEN}
        # reproducible: one worker keeps the order of updates, and `_hash` is the same in all runs
        self.model = doc2vec.Doc2Vec(tagged, **settings, workers=1, hashfxn=_hash)
        return self

    def _choose(self, pairs):
        every = [text for pair in pairs for text in pair]
        sizes = self.seed, self.epochs, self.vector_size
        fit = lambda sample, kept: Doc2Vec(*sizes, sample).fit(kept, every)
        sample, self.held_out = best(SAMPLES, fit, pairs)
        return sample

    def score(self, query, titles):
        """Compute the cosine of the query's vector with each title's; return an (n_titles,) array.

        The cosine is 0 if the query or the title has no word that `fit` has read.
        """
        query, titles = arguments.text("query", query), arguments.texts("titles", titles)
        y = np.array([self.embed(text) for text in [query, *titles]])
        y /= np.maximum(np.linalg.norm(y, axis=1, keepdims=True), np.finfo(y.dtype).tiny)
        return y[1:] @ y[0]

    def embed(self, text):
        """Return the vector of a text, an array of shape (vector_size,).

        If `fit` did not read the text, the vector is inferred, and is the same in each call. It is
        0 if `fit` has read none of the text's words.
        """
        check_fitted(self, "row")
        document = tuple(terms(arguments.text("text", text)))
        if document in self.row:
            return self.model.dv[self.row[document]]
        known = [word for word in document if word in self.model.wv]
        if not known:
            return np.zeros(self.vector_size, np.float32)
        return _infer(self.model, known, self.seed)


def _hash(text):
    return zlib.crc32(text.encode())


def _infer(model, words, seed):
    """Infer the vector of a text as gensim does, but reproducibly.

    gensim's ``infer_vector`` depends on Python's `hash` of the text and on the state of the model's
    random generator.
    """
    from gensim.models.doc2vec import train_document_dm

    start = np.random.default_rng([seed, _hash(" ".join(words))])
    # gensim draws the negative samples from this generator
    model.random = np.random.RandomState(start.integers(2**32))
    y = ((start.random((1, model.vector_size)) - 0.5) / model.vector_size).astype(np.float32)
    lock, sums, work = np.ones(1, np.float32), *np.zeros((2, model.layer1_size), np.float32)
    kept = {"learn_words": False, "learn_hidden": False}
    for alpha in np.linspace(model.alpha, model.min_alpha, model.epochs):
        tag = {"doctag_vectors": y, "doctags_lockf": lock}
        train_document_dm(model, words, [0], alpha, work, sums, **kept, **tag)
    return y[0]
