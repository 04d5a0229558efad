"""Function that converts values, so that == compares them bit by bit."""

import pathlib

import numpy as np
import scipy.sparse


def seen(value):
    """Convert a value so that == compares arrays by their bytes, and NaN equals itself."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {str(k): seen(v) for k, v in value.items() if k != "seconds"}
    if isinstance(value, (list, tuple)):
        return [seen(v) for v in value]
    if scipy.sparse.issparse(value):
        return seen(value.toarray())
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind.__name__, repr(value) if kind is float else value
    if type(value).__module__.startswith("lstm_") and not isinstance(value, type):
        return seen(vars(value))
    return type(value).__name__, value if isinstance(value, pathlib.Path) else None
