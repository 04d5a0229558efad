"""Which words of a query and of a title meant alike say the same, by the sample's word files.

The files know it in three ways, two sharp and one blunt:

- **thing**: ``"fridge | refrigerator > refrigerator"`` says what searchers and what titles call one
  thing, so every word of one name says the same as every word of the other;
- **site**: its name is written as one word or as two;
- **intent**: what is wanted has wordings on both sides. All that a query has of such wordings says
  the same as all that a title has of them; which word of the one belongs to which of the other,
  nobody has written down.

Filler says nothing, and a misspelled word stands in no file: neither has a partner.
"""

import functools
import re

import numpy as np

from lstm_edu._util import arguments

from .wordings import plural, read_words

KINDS = "thing", "site", "intent"


def partners(query, title, topic):
    """Which words say the same in a query and a title of the same need (of grade 3).

    Parameters
    ----------
    query, title : str
    topic : str
        As ``needs.tsv`` has it.

    Returns
    -------
    dict
        ``"thing"``, ``"site"`` and ``"intent"``: (n_query_words, n_title_words) of bool each.
    """
    q, t = arguments.text("query", query).split(), arguments.text("title", title).split()
    if not isinstance(topic, str) or topic not in _words().topics:
        arguments.refuse("topic", topic, "a topic of the sample, such as 'travel'")
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
def _words():
    return read_words()


@functools.cache
def _things(topic):
    """The names of a topic's things, and of its sites: of each those in queries and in titles, or
    those of both sides; a name is a list of words.
    """
    file, irregular = _words().topics[topic], _words().common["plurals"]
    named = [*file["entities"], *(thing for group in file.get("things", ()) for thing in group)]
    sides = [[side.split(" | ") for side in thing.split(" > ")] for thing in named]

    def every(names):
        return [form.split() for name in names for form in (name, plural(name, irregular))]

    things = [[every(names) for names in of] for of in sides]
    return things, [[[[site.replace(" ", "")], site.split()]] for site in file["sites"]]


@functools.cache
def _wordings(topic, of_site, side):
    """The words in which a side puts what is wanted of a topic's things, or of its sites."""
    file, common = _words().topics[topic], _words().common
    of_things = [*file["intents"].values(), *file.get("pairs", {}).values()]
    wanted = list(common["navigation"].values()) if of_site else of_things
    wordings = " ".join(wording for intent in wanted for wording in intent[side])
    words = set(re.sub(r"\{\w+\}|[()|]", " ", wordings).split()) - set(common["filler"])
    short = common["abbreviations"] if side == "query" else {}
    return sorted(words | {short[word] for word in words if word in short})


def _named(words, names):
    """Which of these words belong to one of the names."""
    found = np.zeros(len(words), bool)
    for name in names:
        for start in range(len(words) - len(name) + 1):
            if words[start : start + len(name)] == name:
                found[start : start + len(name)] = True
    return found
