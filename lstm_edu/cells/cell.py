"""The interface of a cell, which turns a text into its embedding.

Everything that depends on the kind of cell is a method or an attribute of the cell; no other module
asks for the kind. A cell is a frozen dataclass of its sizes. It has no weights: its methods take
them, either as stored (`shapes`), for computing, or by the paper's names and orientation
(`params`), for reading.

A cell computes each word twice, on purpose. `step` is the paper's formula, for one sentence or one
row per sentence, which autograd and PyTorch differentiate. `outputs` and `errors` are the forward
and the backward pass of training, for a batch of sentences (`lstm_edu.text.batch`), with one
product per distinct word. Tests compare the two. The tape is the record of intermediate results
that `forward` returns and `backward` takes.

To add a cell, write one file, and list its class in `lstm_edu.cells.CELLS` or, outside of the
package, pass it to ``lstm_edu.load(path, cells=[Mine])``. `rnn.py` is the shortest `Recurrent`
cell, whose embedding is its output after the last word; `dssm.py` reads a text as a whole.
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

Weights = Mapping[str, NDArray]  # by name
LARGEST_SIZE = 10**12  # more cells than fit in any memory; NumPy's error for huge sizes is unclear


class Output(NamedTuple):
    """The output after a word, (size,); as a tape, of all tokens, (n_tokens, size)."""

    y: NDArray


class Cell:
    """Base class of all cells; a subclass defines the methods that raise NotImplementedError here.

    Attributes
    ----------
    states : dict
        The states that `read` records, by name, with their titles in figures.
    gates : tuple of str
        The states that are gates, drawn from 0, shut, to 1, open; the others are signed.
    drawn : tuple of str
        The states that a figure shows by default.
    recurrent : bool
        Whether the cell reads word by word, so that errors go back from each word to the one
        before. Other cells refuse ``truncate``.
    printed : None, "exact" or "approximate"
        Whether the paper's appendix prints the cell's gradient: not at all, the RNN's exact one,
        or the approximation (14)-(44).
    directions : int
        The number of reading directions; their outputs are concatenated.
    sparse : frozenset of str
        The weights with one row per trigram. A minibatch trains the rows of its trigrams alone.
    """

    states, gates, drawn = {"y": "output y(t)"}, (), ("y",)
    recurrent, printed, directions = False, None, 1
    sparse = frozenset({"W"})

    def __post_init__(self):
        """Check the sizes among the cell's arguments: whole numbers from 1."""
        for field in fields(self):
            if field.type in (int, "int"):
                n = arguments.integer(field.name, getattr(self, field.name), 1, LARGEST_SIZE)
                object.__setattr__(self, field.name, n)

    @property
    def size(self) -> int:
        """Length of the embedding."""
        raise NotImplementedError

    def shapes(self, n_trigrams: int) -> dict[str, tuple[int, ...]]:
        """Return the names and shapes of the weights as stored."""
        raise NotImplementedError

    def _borrow(self, cell, **changed):
        """Copy another cell's attributes, except those in ``changed``."""
        names = "states", "gates", "drawn", "recurrent", "printed", "directions", "sparse"
        for name in names:
            object.__setattr__(self, name, changed.get(name, getattr(cell, name)))

    def map_sparse(self, function: Callable, weights: Weights) -> dict[str, NDArray]:
        """Apply a function to each sparse weight; return all weights."""
        return {name: function(w) if name in self.sparse else w for name, w in weights.items()}

    def params(self, weights: Weights) -> dict[str, NDArray]:
        """Return the weights by the paper's names and orientation, as views."""
        raise NotImplementedError

    def read_many(self, xp: Any, params: Callable, L: list) -> list:
        """Read texts of one length by arrays that autograd can differentiate.

        Parameters
        ----------
        xp : module
            Whose arrays are computed with: ``numpy`` or ``autograd.numpy``.
        params : function
            Takes the number of words after a word; returns the parameters that read this word, by
            the paper's names.
        L : list of (N, n_trigrams)
            l of each text's first word, of its second word, …; ``l @ params(left)["W"].T`` is the
            product with W. There is at least one word.

        Returns
        -------
        list of (N, size)
            The output at every word, or the embedding alone if the cell does not read word by word.
        """
        raise NotImplementedError

    def embedding(self, xp: Any, params: Callable, y: list) -> Any:
        """Return the embeddings, (N, size), from the outputs of `read_many`."""
        return y[-1]

    def read(self, params: Weights, L: NDArray, state=None) -> list:
        """Read one text, and record the states after every word.

        A cell that does not read word by word returns the embedding of the text up to each word.

        Parameters
        ----------
        params : mapping of arrays, by the paper's names
        L : (n_words, n_trigrams)
        state : State, optional
            Where to start, in a cell that reads word by word; all zeros if None.

        Returns
        -------
        list of State, one per word
            Its fields are the cell's ``states``.
        """
        until = (list(L[: t + 1, None]) for t in range(len(L)))
        return [Output(self.read_many(np, lambda left: params, words)[-1][0]) for words in until]

    def forward(self, weights: Weights, batch: Batch) -> tuple[NDArray, Any]:
        """Embed a batch: the forward pass.

        Returns
        -------
        y : (N, size)
            In the batch's order, longest first; zero for a text without words.
        tape
            The intermediate results that `backward` needs. If the cell reads word by word, its
            ``y`` is the output at every word, (n_tokens, size).
        """
        raise NotImplementedError

    def backward(
        self,
        weights: Weights,
        batch: Batch,
        tape: Any,
        dy: NDArray,
        truncate: int | None = None,
        errors: Callable | None = None,
        at_words: NDArray | None = None,
    ) -> dict[str, NDArray]:
        """Return the gradient of the weights from the error of the embeddings: the backward pass.

        Parameters
        ----------
        dy : (N, size)
            Gradient of the cost with respect to `forward`'s y.
        truncate : int, optional
            The number of steps that errors go back from a sentence's last word, at most.
        errors : function, optional
            A replacement for `Recurrent.errors`; its first argument is the cell.
        at_words : (n_tokens, size), optional
            Errors to add to the outputs at every word, if the cell reads word by word.

        Returns
        -------
        dict of arrays
            Like the weights; for a sparse weight only the rows ``batch.touched``.
        """
        raise NotImplementedError


class Recurrent(Cell):
    """A cell that reads word by word; its embedding is the output y after the last word.

    A subclass defines ``n_cells``, `step`, `outputs` and `errors`. The weights of its gates are
    concatenated, so that one product computes all gates.

    Attributes
    ----------
    carries : tuple of str
        The states that go from word to word, in the order in which `step` takes them.
    suffixes : dict
        For each gate, in the order of the columns, the suffix of its parameters' names. A cell
        without gates has one entry, for its only nonlinearity.
    """

    n_cells: int
    carries, recurrent, suffixes = ("y",), True, {"y": ""}

    @property
    def size(self):
        """Length of the embedding."""
        return self.n_cells

    @property
    def columns(self):
        """The columns of the weights that belong to each gate."""
        m = self.n_cells
        return {gate: slice(k * m, (k + 1) * m) for k, gate in enumerate(self.suffixes)}

    def shapes(self, n_trigrams):
        """Return the names and shapes of the weights as stored."""
        m, width = self.n_cells, len(self.suffixes) * self.n_cells
        return {"W": (n_trigrams, width), "Wrec": (m, width), "b": (width,)}

    def params(self, weights):
        """Return each gate's weights by the paper's names and orientation, as views."""
        return {
            f"{name}{self.suffixes[gate]}": weights[name][..., part].T
            for name in ("W", "Wrec", "b")
            for gate, part in self.columns.items()
        }

    def step(self, params, l, *state, xp=np):
        """Read one word as the paper prints it: from the states that it `carries` to a State.

        Parameters
        ----------
        params : mapping of arrays, by the paper's names
        l : (n_trigrams,) or (N, n_trigrams)
            Letter-trigram counts of a sentence's word, or of one word per sentence.
        *state : (n_cells,) or (N, n_cells)
        xp : module
            Whose arrays are computed with: ``numpy``, ``autograd.numpy`` or ``torch``.
        """
        raise NotImplementedError

    def outputs(self, weights, batch):
        """Return the tape of a batch; its ``y`` is every word's output, (n_tokens, n_cells)."""
        raise NotImplementedError

    def errors(self, weights, batch, tape, dy, truncate=None, at_words=None):
        """Send errors back through time, exactly. Parameters are those of `backward`.

        Returns
        -------
        dict of arrays, (n_tokens, n_cells)
            The error of the sum inside each nonlinearity, by the name of its result.
        """
        raise NotImplementedError

    def inputs(self, tape, later, before):
        """Return what the recurrent weights of each gate multiply: y(t-1) of the tokens ``later``.

        ``before`` has the token before each; a cell whose gates see anything else overrides this.
        """
        return dict.fromkeys(self.suffixes, tape.y[before])

    def gradient(self, weights, batch, tape, dz):
        """Return the gradient of the weights from `errors`, as `backward` does."""
        later, before = after_first(batch)
        inputs = self.inputs(tape, later, before)
        return {
            "W": input_gradient(batch, dz.values()),  # Eq. (13)
            "Wrec": np.hstack([inputs[gate].T @ delta[later] for gate, delta in dz.items()]),  # (9)
            "b": np.concatenate([delta.sum(axis=0) for delta in dz.values()]),  # not printed
        }

    def read(self, params, L, state=None):
        """Run `step` over a sentence; see `Cell.read`."""
        states, zeros = [], np.zeros(self.n_cells)
        for l in L:
            before = (getattr(state, name, zeros) for name in self.carries)
            state = self.step(params, l, *before)
            states.append(state)
        return states

    def read_many(self, xp, params, L):
        """Run `step` over texts of one length; see `Cell.read_many`."""
        dtype = next(iter(params(0).values())).dtype
        state, zeros, y = None, np.zeros((1, self.n_cells), dtype), []
        for left, l in zip(reversed(range(len(L))), L):
            before = (getattr(state, name, zeros) for name in self.carries)
            state = self.step(params(left), l, *before, xp=xp)
            y.append(state.y)
        return y

    def forward(self, weights, batch):
        """Return y after each sentence's last word, and the tape; see `Cell.forward`."""
        tape = self.outputs(weights, batch)
        y = np.zeros((len(batch.order), self.size), tape.y.dtype)
        last = batches.last(batch)
        y[: len(last)] = tape.y[last]
        return y, tape

    def backward(self, weights, batch, tape, dy, truncate=None, errors=None, at_words=None):
        """Compute `errors`, then the `gradient` from them; see `Cell.backward`."""
        back = type(self).errors if errors is None else errors
        extra = {} if at_words is None else {"at_words": at_words}
        dz = back(self, weights, batch, tape, dy, truncate, **extra)
        return self.gradient(weights, batch, tape, dz)


def check_cell(cell):
    """Raise InputError unless ``cell`` is a Cell."""
    arguments.instance("cell", cell, Cell, "a cell, such as lstm_edu.LSTM(96)")


def check_classes(classes):
    """Return a list of Cell classes; raise InputError if it contains anything else."""
    found = list(arguments.each("cells", classes, "classes of cells"))
    for k, kind in enumerate(found):
        if not (isinstance(kind, type) and issubclass(kind, Cell)):
            arguments.refuse(f"cells[{k}]", kind, "a class of cells, such as lstm_edu.LSTM")
    return found


def describe(cell):
    """Describe a cell by its class and its arguments, as values for JSON."""
    arguments = {field.name: getattr(cell, field.name) for field in fields(cell)}
    described = {
        name: describe(value) if isinstance(value, Cell) else value
        for name, value in arguments.items()
    }
    return {"cell": type(cell).__name__, "arguments": described}


def rebuild(facts, classes):
    """Make the cell that `describe` has described.

    Parameters
    ----------
    facts : dict
    classes : iterable of type
        The classes that the cell may have.

    Raises
    ------
    ValueError
        The cell's class is not among them; the message names it.
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
