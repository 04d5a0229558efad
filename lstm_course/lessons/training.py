"""Lessons' models, trained once and stored in files that are reused only for equal settings."""

import json
import math
import os

import numpy as np

import lstm_edu
from lstm_edu._util import array_files
from lstm_edu.models.model_file import pack
from lstm_edu.training.loop import NotFiniteError

from . import sent

NOT_SETTINGS = "callback", "progress", "workers"


def train_once(name, model, pairs, **settings):
    """Train a model with `lstm_edu.train`, or load it if it was trained before with these settings.

    The file's name ends with a digest of the untrained model, the pairs and the settings. So a
    changed setting trains another model, and changing it back loads the first. A file that can't be
    used, such as one by another version of the package, is replaced. In a browser, a model that
    came with the site is loaded unless `lstm_course.lessons.sent.SITE` is None.

    Parameters
    ----------
    name : str
        The file's name without its digest: "lstm_96" for "lstm_96-0a1b2c3d.npz".
    model : DualEncoder or AlignedEncoder
        Untrained; it is trained in place.
    pairs : list of (query, title)
    **settings
        As in `lstm_edu.train`.

    Returns
    -------
    dict of lists
        The history, as in `lstm_edu.train`.
    """
    file = kept_file(name, model, pairs, **settings)
    was_there = os.path.exists(file)
    if not was_there and (copy := sent.fetch(file)):
        history = lstm_edu.train(model, pairs, checkpoint=copy, resume=True, **settings)
        print(sent.NOTE.format(file))
        return history
    try:
        history = lstm_edu.train(model, pairs, checkpoint=file, resume=True, **settings)
    except NotFiniteError:
        raise
    except lstm_edu.InputError:
        if not was_there:
            raise
        history = lstm_edu.train(model, pairs, checkpoint=file, overwrite=True, **settings)
    seconds = history["seconds"]  # NaN for epochs read from the file
    if math.isnan(seconds[-1]):
        print(f"Loaded {os.path.basename(file)}, trained earlier with these settings.")
    else:
        print(
            f"Trained in ≈{np.nansum(seconds):.0f} seconds, and kept as {os.path.basename(file)}."
        )
    return history


def kept_file(name, model, pairs, **settings):
    """Return the name of the file in which `train_once` stores the result of these arguments."""
    arrays, about = pack(model)
    how = sorted((key, value) for key, value in settings.items() if key not in NOT_SETTINGS)
    text = json.dumps([lstm_edu.__version__, about, repr(how), list(pairs)], sort_keys=True)
    return f"{name}-{array_files.seal(text, arrays).hexdigest()[:8]}.npz"
