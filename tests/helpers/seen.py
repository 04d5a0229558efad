"""What can be seen of a value, to the bit."""

import pathlib

import numpy as np
import scipy.sparse


def seen(value):
    """A value such that equal ones are equal: arrays by their bytes, NaN as itself."""
    if type(value) in (str, int, bool, float):  # nearly all are
        return type(value).__name__, repr(value) if type(value) is float else value
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {str(k): seen(v) for k, v in value.items() if k not in ("seconds", "memory")}
    if isinstance(value, (list, tuple)):
        return [seen(v) for v in value]
    if scipy.sparse.issparse(value):
        return seen(value.toarray())
    if isinstance(value, (bool, int, float, str, pathlib.Path)) or value is None:
        of = next(kind for kind in (bool, int, float, str, object) if isinstance(value, kind))
        return of.__name__, repr(value) if of is float else value
    if type(value).__module__.startswith("lstm_") and not isinstance(value, type):
        return seen(vars(value))
    return type(value).__name__
