"""Convert a model to a `torch.nn.Module` with the same parameters, and back::

    module = lstm_edu.to_torch(model)
    R = module(queries, titles)          # the cosines of (3), which PyTorch can differentiate
    …                                    # train with torch.optim, on a graphics card, …
    model = lstm_edu.from_torch(module)

Here the cell's ``step`` computes with PyTorch tensors instead of NumPy arrays. Every cell that
reads word by word can therefore become a module, including your own; `lstm_edu.Attention` cannot.
Lesson 14 does this by hand, and with `torch.nn.LSTM`.
"""

import copy
import hashlib
from collections.abc import Sequence

import numpy as np

from .._util import arguments
from .._util.files import InputError, from_extra, why
from ..cells.bidirectional import DIRECTIONS, part
from ..text import batch as batches
from ..text import sentences
from .dual_encoder import DualEncoder
from .model_file import SIDES, check_arrays

with from_extra("torch", "to_torch and from_torch need PyTorch"):
    import torch


class Reader(torch.nn.Module):
    """A module that embeds the texts of one side of a model.

    Parameters
    ----------
    cell : Cell
    hashing : LetterTrigrams
    params : mapping of arrays, keyed by the paper's names
        The parameters, which are copied. A dot in a name becomes an underscore, as in
        ``forward_W1``, because PyTorch separates nested modules with dots.
    """

    def __init__(self, cell, hashing, params):
        super().__init__()
        self.cell, self.hashing = cell, hashing
        for name, w in params.items():
            self.register_parameter(_below(name), torch.nn.Parameter(torch.tensor(w)))
        self.register_load_state_dict_pre_hook(_check_trigrams)

    def reads(self):
        """Return the cell, the trigrams and max_words, which are equal on both sides of a model."""
        return self.cell, self.hashing.trigrams, self.hashing.max_words

    @property
    def params(self):
        """The parameters, keyed by the paper's names."""
        return {name: getattr(self, _below(name)) for name in self.cell.params(_marked(self.cell))}

    def get_extra_state(self):
        """Return a digest of the trigrams in the order of W's columns, for the ``state_dict``.

        It is a tensor, because some file formats store only tensors, and int64, so that averaging
        ``state_dict``s or converting them to float16 does not change it.
        """
        said = " ".join(self.hashing.trigrams)
        digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()
        return torch.from_numpy(np.array([*digest], np.int64))

    def set_extra_state(self, state):
        """Do nothing, because `_check_trigrams` has already compared the state."""

    def forward(self, texts: Sequence[str]) -> torch.Tensor:
        """Embed texts as an (n_texts, size) tensor; a text without words gets a zero vector."""
        texts, params = arguments.texts("texts", texts), self.params
        like = next(self.parameters())
        dtype = str(like.dtype).removeprefix("torch.")
        batch = batches.side_by_side(sentences.from_texts(texts, self.hashing, dtype))
        Wh = _sparse(batch.Wh, like.device)
        # compute W l(t) once per distinct word
        of_words = {
            name: (Wh @ params[name].T).T if marked.all() else params[name]
            for name, marked in self.cell.params(_marked(self.cell)).items()
        }
        if self.cell.directions == 1:
            return _read(self.cell, of_words, batch)
        both = zip(DIRECTIONS, (batch, batches.backwards(batch)))
        halves = [_read(self.cell.cell, part(of_words, name), turned) for name, turned in both]
        return torch.cat(halves, 1)


class Encoders(torch.nn.Module):
    """A module made by `to_torch`, with a `Reader` per side, ``query`` and ``document``."""

    def __init__(self, model):
        super().__init__()
        for name in SIDES:
            side = getattr(model, name)
            self.add_module(name, Reader(model.cell, model.hashing, side.params))
        # not named ``training``, because every torch module already has such an attribute
        self.history = copy.deepcopy(model.training)

    def forward(self, queries: Sequence[str], titles: Sequence[str]) -> torch.Tensor:
        """Compute R(Q, D) of Eq. (3); return an (n_queries, n_titles) tensor."""
        texts = arguments.texts("queries", queries), arguments.texts("titles", titles)
        q, d = (unit(side(given)) for side, given in zip((self.query, self.document), texts))
        return q @ d.T


def _check_trigrams(reader, state_dict, prefix, *_):
    """Raise InputError if a ``state_dict`` to be loaded has other letter trigrams."""
    expected, given = reader.get_extra_state(), state_dict.get(f"{prefix}_extra_state")
    if given is not None and given.tolist() != expected.tolist():
        raise InputError(
            "state_dict: has other letter trigrams, or the same in another order; "
            "must have this module's"
        )


def to_torch(model: DualEncoder) -> Encoders:
    """Convert a model to a `torch.nn.Module` with the same embeddings and gradient.

    Parameters
    ----------
    model : DualEncoder
        A model whose cell reads word by word, in one direction or both, without attention.

    Returns
    -------
    Encoders
        Its parameters are copies, so training it does not change the model. Their memory layout has
        one row per trigram, which is faster to read. If they must be contiguous, as for
        `torch.optim.LBFGS`, set ``w.data = w.data.contiguous()`` for each of them. Its
        ``state_dict`` has a digest of the trigrams, so that a module with other trigrams refuses
        it.

    Raises
    ------
    InputError
        The argument is not a model, it aligns words, its cell has attention, or its cell does not
        read word by word.
    """
    cell = arguments.model(model).cell
    if model.relevance.words:
        arguments.refuse("model", model, "a lstm_edu.DualEncoder, with one vector per text")
    reads = getattr(cell, "cell", cell) if cell.directions == 2 else cell
    if not hasattr(reads, "step"):
        raise InputError(f"model: to_torch knows no {type(cell).__name__}, {_KNOWN}")
    return Encoders(model)


_KNOWN = "but cells that read word by word, such as an RNN, an LSTM, a GRU, and both directions"


def from_torch(module: Encoders) -> DualEncoder:
    """Convert a module made by `to_torch` back to a model.

    Parameters
    ----------
    module : Encoders
        A result of `to_torch`; it may be on a graphics card.

    Returns
    -------
    DualEncoder
        Its parameters are exact copies. Its ``training`` dates from before `to_torch`; training the
        module is not recorded.

    Raises
    ------
    InputError
        The module is not from `to_torch`, has parts added or removed, or has sides or shapes that
        do not fit one model. Or its parameters are neither all float32 nor all float64, are not
        finite, or have no values, as on the meta device.
    """
    arguments.instance("module", module, Encoders, "a result of lstm_edu.to_torch")
    query, document = (
        arguments.instance(f"module.{side}", getattr(module, side, None), Reader, "a Reader")
        for side in SIDES
    )
    if document.reads() != query.reads():
        allowed = "of the same cell and letter trigrams as module.query"
        arguments.refuse("module.document", document, allowed)
    given = module.state_dict()
    for side in SIDES:
        del given[f"{side}._extra_state"]
    arrays = {name: _array(name, w) for name, w in given.items()}
    dtype = arrays[min(arrays)].dtype if arrays else "float32"
    model = DualEncoder(query.cell, query.hashing, dtype=dtype)
    params = {
        f"{side}.{_below(name)}": w
        for side in SIDES
        for name, w in getattr(model, side).params.items()
    }
    try:
        check_arrays(arrays, {name: w.shape for name, w in params.items()}, model.dtype)
    except ValueError as error:
        raise InputError(f"module: {error}") from None
    for name, w in params.items():
        w[...] = arrays[name]
    model.training = copy.deepcopy(module.history)
    return model


def _array(name, w):
    """Convert a parameter on any device to a NumPy array."""
    try:
        return w.cpu().numpy()
    except Exception as error:  # for example if it is sparse or on the meta device
        raise InputError(f"module: {name} cannot be read ({why(error)})") from None


def _below(name):
    """Replace dots with underscores, because PyTorch separates nested modules with dots."""
    return name.replace(".", "_")


def unit(y):
    """Scale embeddings to length 1, as `lstm_edu.gradients.cost.normalise` does.

    An embedding whose squared length underflows becomes zero, with a gradient of zero;
    `torch.nn.functional.normalize` would divide that gradient by 1e-12.
    """
    square = (y * y).sum(1, keepdim=True)
    zero = square < torch.finfo(y.dtype).tiny
    return y / torch.where(zero, torch.inf, square).sqrt()


def _marked(cell):
    """Return a mask for each weight: all True if trigram counts multiply it, else all False."""
    shapes = cell.shapes(1).items()
    return {name: np.full(shape, name in cell.sparse) for name, shape in shapes}


def _sparse(Wh, device):
    """Convert a SciPy sparse array to a sparse tensor."""
    coo = Wh.tocoo()
    places = torch.from_numpy(np.vstack([coo.row, coo.col]).astype(np.int64))
    counts = torch.from_numpy(coo.data)
    how = {"device": device, "check_invariants": False}  # explicit, because PyTorch warns otherwise
    return torch.sparse_coo_tensor(places, counts, Wh.shape, **how)


class _Words:
    """A stand-in for l whose product ``l @ W.T`` looks up the precomputed rows of its words."""

    def __init__(self, rows):
        self.rows = rows

    def __matmul__(self, of_words):
        return of_words.index_select(0, self.rows)


def _read(cell, params, batch):
    """Return an (N, size) tensor of y after each text's last word, in the order of the texts."""
    like = next(iter(params.values()))
    token = torch.from_numpy(batch.token).to(like.device)
    y = [like.new_zeros(1, cell.size)]  # y(0), the embedding of a text without words
    states = [like.new_zeros(len(batch.order), cell.size) for _ in cell.carries]
    for now, _ in batches.in_time(batch):
        n_t = now.stop - now.start  # number of texts with a word at this time
        before = (state[:n_t] for state in states)
        state = cell.step(params, _Words(token[now]), *before, xp=torch)
        states = [getattr(state, name) for name in cell.carries]
        y.append(state.y)
    rows, last = np.zeros(len(batch.order), np.int64), batches.last(batch)
    rows[: len(last)] = 1 + last
    rows = torch.from_numpy(batches.as_asked_for(batch, rows)).to(like.device)
    return torch.cat(y).index_select(0, rows)
