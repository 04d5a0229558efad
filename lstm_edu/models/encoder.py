"""The base class of both models (Figs. 3 and 13), which encodes texts and ranks titles."""

from collections.abc import Sequence
from types import MappingProxyType, SimpleNamespace
from typing import Any, Generic, Literal, TypeVar

import numpy as np
import scipy.sparse
from numpy.typing import DTypeLike, NDArray

from .._util import arguments, array_files
from .._util.files import InputError, Path
from .._util.threads import one_blas_thread
from ..cells.cell import Cell, check_cell
from ..text import sentences
from ..text.batch import as_asked_for, side_by_side
from ..text.hashing import LetterTrigrams
from ..text.sentences import rows
from .model_file import SIDES, pack

BLOCK = 1024  # texts to embed at a time, which limits memory
TASK = 16 * BLOCK  # texts per joblib task, which takes a few tenths of a second
SCALES = 1e-9, 1e9  # bounds of the initial weights' scale; squares of these fit in float32
Encoded = TypeVar("Encoded")


class Side:
    """The cell of one side, query or document, and its weights.

    Attributes
    ----------
    cell : Cell
    weights : dict of arrays
        As stored (`Cell.shapes`): gates are concatenated, and W has one row per trigram.
    """

    def __init__(self, cell, weights):
        self.cell, self.weights = cell, weights

    @property
    def params(self):
        """The weights, keyed by the paper's names and in its orientation.

        They are views, so writing to them changes the model.
        """
        return MappingProxyType(self.cell.params(self.weights))

    @property
    def dtype(self):
        """The dtype of the weights and of the embeddings."""
        return next(iter(self.weights.values())).dtype

    def embed(self, batch):
        """Embed a batch; return an (N, size) array in the order of the given texts."""
        y, _ = self.cell.forward(self.weights, batch)
        return as_asked_for(batch, y)


class Encoder(Generic[Encoded]):
    """A cell that reads queries, a cell that reads titles, and the score R(Q, D) of their outputs.

    Its subclasses are `lstm_edu.DualEncoder` and `lstm_edu.AlignedEncoder`. Their ``relevance``
    determines ``Encoded``, the type of encoded texts.

    Parameters and attributes are those of `lstm_edu.DualEncoder`.
    """

    relevance: Any  # `Cosine` or `Aligned`
    queries_at_once = 1 << 20  # number of queries whose titles are encoded together

    def __init__(
        self,
        cell: Cell,
        hashing: LetterTrigrams,
        seed: int = 0,
        dtype: DTypeLike = "float32",
        scale: float = 0.05,
        tied: bool = True,
    ):
        check_cell(cell)
        how = "lstm_edu.LetterTrigrams, such as LetterTrigrams.fit(texts)"
        self.hashing = arguments.instance("hashing", hashing, LetterTrigrams, how)
        self.cell, self.dtype, self.training = cell, arguments.float_type("dtype", dtype), {}
        rng = np.random.default_rng(arguments.seed(seed))
        tied, scale = arguments.boolean("tied", tied), arguments.number("scale", scale, *SCALES)
        shapes = cell.shapes(hashing.size)
        self.query, self.document = (
            Side(cell, {name: _normal(rng, scale, shapes[name], self.dtype) for name in shapes})
            for _ in SIDES
        )
        if tied:
            self.document = Side(cell, {name: w.copy() for name, w in self.query.weights.items()})

    def __repr__(self):
        return (
            f"{type(self).__name__}({self.cell!r}, {self.hashing.size:,} letter trigrams, "
            f"{self.n_parameters:,} parameters, training: {trained(self)})"
        )

    @property
    def n_parameters(self) -> int:
        """The number of parameters of both sides together."""
        return sum(w.size for side in (self.query, self.document) for w in side.weights.values())

    # ---- encode texts

    def encode_query(self, texts: Sequence[str], n_jobs: int | None = None) -> Encoded:
        """Encode queries; see `encode_document` for arguments and result."""
        return self._encode(self.query, self._plain("texts", texts), n_jobs)

    def encode_document(self, texts: Sequence[str], n_jobs: int | None = None) -> Encoded:
        """Encode titles.

        Parameters
        ----------
        texts : list of str
        n_jobs : int, optional
            Number of joblib threads if there are more than about 16,000 distinct texts; -1 means
            one per core. None means one thread, or the backend set by ``joblib.parallel_config``,
            such as a cluster within ``joblib.parallel_config("dask")``.

        Returns
        -------
        array or Words
            A `lstm_edu.DualEncoder` returns embeddings, (n_texts, embedding size); a
            `lstm_edu.AlignedEncoder` returns `lstm_edu.gradients.aligned.Words`, the output at
            every word.

        Notes
        -----
        Texts with the same words get identical vectors within one call. Between calls with other
        texts, a text's vector may differ by rounding, because the order in which BLAS adds depends
        on the block's shape.
        """
        return self._encode(self.document, self._plain("texts", texts), n_jobs)

    def _plain(self, name, texts):
        """Return each text reduced to the words that the model reads, joined by single spaces."""
        return [self.hashing.plain(text) for text in arguments.texts(name, texts)]

    def _encode(self, side, texts, n_jobs=None):
        """Encode texts from `_plain`; equal texts are read once and get identical vectors."""
        n_jobs = arguments.integer("n_jobs", n_jobs, -arguments.LARGEST, allow=[None])
        if n_jobs == 0:
            arguments.refuse("n_jobs", 0, "None or a whole number other than 0")
        row = rows(texts)
        distinct, starts = list(row), range(0, max(1, len(row)), TASK)
        # joblib sends an array once per machine if it is an argument, but not if it is in a dict
        how = self.relevance, self.hashing, self.dtype, side.cell, [*side.weights]
        how = *how, *side.weights.values()
        tasks = [(distinct[start : start + TASK], *how) for start in starts]
        with one_blas_thread():  # entered once, so that all tasks reuse the same memory
            parts, unknown = zip(*_each_task(tasks, n_jobs))
        sentences.warn_of_unknown(sum(unknown), len(row))
        return self.relevance.chosen(self.relevance.joined(parts), [row[text] for text in texts])

    # ---- rank titles

    def score(self, query: str, titles: Sequence[str]) -> NDArray:
        """Compute R(Q, D) of one query with each title; return an (n_titles,) array."""
        query, titles = arguments.text("query", query), arguments.texts("titles", titles)
        return self._scores([query], [titles])[0]

    def scores(self, queries: Sequence[str], titles: Sequence[Sequence[str]]) -> list[NDArray]:
        """Compute the scores of many queries, each with its list of titles, as `score` does."""
        queries, titles = arguments.searches(queries, titles)
        starts = range(0, len(queries), self.queries_at_once)
        blocks = [slice(start, start + self.queries_at_once) for start in starts]
        return [R for block in blocks for R in self._scores(queries[block], titles[block])]

    def _scores(self, queries, titles):
        """Compute the scores of each query with its list of titles, encoding each text once."""
        plain, chosen = self.hashing.plain, self.relevance.chosen
        queries, titles = list(map(plain, queries)), [list(map(plain, each)) for each in titles]
        row = rows(title for each in titles for title in each)
        q, d = self._encode(self.query, queries), self._encode(self.document, list(row))

        def of_query(k, candidates):
            place = rows(candidates)  # score equal texts once, so that their scores are identical
            encoded = chosen(q, [k]), chosen(d, [row[title] for title in place])
            (R,) = self.relevance.of_each(*encoded)
            return R[[place[title] for title in candidates]]

        with one_blas_thread():
            return [of_query(k, candidates) for k, candidates in enumerate(titles)]

    def rank(self, query: str, titles: Sequence[str]) -> list[tuple[str, float]]:
        """Sort titles by their scores, best first; titles with equal scores keep the given order.

        Returns
        -------
        list of (title, score)
        """
        titles = arguments.texts("titles", titles)
        scores = self.score(query, titles)
        return [(titles[k], float(scores[k])) for k in np.argsort(-scores, kind="stable")]

    # ---- trace and save

    def trace(self, text: str, side: Literal["query", "document"] = "query") -> SimpleNamespace:
        """Record the states of the cell at every word of a text.

        Parameters
        ----------
        text : str
        side : "query" or "document"

        Returns
        -------
        SimpleNamespace
            ``words``, ``cell``, and an (n_words, n_cells) array for each of the cell's states: for
            an LSTM ``i f o c y yg``, for an RNN ``y``; attention's ``a`` is (n_words,). The states
            of two directions are concatenated, forward first, in the order of the text; the
            embedding is then the forward half of the last row of ``y`` and the backward half of the
            first. With attention, the embedding is ``a @ y``.

        Raises
        ------
        InputError
            The text has no words, or ``side`` is neither "query" nor "document".
        """
        reader = getattr(self, arguments.choice("side", side, SIDES))
        words = self.hashing.words(text)
        if not words:
            raise InputError("text: has no words")
        Wh = self.hashing.operator(words, self.dtype)
        known = np.unique(Wh.indices)  # gather only the weights of these trigrams
        weights = reader.cell.map_sparse(lambda W: W[known], reader.weights)
        states = reader.cell.read(reader.cell.params(weights), Wh[:, known].toarray())
        shown = {name: np.array([getattr(s, name) for s in states]) for name in reader.cell.states}
        return SimpleNamespace(words=words, cell=reader.cell, **shown)

    def save(self, path: Path) -> None:
        """Write the model to one file atomically, without pickle.

        The file is an ``.npz``, or safetensors if ``path`` ends in ``.safetensors``. An existing
        file is replaced; if several processes save to one path at once, the last one wins. Raises
        InputError and writes nothing if weights are not finite, because `load` would refuse them.
        """
        array_files.write_arrays(arguments.path("path", path), *pack(self))


def trained(model):
    """Describe for how many epochs a model has been trained."""
    if not model.training:
        return "none"
    n = len(model.training.get("history", {}).get("cost", ()))
    epochs = "1 epoch" if n == 1 else f"{n} epochs"
    return epochs if model.training.get("finished") else f"{epochs}, not finished"


def encode_words(relevance, cell, weights, texts):
    """Encode `lstm_edu.text.sentences.Sentences`, given weights with one row per distinct word.

    A row of these weights is the product of W and a word's trigram counts. Texts of similar length
    are read together.
    """
    n_words = texts.Wh.shape[0]
    texts = texts._replace(Wh=scipy.sparse.eye_array(n_words, dtype=texts.Wh.dtype, format="csr"))
    by_length = np.argsort(np.diff(texts.starts), kind="stable")
    starts = range(0, max(1, len(by_length)), BLOCK)
    batches = (side_by_side(texts, by_length[start : start + BLOCK]) for start in starts)
    parts = [relevance.encoded(cell, weights, batch) for batch in batches]
    return relevance.chosen(relevance.joined(parts), np.argsort(by_length))


def _task(texts, relevance, hashing, dtype, cell, names, *weights):
    """Encode texts, and count those without a known letter trigram."""
    texts = sentences.from_texts(texts, hashing, dtype, warn=False)
    with one_blas_thread():
        of_words = cell.map_sparse(lambda W: texts.Wh @ W, dict(zip(names, weights)))
        return encode_words(relevance, cell, of_words, texts), sentences.n_unknown(texts)


def _each_task(tasks, n_jobs) -> Any:
    """Run `_task` for each of ``tasks``, with joblib if there are several."""
    if len(tasks) == 1:  # for one task, starting a thread isn't worthwhile
        return [_task(*tasks[0])]
    from joblib import Parallel, delayed  # imported here so that lstm_edu imports quickly

    n_jobs = n_jobs and min(n_jobs, len(tasks))  # more threads would be idle
    return Parallel(n_jobs, prefer="threads")(delayed(_task)(*given) for given in tasks)


def _normal(rng, scale, shape, dtype):
    """Draw normal numbers in float64, a block of rows at a time to save memory."""
    w = np.empty(shape, dtype)
    for start in range(0, len(w), BLOCK):
        block = w[start : start + BLOCK]
        block[...] = scale * rng.standard_normal(block.shape)
    return w
