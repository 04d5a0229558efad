"""Lambda_Q and Lambda_D together (Figs. 3 and 13): two cells over one hashing.

And what can be asked of them.
"""

from itertools import islice
from types import MappingProxyType, SimpleNamespace

import numpy as np
import scipy.sparse

from . import files
from .cells import CELLS
from .cells.cell import check_cell, describe, is_by_rows, rebuild
from .data.clicks import iter_titles
from .files import InputError
from .gradients.cost import cosine
from .text import sentences
from .text.batch import as_asked_for, side_by_side
from .text.hashing import LetterTrigrams, check_texts
from .threads import one_blas_thread

FORMAT, VERSION = "lstm_edu model", 2
BLOCK = 1024  # texts embedded at a time; bounds memory
LINES = 1 << 17  # titles of a file at a time
TASK = 16 * BLOCK  # texts that another thread is given at a time: some tenths of a second


class Side:
    """One side's cell and its weights.

    Attributes
    ----------
    cell : Cell
    weights : dict of arrays
        As they are kept: gates side by side, one row a trigram.
    """

    def __init__(self, cell, weights):
        self.cell, self.weights = cell, weights

    @property
    def params(self):
        """The weights by the paper's names and orientation.

        They are views: writing in place changes the model.
        """
        return MappingProxyType(self.cell.params(self.weights))

    @property
    def dtype(self):
        """Of the weights, and so of the embeddings."""
        return next(iter(self.weights.values())).dtype

    def embed(self, batch):
        """Embeddings in the order in which the batch's texts were given, (N, size)."""
        y, _ = self.cell.forward(self.weights, batch)
        return as_asked_for(batch, y)


def _embed(texts, hashing, dtype, cell, names, *weights):
    """The embeddings of some texts, and how many of these hold nothing known."""
    some = sentences.from_texts(texts, hashing, dtype, warn=False)
    with one_blas_thread():
        of_words = {name: some.Wh @ w if is_by_rows(name) else w for name, w in zip(names, weights)}
        return embed_words(cell, of_words, some), sentences.n_unknown(some)


def _each_embedded(work, n_tasks, n_jobs):
    """What `_embed` gives for each of these arguments, in their order; by joblib if several."""
    if n_tasks < 2:  # not worth another thread
        return (_embed(*arguments) for arguments in work)
    from joblib import Parallel, delayed  # here, so that importing lstm_edu stays quick

    threads = Parallel(n_jobs, prefer="threads", return_as="generator")
    return threads(delayed(_embed)(*arguments) for arguments in work)


def _check_n_jobs(n_jobs):
    whole = isinstance(n_jobs, (int, np.integer)) and not isinstance(n_jobs, bool)
    if n_jobs is not None and (not whole or n_jobs == 0):
        raise InputError(f"n_jobs: {n_jobs!r}; must be None or a whole number other than 0")


def _tasks(n):
    """Parts of n texts, of the same size, that of TASK at the most."""
    n_tasks = -(-n // TASK)
    return [slice(k * n // n_tasks, (k + 1) * n // n_tasks) for k in range(n_tasks)]


def _rows(texts):
    """By distinct text its number, in the order in which they come."""
    return {text: k for k, text in enumerate(dict.fromkeys(texts))}


def embed_words(cell, weights, some):
    """Embeddings of `lstm_edu.text.sentences.Sentences`, (n_texts, size), from W_h W.

    Of each distinct word that is taken once: every W has a row a word here, instead of one a
    trigram.
    """
    n_words = some.Wh.shape[0]
    one_each = scipy.sparse.eye_array(n_words, dtype=some.Wh.dtype, format="csr")
    some = some._replace(Wh=one_each)
    by_length = np.argsort(np.diff(some.starts), kind="stable")
    y = np.empty((len(by_length), cell.size), some.Wh.dtype)
    for start in range(0, len(by_length), BLOCK):
        block = by_length[start : start + BLOCK]
        y[block] = Side(cell, weights).embed(side_by_side(some, block))
    return y


class DualEncoder:
    """A cell that reads queries and another that reads titles, compared by their cosine.

    Parameters
    ----------
    cell : Cell
        Such as ``LSTM(96)``, ``RNN(288)`` or ``Bidirectional(LSTM(96))``.
        Both sides' kind of cell; each gets weights of its own.
    hashing : LetterTrigrams
    seed : int
        All weights start as normal numbers ("small random numbers", Algorithm 1).
    dtype : "float32" or "float64"
        To train, or to check gradients.
    scale : float
        Standard deviation of the first weights.
    tied : bool
        Both sides start with the same weights, so that texts that share words are near each other
        from the start, by trigrams that training hardly touches, too; from there on each side
        learns its own.

    Attributes
    ----------
    query, document : Side
    training : dict
        Settings and history of the training it has had; empty before.
    """

    def __init__(self, cell, hashing, seed=0, dtype="float32", scale=0.05, tied=False):
        check_cell(cell)
        if dtype not in ("float32", "float64", np.float32, np.float64):
            raise InputError(f"dtype: {dtype!r}; must be 'float32' or 'float64'")
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
            raise InputError(f"seed: {seed!r}; must be a whole number from 0")
        if not isinstance(scale, (int, float, np.number)) or not 0 < scale < np.inf:
            raise InputError(f"scale: {scale!r}; must be a number above 0")
        if not isinstance(tied, (bool, np.bool_)):
            raise InputError(f"tied: {tied!r}; must be True or False")
        self.cell, self.hashing, self.dtype = cell, hashing, np.dtype(dtype)
        rng, shapes = np.random.default_rng(seed), cell.shapes(hashing.size)
        self.query, self.document = (
            Side(cell, {name: _normal(rng, scale, shape, dtype) for name, shape in shapes.items()})
            for _ in range(2)
        )
        if tied:
            self.document = Side(cell, {name: w.copy() for name, w in self.query.weights.items()})
        self.training = {}

    @property
    def n_parameters(self):
        """Parameters of both sides."""
        return sum(w.size for side in (self.query, self.document) for w in side.weights.values())

    def encode_query(self, texts, n_jobs=None):
        """Embeddings of queries, (n_texts, embedding size); arguments as `encode_document`'s."""
        return self._encode(self.query, texts, n_jobs)

    def encode_document(self, texts, n_jobs=None):
        """Embeddings of titles, (n_texts, embedding size).

        Parameters
        ----------
        texts : list of str
        n_jobs : int, optional
            Threads to spread more than some 16,000 different texts over, by joblib; -1 for one a
            core. If None one, or whatever ``joblib.parallel_config`` says: within
            ``joblib.parallel_config("dask")`` a cluster does it. The bits are the same.
        """
        return self._encode(self.document, texts, n_jobs)

    def encode_titles(self, path, out, n_jobs=None):
        """Write the embeddings of a file of titles, of any size, whole or not at all.

        Neither is ever in memory as a whole; ``numpy.load(out, mmap_mode="r")`` gives the
        embeddings where they are, and `lstm_edu.ranking.nearest.top` searches them there.

        Parameters
        ----------
        path : str
            One title a line; raises as `lstm_edu.data.clicks.read_titles`, before anything is
            written.
        out : str
            The ``.npy``, (n_titles, embedding size).
        n_jobs : int, optional
            As `encode_document`'s.
        """
        n, titles = sum(1 for _ in iter_titles(path)), iter_titles(path)
        blocks = iter(lambda: list(islice(titles, LINES)), [])
        y = (self.encode_document(block, n_jobs) for block in blocks)
        files.write_blocks(out, y, (n, self.document.cell.size), self.dtype)

    def _encode(self, side, texts, n_jobs):
        """Embeddings of texts; those of the same words are read once, and so have the same bits."""
        _check_n_jobs(n_jobs)
        texts = [self.hashing.plain(text) for text in check_texts("texts", texts)]
        row = _rows(texts)
        distinct, y, unknown = list(row), np.empty((len(row), side.cell.size), self.dtype), 0
        tasks = _tasks(len(distinct))
        # weights by themselves, not as a dictionary: joblib sends each to another machine once
        how = self.hashing, self.dtype, side.cell, list(side.weights), *side.weights.values()
        work = ((distinct[task], *how) for task in tasks)
        with one_blas_thread():  # for all tasks: memory is kept from one to the next
            for task, (found, n) in zip(tasks, _each_embedded(work, len(tasks), n_jobs)):
                y[task] = found
                unknown += n
        sentences.warn_of_unknown(unknown, len(distinct))
        return y[[row[text] for text in texts]]

    def similarity(self, query_vectors, document_vectors):
        """Cosines of Eq. (3), (n_queries, n_documents)."""
        yq, yd = (np.atleast_2d(y) for y in (query_vectors, document_vectors))
        dtype = np.result_type(yq, yd, self.dtype)
        with one_blas_thread():
            return cosine(yq.astype(dtype), yd.astype(dtype))

    def score(self, query, titles):
        """R(Q, D) of one query with each title, (n_titles,)."""
        return self.scores([query], [titles])[0]

    def scores(self, queries, titles):
        """`score` for many queries, each with its own list of titles; every text is read once."""
        queries, titles = list(queries), [check_texts("titles", some) for some in titles]
        if len(queries) != len(titles):
            raise InputError(
                f"queries, titles: of lengths {len(queries)}, {len(titles)}; must be equal"
            )
        row = _rows(title for some in titles for title in some)
        yq, yd = self.encode_query(queries), self.encode_document(row)
        return [
            self.similarity(y, yd[[row[title] for title in some]])[0] for y, some in zip(yq, titles)
        ]

    def rank(self, query, titles):
        """Titles and their scores, best first; equal scores stay in the given order.

        Returns
        -------
        list of (title, score)
        """
        titles = check_texts("titles", titles)
        scores = self.score(query, titles)
        return [(titles[k], float(scores[k])) for k in np.argsort(-scores, kind="stable")]

    def trace(self, text, side="query"):
        """Everything that happens while a text is read.

        Parameters
        ----------
        text : str
        side : "query" or "document"

        Returns
        -------
        SimpleNamespace
            ``words``, ``cell``, and for each of the cell's states an array (n_words, n_cells): for
            an LSTM ``i f o c y yg``, for an RNN ``y``. A bidirectional cell's are joined, forward
            first, in the order of the text; its embedding is the forward half of the last row and
            the backward half of the first.
        """
        if side not in ("query", "document"):
            raise InputError(f"side: {side!r}; must be 'query' or 'document'")
        some = self.hashing.words(text)
        if not some:
            raise InputError("text: has no words")
        side = getattr(self, side)
        states = side.cell.read(side.params, self.hashing.operator(some, self.dtype).toarray())
        by_name = {name: np.array([getattr(s, name) for s in states]) for name in side.cell.states}
        return SimpleNamespace(words=some, cell=side.cell, **by_name)

    def save(self, path):
        """Write the model to one file, whole or not at all; no pickle.

        An ``.npz``, or a file of safetensors if that is how ``path`` ends (`files.write_arrays`).
        """
        arrays, meta = pack(self)
        files.write_arrays(path, arrays, meta)


def _normal(rng, scale, shape, dtype):
    """Normal numbers; drawn in float64, some rows at a time, so that a large float32 model fits."""
    try:
        w = np.empty(shape, dtype)
    except ValueError:  # more bytes than there are numbers for
        raise MemoryError(f"weights of shape {shape}") from None
    for start in range(0, len(w), BLOCK):
        rows = w[start : start + BLOCK]
        rows[...] = scale * rng.standard_normal(rows.shape)
    return w


def pack(model):
    """A model as arrays and JSON-able facts, for `lstm_edu.files.write_arrays`."""
    meta = {
        "format": FORMAT,
        "version": VERSION,
        **describe(model.cell),
        "dtype": model.dtype.name,
        "trigrams": model.hashing.trigrams,
        "rule": model.hashing.rule,
        "training": model.training,
    }
    sides = {"query": model.query, "document": model.document}
    arrays = {f"{k}.{name}": w for k, side in sides.items() for name, w in side.weights.items()}
    return arrays, meta


def unpack(path, cells=()):
    """What `pack` packed, read from a file: the model, and the arrays that are not its weights.

    Raises
    ------
    InputError
        The file is damaged, foreign, or its parts do not fit together.
    """
    arrays, meta = files.read_arrays(path, FORMAT, range(1, VERSION + 1))
    try:
        cell = _cell(meta, [*CELLS, *cells], path)
        model = DualEncoder.__new__(DualEncoder)
        model.cell, model.dtype = cell, np.dtype(meta["dtype"])
        model.training = dict(meta["training"])
        model.hashing = LetterTrigrams(
            meta["trigrams"], meta["rule"] if meta["version"] > 1 else "lower"
        )
        if model.dtype not in (np.float32, np.float64):
            raise ValueError(f"dtype {model.dtype}")
        shapes = cell.shapes(model.hashing.size)
        for side in ("query", "document"):
            weights = {name: arrays.pop(f"{side}.{name}") for name in shapes}
            _check_weights(weights, shapes, model.dtype)
            setattr(model, side, Side(cell, weights))
    except _UnknownCell:
        raise
    except Exception as error:  # whatever a forged description leads to
        raise InputError(f"{path}: its parts do not fit together ({error})") from None
    return model, arrays


class _UnknownCell(InputError):
    """A file is a model of a cell that is not among those that may be loaded."""


def _cell(meta, classes, path):
    """The cell that a file describes.

    Files from before 0.2 name a bidirectional one's cell and say that it is.
    """
    if meta.get("bidirectional"):
        meta = {"cell": "Bidirectional", "arguments": {"cell": meta}}
    known = {cell.__name__ for cell in classes}
    for name in _named(meta):
        if name not in known and name.isidentifier():
            raise _UnknownCell(
                f"{path}: is a model of the cell {name:.60}, which is not one of lstm_edu's; "
                f"give its class: lstm_edu.load(path, cells=[{name:.60}])"
            )
    return rebuild(meta, classes)


def _named(facts):
    """The names of the classes in a description of a cell, its own first."""
    yield facts["cell"]
    for value in facts["arguments"].values():
        if isinstance(value, dict):
            yield from _named(value)


def _check_weights(weights, shapes, dtype):
    """Raise ValueError unless they have these shapes and this type and are finite."""
    for name, w in weights.items():
        if w.shape != shapes[name] or w.dtype != dtype:
            raise ValueError(f"{name} is {w.dtype}{w.shape}, not {dtype}{shapes[name]}")
        if not np.isfinite(w).all():
            raise ValueError(f"{name} holds values that are not finite")


def load(path, cells=()):
    """Read a model that `DualEncoder.save` or a checkpoint wrote.

    Parameters
    ----------
    path : str
    cells : list of type
        Classes of cells of one's own that it may be a model of, beside the package's.

    Raises
    ------
    InputError
        The file is damaged, cut short, or not a model. Nothing in it is ever run.
    """
    try:
        return unpack(path, cells)[0]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
