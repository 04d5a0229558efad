"""Compare words of a query and a title by cosine, and check whether nearest words are synonyms."""

import numpy as np

from .._util import arguments
from .._util.files import InputError
from ..gradients import cost
from ..text.hashing import LetterTrigrams


def word_cosines(model, query, title):
    """Compute cos(y_Q(t), y_D(s)) for each word of a query and each word of a title.

    Parameters
    ----------
    model : AlignedEncoder or DualEncoder
        A model whose cell reads word by word.
    query, title : str

    Returns
    -------
    (n_query_words, n_title_words)
    """
    model = arguments.model(model)
    for name, text in (("query", query), ("title", title)):
        if not model.hashing.words(arguments.text(name, text)):
            arguments.refuse(name, text, "a text of at least one word")
    return _cosines(model.trace(query, "query").y, model.trace(title, "document").y)


def letter_cosines(hashing, query, title):
    """Compute the cosine of letter-trigram counts for each word of a query and of a title.

    Parameters
    ----------
    hashing : LetterTrigrams
    query, title : str

    Returns
    -------
    (n_query_words, n_title_words)
    """
    arguments.instance("hashing", hashing, LetterTrigrams, "a LetterTrigrams")
    query, title = arguments.text("query", query), arguments.text("title", title)
    return _cosines(*(hashing.operator(hashing.words(text)).toarray() for text in (query, title)))


def right_partners(R, same, query, title):
    """Compute how often a query word's nearest title word is a synonym with a different spelling.

    Parameters
    ----------
    R : (n_query_words, n_title_words)
        The similarity of each query word to each title word.
    same : (n_query_words, n_title_words) of bool
        Which pairs of words have the same meaning, called partners; see
        `lstm_course.sample.paraphrases.partners`.
    query, title : str

    Returns
    -------
    hit : (n,)
        For each query word that is not in the title but has partners there: 1 if the nearest title
        word is a partner, 0 if not. If several are equally near, the share of partners among them.
    chance : (n,)
        The share of title words that are partners of that query word.
    """
    query, title = arguments.text("query", query), arguments.text("title", title)
    R = arguments.array("R", R, "n_query_words", "n_title_words")
    same = arguments.flags("same", same, "n_query_words", "n_title_words")
    lengths = len(query.split()), len(title.split())
    if not R.shape == same.shape == lengths:
        shapes = f"of shapes {R.shape} and {same.shape}, and of {lengths} words"
        raise InputError(f"R, same, query, title: {shapes}; must be (n_query_words, n_title_words)")
    of_other_letters = ~np.isin(query.split(), title.split()) & same.any(axis=1)
    R, same = R[of_other_letters], same[of_other_letters]
    if not len(R):  # R.max would fail for a title without words
        return np.zeros(0), np.zeros(0)
    nearest = R == R.max(axis=1, keepdims=True)
    return (nearest & same).sum(axis=1) / nearest.sum(axis=1), same.mean(axis=1)


def _cosines(q, d):
    return cost.normalise(np.asarray(q, float))[0] @ cost.normalise(np.asarray(d, float))[0].T
