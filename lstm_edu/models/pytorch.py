"""A model as a `torch.nn.Module`, and back: the same parameters, by the paper's names::

    module = lstm_edu.to_torch(model)
    R = module(queries, titles)          # the cosines of (3), which PyTorch can differentiate
    …                                    # torch.optim, a graphics card, whatever PyTorch has
    model = lstm_edu.from_torch(module)

The cell's ``step_of_many``, which autograd differentiates, reads a word here with PyTorch's arrays
in place of NumPy's. So every cell that reads word by word can become a module, even your cells, but
not `lstm_edu.Attention`. Lesson 14 writes the same by hand, and with `torch.nn.LSTM`.
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
    """One side of a model: texts to embeddings.

    Parameters
    ----------
    cell : Cell
    hashing : LetterTrigrams
    params : mapping of arrays, by the paper's names
        They are copied. A dot in a name becomes an underscore, as in ``forward_W1``: PyTorch uses
        the dot for modules in modules.
    """

    def __init__(self, cell, hashing, params):
        super().__init__()
        self.cell, self.hashing = cell, hashing
        for name, w in params.items():
            self.register_parameter(_below(name), torch.nn.Parameter(torch.tensor(w)))
        self.register_load_state_dict_pre_hook(_check_trigrams)

    def reads(self):
        """Return the parts that the two sides of a model share."""
        return self.cell, self.hashing.trigrams, self.hashing.max_words

    @property
    def params(self):
        """The parameters by the paper's names."""
        return {name: getattr(self, _below(name)) for name in self.cell.params(_marked(self.cell))}

    def get_extra_state(self):
        """Return a digest of the trigrams and their order, W's columns, for the ``state_dict``.

        It is a tensor, because some file formats take nothing else. Its type is int64, so that it
        survives averaging ``state_dict``s, or conversion to float16.
        """
        said = " ".join(self.hashing.trigrams)
        digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()
        return torch.from_numpy(np.array([*digest], np.int64))

    def set_extra_state(self, state):
        """Do nothing: `_check_trigrams` compares the state before anything is written."""

    def forward(self, texts: Sequence[str]) -> torch.Tensor:
        """Embed texts, (n_texts, size); zero for a text without words."""
        texts, params = arguments.texts("texts", texts), self.params
        like = next(self.parameters())
        dtype = str(like.dtype).removeprefix("torch.")
        batch = batches.side_by_side(sentences.from_texts(texts, self.hashing, dtype))
        Wh = _sparse(batch.Wh, like.device)
        # W l(t) is computed once per distinct word
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
    """The two sides of a model, ``query`` and ``document``, as `Reader`s; made by `to_torch`."""

    def __init__(self, model):
        super().__init__()
        for name in SIDES:
            side = getattr(model, name)
            self.add_module(name, Reader(model.cell, model.hashing, side.params))
        self.history = copy.deepcopy(model.training)  # ``training`` is an attribute of every module

    def forward(self, queries: Sequence[str], titles: Sequence[str]) -> torch.Tensor:
        """Compute R(Q, D) of Eq. (3), each query with each title, (n_queries, n_titles)."""
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
    """Turn a model into a `torch.nn.Module` with the same embeddings and the same gradient.

    Parameters
    ----------
    model : DualEncoder
        A model whose cell reads word by word, in one direction or both, without attention.

    Returns
    -------
    Encoders
        Its parameters are copies: training it does not change the model. Their memory layout is
        ours, with one row per trigram, which is faster to read. If they must be contiguous, as for
        `torch.optim.LBFGS`, set ``w.data = w.data.contiguous()`` for each. Its ``state_dict`` has a
        digest of the trigrams; a module with other trigrams refuses it.

    Raises
    ------
    InputError
        It is no model, it aligns words, or its cell has attention or does not read word by word.
    """
    cell = arguments.model(model).cell
    if model.relevance.words:
        arguments.refuse("model", model, "a lstm_edu.DualEncoder, with one vector a text")
    reads = getattr(cell, "cell", cell) if cell.directions == 2 else cell
    if not hasattr(reads, "step_of_many"):
        raise InputError(f"model: to_torch knows no {type(cell).__name__}, {_KNOWN}")
    return Encoders(model)


_KNOWN = "but cells that read word by word, such as an RNN, an LSTM, a GRU, and both directions"


def from_torch(module: Encoders) -> DualEncoder:
    """Turn a module of `to_torch` back into a model.

    Parameters
    ----------
    module : Encoders
        A result of `to_torch`; it may be on a graphics card.

    Returns
    -------
    DualEncoder
        Its parameters are exact copies. Its ``training`` is the one from before `to_torch`; later
        training is not recorded.

    Raises
    ------
    InputError
        It is no such module, a part was added or is missing, its sides or the shapes of its
        parameters no longer fit one model, or its parameters are not all float32 or all float64,
        not finite, or without values, as on the meta device.
    """
    arguments.instance("module", module, Encoders, "a result of lstm_edu.to_torch")
    query, document = (getattr(module, side, None) for side in SIDES)
    allowed = "a Reader, as lstm_edu.to_torch gave it"
    query = arguments.instance("module.query", query, Reader, allowed)
    if not isinstance(document, Reader) or document.reads() != query.reads():
        allowed = "as module.query, a Reader of the same cell and letter trigrams"
        arguments.refuse("module.document", document, allowed)
    given = {  # one side may serve as both, and then counts twice
        **dict(module.named_parameters(remove_duplicate=False)),
        **dict(module.named_buffers(remove_duplicate=False)),
    }
    kinds = {str(w.dtype).removeprefix("torch.") for w in given.values()}
    if kinds not in ({"float32"}, {"float64"}):
        found = " and ".join(sorted(kinds))
        raise InputError(f"module: has parameters of {found}; must be all float32 or all float64")
    model = DualEncoder(query.cell, query.hashing, dtype=kinds.pop())
    params = {
        f"{side}.{_below(name)}": w
        for side in SIDES
        for name, w in getattr(model, side).params.items()
    }
    arrays = {name: _array(name, w) for name, w in given.items()}
    try:
        check_arrays(arrays, {name: w.shape for name, w in params.items()}, model.dtype)
    except ValueError as error:
        raise InputError(f"module: {error}") from None
    for name, w in params.items():
        w[...] = arrays[name]
    model.training = copy.deepcopy(module.history)
    return model


def _array(name, w):
    """Return a parameter as a NumPy array, from any device."""
    try:
        return w.detach().cpu().numpy()
    except (RuntimeError, TypeError, ValueError) as error:  # without values, or sparse
        raise InputError(f"module: {name} cannot be read ({why(error)})") from None


def _below(name):
    """Return a parameter's name in PyTorch, which uses the dot for modules in modules."""
    return name.replace(".", "_")


def unit(y):
    """Scale embeddings to length 1, as `lstm_edu.gradients.cost.normalise`.

    An embedding whose square vanishes becomes zero, and so does its gradient, which
    `torch.nn.functional.normalize` would divide by 1e-12.
    """
    square = (y * y).sum(1, keepdim=True)
    zero = square < torch.finfo(y.dtype).tiny
    return y / torch.where(zero, torch.inf, square).sqrt()


def _marked(cell):
    """Mark the parameters that letter trigrams multiply, as arrays of bool like the weights."""
    shapes = cell.shapes(1).items()
    return {name: np.full(shape, name in cell.sparse) for name, shape in shapes}


def _sparse(Wh, device):
    """Convert a sparse array to PyTorch's."""
    coo = Wh.tocoo()
    places = torch.from_numpy(np.vstack([coo.row, coo.col]).astype(np.int64))
    counts = torch.from_numpy(coo.data)
    how = {"device": device, "check_invariants": False}  # explicit, or PyTorch warns
    return torch.sparse_coo_tensor(places, counts, Wh.shape, **how)


class _Words:
    """Words in place of l: ``l @ W.T`` looks up a product that is known for all words."""

    def __init__(self, rows):
        self.rows = rows

    def __matmul__(self, of_words):
        return of_words.index_select(0, self.rows)


def _read(cell, params, batch):
    """Return y after each text's last word, in the order of the given texts, (N, size)."""
    like = next(iter(params.values()))
    token = torch.from_numpy(batch.token).to(like.device)
    y = [like.new_zeros(1, cell.size)]  # y(0)
    states = [like.new_zeros(len(batch.order), cell.size) for _ in cell.carries]
    for now, _ in batches.in_time(batch):
        n_t = now.stop - now.start  # the rest have ended
        states = cell.step_of_many(
            torch, params, _Words(token[now]), *(state[:n_t] for state in states)
        )
        y.append(states[cell.carries.index("y")])
    rows, last = np.zeros(len(batch.order), np.int64), batches.last(batch)
    rows[: len(last)] = 1 + last
    rows = torch.from_numpy(batches.as_asked_for(batch, rows)).to(like.device)
    return torch.cat(y).index_select(0, rows)
