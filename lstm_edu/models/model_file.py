"""Convert a model to the arrays and metadata of its file, and check such arrays."""

import numpy as np

from .._util import arguments
from .._util.files import InputError
from ..cells.cell import describe

SIDES = "query", "document"
FORMAT, VERSION = "lstm_edu model", 2
# files with an AlignedEncoder or with max_words have later versions, because earlier releases would
# misread them
ALIGNED, CUT = 3, 4
VERSIONS = VERSION, ALIGNED, CUT


def pack(model):
    """Convert a model to arrays and metadata for `lstm_edu._util.array_files.write_arrays`.

    Raises InputError if `lstm_edu.load` would refuse its weights or its ``training``.
    """
    meta = {
        "format": FORMAT,
        "version": VERSION,
        **describe(model.cell),
        "dtype": model.dtype.name,
        "trigrams": model.hashing.trigrams,
        "training": arguments.instance("model.training", model.training, dict, "a dict"),
    }
    if model.relevance.words:
        meta |= {"version": ALIGNED, "with_embedding": model.relevance.embedding}
    if model.hashing.max_words:
        meta |= {"version": CUT, "max_words": model.hashing.max_words}
    sides = {side: getattr(model, side).weights for side in SIDES}
    arrays = {f"{side}.{name}": w for side, weights in sides.items() for name, w in weights.items()}
    try:
        check_arrays(arrays, shapes_of(model.cell, model.hashing), model.dtype)
    except ValueError as error:
        raise InputError(f"model: {error}") from None
    return arrays, meta


def shapes_of(cell, hashing):
    """Return the shape of each weight array of both sides, keyed by its name in a file."""
    shapes = cell.shapes(hashing.size).items()
    return {f"{side}.{name}": shape for side in SIDES for name, shape in shapes}


def check_arrays(arrays, shapes, dtype):
    """Raise ValueError unless arrays are finite, match ``shapes`` by name, and have this dtype."""
    for name in shapes.keys() - arrays.keys():
        raise ValueError(f"{name} is missing")
    for name, array in arrays.items():
        found = np.asarray(array)
        if name not in shapes:
            raise ValueError(f"{name} is not a part of such a model")
        if found.shape != shapes[name] or found.dtype != dtype:
            raise ValueError(f"{name} is {found.dtype}{found.shape}, not {dtype}{shapes[name]}")
        if not np.isfinite(found).all():
            raise ValueError(f"{name} has values that are not finite")
