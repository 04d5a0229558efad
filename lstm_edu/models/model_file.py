"""A model as arrays and facts, which a file of it holds, and back; its parts fit together."""

from typing import Any

import numpy as np

from .._util import arguments, array_files, files
from .._util.files import InputError
from ..cells.cell import describe, rebuild
from ..gradients.aligned import Aligned
from ..text.hashing import LetterTrigrams

SIDES = "query", "document"
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
    sides = {name: getattr(model, name) for name in SIDES}
    for k, side in sides.items():
        try:
            _check_weights(side.weights, model.cell.shapes(model.hashing.size), model.dtype)
        except ValueError as error:
            raise InputError(f"model: of its {k} side, {error}") from None
    arrays = {f"{k}.{name}": w for k, side in sides.items() for name, w in side.weights.items()}
    return arrays, meta


def unpack(path, classes):
    """Read from a file what `pack` packed.

    Parameters
    ----------
    path : str
    classes : iterable of type
        The cells that it may be a model of.

    Returns
    -------
    facts : dict
        The model's ``cell``, ``hashing``, ``dtype`` and ``training``, and its ``relevance`` if that
        is not the cosine.
    weights : pair of dicts of arrays
        Of the queries' side and the documents'.

    Raises
    ------
    InputError
        The file is damaged, foreign, or its parts do not fit together.
    """
    arrays, meta = array_files.read_arrays(path, FORMAT, VERSIONS)
    try:
        cell, dtype = rebuild(meta, classes), np.dtype(meta["dtype"])
        facts: dict[str, Any] = {"cell": cell, "dtype": dtype, "training": dict(meta["training"])}
        facts["hashing"] = LetterTrigrams(meta["trigrams"], meta["rule"])
        if meta["version"] == ALIGNED:
            facts["relevance"] = _aligned(cell, meta["with_embedding"])
        if dtype not in (np.float32, np.float64):
            raise ValueError(f"dtype {dtype}")
        shapes = cell.shapes(facts["hashing"].size)
        weights = [{name: arrays[f"{side}.{name}"] for name in shapes} for side in SIDES]
        for of_side in weights:
            _check_weights(of_side, shapes, dtype)
    except Exception as error:  # whatever a forged description leads to
        raise InputError(f"{path}: cannot be loaded ({files.why(error)})") from None
    return facts, weights


def _aligned(cell, embedding):
    """How the words of a model of this cell are aligned; raises ValueError if they cannot be."""
    if not cell.recurrent or not isinstance(embedding, bool):
        raise ValueError(f"{type(cell).__name__}, {embedding!r:.60}")
    return Aligned(embedding)


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
