"""Export of a model as a script for a page: 8-bit integers, with one scale per row.

Browsers let a page that is opened from a folder load only scripts, so weights, titles and the click
log are scripts. Those of `reader.py` read them.
"""

import base64
import copy
import json
import pathlib

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import write_text
from lstm_edu.cells.cell import describe

IN_A_PAGE = "RNN", "LSTM"  # the cells that js/forward.js implements
HELD = "i", "f", "o", "yg"  # gates and inputs that a page can fix at their mean
FEW = 24  # embeddings of titles have 8 bits for models with fewer cells, else 4 bits
LEAST = np.finfo(np.float32).tiny  # scale for rows of zeros


def rounded(model):
    """Return a float64 copy of the model, with its weights rounded as `write_model` rounds them.

    Parameters
    ----------
    model : DualEncoder

    Returns
    -------
    DualEncoder
    """
    model = arguments.model(model)
    page = copy.copy(model)
    page.dtype = np.dtype("float64")
    for name in ("query", "document"):
        side = getattr(model, name)
        weights = {key: unpack(pack(w)) for key, w in side.weights.items()}
        setattr(page, name, type(side)(side.cell, weights))
    return page


def rounded_vectors(vectors):
    """Round the embeddings with which a page searches titles to small integers.

    They have 8 bits, or 4 bits (-7 to 7) with `FEW` cells or more: the page computes the cosines of
    the best titles again.

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
    return one_vector and describe(model.cell)["cell"] in IN_A_PAGE


def write_model(model, path, name, titles=None, queries=None):
    """Write a model as a script, atomically.

    Parameters
    ----------
    model : DualEncoder
        A model with an RNN or an LSTM.
    path : str
    name : str
        The model's name in a page, such as ``LSTM of 32 cells``.
    titles : list of str, optional
        The titles of `write_titles`; their rounded embeddings are written, too.
    queries : list of str, optional
        Queries of the click log. A page can fix an LSTM's gates at their means over these.

    Raises
    ------
    InputError
        The model is not for a page, by `is_for_a_page`.
    """
    if not is_for_a_page(model):
        arguments.refuse("model", model, "of an RNN or an LSTM, with one vector a text, for a page")
    path, name = arguments.path("path", path), arguments.text("name", name)
    titles = None if titles is None else arguments.texts("titles", titles)
    queries = None if queries is None else arguments.texts("queries", queries)
    facts = packed(model, name, titles)
    if queries:
        facts["means"] = means(model, queries)
    _write(path, facts)


def means(model, queries):
    """Compute the mean of each gate of an LSTM, and of y_g, over all words of the queries.

    Returns
    -------
    dict
        By name of the state: list of n_cells floats.
    """
    traces = [model.trace(query) for query in queries]
    names = [name for name in HELD if hasattr(traces[0], name)]
    by_word = {name: np.concatenate([getattr(t, name) for t in traces]) for name in names}
    return {name: [float(x) for x in values.mean(axis=0)] for name, values in by_word.items()}


def packed(model, name, titles=None):
    """Pack a model into a dict for JSON, which js/weights.js unpacks.

    The arguments are those of `write_model`.

    Returns
    -------
    dict
    """
    cell = model.cell
    facts = {"name": name, "cell": describe(cell)["cell"], "size": cell.size}
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
    """Write the titles to search as a script, atomically.

    Parameters
    ----------
    titles : list of str
    path : str
    """
    titles, path = arguments.texts("titles", titles), arguments.path("path", path)
    _write(path, titles)


def write_log(pairs, titles, path):
    """Write a click log as a script: its queries, and the indices of its clicked titles.

    Parameters
    ----------
    pairs : list of (query, title)
        Each title is one of ``titles``.
    titles : list of str
        The titles of `write_titles`, at most 65,536.
    path : str
    """
    pairs, titles = arguments.pairs(pairs), arguments.texts("titles", titles)
    path, place = arguments.path("path", path), {title: k for k, title in enumerate(titles)}
    if any(title not in place for _, title in pairs):
        arguments.refuse("titles", titles, "all that are clicked")
    clicked = np.array([place[title] for _, title in pairs], "<u2")
    queries = [query for query, _ in pairs]
    _write(path, {"queries": queries, **_in_base_64({"clicked": clicked})})


def pack(w, most=127):
    """Round a matrix to integers up to ``most``, with one scale per row; don't round vectors."""
    if w.ndim == 1:
        return {"float32": w.astype("<f4")}
    scale = np.maximum(np.abs(w).max(axis=1, initial=0) / most, LEAST).astype("<f4")
    return {"int8": np.rint(w / scale[:, None]).astype(np.int8), "scale": scale}


def unpack(packed):
    """Unpack the result of `pack` to float64, as a page does."""
    if "float32" in packed:
        return packed["float32"].astype(float)
    return packed["int8"] * packed["scale"].astype(float)[:, None]


def _in_base_64(packed):
    """Encode the bytes of each array in base64."""
    return {name: base64.b64encode(a.tobytes()).decode("ascii") for name, a in packed.items()}


def _write(path, content):
    """Write a script that sets self.lstm_edu[NAME] to the content; NAME is the file's name."""
    name = json.dumps(pathlib.Path(path).stem)
    content = json.dumps(content, separators=(",", ":"))
    write_text(path, f"(self.lstm_edu ??= {{}})[{name}] = {content};\n")
