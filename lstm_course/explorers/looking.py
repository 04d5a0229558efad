"""What there is to see while a model reads a query and a title, as plain lists.

js/looking.js says the same in a page, of an RNN or an LSTM; here it is of any cell that reads word
by word, for models whose weights are too large for a page. js/drawing.js draws it. Tests hold the
two equal.
"""

import warnings

import numpy as np

from lstm_edu.analysis import inspection
from lstm_edu.text.hashing import letter_trigrams

MANY = 24  # words of a text, and twice as many letter trigrams of a word, that are read


def look(model, asked, name, titles=None, vectors=None):
    """Compute all that is drawn for a query and a title.

    Parameters
    ----------
    model : DualEncoder or AlignedEncoder
    asked : dict
        ``query`` and ``title``, and ``t`` and ``s``, the words of each that have been read, from 0;
        None for the last.
    name : str
        What the model is called.
    titles : list of str, optional
        What to search.
    vectors : (n_titles, embedding size) or Words, optional
        ``model.encode_document(titles)``, where it is at hand.

    Returns
    -------
    dict
        That JSON can hold.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of texts in which nothing is known: the page says so
        q = _side(model, "query", asked["query"], asked["t"])
        d = _side(model, "document", asked["title"], asked["s"])
        yq, yd = (side.pop("encoded", None) for side in (q, d))  # each word's, and the one read
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

    # a gate that is never shut at all is none, such as f where the model has no forget gate
    def shuts(state):
        return state in cell.gates and any((np.array(side[state]) < 1).any() for side in read)

    drawn = [state for state in cell.states if state in cell.drawn or shuts(state)]
    facts = {"name": name, "states": cell.states, "gates": list(cell.gates), "drawn": drawn}
    return facts | {"query": q, "document": d, "best": best}


def _is_read(side, t=None):
    """Say whether anything known is among the words read by word ``t``, or by the one read now."""
    return bool(side["words"]) and any(side["known"][: (side["at"] if t is None else t) + 1])


def _of_known(side, cosines):
    """The cosine after each word, None where nothing known has been read yet."""
    return [float(x) if _is_read(side, t) else None for t, x in enumerate(cosines)]


def _side(model, name, text, at):
    """One side: its text, read up to word ``at``; ``encoded`` is what was read by then, for each
    word, and for this one.
    """
    every = model.hashing.words(text)
    words = every[:MANY]
    if not words:
        return {"words": [], "n_words": 0}
    at = len(words) - 1 if at is None else min(at, len(words) - 1)
    trigrams = letter_trigrams(words[at])[: 2 * MANY]
    states, within = _states(model, getattr(model, name), words, at, trigrams)
    counts = inspection.assigned_cells(model, " ".join(words), name)
    encode = model.encode_query if name == "query" else model.encode_document
    operator, some = model.hashing.operator, set(trigrams)
    known = some.intersection(model.hashing.trigrams)
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
    """The cell's states at each word, and at word ``at`` after each of its letter trigrams.

    Where the cell reads in both directions there is no such moment, and the second is empty.
    """
    # of the weights with a row a trigram those that are met: the others would be multiplied by 0
    L = model.hashing.operator(words)
    columns = np.unique(L.indices)
    met = side.cell.map_sparse(lambda W: W[columns], side.weights)
    params = side.cell.params({name: w.astype(float) for name, w in met.items()})
    L = L[:, columns].toarray()
    states = side.cell.read(params, L)
    within = []
    if side.cell.directions == 1:
        column = {model.hashing.trigrams[k]: place for place, k in enumerate(columns)}
        l, before = np.zeros(len(columns)), states[at - 1] if at else None
        for trigram in trigrams:
            if trigram in column:
                l[column[trigram]] += 1
            within += side.cell.read(params, l[None], before)
    return _by_name(side.cell, states), _by_name(side.cell, within) if within else {}


def _by_name(cell, states):
    return {name: [getattr(s, name).tolist() for s in states] for name in cell.states}
