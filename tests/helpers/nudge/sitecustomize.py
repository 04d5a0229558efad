"""Nudge every model's first weights before it trains, in place of training on another machine.

Training is chaotic: factors of 1 + 1e-6 change it as another processor's rounding does.
`pytest --nudge SEED` nudges its own process and, as Python imports a `sitecustomize` when it
starts, every kernel, check and command that the tests start.
"""

import functools
import os
import sys
from importlib.machinery import PathFinder

MODELS = "lstm_edu.models.encoder"


def nudge(encoder, seed):
    """Multiply the first weights of every `encoder.Encoder` by 1 + 1e-6 of a normal."""
    import numpy as np

    plain = encoder.Encoder.__init__

    @functools.wraps(plain)
    def __init__(model, *how, **named):
        plain(model, *how, **named)
        for side in (model.query, model.document):
            rng = np.random.default_rng(seed)  # the same, so that tied sides stay equal
            for w in side.weights.values():
                w *= 1 + 1e-6 * rng.standard_normal(w.shape).astype(w.dtype)

    encoder.Encoder.__init__ = __init__


class _Nudged(PathFinder):
    """A finder of one module, which nudges the module once it has been executed."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """Return the module's spec, with a loader that nudges; None for all other modules."""
        if name != MODELS:
            return None
        spec = super().find_spec(name, path, target)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            nudge(module, int(os.environ["LSTM_EDU_NUDGE"]))

        spec.loader.exec_module = exec_module
        return spec


if "LSTM_EDU_NUDGE" in os.environ:
    sys.meta_path.insert(0, _Nudged)
