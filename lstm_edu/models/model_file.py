"""A model as arrays and facts, which a file of it holds, and back; its parts fit together."""

from typing import Any

import numpy as np

from .._util import arguments, array_files, files
from .._util.files import InputError
from ..cells import CELLS
from ..cells.cell import describe, rebuild
from ..gradients.aligned import Aligned
from ..text.hashing import LetterTrigrams

FORMAT, VERSION = "lstm_edu model", 2
ALIGNED = 3  # the version of files of aligned words, which others must not take for a DualEncoder's
VERSIONS = VERSION, ALIGNED


def pack(model):
    """Turn a model into arrays and facts for `lstm_edu._util.array_files.write_arrays`.

    Raises InputError if its weights, or what it says of its training, are such as `unpack` refuses.
    """
    meta = {
        "format": FORMAT,
        "version": VERSION,
        **describe(model.cell),
        "dtype": model.dtype.name,
        "trigrams": model.hashing.trigrams,
        "rule": model.hashing.rule,
        "training": arguments.instance("model.training", model.training, dict, "a dict"),
    }
    if model.relevance.words:
        meta |= {"version": ALIGNED, "with_embedding": model.relevance.embedding}
    sides = {"query": model.query, "document": model.document}
    for k, side in sides.items():
        try:
            _check_weights(side.weights, model.cell.shapes(model.hashing.size), model.dtype)
        except ValueError as error:
            raise InputError(f"model: of its {k} side, {error}") from None
    arrays = {f"{k}.{name}": w for k, side in sides.items() for name, w in side.weights.items()}
    return arrays, meta


def unpack(path, cells=()):
    """Read from a file what `pack` packed.

    Returns
    -------
    facts : dict
        The model's ``cell``, ``hashing``, ``dtype`` and ``training``, and its ``relevance``.
    weights : pair of dicts of arrays
        Of the queries' side and the documents'.
    others : dict of arrays
        What else there is.

    Raises
    ------
    InputError
        The file is damaged, foreign, or its parts do not fit together.
    """
    arrays, meta = array_files.read_arrays(path, FORMAT, VERSIONS)
    try:
        cell, dtype = _cell(meta, [*CELLS, *cells], path), np.dtype(meta["dtype"])
        hashing = LetterTrigrams(meta["trigrams"], meta["rule"])
        facts: dict[str, Any] = {"cell": cell, "hashing": hashing, "dtype": dtype}
        facts["training"] = dict(meta["training"])
        if meta["version"] == ALIGNED:
            facts["relevance"] = _aligned(cell, meta["with_embedding"])
        if dtype not in (np.float32, np.float64):
            raise ValueError(f"dtype {dtype}")
        shapes = cell.shapes(hashing.size)
        weights = tuple(
            {name: arrays.pop(f"{side}.{name}") for name in shapes}
            for side in ("query", "document")
        )
        for of_side in weights:
            _check_weights(of_side, shapes, dtype)
    except _UnknownCell:
        raise
    except Exception as error:  # whatever a forged description leads to
        raise InputError(f"{path}: its parts do not fit together ({files.why(error)})") from None
    return facts, weights, arrays


def _aligned(cell, embedding):
    """How the words of a model of this cell are aligned; raises ValueError if they cannot be."""
    if not cell.recurrent or not isinstance(embedding, bool):
        raise ValueError(f"{type(cell).__name__}, {embedding!r:.60}")
    return Aligned(embedding)


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
    """Raise ValueError unless they have these names, shapes and this type and are finite."""
    if weights.keys() != shapes.keys():
        raise ValueError(f"the weights are {', '.join(weights)}, not {', '.join(shapes)}")
    for name, w in weights.items():
        w = np.asarray(w)
        if w.shape != shapes[name] or w.dtype != dtype:
            raise ValueError(f"{name} is {w.dtype}{w.shape}, not {dtype}{shapes[name]}")
        if not np.isfinite(w).all():
            raise ValueError(f"{name} holds values that are not finite")
