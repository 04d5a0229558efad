"""Store the parts of a comparison in a folder, each in a file with a checksum of its inputs.

The checksum is part of the file's name, so parts with different data or settings have different
names, and several comparisons can share a folder. A second checksum in each file detects damage.
"""

import hashlib
import json
import os

from lstm_edu._util import files
from lstm_edu._util.files import InputError
from lstm_edu.readers import read_passages

from .skip_thought_files import FILES


def default_folder():
    """Return the default folder for comparisons, in the user's cache."""
    # Windows sets LOCALAPPDATA
    named = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return os.path.join(named or os.path.expanduser("~/.cache"), "lstm_edu", "comparisons")


def digest_of(*inputs):
    """Compute a checksum of values that JSON can represent."""
    return hashlib.sha256(json.dumps(inputs, default=str).encode()).hexdigest()


def contents(skip_thought, sentences):
    """Return the checksum of each file that Skip-Thought reads, None for a missing file."""
    if skip_thought is not None:
        paths = [os.path.join(skip_thought, name) for name in FILES]
    else:
        paths = [] if sentences is None else [sentences]
    for path in paths:
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe can be read only once
            raise InputError(f"{path}: is a folder, a device or a pipe; must be a file")
    digests = [files.digest(path) for path in paths]
    if skip_thought is None and sentences is not None:
        read_passages(sentences)  # reject a bad text now, not after an hour of computing
    return digests


def path_of(folder, task):
    """Return the path of a part's file."""
    return os.path.join(folder, f"{task} {task.inputs[:12]}.json".replace(" ", "_"))


def write(folder, task, part):
    """Write a part to its file, with checksums of its inputs and its content."""
    sealed = {"inputs": task.inputs, "seal": digest_of(task.inputs, part)} | part
    files.write_text(path_of(folder, task), json.dumps(sealed) + "\n")


def read(folder, task, say):
    """Read a part; return None if it is missing or damaged, and report damage."""
    path = path_of(folder, task)
    if not os.path.isfile(path):
        return None
    try:
        with open(path, encoding="utf-8") as file:
            part = json.load(file)
        sealed = part.pop("inputs"), part.pop("seal")
        if sealed == (task.inputs, digest_of(task.inputs, part)):
            return part
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        pass  # the file is not JSON, not a dict, or lacks a checksum
    say(f"{path}: is damaged; it is computed again")
    return None
