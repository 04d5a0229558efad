"""A training run, and the checkpoint from which it resumes exactly."""

import copy
import json
import os
import secrets
from dataclasses import asdict

import numpy as np

from .._util import array_files
from .._util.arguments import shown
from .._util.files import InputError, TakenError
from ..models.encoder import SIDES
from ..models.model_file import FORMAT, VERSIONS, check_arrays, pack
from .settings import OPTIMIZERS

OTHER = {  # messages for some mismatched facts; the default message gives both values
    "data": "it was trained on other pairs, or in another order",
    "epochs": "its epochs is {}, not {}; to train it for longer, start a new run from it",
    "start": "its training began with other weights",
}


class Run:
    """The state of a training run.

    Parameters
    ----------
    model : DualEncoder or AlignedEncoder
        Its weights become the average over the updates if one is kept, else the current weights.
    settings : Settings
    data : str
        A digest of the pairs.
    n_updates : int
        Updates per epoch.

    Attributes
    ----------
    sides : pair of Lazy
        The current weights, before averaging, and their optimizer.
    start : str
        A digest of the model before training.
    best : pair of dicts of arrays, or None
        The model's weights after the epoch with the best held-out nDCG.
    history : dict of lists
    finished : bool
    """

    def __init__(self, model, settings, data, n_updates):
        arrays, about = pack(model)
        about = json.dumps(about | {"training": {}}, sort_keys=True)
        self.data, self.start = data, array_files.seal(about, arrays).hexdigest()
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
        settings = {"data": self.data, **asdict(self.settings), "start": self.start}
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

    def save(self, path, known):
        """Write the model and, unless the run is finished, the state needed to resume.

        Parameters
        ----------
        path : str
        known : str or None
            The `lstm_edu._util.files.digest` of the only file that may be replaced, which the run
            wrote last or found at its start. None if no file may be replaced.

        Returns
        -------
        str
            The digest of the written file.

        Raises
        ------
        TakenError
            Another file is at ``path`` and stays unchanged. The run is saved next to it, under a
            name that the message gives.
        """
        self.model.training = self.facts()
        arrays, meta = pack(self.model)
        if not self.finished:
            arrays |= self._state()
        try:
            return array_files.write_arrays(path, arrays, meta, known)
        except TakenError as error:
            folder, name = os.path.split(path)
            root, kind = os.path.splitext(name)
            free = os.path.join(folder, f"{root[:50]}.{secrets.token_hex(4)}{kind}")
            array_files.write_arrays(free, arrays, meta, None)
            said = f"{error}; this training stops, and its checkpoint is {free}"
            raise TakenError(said) from None

    def resume(self, path):
        """Load the state of a checkpoint into this run, before its first update.

        Raises
        ------
        InputError
            The file is damaged, or belongs to other pairs, another model or other settings. The
            model stays unchanged.
        """
        arrays, meta = array_files.read_arrays(path, FORMAT, VERSIONS)
        try:
            saved = meta["training"]
            self._check_same(_identity(saved["settings"], meta))
            history = self._history_of(saved)
        except InputError as error:
            raise InputError(f"{path}: cannot resume, it is of another run: {error}") from None
        except Exception:  # a forged file may contain anything
            raise InputError(f"{path}: does not say how far its training came") from None
        self.history, self.finished = history, bool(saved["finished"])
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

    def _check_same(self, theirs):
        """Raise InputError if the `_identity` of a checkpoint differs from this run's."""
        ours = json.loads(json.dumps(pack(self.model)[1], sort_keys=True))
        for name, our in _identity(self.facts()["settings"], ours).items():
            if shown(our) != (their := shown(theirs.get(name))):
                said = OTHER.get(name, f"its {name} is {{}}, not {{}}")
                raise InputError(said.format(their, shown(our)))

    def _history_of(self, saved):
        """Check and return a checkpoint's history, with NaN for its seconds."""
        names = [name for name in self.history if name != "seconds"]
        values = np.array([saved["history"][name] for name in names], float)
        _, n = values.shape
        n_most = self.settings.epochs - (not saved["finished"])
        if not np.isfinite(values).all() or not 1 <= n <= n_most:
            raise ValueError("a history that no training has written")
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
    """Return the facts that a run and its checkpoint must share.

    `Run._check_same` reports the first one that differs.
    """
    cells = [meta]
    while inner := cells[-1]["arguments"].get("cell"):
        cells.append(inner)
    facts = {"model": "AlignedEncoder" if "with_embedding" in meta else "DualEncoder"}
    facts |= {"cell": " of ".join(cell["cell"] for cell in cells), **cells[-1]["arguments"]}
    # max_words comes before data, because pairs read with another max_words have another digest
    facts |= {name: meta.get(name) for name in ("with_embedding", "dtype", "max_words")}
    facts |= {**settings, "number of letter trigrams": len(meta["trigrams"])}
    facts["start"] = facts.pop("start")  # compare it last
    return facts
