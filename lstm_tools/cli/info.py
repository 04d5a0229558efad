"""`lstm-edu info`: describe the file of a model."""

import os
from json import dumps

from lstm_edu._util.looks import looks_like
from lstm_edu.models.encoder import trained
from lstm_edu.models.loading import load

from .messages import say

# hide the digests of the log and of the model before training, which are of no use to users
DIGESTS = "data", "start"


def info(model, *, json: bool = False):
    """Describe a model's file.

    Parameters
    ----------
    model
        A file that train has written.
    json
        Print JSON.
    """
    path, model = model, load(model)
    n = model.hashing.max_words
    said = {
        "model": type(model).__name__,
        "cell": repr(model.cell),
        "size": f"{model.query.cell.size} values per {'word' if model.relevance.words else 'text'}",
        "letter trigrams": f"{model.hashing.size:,}",
        **({"max_words": f"reads the first {n} words of a text"} if n else {}),
        "parameters": f"{model.n_parameters:,} of {model.dtype.name}, both sides together",
        "training": trained(model),
    }
    settings, history = (model.training.get(name, {}) for name in ("settings", "history"))
    known = {k: v for k, v in settings.items() if k not in DIGESTS and v is not None}
    if known:
        said["settings"] = ", ".join(f"{name} {value}" for name, value in known.items())
    if history.get("cost"):
        said["last cost"] = f"{history['cost'][-1]:.4f}"
    if held_out := history.get("held_out"):
        said["best held-out nDCG@10"] = f"{max(held_out):.4f}"
        if model.training.get("finished"):
            best = held_out.index(max(held_out)) + 1
            said["epoch kept"] = f"{best} of {len(held_out)}, the best on held-out queries"
    kind = looks_like(path).rpartition(".")[-1]
    said["file"] = f"{kind}, {os.path.getsize(path) / 1e6:.1f} MB"
    lines = (f"{name + ':':23} {value}" for name, value in said.items())
    say(dumps(said) if json else "\n".join(lines))
