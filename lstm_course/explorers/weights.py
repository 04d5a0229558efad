"""A model as a script that a page can read: whole numbers from -127 to 127, with a scale a row.

A page that is opened from a folder may load scripts and nothing else, so that weights come as one,
and so do the titles to search. `reader.py` has what reads them.
"""

import base64
import copy
import json
import pathlib

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import write_text
from lstm_edu.cells.cell import describe

IN_A_PAGE = "RNN", "LSTM"  # the cells whose step js/forward.js has
HELD = "i", "f", "o", "yg"  # what can be held in a page
FEW = 24  # with fewer cells, titles are found by numbers of 8 bits, else by 4
LEAST = np.finfo(np.float32).tiny  # a row of zeros has a scale, too


def rounded(model):
    """The model as a page computes with it: its weights rounded as `write_model` does, in float64.

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
        weights = {own: _numbers(_pack(w)) for own, w in side.weights.items()}
        setattr(page, name, type(side)(side.cell, weights))
    return page


def rounded_vectors(vectors):
    """Embeddings as a page has them to find titles by: whole numbers, in int8. Of many cells each
    may be as coarse as 4 bits, -7 to 7: of what is found, the page computes the cosines anew.

    Parameters
    ----------
    vectors : (n_texts, embedding size)

    Returns
    -------
    (n_texts, embedding size) of int8
        Each row points where its embedding does, nearly.
    """
    return _pack(vectors, 127 if np.shape(vectors)[1] < FEW else 7)["int8"]


def is_for_a_page(model):
    """Say whether a page can compute with a model: a DualEncoder, its cell an RNN or an LSTM."""
    one_vector = not arguments.model(model).relevance.words
    return one_vector and describe(model.cell)["cell"] in IN_A_PAGE


def write_model(model, path, name, titles=None, queries=None):
    """Write a model as a script, whole or not at all.

    Parameters
    ----------
    model : DualEncoder
        Of an RNN or an LSTM.
    path : str
    name : str
        What a page calls it, such as ``LSTM of 32 cells``.
    titles : list of str, optional
        Those of `write_titles`; their embeddings, rounded as well, go into the script.
    queries : list of str, optional
        Of the log: at their mean over these an LSTM's gates can be held in a page.

    Raises
    ------
    InputError
        A page has no step of the model's cell, or the model aligns words.
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
    """The mean of each gate of an LSTM, and of y_g, over all words of some queries.

    Returns
    -------
    dict
        By name, a list of n_cells numbers.
    """
    traces = [model.trace(query) for query in queries]
    names = [name for name in HELD if hasattr(traces[0], name)]
    by_word = {name: np.concatenate([getattr(t, name) for t in traces]) for name in names}
    return {name: [float(x) for x in values.mean(axis=0)] for name, values in by_word.items()}


def packed(model, name, titles=None):
    """A model as JSON can hold it, and as js/weights.js unpacks it. Parameters as `write_model`'s.

    Returns
    -------
    dict
    """
    cell = model.cell
    facts = {"name": name, "cell": describe(cell)["cell"], "size": cell.size}
    facts["trigrams"] = "".join(model.hashing.trigrams)
    facts |= {"states": cell.states, "gates": cell.gates, "drawn": cell.drawn}
    for side, of_side in {"query": model.query, "document": model.document}.items():
        facts[side] = {own: _in_base_64(_pack(w)) for own, w in of_side.weights.items()}
    if titles is not None:
        vectors = rounded_vectors(rounded(model).encode_document(titles))
        if cell.size >= FEW:  # two a byte
            high, low = np.pad(vectors.ravel() + 8, (0, vectors.size % 2)).reshape(-1, 2).T
            vectors = high * 16 + low
        facts["vectors"] = _in_base_64({"whole": vectors.astype(np.uint8)})["whole"]
    return facts


def write_titles(titles, path):
    """Write the titles that are searched as a script, whole or not at all.

    Parameters
    ----------
    titles : list of str
    path : str
    """
    titles, path = arguments.texts("titles", titles), arguments.path("path", path)
    _write(path, titles)


def write_log(pairs, titles, path):
    """Write a click log as a script: its queries, and its clicked titles by their numbers.

    Parameters
    ----------
    pairs : list of (query, title)
        Each title one of ``titles``.
    titles : list of str
        Those of `write_titles`, at most 65,536.
    path : str
    """
    pairs, titles = arguments.pairs(pairs), arguments.texts("titles", titles)
    path, place = arguments.path("path", path), {title: k for k, title in enumerate(titles)}
    if any(title not in place for _, title in pairs):
        arguments.refuse("titles", titles, "all that are clicked")
    clicked = np.array([place[title] for _, title in pairs], "<u2")
    queries = [query for query, _ in pairs]
    _write(path, {"queries": queries, **_in_base_64({"clicked": clicked})})


def _pack(w, most=127):
    """Rows of whole numbers and what each is to be multiplied by; a vector stays as it is."""
    if w.ndim == 1:
        return {"float32": w.astype("<f4")}
    scale = np.maximum(np.abs(w).max(axis=1, initial=0) / most, LEAST).astype("<f4")
    return {"int8": np.rint(w / scale[:, None]).astype(np.int8), "scale": scale}


def _numbers(packed):
    """What a page makes of `_pack`'s, in float64."""
    if "float32" in packed:
        return packed["float32"].astype(float)
    return packed["int8"] * packed["scale"].astype(float)[:, None]


def _in_base_64(packed):
    return {name: base64.b64encode(a.tobytes()).decode("ascii") for name, a in packed.items()}


def _write(path, what):
    """A script that keeps something under its file's name, whichever script is loaded first."""
    name = json.dumps(pathlib.Path(path).stem)
    what = json.dumps(what, separators=(",", ":"))
    write_text(path, f"(self.lstm_edu ??= {{}})[{name}] = {what};\n")
