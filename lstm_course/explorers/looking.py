"""Data for the reader, the interactive figure of how a model reads a query and a title.

js/looking.js computes the same data in a page, for an RNN or an LSTM; tests compare the results.
This module also works for other recurrent cells, and for models too large for a page.
js/drawing.js draws the figure.
"""

import warnings

import numpy as np

from lstm_edu.analysis import inspection
from lstm_edu.text.hashing import letter_trigrams

MANY = 24  # maximum number of words to read from a text; for trigrams of a word it is 2 * MANY


def look(model, asked, name, titles=None, vectors=None):
    """Compute the states, cosines, keywords and best titles for a query and a title.

    Parameters
    ----------
    model : DualEncoder or AlignedEncoder
    asked : dict
        ``query`` and ``title``, the texts; ``t`` and ``s``, the index of the last word to read of
        the query and of the title, or None to read all words; optionally ``within``, the index of
        the query's word to read letter trigram by letter trigram, by default word ``t``.
    name : str
        The model's name in the figure.
    titles : list of str, optional
        The titles to search.
    vectors : (n_titles, embedding size) or Words, optional
        ``model.encode_document(titles)``, if known already.

    Returns
    -------
    dict
        The data, which can be written as JSON.
    """
    with warnings.catch_warnings():
        # the figure marks texts without known trigrams, so don't warn about them
        warnings.simplefilter("ignore")
        q = _side(model, "query", asked["query"], asked["t"], asked.get("within"))
        d = _side(model, "document", asked["title"], asked["s"])
        yq, yd = (side.pop("encoded", None) for side in (q, d))
        q["cosines"] = d["cosines"] = []
        if q["words"] and _is_read(d):
            q["cosines"] = _of_known(q, model.similarity(yq[0], yd[1])[:, 0])
        if d["words"] and _is_read(q):
            d["cosines"] = _of_known(d, model.similarity(yq[1], yd[0])[0])
    best = None if titles is None else []
    if titles and _is_read(q):
        vectors = model.encode_document(titles) if vectors is None else vectors
        scores = model.similarity(yq[1], vectors)[0]
        best = [[float(scores[k]), titles[k]] for k in np.argsort(-scores, kind="stable")[:10]]
    cell, read = model.cell, [side["values"] for side in (q, d) if side["words"]]

    def shuts(state):
        """Return whether a state is a gate that is below 1 at any word of either text."""
        return state in cell.gates and any((np.array(side[state]) < 1).any() for side in read)

    drawn = [state for state in cell.states if state in cell.drawn or shuts(state)]
    facts = {"name": name, "states": cell.states, "gates": list(cell.gates), "drawn": drawn}
    return facts | {"query": q, "document": d, "best": best}


def _is_read(side, t=None):
    """Return whether any word up to ``t``, by default the last word read, has a known trigram."""
    return bool(side["words"]) and any(side["known"][: (side["at"] if t is None else t) + 1])


def _of_known(side, cosines):
    """List the cosine after each word, with None before the first known trigram."""
    return [float(x) if _is_read(side, t) else None for t, x in enumerate(cosines)]


def _side(model, name, text, at, inside=None):
    """Compute a text's data up to word ``at``, and trigram by trigram in word ``inside``.

    ``name`` is "query" or "document". In the result, ``encoded`` is a pair: the embeddings after
    every word, and the embedding after word ``at``.
    """
    every = model.hashing.words(text)
    words = every[:MANY]
    if not words:
        return {"words": [], "n_words": 0}
    at = len(words) - 1 if at is None else min(at, len(words) - 1)
    inside = at if inside is None else min(inside, len(words) - 1)
    trigrams = letter_trigrams(words[inside])[: 2 * MANY]
    states, within = _states(model, getattr(model, name), words, inside, trigrams)
    counts = inspection.assigned_cells(model, " ".join(words), name)
    encode = model.encode_query if name == "query" else model.encode_document
    operator = model.hashing.operator
    known = set(trigrams).intersection(model.hashing.trigrams)
    read = [" ".join(words[: t + 1]) for t in range(len(words))]
    return {
        "words": words,
        "n_words": len(every),
        "at": at,
        "known": [bool(n) for n in np.diff(operator(words).indptr)],
        "values": states,
        "active": inspection.most_active_cells(np.array(states["y"])[: at + 1]).tolist(),
        "counts": [[None if np.isnan(n) else int(n) for n in row] for row in counts],
        "keywords": inspection.keywords(counts).tolist(),
        "trigrams": trigrams,
        "trigrams_known": [trigram in known for trigram in trigrams],
        "within": within,
        "encoded": (encode(read), encode([read[at]])),
    }


def _states(model, side, words, at, trigrams):
    """Compute two dicts of states: after each word, and after each letter trigram of word ``at``.

    Cells that don't read word by word from left to right have no states within a word, so for them
    the second dict is empty.
    """
    # use only W's rows for the text's trigrams, because the others are multiplied by 0
    L = model.hashing.operator(words)
    columns = np.unique(L.indices)
    met = side.cell.map_sparse(lambda W: W[columns], side.weights)
    params = side.cell.params({name: w.astype(float) for name, w in met.items()})
    L = L[:, columns].toarray()
    states = side.cell.read(params, L)
    within = []
    if side.cell.recurrent and side.cell.directions == 1:
        column = {model.hashing.trigrams[k]: place for place, k in enumerate(columns)}
        l, before = np.zeros(len(columns)), states[at - 1] if at else None
        for trigram in trigrams:
            if trigram in column:
                l[column[trigram]] += 1
            within += side.cell.read(params, l[None], before)
    return _by_name(side.cell, states), _by_name(side.cell, within) if within else {}


def _by_name(cell, states):
    """Turn a list of State tuples into one list of vectors per field, keyed by the field's name."""
    return {
        name: [np.atleast_1d(getattr(s, name)).tolist() for s in states] for name in cell.states
    }
