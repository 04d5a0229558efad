"""Export of a model as a script for a web page: weights as 8-bit integers, with a scale per row.

Browsers let a page that is opened from a folder load only scripts, so weights, titles and the click
log are written as scripts. The scripts that `reader.py` assembles read them.
"""

import base64
import copy
import html
import json
import pathlib
import re
import string
from types import SimpleNamespace

import numpy as np

from lstm_edu import LSTM, RNN, DualEncoder, LetterTrigrams
from lstm_edu._util import arguments
from lstm_edu._util.files import InputError, why, write_text
from lstm_edu.cells.cell import describe, rebuild

from . import reader

FORMAT = 1  # version of the scripts' format, as in js/own.js
CONTENT = re.compile(r"^\(self\.lstm_edu \?\?= \{\}\)\[.*?\] = (.*);$", re.MULTILINE)
TYPES = {"int8": "i1", "scale": "<f4", "float32": "<f4"}
IN_A_PAGE = RNN, LSTM  # the cells that js/forward.js implements
HELD = "i", "f", "o", "yg"  # the gates, and the input y_g, that a page can fix at their means
FEW = 24  # with fewer cells than this, titles' embeddings have 8 bits per cell, otherwise 4
LEAST = np.finfo(np.float32).tiny  # scale of rows of zeros, to avoid dividing by 0


def rounded(model):
    """Return a float64 copy of the model, with its weights rounded as `write_model` rounds them.

    Parameters
    ----------
    model : DualEncoder

    Returns
    -------
    DualEncoder
    """
    page = copy.copy(model)
    page.dtype = np.dtype("float64")
    for name in ("query", "document"):
        side = getattr(model, name)
        weights = {key: unpack(pack(w)) for key, w in side.weights.items()}
        setattr(page, name, type(side)(side.cell, weights))
    return page


def rounded_vectors(vectors):
    """Round embeddings to small integers, with which a page searches titles.

    The integers have 8 bits, or 4 bits (-7 to 7) with `FEW` cells or more. That is precise enough,
    because the page encodes the best titles again to rank them.

    Parameters
    ----------
    vectors : (n_texts, embedding size)

    Returns
    -------
    (n_texts, embedding size) of int8
        Each row has nearly the direction of its embedding.
    """
    return pack(vectors, 127 if np.shape(vectors)[1] < FEW else 7)["int8"]


def is_for_a_page(model):
    """Return whether a page can run the model: a DualEncoder with an RNN or an LSTM."""
    one_vector = not arguments.model(model).relevance.words
    return one_vector and type(model.cell) in IN_A_PAGE


def write_model(model, path, name, titles=None, queries=None):
    """Atomically write a model as a script that web pages load.

    Parameters
    ----------
    model : DualEncoder
        A model with an RNN or an LSTM.
    path : str
    name : str
        The model's name on the page, such as ``LSTM of 32 cells``.
    titles : list of str, optional
        The titles given to `write_titles`; their rounded embeddings are written, too.
    queries : list of str, optional
        Queries of the click log. A page can fix an LSTM's gates at their means over the words of
        these queries.

    Raises
    ------
    InputError
        No page can run the model; see `is_for_a_page`.
    """
    facts = packed(model, name, titles)
    if queries:
        facts["means"] = means(model, queries)
    write_text(path, _script(path, facts))


def write_page(model, path, titles=None, query="hotels in shanghai"):
    """Atomically write an HTML page for exploring how the model reads texts.

    The page opens without a server, and the reader in the book can load the model from its file.

    Parameters
    ----------
    model : DualEncoder
        A model with an RNN or an LSTM.
    path : str
        The page's file, whose name must end in ``.html``.
    titles : list of str, optional
        The titles to search.
    query : str
        The initial query.

    Raises
    ------
    InputError
        No page can run the model (see `is_for_a_page`), or the path doesn't end in ``.html``.
    """
    path, query = arguments.path("path", path), arguments.text("query", query)
    titles = None if titles is None else arguments.texts("titles", titles)
    if not path.endswith(".html"):
        arguments.refuse("path", path, "the name of a page, which ends in .html")
    cell = arguments.model(model).cell
    name = f"{type(cell).__name__} of {cell.size} cells"
    content = {"model": packed(model, name, titles), "titles": titles}
    scripts = [_script(key, of) for key, of in content.items()]
    page = string.Template((reader.FOLDER / "page.html").read_text(encoding="utf-8"))
    parts = {"style": reader.style(), "scripts": "".join([*scripts, reader.script()])}
    query = html.escape(query).encode("ascii", "xmlcharrefreplace").decode("ascii")
    write_text(path, page.substitute(parts, name=name, query=query))


def from_page(path):
    """Load a model with rounded weights from a page or a script, without running its code.

    Parameters
    ----------
    path : str
        A file written by `write_page` or `write_model`.

    Returns
    -------
    SimpleNamespace
        ``model``, a DualEncoder; ``titles``, a list of str or None; ``means``, a dict of arrays.

    Raises
    ------
    InputError
        The file contains no model, or a model in another version's format.
    """
    path = arguments.path("path", path)
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
        content = [json.loads(part) for part in CONTENT.findall(text)]
        facts = next(part for part in content if isinstance(part, dict) and "trigrams" in part)
        if facts["format"] != FORMAT:
            raise ValueError(f"format {facts['format']} of another version")
        trigrams = re.findall("(?s)...", facts["trigrams"])
        hashing = LetterTrigrams(trigrams, facts.get("max_words"))
        model = DualEncoder(rebuild(facts, IN_A_PAGE), hashing, dtype="float64")
        for name in ("query", "document"):
            for key, w in getattr(model, name).weights.items():
                w[...] = unpack(_from_base_64(facts[name][key]))
    except Exception as error:  # forged content may raise any error
        raise InputError(f"{path}: has no model of a page ({why(error)})") from None
    titles = next((part for part in content if isinstance(part, list)), None)
    means = {name: np.array(values) for name, values in facts.get("means", {}).items()}
    return SimpleNamespace(model=model, titles=titles, means=means)


def means(model, queries):
    """Compute the mean of each gate of an LSTM, and of y_g, over all words of the queries.

    Returns
    -------
    dict
        A list of n_cells floats for each state, keyed by its name, such as "i".
    """
    traces = [model.trace(query) for query in queries]
    names = [name for name in HELD if hasattr(traces[0], name)]
    by_word = {name: np.concatenate([getattr(t, name) for t in traces]) for name in names}
    return {name: [float(x) for x in values.mean(axis=0)] for name, values in by_word.items()}


def packed(model, name, titles=None):
    """Pack a model into a dict for JSON, which js/weights.js unpacks.

    The arguments are as for `write_model`.

    Returns
    -------
    dict
    """
    if not is_for_a_page(model):
        arguments.refuse("model", model, "of an RNN or an LSTM, with one vector a text, for a page")
    cell = model.cell
    facts = {"format": FORMAT, "name": name, **describe(cell), "size": cell.size}
    if model.hashing.max_words:
        facts["max_words"] = model.hashing.max_words
    facts["trigrams"] = "".join(model.hashing.trigrams)
    facts |= {"states": cell.states, "gates": cell.gates, "drawn": cell.drawn}
    for side, of_side in {"query": model.query, "document": model.document}.items():
        facts[side] = {key: _in_base_64(pack(w)) for key, w in of_side.weights.items()}
    if titles is not None:
        vectors = rounded_vectors(rounded(model).encode_document(titles))
        if cell.size >= FEW:  # pack two 4-bit numbers per byte
            high, low = np.pad(vectors.ravel() + 8, (0, vectors.size % 2)).reshape(-1, 2).T
            vectors = high * 16 + low
        facts["vectors"] = _in_base_64({"whole": vectors.astype(np.uint8)})["whole"]
    return facts


def write_titles(titles, path):
    """Atomically write a script with the titles that a page can search.

    Parameters
    ----------
    titles : list of str
    path : str
    """
    write_text(path, _script(path, titles))


def write_log(pairs, titles, path):
    """Write a click log as a script: its queries, and the indices of its clicked titles.

    Parameters
    ----------
    pairs : list of (query, title)
        Each title is one of ``titles``.
    titles : list of str
        The titles given to `write_titles`, at most 65,536.
    path : str
    """
    place = {title: k for k, title in enumerate(titles)}
    clicked = np.array([place[title] for _, title in pairs], "<u2")
    queries = [query for query, _ in pairs]
    content = {"queries": queries, **_in_base_64({"clicked": clicked})}
    write_text(path, _script(path, content))


def pack(w, most=127):
    """Round a matrix to integers up to ``most``, with a scale per row; leave vectors unrounded."""
    if w.ndim == 1:
        return {"float32": w.astype("<f4")}
    scale = np.maximum(np.abs(w).max(axis=1, initial=0) / most, LEAST).astype("<f4")
    return {"int8": np.rint(w / scale[:, None]).astype(np.int8), "scale": scale}


def unpack(packed):
    """Unpack the result of `pack` to float64, as a page does."""
    if "float32" in packed:
        return packed["float32"].astype(float)
    scale = packed["scale"].astype(float)[:, None]
    return packed["int8"].reshape(len(scale), -1) * scale


def _in_base_64(packed):
    """Encode the bytes of each array in base64."""
    return {name: base64.b64encode(a.tobytes()).decode("ascii") for name, a in packed.items()}


def _from_base_64(encoded):
    """Decode arrays that `_in_base_64` encoded."""
    return {name: np.frombuffer(base64.b64decode(a), TYPES[name]) for name, a in encoded.items()}


def _script(path, content):
    """Return a line that sets self.lstm_edu[NAME] to the content; NAME is the file's name.

    Each < is escaped, so that no text can close the page's script element.
    """
    name = json.dumps(pathlib.Path(path).stem)
    content = json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")
    return f"(self.lstm_edu ??= {{}})[{name}] = {content};\n"
