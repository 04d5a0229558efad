"""Trained models with 8-bit weights, which lessons fetch when they run in a browser.

A browser trains on one core, several times more slowly than Python elsewhere.
"""

import hashlib
import io
import json
import os
import pathlib
import tempfile

import numpy as np

from lstm_edu._util import array_files
from lstm_edu._util.files import write_text
from lstm_edu.models.model_file import FORMAT, VERSIONS

from ..explorers.weights import pack, unpack

SITE = os.environ.get("LSTM_EDU_MODELS")  # the URL of the folder of models, or None
DIGESTS = "digests.json"
NOTE = """\
Loaded {}, which came with this site: trained with these settings, then rounded to 8 bits.
To train it here instead, for some minutes, run this line, and then this cell again:
from lstm_course.lessons import sent; sent.SITE = None"""


def write(files, folder):
    """Write rounded copies of trained models, and their SHA-256, for `fetch`.

    Parameters
    ----------
    files : list of path
        Models written by `train_once`.
    folder : path
        An empty folder.
    """
    digests = {}
    for file in map(pathlib.Path, files):
        arrays, meta = array_files.read_arrays(file, FORMAT, VERSIONS)
        packed = {name: pack(array) for name, array in arrays.items()}
        parts = {f"{name} {kind}": part for name in packed for kind, part in packed[name].items()}
        copy = pathlib.Path(folder, file.name)
        np.savez_compressed(copy, meta=np.array(json.dumps(meta)), **parts)
        digests[file.name] = hashlib.sha256(copy.read_bytes()).hexdigest()
    write_text(pathlib.Path(folder, DIGESTS), json.dumps(digests, indent=1))


def fetch(name):
    """Fetch a model from the site into a temporary file that `lstm_edu.load` reads.

    Parameters
    ----------
    name : str
        The file's name, as `kept_file` returns it.

    Returns
    -------
    path or None
        None outside a site, or if the site lacks the model or its copy is damaged.
    """
    if SITE is None:
        return None
    digest = json.loads(read(DIGESTS) or "{}").get(name)
    if digest is None or hashlib.sha256(content := read(name)).hexdigest() != digest:
        return None
    with np.load(io.BytesIO(content)) as parts:
        meta, packed = json.loads(str(parts["meta"])), {}
        for key in set(parts.files) - {"meta"}:
            array, kind = key.split(" ")
            packed.setdefault(array, {})[kind] = parts[key]
    arrays = {array: unpack(of).astype(meta["dtype"]) for array, of in packed.items()}
    path = pathlib.Path(tempfile.gettempdir(), name)
    array_files.write_arrays(path, arrays, meta)
    return path


def read(name):
    """Read a file from the site, in a web worker; return b"" if the site lacks it."""
    import js

    request = js.XMLHttpRequest.new()
    request.open("GET", js.URL.new(f"{SITE}/{name}", js.location.href).href, False)
    request.responseType = "arraybuffer"
    request.send(None)
    return request.response.to_bytes() if request.status == 200 else b""
