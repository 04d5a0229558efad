"""Base classes of the cells, which turn texts into embeddings.

All code that is specific to one kind of cell is in its class. A cell is a frozen dataclass of its
sizes and options. Its methods take the weights as an argument, either as stored (`shapes`), which
is fast, or with the paper's names and orientation (`params`).

A recurrent cell implements its equations twice, on purpose. `step` is the paper's formula for
one word of one sentence, or of several sentences as rows; autograd and PyTorch differentiate it.
`outputs` and `errors` are the forward and backward pass of training, for a batch of sentences
(`lstm_edu.text.batch`); they multiply W by each distinct word only once. Tests compare the two
implementations. The tape is the record of intermediate results that `forward` returns and
`backward` takes.

To add a cell, write one file and list its class in `lstm_edu.cells.CELLS`. A class outside the
package is passed to ``lstm_edu.load(path, cells=[Mine])``. `rnn.py` is the shortest example
of a `Recurrent` cell, which reads word by word; `dssm.py` reads a text as a whole.
tests/edu/test_cells.py adds a cell.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._util import arguments
from ..text import batch as batches
from ..text.batch import Batch, after_first, input_gradient

Weights = Mapping[str, NDArray]
LARGEST_SIZE = 10**12  # exceeds any memory; NumPy's message for larger sizes is unclear


class Output(NamedTuple):
    """The output y: (size,) after one word, or (n_tokens, size) at all words of a batch."""

    y: NDArray


class Cell:
    """Base class of all cells; a subclass overrides the methods that raise NotImplementedError.

    Attributes
    ----------
    states : dict
        Maps the name of each state that `read` records to its title in figures.
    gates : tuple of str
        The states that are gates. Figures color them on a scale from 0 (shut) to 1 (open).
    drawn : tuple of str
        The states that a figure shows by default.
    recurrent : bool
        Whether the cell reads word by word, so that the backward pass goes through time. With other
        cells, ``truncate`` is refused.
    printed : None, "exact" or "approximate"
        The gradient that the paper's appendix prints for the cell: none, an exact one (RNN), or the
        approximation (14)-(44).
    directions : int
        The number of reading directions; their outputs are concatenated.
    sparse : frozenset of str
        The weights with one row per trigram. A minibatch updates only the rows of its trigrams.
    """

    states, gates, drawn = {"y": "output y(t)"}, (), ("y",)
    recurrent, printed, directions = False, None, 1
    sparse = frozenset({"W"})

    def __post_init__(self):
        """Check that the cell's sizes are integers from 1 to `LARGEST_SIZE`."""
        for field in fields(self):
            if field.type in (int, "int"):
                n = arguments.integer(field.name, getattr(self, field.name), 1, LARGEST_SIZE)
                object.__setattr__(self, field.name, n)

    @property
    def size(self) -> int:
        """The length of the embedding."""
        raise NotImplementedError

    def shapes(self, n_trigrams: int) -> dict[str, tuple[int, ...]]:
        """Return the shape of each stored weight, keyed by name."""
        raise NotImplementedError

    def _borrow(self, cell, **changed):
        """Copy the attributes of another cell, with the replacements in ``changed``."""
        names = "states", "gates", "drawn", "recurrent", "printed", "directions", "sparse"
        for name in names:
            object.__setattr__(self, name, changed.get(name, getattr(cell, name)))

    def map_sparse(self, function: Callable, weights: Weights) -> dict[str, NDArray]:
        """Return all weights, with a function applied to the sparse ones."""
        return {name: function(w) if name in self.sparse else w for name, w in weights.items()}

    def params(self, weights: Weights) -> dict[str, NDArray]:
        """Return views of the weights with the paper's names and orientation."""
        raise NotImplementedError

    def read_many(self, xp: Any, params: Callable, L: list) -> list:
        """Compute the outputs for texts of equal length, with operations that autograd supports.

        Parameters
        ----------
        xp : module
            The array library: ``numpy`` or ``autograd.numpy``.
        params : function
            Takes the number of words that follow a word; returns the parameters for this word,
            keyed by the paper's names.
        L : list of (N, n_trigrams)
            The trigram counts of all texts' first words, second words, …; not empty. Multiply by W
            as ``l @ params(left)["W"].T``, the only operation that every kind of l supports.

        Returns
        -------
        list of (N, size)
            The output at every word, or only the embedding if the cell does not read word by word.
        """
        raise NotImplementedError

    def embedding(self, xp: Any, params: Callable, y: list) -> Any:
        """Return the (N, size) embeddings from the outputs of `read_many`."""
        return y[-1]

    def read(self, params: Weights, L: NDArray, state=None) -> list:
        """Read one text and record the states after every word.

        A cell that does not read word by word returns the embedding of the text up to each word.

        Parameters
        ----------
        params : mapping of arrays, keyed by the paper's names
        L : (n_words, n_trigrams)
        state : State, optional
            The initial state of a cell that reads word by word; zeros if None.

        Returns
        -------
        list of State, one per word
            The fields of each State are the cell's ``states``.
        """
        until = (list(L[: t + 1, None]) for t in range(len(L)))
        return [Output(self.read_many(np, lambda left: params, words)[-1][0]) for words in until]

    def forward(self, weights: Weights, batch: Batch) -> tuple[NDArray, Any]:
        """Run the forward pass: compute the embeddings of a batch.

        Returns
        -------
        y : (N, size)
            The embeddings in the batch's order, longest text first; zero for a text without words.
        tape
            The intermediate results that `backward` needs. If the cell reads word by word, the
            tape's ``y`` is the output at every word, (n_tokens, size).
        """
        raise NotImplementedError

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """Run the backward pass: compute the weights' gradient from the error of the embeddings.

        Parameters
        ----------
        dy : (N, size)
            The gradient of the cost with respect to the embeddings.
        truncate : int, optional
            The maximum number of steps that errors go back from a sentence's last word.
        errors : function, optional
            A replacement for `Recurrent.errors`; its first argument is the cell.
        at_words : (n_tokens, size), optional
            The gradient with respect to the outputs at every word, if the cell reads word by word.

        Returns
        -------
        dict of arrays
            The gradient of each weight; for a sparse weight only the rows ``batch.touched``.
        """
        raise NotImplementedError


class Recurrent(Cell):
    """A cell that reads word by word; its embedding is the output y after the last word.

    A subclass defines ``n_cells``, `step`, `outputs` and `errors`. The weights of its gates are
    concatenated, so that one product computes W l(t) for all gates.

    Attributes
    ----------
    carries : tuple of str
        The states that are passed from word to word, in the order in which `step` takes them.
    suffixes : dict
        Maps each gate to the suffix of its parameters' names, in the order of the weights' columns.
        A cell without gates has one entry, for its only nonlinearity.
    """

    n_cells: int
    carries, recurrent, suffixes = ("y",), True, {"y": ""}

    @property
    def size(self):
        """The length of the embedding."""
        return self.n_cells

    @property
    def columns(self):
        """Each gate's columns of the weights, as a dict of slices."""
        m = self.n_cells
        return {gate: slice(k * m, (k + 1) * m) for k, gate in enumerate(self.suffixes)}

    def shapes(self, n_trigrams):
        """Return the shape of each stored weight, keyed by name."""
        m, width = self.n_cells, len(self.suffixes) * self.n_cells
        return {"W": (n_trigrams, width), "Wrec": (m, width), "b": (width,)}

    def params(self, weights):
        """Return views of each gate's weights with the paper's names and orientation."""
        return {
            f"{name}{self.suffixes[gate]}": weights[name][..., part].T
            for name in ("W", "Wrec", "b")
            for gate, part in self.columns.items()
        }

    def step(self, params, l, *state, xp=np):
        """Compute the State after one word by the paper's formula, from the states in `carries`.

        Parameters
        ----------
        params : mapping of arrays, keyed by the paper's names
        l : (n_trigrams,) or (N, n_trigrams)
            The letter-trigram counts of one word, or of one word per sentence.
        *state : (n_cells,) or (N, n_cells)
        xp : module
            The array library: ``numpy``, ``autograd.numpy`` or ``torch``.
        """
        raise NotImplementedError

    def outputs(self, weights, batch):
        """Run the forward pass of a batch; return the tape, whose ``y`` is (n_tokens, n_cells)."""
        raise NotImplementedError

    def errors(self, weights, batch, tape, dy, truncate=None, at_words=None):
        """Run exact backpropagation through time (BPTT); see `Cell.backward` for the parameters.

        Returns
        -------
        dict of (n_tokens, n_cells) arrays
            The error of each pre-activation, keyed by the state computed from it, such as a gate.
        """
        raise NotImplementedError

    def inputs(self, tape, later, before):
        """Return the vectors that each gate's Wrec multiplies at the tokens ``later``: here y(t-1).

        ``before`` are the tokens one word earlier. A cell with other recurrent inputs overrides
        this method.
        """
        return dict.fromkeys(self.suffixes, tape.y[before])

    def gradient(self, weights, batch, tape, dz):
        """Compute the gradient of the weights from the errors of the pre-activations."""
        later, before = after_first(batch)
        inputs = self.inputs(tape, later, before)
        ones = np.ones(len(batch.token), tape.y.dtype)  # multiplying by ones is faster than .sum()
        return {
            "W": input_gradient(batch, dz.values()),  # Eq. (13)
            "Wrec": np.hstack([inputs[gate].T @ delta[later] for gate, delta in dz.items()]),  # (9)
            "b": np.concatenate([ones @ delta for delta in dz.values()]),  # not printed for an RNN
        }

    def read(self, params, L, state=None):
        """Run `step` over one sentence; see `Cell.read`."""
        return list(self._states(np, lambda left: params, L, state, np.zeros(self.n_cells)))

    def read_many(self, xp, params, L):
        """Run `step` over texts of equal length; see `Cell.read_many`."""
        dtype = next(iter(params(0).values())).dtype
        zeros = np.zeros((1, self.n_cells), dtype)
        return [state.y for state in self._states(xp, params, L, None, zeros)]

    def _states(self, xp, params, L, state, zeros):
        """Yield the State after each word, starting from ``state``, or ``zeros`` if it is None."""
        for left, l in zip(reversed(range(len(L))), L):
            before = (getattr(state, name, zeros) for name in self.carries)
            state = self.step(params(left), l, *before, xp=xp)
            yield state

    def forward(self, weights, batch):
        """Return the output after each sentence's last word, and the tape; see `Cell.forward`."""
        tape = self.outputs(weights, batch)
        y = np.zeros((len(batch.order), self.size), tape.y.dtype)
        last = batches.last(batch)
        y[: len(last)] = tape.y[last]
        return y, tape

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """Compute the errors, then the gradient of the weights; see `Cell.backward`."""
        back = type(self).errors if errors is None else errors
        extra = {} if at_words is None else {"at_words": at_words}
        dz = back(self, weights, batch, tape, dy, truncate, **extra)
        return self.gradient(weights, batch, tape, dz)


def check_cell(cell):
    """Raise InputError unless ``cell`` is a Cell."""
    arguments.instance("cell", cell, Cell, "a cell, such as lstm_edu.LSTM(96)")


def check_classes(classes):
    """Return ``classes`` as a list; raise InputError unless all are subclasses of Cell."""
    found = list(arguments.each("cells", classes, "classes of cells"))
    for k, kind in enumerate(found):
        if not (isinstance(kind, type) and issubclass(kind, Cell)):
            arguments.refuse(f"cells[{k}]", kind, "a class of cells, such as lstm_edu.LSTM")
    return found


def describe(cell):
    """Return a cell's class name and arguments as a dict that JSON can store."""
    arguments = {field.name: getattr(cell, field.name) for field in fields(cell)}
    described = {
        name: describe(value) if isinstance(value, Cell) else value
        for name, value in arguments.items()
    }
    return {"cell": type(cell).__name__, "arguments": described}


def rebuild(facts, classes):
    """Create a cell from the dict that `describe` returned.

    Parameters
    ----------
    facts : dict
    classes : iterable of type
        The permitted classes.

    Raises
    ------
    ValueError
        The cell's class is not among ``classes``; the message names it.
    """
    known, name = {cell.__name__: cell for cell in classes}, facts["cell"]
    arguments = {
        name: rebuild(value, classes) if isinstance(value, dict) else value
        for name, value in facts["arguments"].items()
    }
    if name not in known:
        raise ValueError(
            f"it is a model of the cell {name:.60}, which is not one of lstm_edu's; "
            f"give its class: lstm_edu.load(path, cells=[{name:.60}])"
        )
    return known[name](**arguments)
