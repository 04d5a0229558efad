"""`lstm-edu info`: what a model's file holds."""

import json
import os

from lstm_edu._util.files import is_safetensors
from lstm_edu.models.encoder import trained
from lstm_edu.models.loading import load

from .options import command

DIGESTS = "data", "start"  # among the settings: of the log, and of the weights before


def add_to(commands):
    """Add `info` to the command line."""
    parser = command(commands, info, "say what a model's file holds")
    parser.add_argument("model", help="a file that train has written")
    parser.switch("--json", "print JSON")


def info(args):
    """Print what there is to say of a model, a line each or as JSON."""
    said = facts(load(args.model))
    kind = "safetensors" if is_safetensors(args.model) else "npz"
    said["file"] = f"{kind}, {os.path.getsize(args.model) / 1e6:.1f} MB"
    if args.json:
        print(json.dumps(said))
    else:
        for name, value in said.items():
            print(f"{name + ':':23} {value}")


def facts(model):
    """Describe a model.

    Parameters
    ----------
    model : DualEncoder or AlignedEncoder

    Returns
    -------
    dict of str
        By what they are about.
    """
    said = {
        "model": type(model).__name__,
        "cell": repr(model.cell),
        "size": f"{model.query.cell.size} numbers a {'word' if model.relevance.words else 'text'}",
        "letter trigrams": f"{model.hashing.size:,} ({model.hashing.rule})",
        "parameters": f"{model.n_parameters:,} of {model.dtype.name}, both sides together",
        "training": trained(model),
    }
    settings, history = (model.training.get(name, {}) for name in ("settings", "history"))
    told = {k: v for k, v in settings.items() if k not in DIGESTS and v is not None}
    if told:
        said["settings"] = ", ".join(f"{name} {value}" for name, value in told.items())
    for name, what in (("cost", "last cost"), ("held_out", "best held-out nDCG@10")):
        if history.get(name):
            values = history[name]
            said[what] = f"{max(values) if name == 'held_out' else values[-1]:.4f}"
    return said
