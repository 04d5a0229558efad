"""The folder of a comparison: its parts, which know what they were made of, and have a checksum."""

import hashlib
import json
import os
import re
import sys

from lstm_edu._util import files
from lstm_edu._util.files import InputError
from lstm_edu.readers import read_passages

from .skip_thought_files import FILES


def folder_of(*data):
    """The folder of a comparison that was given none: in the user's cache, named after its pairs,
    judgments, kind, epochs and search_pairs.
    """
    home = os.path.expanduser("~")
    cache = {
        "win32": os.environ.get("LOCALAPPDATA", os.path.join(home, "AppData", "Local")),
        "darwin": os.path.join(home, "Library", "Caches"),
    }.get(sys.platform, os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"))
    return os.path.join(cache, "lstm_edu", f"comparison-{digest_of(*data)[:12]}")


def path_of(folder, row, what):
    """Of a row's search, or of one of its seeds."""
    return os.path.join(folder, f"{row}_{what}.json")


def digest_of(*what):
    """Of what a comparison, or a part, is made of."""
    return hashlib.sha256(json.dumps(what, default=str).encode()).hexdigest()


def contents(skip_thought, sentences):
    """What Skip-Thought reads, by content: a digest a file, None for one that is not there."""
    if skip_thought is not None:
        paths = [os.path.join(skip_thought, name) for name in FILES]
    else:
        paths = [] if sentences is None else [sentences]
    for path in paths:
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe could be read but once
            raise InputError(f"{path}: is a folder, a device or a pipe; must be a file")
    digests = [files.digest(path) for path in paths]
    if skip_thought is None and sentences is not None:
        read_passages(sentences)  # which raises now what it would in an hour
    return digests


def check(folder, digest):
    """Raise InputError if the folder holds the parts of another comparison."""
    path = os.path.join(folder, "comparison.txt")
    if os.path.exists(path):
        with open(path, "rb") as file:
            found = file.read(1000).decode("ascii", "replace").strip()
        if not re.fullmatch("[0-9a-f]{64}", found):
            raise InputError(
                f"{path}: is damaged; remove it if the folder's parts are of these data and "
                "settings, or name another folder"
            )
        if found != digest:
            raise InputError(
                f"{folder}: holds another comparison, of other data or settings; "
                "name another folder"
            )


def claim(folder, digest):
    """Note which comparison the folder holds, with its first part; raises as `check`."""
    check(folder, digest)
    path = os.path.join(folder, "comparison.txt")
    if not os.path.exists(path):
        files.write_text(path, digest + "\n")


def write(path, part, inputs):
    """Write a part with the digest of its inputs, and a checksum of all."""
    sealed = {"inputs": inputs, "seal": digest_of(inputs, part)} | part
    files.write_text(path, json.dumps(sealed) + "\n")


def kept(folder, inputs, say):
    """The parts of these inputs that the folder holds, by row and what;
    says of each other part why it is made again.

    Parameters
    ----------
    folder : str
    inputs : dict of str
        By row and what, the digest of the part's inputs.
    say : function
    """
    parts = {}
    for key, digest in inputs.items():
        path = path_of(folder, *key)
        if not os.path.isfile(path):
            continue
        try:
            with open(path, encoding="utf-8") as file:
                part = json.load(file)
            found, seal = part.pop("inputs"), part.pop("seal")
            damaged = seal != digest_of(found, part)
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
            damaged = True  # no JSON, or no dict of it
        if damaged:
            say(f"{path}: is damaged; it is made again")
        elif found != digest:
            say(f"{path}: what it was made of has changed; it is made again")
        else:
            parts[key] = part
    return parts
