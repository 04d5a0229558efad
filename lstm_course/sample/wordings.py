"""Queries and titles for an information need, in the words of searchers and of authors.

``lstm_course/sample/words/<topic>.toml`` lists a topic's entities, sites and intents with their
wordings, in this notation:

- ``"fridge | refrigerator > refrigerator"`` is an entity: its names in queries, then in titles.
- ``"(fix|repair) a {e}"`` is a wording. One alternative of each bracket is chosen, ``{e}`` is the
  entity, ``{es}`` its plural, ``{x}`` and ``{y}`` the two things of an ordered pair, and
  ``{trade}`` the trade of the topic's sites.

``common.toml`` has what all topics share: filler, abbreviations, boilerplate, and the intents of
sites.
"""

import functools
import pathlib
import re
import tomllib
from typing import NamedTuple

FOLDER = pathlib.Path(__file__).with_name("words")

MISSPELLED = 0.2  # fraction of queries with one typo
ABBREVIATED = 0.3  # probability that a word with an abbreviation is abbreviated
KEYS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"]


class Words(NamedTuple):
    """The contents of the word files: ``common``, and ``topics``, keyed and sorted by name."""

    topics: dict
    common: dict


class Need(NamedTuple):
    """An information need, which a searcher has or a page meets.

    Attributes
    ----------
    topic : str
    about : "entity", "pair" or "site"
    things : tuple of str
        One entity or site, or an ordered pair of entities, in the word file's notation.
    intent : str
    """

    topic: str
    about: str
    things: tuple
    intent: str


class Query(NamedTuple):
    """A query as the searcher types it.

    Attributes
    ----------
    text : str
    misspelled : bool
    roles : str
        A ``c`` for each content word and an ``f`` for each filler word, separated by spaces.
    """

    text: str
    misspelled: bool
    roles: str


@functools.cache
def read_words():
    """Read the word files once."""
    topics = {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(FOLDER.glob("*.toml"))
    }
    common = topics.pop("common")
    return Words(topics, common)


def intent_of(need, words):
    """Return the word file's entry for the need's intent: its wordings, near intents and kind."""
    if need.about == "site":
        return words.common["navigation"][need.intent]
    return words.topics[need.topic]["pairs" if need.about == "pair" else "intents"][need.intent]


def kind_of(need, words):
    """Return the need's kind: "navigational", "transactional" or "informational".

    A navigational need is to reach a site; a transactional one is to buy, book, order or download.
    """
    if need.about == "site":
        return "navigational"
    return intent_of(need, words).get("kind", "informational")


def ask(need, words, rng):
    """Write a query for the need: choose words, add or drop filler, abbreviate, misspell.

    Returns
    -------
    Query
    """
    filler = set(words.common["filler"])
    if need.about == "pair":
        # keep words such as "from" and "to", which carry meaning in "from boston to denver"
        filler -= set(words.common["order"])
    tokens = _put_in_words(need, "query", words, rng).split()
    habit = rng.random()
    if habit < 0.08 and tokens[0] not in filler:  # no prefix before filler such as "how to"
        tokens = rng.choice(words.common["before"]).split() + tokens
    elif habit < 0.16:
        tokens += rng.choice(words.common["after"]).split()
    elif habit < 0.30:
        tokens = [word for word in tokens if word not in filler] or tokens
    short = words.common["abbreviations"]
    tokens = [
        short[word] if word in short and rng.random() < ABBREVIATED else word for word in tokens
    ]
    roles = ["f" if word in filler else "c" for word in tokens]
    long = [k for k, word in enumerate(tokens) if roles[k] == "c" and len(word) > 3]
    misspelled = bool(long) and rng.random() < MISSPELLED
    if misspelled:
        k = rng.choice(long)
        tokens[k] = misspell(tokens[k], rng)
    return Query(" ".join(tokens), misspelled, " ".join(roles))


def write_title(need, words, rng):
    """Write a page's title for the need; some titles about an entity get boilerplate."""
    title = _put_in_words(need, "title", words, rng)
    habit = rng.random()
    if need.about == "entity" and habit < 0.2:
        title += " " + rng.choice(words.common["suffix"])
    elif need.about == "entity" and habit < 0.4:
        title += " " + _site_name(rng.choice(words.topics[need.topic]["sites"]), "title", rng)
    return title


def say(need, words, rng):
    """Write a correctly spelled sentence for the need, in a searcher's or an author's words."""
    return _put_in_words(need, rng.choice(["query", "title"]), words, rng)


def misspell(word, rng):
    """Misspell a word with one typo: drop, double or swap a letter, or hit a key next to it.

    Parameters
    ----------
    word : str
        A word with at least two different characters.
    rng : random.Random
    """
    wrong = word
    while wrong == word:  # swapping two equal letters changes nothing
        k = rng.randrange(len(word))
        before, letter, after = word[:k], word[k], word[k + 1 :]
        row = next((row for row in KEYS if letter in row), letter)
        at = row.index(letter)
        beside = rng.choice(row[max(at - 1, 0) : at + 2])
        wrong = before + rng.choice(
            [after, letter + letter + after, after[:1] + letter + after[1:], beside + after]
        )
    return wrong


def plural(noun, irregular):
    """Return the plural of a noun or noun phrase; leave plurals unchanged."""
    *rest, last = noun.split(" ")
    if last in irregular:
        last = irregular[last]
    elif re.search("(ss|x|z|ch|sh)$", last):
        last += "es"
    elif not last.endswith("s"):
        last = re.sub("([^aeiou])y$", r"\1ie", last) + "s"
    return " ".join([*rest, last])


def _put_in_words(need, side, words, rng):
    """Write the need in the words of searchers (``side="query"``) or authors (``"title"``)."""
    name = _site_name if need.about == "site" else _name
    first, second = name(need.things[0], side, rng), name(need.things[-1], side, rng)
    wording = choose(rng.choice(intent_of(need, words)[side]), rng)
    slots = {"e": first, "es": plural(first, words.common["plurals"]), "x": first, "y": second}
    text = wording.format(**slots, trade=words.topics[need.topic]["trade"])
    return " ".join(re.sub(r"\ba (?=[aeio])(?!one )", "an ", text).split())


def choose(wording, rng):
    """Replace each ``(this|that)`` by a random alternative, the innermost brackets first."""
    while "(" in wording:
        wording = re.sub(r"\(([^()]*)\)", lambda match: rng.choice(match[1].split("|")), wording)
    return wording


def _name(entity, side, rng):
    """Choose one of the entity's names in queries or in titles."""
    sides = entity.split(" > ")
    return rng.choice(sides[0 if side == "query" else -1].split(" | "))


def _site_name(site, side, rng):
    """Write a site's name as one word or two, in queries also as a web address."""
    joined = site.replace(" ", "")
    of_query = [joined, site, f"{joined} com", f"www {joined} com"]
    return rng.choice(of_query if side == "query" else [joined, joined, site])
