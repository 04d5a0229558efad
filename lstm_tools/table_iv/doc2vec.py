"""Doc2Vec (Le & Mikolov 2014), by gensim."""

import zlib
from typing import Any

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError, from_extra

from .asked import check_fitted
from .held_out import best
from .terms import terms

# of the paper
SETTINGS: dict[str, Any] = dict(dm=1, min_count=1, window=5, sample=1e-4, negative=5)
CHOSEN = "seed", "epochs", "vector_size", "sample"
SAMPLES = SETTINGS["sample"], 1e-3, 1e-2, 0.0


class Doc2Vec:
    """Cosine of paragraph vectors, PV-DM: a text's vector, averaged with its neighbours', predicts
    each word of the text.

    The paper fits it on the training and the test set. So can `fit`, which takes the judged texts
    as well as the log. It reads neither grades, nor clicks, nor which title was judged for which
    query.

    Every distinct text is a document, whether a query or a title: texts of the same words in the
    same order share one vector.

    Parameters
    ----------
    seed : int
    epochs : int
    vector_size : int
    sample : float or None
        Words whose share of all words is larger than this are often skipped in training; 0: none.
        The paper's 1e-4 is meant for large collections: of 100,000 words it keeps all occurrences
        only of those that occur some ten times, so that a small log teaches hardly anything. None:
        `fit` chooses from 1e-4, 1e-3, 1e-2 and 0 by held-out clicks of the log
        (`lstm_tools.table_iv.held_out.best`). It reads the texts of the held-out queries, as it
        will read those of the judged queries; the judged texts play no part in the choice.
    """

    def __init__(self, seed=0, epochs=30, vector_size=100, sample=None):
        self.seed = arguments.seed(seed, arguments.LIBRARIES_SEEDS)
        self.epochs = arguments.integer("epochs", epochs, 1)
        self.vector_size = arguments.integer("vector_size", vector_size, 1)
        self.sample = arguments.number("sample", sample, allow=[None])

    def fit(self, pairs, texts=()):
        """Train the vectors of words and texts, and choose `sample` if none was given.

        Parameters
        ----------
        pairs : list of (query, title)
        texts : iterable of str
            Further texts: the judged queries and titles. `score` infers the vector of any text that
            is neither here nor in the pairs.

        Raises
        ------
        InputError
            gensim is missing, or no text has a word.
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
            # without a log there is nothing to choose by
            self.sample = self._choose(pairs) if pairs else SETTINGS["sample"]
        self.row = {document: k for k, document in enumerate(documents)}
        tagged = [doc2vec.TaggedDocument(list(document), [k]) for document, k in self.row.items()]
        settings = SETTINGS | {name: getattr(self, name) for name in CHOSEN}
        # one worker keeps the updates in the order of the texts; Python's `hash` depends on the
        # process
        self.model = doc2vec.Doc2Vec(tagged, **settings, workers=1, hashfxn=_hash)
        return self

    def _choose(self, pairs):
        every = [text for pair in pairs for text in pair]

        def fit(sample, kept):
            return Doc2Vec(self.seed, self.epochs, self.vector_size, sample).fit(kept, every)

        sample, self.held_out = best(SAMPLES, fit, pairs)
        return sample

    def score(self, query, titles):
        """Compute the cosine of the query's vector with each title's, (n_titles,).

        It is 0 if a text has no word that `fit` has read.
        """
        query, titles = arguments.text("query", query), arguments.texts("titles", titles)
        y = np.array([self.embed(text) for text in [query, *titles]])
        y /= np.maximum(np.linalg.norm(y, axis=1, keepdims=True), np.finfo(y.dtype).tiny)
        return y[1:] @ y[0]

    def embed(self, text):
        """Return a text's vector, (vector_size,), as trained.

        If `fit` did not read the text, infer its vector, always the same one.
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
    """Infer a text's vector as gensim does, but reproducibly.

    gensim's ``infer_vector`` depends on Python's `hash` of the text and on the generator's state.
    """
    from gensim.models.doc2vec import train_document_dm

    start = np.random.default_rng([seed, _hash(" ".join(words))])
    # draws the negative words
    model.random = np.random.RandomState(start.integers(2**32))
    y = ((start.random((1, model.vector_size)) - 0.5) / model.vector_size).astype(np.float32)
    lock, sums, work = np.ones(1, np.float32), *np.zeros((2, model.layer1_size), np.float32)
    kept = {"learn_words": False, "learn_hidden": False}
    for alpha in np.linspace(model.alpha, model.min_alpha, model.epochs):
        tag = {"doctag_vectors": y, "doctags_lockf": lock}
        train_document_dm(model, words, [0], alpha, work, sums, **kept, **tag)
    return y[0]
