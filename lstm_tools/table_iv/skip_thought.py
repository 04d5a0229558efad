"""Skip-Thought (Kiros et al. 2015): a text as the last states of three GRUs,
which were trained to tell a sentence's neighbours.

The authors' encoder in NumPy, with the authors' weights; `lstm_tools.table_iv.skip_thought_files`
says which files those are.
"""

import re
from itertools import groupby
from typing import Any

import numpy as np
from scipy.special import expit

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError, MissingError
from lstm_edu._util.threads import two_threads
from lstm_edu.gradients.cost import cosine
from lstm_edu.gradients.plain import norm
from lstm_edu.models.encoder import rows
from lstm_edu.text.hashing import words

from .asked import check_fitted
from .skip_thought_files import FILES, UNKNOWN, Model, part, read_model

BATCH = 128, 4096  # texts and words that are read at once
MOST_TEXTS = 10_000  # texts whose vectors are kept at once: 4,800 numbers each, 192 MB


class SkipThought:
    """Cosine of the skip-thought vectors of query and title. Clicks play no part in it.

    Parameters
    ----------
    folder : str, optional
        With the authors' files, or with those of
        `lstm_tools.table_iv.skip_thought_trainer.train_and_write`.
    sentences : str, optional
        A text to train on instead, see `lstm_edu.readers.read_passages`: a stand-in at small
        size, and ``label`` says so. When to stop is chosen by the cost of held-out passages:
        neither clicks nor judgments play a part.
    seed : int
        Of that training.
    settings
        Of `lstm_tools.table_iv.skip_thought_trainer.train`.

    Raises
    ------
    MissingError
        There is neither, or a file of the folder is not there.
    InputError
        A file is not what it should be.
    """

    def __init__(self, folder=None, sentences=None, seed=0, **settings):
        self.sentences = arguments.path("sentences", sentences, allow=[None])
        self.seed, self.settings = arguments.seed(seed), settings
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
        """Train on the sentences if there is no folder; the pairs are not read."""
        arguments.pairs(pairs, least=0)
        if self.model is None:
            from .skip_thought_trainer import train  # here, because it loads autograd

            trained = train(self.sentences, self.seed, **self.settings)
            row = {word: k for k, word in enumerate(trained.words)}
            uni, bi = (
                {name: w for name, w in weights.items() if name.startswith("encoder")}
                for weights in (trained.uni, trained.bi)
            )
            utable, btable = trained.uni["Wemb"], trained.bi["Wemb"]
            self.model = Model(uni, bi, lambda: utable, lambda: btable, row, trained.label)
        return self

    @property
    def label(self):
        """Where the model comes from."""
        check_fitted(self, "model")
        return self.model.label

    @property
    def n_parameters(self):
        """Numbers in the encoders and in the tables."""
        check_fitted(self, "model")
        model = self.model
        weights = [*model.uni.values(), *model.bi.values(), model.utable(), model.btable()]
        return sum(array.size for array in weights)

    def score(self, query, titles):
        """Compute the cosine of one query with each title, (n_titles,)."""
        query, titles = arguments.text("query", query), arguments.texts("titles", titles)
        return self.scores([query], [titles])[0]

    def scores(self, queries, titles):
        """Score many queries as `score`, each with its own titles.

        A text is read once, or once a part where there are very many.
        """
        check_fitted(self, "model")
        queries, titles = arguments.searches(queries, titles)
        found = [np.zeros(len(some), np.float32) for some in titles]
        for jobs in _parts(queries, titles):
            row = rows(
                text for k, start, stop in jobs for text in (queries[k], *titles[k][start:stop])
            )
            vectors = encode(self.model, row)
            for k, start, stop in jobs:
                of_query = vectors[[row[queries[k]]]]
                of_titles = vectors[[row[title] for title in titles[k][start:stop]]]
                found[k][start:stop] = cosine(of_query, of_titles)[0]
        return found


def _parts(queries, titles):
    """The work in parts of so many texts: lists of (query, first title, end)."""
    jobs, texts = [], set()
    for k, some in enumerate(titles):
        for start in range(0, len(some), MOST_TEXTS):
            more = {queries[k], *some[start : start + MOST_TEXTS]}
            if jobs and len(texts | more) > MOST_TEXTS:
                yield jobs
                jobs, texts = [], set()
            jobs.append((k, start, min(start + MOST_TEXTS, len(some))))
            texts |= more
    if jobs:
        yield jobs


# ---- the encoder


def encode(model, texts):
    """Skip-thought vectors: uni and bi, each of length 1, side by side (the authors' "combine").

    Parameters
    ----------
    model : Model
    texts : iterable of str

    Returns
    -------
    (n_texts, uni size + bi size), float32
        0 for a text without words. As the authors do by default, no end of sentence is read.
    """
    if model is None:  # of a SkipThought that has still to be trained
        raise InputError("SkipThought: is not fitted; call fit first")
    read_as = [tokens(text, model.row) for text in texts]
    n_uni, n_bi = len(model.uni["encoder_Ux"]), 2 * len(model.bi["encoder_Ux"])
    vectors = np.zeros((len(read_as), n_uni + n_bi), np.float32)

    def one(batch):
        ids = np.array([read_as[k] for k in batch]).T  # (n_words, n_texts), all as long
        h = gru(part(model.uni, "encoder"), _look_up(model.utable, ids))
        x = _look_up(model.btable, ids)
        both = gru(part(model.bi, "encoder"), x), gru(part(model.bi, "encoder_r"), x[::-1])
        parts = h, np.concatenate(both, axis=1)
        vectors[batch] = np.concatenate([y / norm(np, y) for y in parts], axis=1)

    with two_threads() as threads:
        list(threads(one, _by_length(read_as)))
    return vectors


def tokens(text, row):
    """The rows of a text's words: lower-cased, split at white space,
    and UNK's for what the dictionary lacks.

    The released dictionary has words and punctuation apart, as NLTK's tokenizer leaves them. A word
    that is not in it as it stands ("hotel,") is therefore taken apart at its punctuation.
    """
    found = []
    for word in words(text):
        found += [word] if word in row else re.findall(r"\w+|[^\w\s]", word)
    return [row.get(word, row[UNKNOWN]) for word in found]


def gru(p, x):
    """Compute the last state of a GRU, from states of 0::

        [r, u] = sigmoid(x(t) W + h(t-1) U + b)
        h~     = tanh(x(t) Wx + r * (h(t-1) Ux) + bx)
        h(t)   = u * h(t-1) + (1 - u) * h~

    Parameters
    ----------
    p : dict of arrays
        W (d, 2n), U (n, 2n), b (2n,), Wx (d, n), Ux (n, n), bx (n,); r comes before u.
    x : (n_words, N, d)

    Returns
    -------
    (N, n)
    """
    n = len(p["Ux"])
    h = np.zeros((x.shape[1], n), x.dtype)
    for x_t in x:
        gates = expit(x_t @ p["W"] + h @ p["U"] + p["b"])
        r, u = gates[:, :n], gates[:, n:]
        candidate = np.tanh(x_t @ p["Wx"] + r * (h @ p["Ux"]) + p["bx"])
        h = u * h + (1 - u) * candidate
    return h


def _by_length(read_as):
    """Batches of texts of one length, (n_texts,) of int each; texts without words are in none."""
    order = sorted((k for k, text in enumerate(read_as) if text), key=lambda k: len(read_as[k]))
    for length, group in groupby(order, key=lambda k: len(read_as[k])):
        alike, at_once = list(group), max(1, min(BATCH[0], BATCH[1] // length))
        for start in range(0, len(alike), at_once):
            yield alike[start : start + at_once]


def _look_up(table, ids):
    distinct, place = np.unique(ids, return_inverse=True)
    rows = np.asarray(table()[distinct], np.float32)
    if not np.isfinite(rows).all():
        raise InputError("Skip-Thought: a word's embedding is not finite; is a table damaged?")
    return rows[place.reshape(ids.shape)]
