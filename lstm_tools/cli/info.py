"""`lstm-edu info`: what a model's file holds."""

import json
import os

from lstm_edu._util.files import is_safetensors
from lstm_edu.models.facts import facts
from lstm_edu.models.loading import load

from .options import command


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
