"""A training run, and the checkpoint from which it resumes exactly."""

import copy
import json
import os
from dataclasses import asdict

import numpy as np

from .._util import array_files
from .._util.arguments import shown
from .._util.files import InputError
from ..models.encoder import SIDES
from ..models.model_file import FORMAT, VERSIONS, check_arrays, pack
from .settings import ABOUT, OPTIMIZERS

OTHER = {  # messages about mismatched facts; for others, the message gives both values
    "data": "it was trained on other pairs, or in another order",
    "epochs": "its epochs is {}, not {}; to train it for longer, start a new run from it",
    "start": "its training began with other weights",
}


class Run:
    """The state of a training run.

    Parameters
    ----------
    model : DualEncoder or AlignedEncoder
        Its weights are the average over the updates if one is kept, else the current weights.
    settings : Settings
    data : str
        A digest of the pairs.
    n_updates : int
        Updates per epoch.

    Attributes
    ----------
    sides : pair of Lazy
        The current weights, before averaging, and their optimizer.
    digests : dict of str
        Digests of the pairs, ``data``, and of the model before training, ``start``.
    best : pair of dicts of arrays, or None
        The model's weights after the epoch with the best held-out nDCG.
    history : dict of lists
    finished : bool
    """

    def __init__(self, model, settings, data, n_updates):
        arrays, about = pack(model)
        about = json.dumps(about | {"training": {}}, sort_keys=True)
        self.digests = {"data": data, "start": array_files.seal(about, arrays).hexdigest()}
        self.model, self.settings, self.n_updates = model, settings, n_updates
        self.sides = tuple(self._optimizer(side) for side in (model.query, model.document))
        held_out = ["held_out"] if settings.held_out else []
        names = "cost", "gradient_norm_query", "gradient_norm_document", *held_out, "seconds"
        self.history, self.best, self.finished = {name: [] for name in names}, None, False

    def _optimizer(self, side):
        weights, mean = side.weights, None
        if self.settings.average is not None:
            weights, mean = copy.deepcopy(side.weights), side.weights
        total = self.settings.epochs * self.n_updates
        kind = OPTIMIZERS[self.settings.optimizer]
        return kind(weights, mean, self.settings, total, side.cell.sparse)

    @property
    def n_epochs(self):
        """The number of finished epochs."""
        return len(self.history["cost"])

    def record(self, values):
        """Add an epoch to the history, and copy its weights if its held-out nDCG is the best."""
        for name, value in values.items():
            self.history[name].append(value)
        self.model.training = self.facts()
        if self.history.get("held_out") and self._since_best() == 0:
            self.best = weights_of(self.model)

    def _since_best(self):
        """Count the epochs since the best held-out nDCG."""
        held_out = self.history["held_out"]
        return self.n_epochs - 1 - held_out.index(max(held_out))

    def is_done(self):
        """Return whether all epochs are done, or nDCG has not improved for ``patience`` epochs."""
        patience = self.settings.patience
        if patience is not None and self._since_best() >= patience:
            return True
        return self.n_epochs >= self.settings.epochs

    def finish(self):
        """Mark the run as finished; restore the weights with the best held-out nDCG, if any."""
        self.finished = True
        give(self.model, self.best or ())
        self.model.training = self.facts()

    def is_finite(self):
        """Return whether the current weights and the model's weights are finite."""
        sides = *self.sides, self.model.query, self.model.document
        return all(np.isfinite(w).all() for side in sides for w in side.weights.values())

    def facts(self):
        """Return settings and history without clock times, so that equal runs write equal files."""
        history = {name: list(each) for name, each in self.history.items() if name != "seconds"}
        settings = asdict(self.settings) | self.digests
        return {"settings": settings, "history": history, "finished": bool(self.finished)}

    # ---- checkpoints

    def _state(self):
        """Return the arrays of a checkpoint, keyed by name, except the model's weights."""
        found = {}
        for name, side, best in zip(SIDES, self.sides, self.best or ({}, {})):
            trained = {"trained": side.weights} if side.means else {}
            for part, arrays in (side.state | trained | {"best": best}).items():
                found |= {f"{part}.{name}.{of}": array for of, array in arrays.items()}
        return found

    def save(self, path):
        """Write the model and, unless the run is finished, the state needed to resume."""
        self.model.training = self.facts()
        arrays, meta = pack(self.model)
        if not self.finished:
            arrays |= self._state()
        array_files.write_arrays(path, arrays, meta)

    def resume(self, path):
        """Load the state of a checkpoint into this run, which has made no update yet.

        Raises
        ------
        InputError
            The file is damaged, or belongs to other pairs, another model or other settings. The
            model stays unchanged.
        """
        arrays, meta = array_files.read_arrays(path, FORMAT, VERSIONS)
        saved = meta["training"] if isinstance(meta.get("training"), dict) else {}
        settings = saved["settings"] if isinstance(saved.get("settings"), dict) else {}
        ours = json.loads(json.dumps(pack(self.model)[1], sort_keys=True))
        theirs = _identity(settings, meta)
        for name, our in _identity(self.facts()["settings"], ours).items():
            if our != (their := theirs.get(name)):
                said = OTHER.get(name, f"its {name} is {{}}, not {{}}").format(their, our)
                raise InputError(f"{path}: cannot resume, it is of another run: {said}")
        history = self._saved_history(saved)
        if history is None:
            raise InputError(f"{path}: damaged, it does not say how far its training came")
        self.history, self.finished = history, saved["finished"]
        if "held_out" in history and not self.finished:
            self.best = weights_of(self.model)
        wanted = pack(self.model)[0] | ({} if self.finished else self._state())
        found = {name: arrays[name] for name in wanted if name in arrays}
        try:
            shapes = {name: array.shape for name, array in wanted.items()}
            check_arrays(found, shapes, self.model.dtype)
            if any(name.startswith("v.") and (array < 0).any() for name, array in found.items()):
                raise ValueError("an average of squares has negative numbers")
        except ValueError as error:
            raise InputError(
                f"{path}: cannot resume, {error}; it is damaged, or the model of a training that "
                "was interrupted"
            ) from None
        for name, array in wanted.items():
            array[...] = found[name]
        for side in self.sides:
            side.k = self.n_epochs * self.n_updates
        self.model.training = self.facts()

    def _saved_history(self, saved):
        """Return a checkpoint's history with NaN for its seconds, or None if it is damaged."""
        names = [name for name in self.history if name != "seconds"]
        try:
            values = np.array([saved["history"][name] for name in names])
            (_, n), finished = values.shape, saved["finished"]
        except (LookupError, TypeError, ValueError):  # a forged file may contain anything
            return None
        is_whole = (
            values.dtype == float and np.isfinite(values).all() and isinstance(finished, bool)
        )
        if not is_whole or not 1 <= n <= self.settings.epochs - (not finished):
            return None
        return dict(zip(names, values.tolist())) | {"seconds": [float("nan")] * n}


def weights_of(model):
    """Return a copy of both sides' weights."""
    return tuple(copy.deepcopy(side.weights) for side in (model.query, model.document))


def give(model, weights):
    """Copy weights that `weights_of` returned into the model's arrays."""
    for side, arrays in zip((model.query, model.document), weights):
        for name, w in arrays.items():
            side.weights[name][...] = w


def check_free(path, resume, overwrite):
    """Raise InputError if a file exists but may be neither resumed nor replaced."""
    if os.path.exists(path) and not (resume or overwrite):
        raise InputError(f"{path}: exists; resume=True goes on from it, overwrite=True replaces it")


def _identity(settings, meta):
    """Return the facts that must agree between a run and its checkpoint, in order of reporting."""
    # max_words comes first, because another value also changes the digest of the pairs
    facts = {"max_words": meta.get("max_words"), "data": settings.get("data")}
    facts |= {name: shown(settings.get(name)) for name in ABOUT if name != "epochs"}
    facts["model"] = "AlignedEncoder" if "with_embedding" in meta else "DualEncoder"
    facts["cell"], arguments = meta.get("cell"), meta.get("arguments")
    is_plain = isinstance(arguments, dict) and "cell" not in arguments
    facts |= arguments if is_plain else {"inner cell": arguments}
    facts |= {name: meta.get(name) for name in ("with_embedding", "dtype")}
    trigrams = meta.get("trigrams")
    facts["number of letter trigrams"] = len(trigrams) if isinstance(trigrams, list) else None
    return facts | {name: shown(settings.get(name)) for name in ("epochs", "start")}
