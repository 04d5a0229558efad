"""The state of a training run: what a checkpoint holds, and how a run goes on from one."""

import copy
import hashlib
import os
import secrets
from dataclasses import asdict, dataclass

import numpy as np

from .._util import array_files
from .._util.files import InputError, TakenError
from ..cells.cell import classes_of
from ..models.dual_encoder import DualEncoder, Side
from ..models.loading import unpack
from ..models.model_file import pack
from .settings import OPTIMIZERS, Settings


@dataclass
class Run:
    """A training run between two updates.

    Attributes
    ----------
    model : DualEncoder
        Its weights are the average over the updates where one is kept, else the weights themselves.
    sides : pair of Side
        The weights that are trained.
    state : dict of pairs of dicts of arrays
        What the optimizer keeps of the weights: ``velocity``, their last change in (6), or Adam's
        ``m`` and ``v``.
    best : pair of dicts of arrays, or None
        The model's weights after the epoch of the best held-out nDCG.
    settings : Settings
    digests : dict of str
        By name, of the ``data`` and of the weights at the ``start``.
    history : dict
    finished : bool
    """

    model: DualEncoder
    sides: tuple
    state: dict
    best: tuple | None
    settings: Settings
    digests: dict
    history: dict
    finished: bool = False


def start(model, settings, data):
    """Begin a run, before its first update; ``data`` is the digest of its pairs."""
    digest = hashlib.sha256()
    for w in pack(model)[0].values():
        digest.update(np.ascontiguousarray(w).data)
    sides = own = model.query, model.document
    if settings.average is not None:
        sides = tuple(Side(side.cell, copy.deepcopy(side.weights)) for side in own)
    state = {
        part: tuple({name: np.zeros_like(w) for name, w in side.weights.items()} for side in own)
        for part in OPTIMIZERS[settings.optimizer]
    }
    held_out = ["held_out"] if settings.held_out else []
    names = "cost", "gradient_norm_query", "gradient_norm_document", *held_out, "seconds"
    history = {name: [] for name in names}
    digests = {"data": data, "start": digest.hexdigest()}
    return Run(model, sides, state, None, settings, digests, history)


def record(run, values):
    """Add an epoch to the history, and keep its weights if they are the best so far."""
    for name, value in values.items():
        run.history[name].append(value)
    run.model.training = facts(run)
    if run.history.get("held_out") and _since_best(run) == 0:
        run.best = weights_of(run.model)


def _since_best(run):
    """How many epochs there were after that of the best held-out nDCG."""
    held_out = run.history["held_out"]
    return len(held_out) - 1 - held_out.index(max(held_out))


def weights_of(model):
    """Copy both sides' weights."""
    return tuple(copy.deepcopy(side.weights) for side in (model.query, model.document))


def give(model, weights):
    """Write `weights_of` some model into this one, in place."""
    for side, arrays in zip((model.query, model.document), weights):
        for name, w in arrays.items():
            side.weights[name][...] = w


def is_done(run):
    """Tell whether all epochs are done, or the last ``patience`` were no better than the best."""
    patience = run.settings.patience
    if patience is not None and _since_best(run) >= patience:
        return True
    return len(run.history["cost"]) >= run.settings.epochs


def finish(run):
    """Give the model the best epoch's weights, where there were held-out queries to tell."""
    run.finished = True
    give(run.model, run.best or ())
    run.model.training = facts(run)


def check_free(path, resume, overwrite):
    """Raise InputError if there is a file that a run neither goes on from nor may replace."""
    if os.path.exists(path) and not (resume or overwrite):
        raise InputError(
            f"{path}: is there already; resume=True goes on from it, overwrite=True replaces it"
        )


def save(run, path, own):
    """Write the model, and unless the run is finished all that is needed to go on.

    Parameters
    ----------
    run : Run
    path : str
    own : str or None
        The `lstm_edu._util.files.digest` of what the run may replace: what it wrote last, or found.

    Returns
    -------
    str
        That of what is there now.

    Raises
    ------
    TakenError
        Something else is there. It is left as it is; the run is saved beside it, which is said.
    """
    run.model.training = facts(run)
    arrays, meta = pack(run.model)
    if not run.finished:
        arrays |= dict(_state(run))
    try:
        return array_files.write_arrays(path, arrays, meta, own)
    except TakenError as error:
        folder, name = os.path.split(path)
        root, kind = os.path.splitext(name)
        beside = os.path.join(folder, f"{root[:50]}.{secrets.token_hex(4)}{kind}")
        array_files.write_arrays(beside, arrays, meta, None)
        raise TakenError(f"{error}; this training stops, and its checkpoint is {beside}") from None


def resume(run, path):
    """Go on from a checkpoint: ``run`` as `start` gave it becomes the run that was saved.

    Raises
    ------
    InputError
        The file is damaged, or of other data, another model or other settings.
    """
    model, state = unpack(path, classes_of(run.model.cell))
    saved = model.training
    ours = _comparable(run.model, facts(run)["settings"])
    theirs = _comparable(model, saved.get("settings"))
    _check_same(ours, theirs, path)
    if not state and saved.get("finished") is False:
        raise InputError(
            f"{path}: cannot resume, it is the model of a training that was interrupted, "
            "without what a checkpoint has beside it"
        )
    _check_saved(saved, run.history.keys() - {"seconds"}, run.settings.epochs, path)
    give(run.model, (model.query.weights, model.document.weights))
    run.finished = saved["finished"]
    run.history = {name: list(saved["history"][name]) for name in run.history if name != "seconds"}
    run.history["seconds"] = [float("nan")] * len(run.history["cost"])
    if not run.finished:
        if "held_out" in run.history:
            run.best = weights_of(run.model)
        _give_state(run, state, path)
    run.model.training = facts(run)
    return run


def _give_state(run, state, path):
    """Write the arrays that a checkpoint has beside the model's weights into a run, in place."""
    for name, array in _state(run):
        found = state.get(name)
        if found is None or found.shape != array.shape or found.dtype != array.dtype:
            raise InputError(
                f"{path}: damaged, the training state {name} is missing or of another shape"
            )
        if not np.isfinite(found).all():
            raise InputError(f"{path}: damaged, the training state {name} is not finite")
        if name.startswith("v.") and (found < 0).any():  # Adam's mean of squares
            raise InputError(f"{path}: damaged, the training state {name} has negative numbers")
        array[...] = found


def is_finite(run):
    """Tell whether all weights are finite, those that are trained and those of the model."""
    return all(
        np.isfinite(w).all()
        for side in (*run.sides, run.model.query, run.model.document)
        for w in side.weights.values()
    )


def _check_same(ours, theirs, path):
    """Raise InputError unless a run and the saved one are equal in all that is `_comparable`."""
    for name in ours | theirs:
        our, their = ours.get(name), theirs.get(name)
        if our != their:
            more = "; to train it for longer, start a new run from it" if name == "epochs" else ""
            raise InputError(
                f"{path}: cannot resume, it is of another run: "
                f"its {name} is {_short(their)}, not {_short(our)}{more}"
            )


def _check_saved(saved, names, epochs, path):
    """Raise InputError unless what a checkpoint says of its training can be gone on from."""
    history, finished = saved.get("history"), saved.get("finished")
    is_whole = isinstance(finished, bool) and isinstance(history, dict) and history.keys() == names
    if is_whole and all(isinstance(values, list) for values in history.values()):
        values = [value for values in history.values() for value in values]
        n_epochs = {len(values) for values in history.values()}
        are_numbers = all(isinstance(value, float) and np.isfinite(value) for value in values)
        if are_numbers and len(n_epochs) == 1 and 1 <= max(n_epochs) <= epochs - (not finished):
            return
    raise InputError(f"{path}: damaged, it does not say how far its training came")


def _state(run):
    """Name and array of all that a checkpoint holds beside the model's weights."""
    parts = dict(run.state)
    if run.settings.average is not None:
        parts["trained"] = [side.weights for side in run.sides]
    if run.best:
        parts["best"] = run.best
    for part, (query, document) in parts.items():
        for side, arrays in (("query", query), ("document", document)):
            for name, array in arrays.items():
                yield f"{part}.{side}.{name}", array


def facts(run):
    """Collect what a file says of the training: no clock times, so the same run gives its bytes."""
    history = {name: list(values) for name, values in run.history.items() if name != "seconds"}
    settings = asdict(run.settings) | run.digests
    return {"settings": settings, "history": history, "finished": bool(run.finished)}


def _comparable(model, settings):
    """What two runs must have in common so that one can go on where the other stopped."""
    own = {"cell": repr(model.cell), "dtype": model.dtype.name}
    own |= {"trigrams": model.hashing.trigrams}
    if not "".join(model.hashing.trigrams).isascii():  # of ASCII letters the rules make the same
        own |= {"rule": model.hashing.rule}
    if model.relevance.words:
        own |= {"with_embedding": model.relevance.embedding}
    return (settings if isinstance(settings, dict) else {}) | own


def _short(value):
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "…"
