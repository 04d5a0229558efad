"""Import hook that nudges the initial weights of all models, to imitate another processor.

Because training is chaotic, factors near 1 + 1e-6 change its result as much as another processor's
rounding does. `pytest --nudge SEED` nudges the models of its process and, because Python imports
`sitecustomize` at startup, those of every kernel, check and command that the tests start.
"""

import functools
import os
import sys
from importlib.machinery import PathFinder

MODELS = "lstm_edu.models.encoder"


def nudge(encoder, seed):
    """Multiply the initial weights of every `encoder.Encoder` by 1 + 1e-6 x, where x is normal."""
    import numpy as np

    plain = encoder.Encoder.__init__

    @functools.wraps(plain)
    def __init__(model, *how, **named):
        plain(model, *how, **named)
        for side in (model.query, model.document):
            # use the same factors for both sides, so that tied sides stay equal
            rng = np.random.default_rng(seed)
            for w in side.weights.values():
                w *= 1 + 1e-6 * rng.standard_normal(w.shape).astype(w.dtype)

    encoder.Encoder.__init__ = __init__


class _Nudged(PathFinder):
    """An import hook that calls `nudge` on the module `MODELS` after its import."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """Return the spec of `MODELS`, with a loader that nudges, or None for other modules."""
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
