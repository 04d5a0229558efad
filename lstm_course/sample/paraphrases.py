"""Synonyms in a query and a title for the same information need, found in the sample's word files.

A need combines a thing or a site with an intent. So there are three kinds of synonyms, two precise
and one coarse:

- **thing**: ``"fridge | refrigerator > refrigerator"`` lists the names of a thing in queries, then
  in titles. Each word of a name in the query is a synonym of each word of a name in the title.
- **site**: the name of a site is written as one word or as two.
- **intent**: an intent has wordings in queries and wordings in titles. Each word of the query's
  wording is a synonym of each word of the title's wording, because no file pairs single words.

Filler words and misspelled words have no synonyms.
"""

import functools
import re

import numpy as np

from .wordings import plural, read_words

KINDS = "thing", "site", "intent"


def partners(query, title, topic):
    """Find the pairs of synonyms in a query and a title for the same need (grade 3).

    Parameters
    ----------
    query, title : str
    topic : str
        The topic of the need, from ``needs.tsv``.

    Returns
    -------
    dict
        For each kind, "thing", "site" and "intent", an (n_query_words, n_title_words) array of bool
        that marks the pairs of synonyms.
    """
    q, t = query.split(), title.split()
    same = {kind: np.zeros((len(q), len(t)), bool) for kind in KINDS}
    for kind, things in zip(KINDS, _things(topic)):
        for names in things:
            same[kind] |= np.outer(_named(q, names[0]), _named(t, names[-1]))
    words = [_wordings(topic, same["site"].any(), side) for side in ("query", "title")]
    named = same["thing"] | same["site"]
    rest = [np.isin(of, known) for of, known in zip((q, t), words)]
    same["intent"] = np.outer(rest[0] & ~named.any(axis=1), rest[1] & ~named.any(axis=0))
    return same


@functools.cache
def _things(topic):
    """Return the names of a topic's things and sites in queries and in titles.

    A name is a list of words. A thing has one list of names for queries and one for titles, or a
    single list for both.
    """
    file, irregular = read_words().topics[topic], read_words().common["plurals"]
    named = [*file["entities"], *(thing for group in file.get("things", ()) for thing in group)]
    sides = [[side.split(" | ") for side in thing.split(" > ")] for thing in named]

    def every(names):
        return [form.split() for name in names for form in (name, plural(name, irregular))]

    things = [[every(names) for names in of] for of in sides]
    return things, [[[[site.replace(" ", "")], site.split()]] for site in file["sites"]]


@functools.cache
def _wordings(topic, of_site, side):
    """List the words that express intents in queries or titles, for a topic's things or sites."""
    file, common = read_words().topics[topic], read_words().common
    of_things = [*file["intents"].values(), *file.get("pairs", {}).values()]
    wanted = list(common["navigation"].values()) if of_site else of_things
    wordings = " ".join(wording for intent in wanted for wording in intent[side])
    words = set(re.sub(r"\{\w+\}|[()|]", " ", wordings).split()) - set(common["filler"])
    short = common["abbreviations"] if side == "query" else {}
    return sorted(words | {short[word] for word in words if word in short})


def _named(words, names):
    """Return an (n_words,) mask of the words that are part of one of the names."""
    found = np.zeros(len(words), bool)
    for name in names:
        for start in range(len(words) - len(name) + 1):
            if words[start : start + len(name)] == name:
                found[start : start + len(name)] = True
    return found
