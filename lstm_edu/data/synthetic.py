"""Sample data: searches, clicks and judged queries, made from a written model of how they arise.

1. **Need.** A search begins with a need: a topic (travel), what it is about (one *entity*:
   shanghai; an ordered *pair*: boston, denver; or a *site*) and an intent (hotels, flights,
   log in). The needs are all combinations of these in the word files; what a word file lists first
   is searched for most.
2. **Wordings.** Searchers and authors of pages put the same need into different words, and
   searchers abbreviate and misspell. See `lstm_edu.data.wordings`.
3. **Shown results.** A crude engine gathers pages that meet the need, are near it, or have nothing
   to do with it, and puts those that share most words with the query on top, with some noise. Ten
   are shown.
4. **Click.** The searcher looks at rank r with probability proportional to 1/r, and clicks what
   looks right, at times what is not. The click, not the truth, makes the training pair: some pairs
   are wrong.
5. **Grade.** The judged queries have needs that no training search has. A candidate's grade follows
   from two needs, the one asked and the one its page was written for, by the rule in `grade`.

All chance comes from one ``random.Random(seed)``: the same seed gives the same bytes on any
machine.
"""

import os
import random
from collections import Counter, defaultdict
from itertools import permutations
from typing import NamedTuple

from .. import arguments
from ..files import InputError, write_text
from .wordings import Need, ask, intent_of, kind_of, read_words, say, write_title

# of all searches; the rest ask about one entity
SHARES = {"site": 0.20, "buy": 0.085, "pair": 0.30}
# how likely a result that is looked at is clicked, by its grade
ATTRACTION = {3: 1.0, 2: 0.15, 1: 0.01, 0: 0.006}
N_SHOWN = 10
N_CANDIDATES = 15


class Sample(NamedTuple):
    """What `generate` returns: the rows of the three files, and the truth behind them.

    Attributes
    ----------
    pairs : list of (query, title)
    judgments : list of (qid, query, docid, title, grade)
    needs : list of (qid, topic, kind, misspelled, order_decides, roles)
    asked : list of Need
        One for each judged query.
    searched : list of (Need, int)
        One for each pair: the need of the search, and the grade of what was clicked.
    """

    pairs: list
    judgments: list
    needs: list
    asked: list
    searched: list


def write(folder, seed=0):
    """Write ``train_pairs.tsv``, ``titles.txt`` (its titles, each once), ``judgments.tsv``,
    ``needs.tsv`` and ``sentences.txt`` into ``folder``, which is made if need be.
    """
    folder, sample = arguments.path("folder", folder), generate(seed)
    os.makedirs(folder, exist_ok=True)
    for name, rows in (
        ("train_pairs", sample.pairs),
        ("judgments", sample.judgments),
        ("needs", sample.needs),
    ):
        write_text(
            os.path.join(folder, name + ".tsv"),
            "".join("\t".join(map(str, row)) + "\n" for row in rows),
        )
    text = "\n".join(
        "".join(sentence + "\n" for sentence in passage)
        for passage, _ in passages(sample.asked, seed)
    )
    write_text(os.path.join(folder, "sentences.txt"), text)
    titles = dict.fromkeys(title for _, title in sample.pairs)
    write_text(os.path.join(folder, "titles.txt"), "".join(title + "\n" for title in titles))


def generate(seed=0, n_pairs=20_000, n_queries=400):
    """Make clicked pairs and judged queries.

    Parameters
    ----------
    seed : int
    n_pairs, n_queries : int

    Returns
    -------
    Sample
    """
    rng = random.Random(arguments.seed(seed))  # which would take -1 for 1
    n_pairs = arguments.whole("n_pairs", n_pairs, 1)
    n_queries = arguments.whole("n_queries", n_queries, 1)
    words = read_words()
    needs = all_needs(words)
    asked = draw_judged(needs, words, n_queries, rng)
    queries = {}  # by text, so that no two are alike
    for need in asked:
        query = ask(need, words, rng)
        while query.text in queries:
            query = ask(need, words, rng)
        queries[query.text] = query
    judgments = judge(asked, list(queries.values()), needs, words, rng)

    left = set(asked)  # only looked up in: its order plays no part
    pairs, searched = click_log(
        [need for need in needs if need not in left], queries, words, n_pairs, rng
    )
    known = [
        (
            qid(k),
            need.topic,
            kind_of(need, words),
            int(query.misspelled),
            int(need.about == "pair"),
            query.roles,
        )
        for k, (need, query) in enumerate(zip(asked, queries.values()))
    ]
    return Sample(pairs, judgments, known, asked, searched)


# ---- needs


def all_needs(words):
    """Every thing with every intent, topic by topic, the popular ones first."""
    needs = []
    for topic, file in words.topics.items():
        needs += [
            Need(topic, "entity", (entity,), intent)
            for entity in file["entities"]
            for intent in file["intents"]
        ]
        needs += [
            Need(topic, "pair", pair, intent)
            for pair in ordered_pairs(file)
            for intent in file.get("pairs", ())
        ]
        needs += [
            Need(topic, "site", (site,), intent)
            for site in file["sites"]
            for intent in words.common["navigation"]
        ]
    return needs


def ordered_pairs(file):
    """Any two things of a group, both ways round, none twice; those of popular things first."""
    places = [
        (i + j, (group[i], group[j]))
        for group in file.get("things", ())
        for i, j in permutations(range(len(group)), 2)
    ]
    return list(dict.fromkeys(pair for _, pair in sorted(places, key=lambda place: place[0])))


def by_share(needs, words):
    """The needs by what `SHARES` counts and then by topic,
    so that each topic is searched for alike.
    """
    groups = defaultdict(lambda: defaultdict(list))
    for need in needs:
        buy = need.about == "entity" and kind_of(need, words) == "transactional"
        groups["buy" if buy else need.about][need.topic].append(need)
    return groups


def draw_judged(needs, words, n_queries, rng):
    """The needs of the judged queries, in the stated shares; popular or not, none twice."""
    groups = by_share(needs, words)
    names = [name for name, share in SHARES.items() for _ in range(round(share * n_queries))]
    names += ["entity"] * (n_queries - len(names))
    rng.shuffle(names)
    asked = []
    for name in names:
        topics = [topic for topic, pool in groups[name].items() if pool]
        if not topics:
            raise InputError(f"n_queries: {n_queries}; must be fewer, there are not so many needs")
        pool = groups[name][rng.choice(topics)]
        asked.append(pool.pop(rng.randrange(len(pool))))
    return asked


def draw_popular(groups, rng):
    """One of the needs `by_share`, of any topic;
    within it the chance falls like one over the square root of the place.
    """
    chances = [1 - sum(SHARES.values()), *SHARES.values()]
    topics = groups[rng.choices(["entity", *SHARES], chances)[0]]
    pool, chance = topics[rng.choice(list(topics))], rng.random()
    return pool[int(len(pool) * chance * chance)]


def neighbours(needs):
    """Two look-ups: the needs about the same things, and the needs of the same intent."""
    same_things, same_intent = defaultdict(list), defaultdict(list)
    for need in needs:
        same_things[need.topic, need.things].append(need)
        same_intent[need.topic, need.about, need.intent].append(need)
    return same_things, same_intent


def reverse(need):
    """The need with its two things the other way round."""
    return need._replace(things=need.things[::-1])


# ---- shown results and clicks


def click_log(needs, judged, words, n_pairs, rng):
    """Search, show and click until there are ``n_pairs`` clicked pairs,
    none with a judged query's text.

    Returns
    -------
    pairs : list of (query, title)
    searched : list of (Need, int)
        The need, and the grade of what was clicked.
    """
    pages = {
        need: [write_title(need, words, rng) for _ in range(rng.choice([1, 2, 3]))]
        for need in needs
    }
    groups, (same_things, same_intent) = by_share(needs, words), neighbours(needs)
    pairs, searched = [], []
    while len(pairs) < n_pairs:
        need = draw_popular(groups, rng)
        query = ask(need, words, rng).text
        if query in judged:
            continue
        found = [
            need,
            reverse(need),
            *rng.choices(same_things[need.topic, need.things], k=4),
            *rng.choices(same_intent[need.topic, need.about, need.intent], k=3),
            *rng.choices(needs, k=4),
        ]
        results = [
            (title, other)
            for other in dict.fromkeys(found)
            if other in pages
            for title in pages[other]
        ]
        title, other = click(need, rank_by_words(query, results, rng)[:N_SHOWN], words, rng)
        pairs.append((query, title))
        searched.append((need, grade(need, other, words)))
    return pairs, searched


def rank_by_words(query, results, rng):
    """The crude engine: results, (title, need), that share most words first, give or take two."""
    asked = set(query.split())
    noisy = [
        (len(asked.intersection(title.split())) + 2 * rng.random(), k)
        for k, (title, _) in enumerate(results)
    ]
    return [results[k] for _, k in sorted(noisy, reverse=True)]


def click(need, results, words, rng):
    """One of the results: looked at by its rank, clicked by how right it is."""
    weights = [
        ATTRACTION[grade(need, other, words)] / rank
        for rank, (_, other) in enumerate(results, start=1)
    ]
    return rng.choices(results, weights)[0]


# ---- a text


def passages(asked, seed=0, n_passages=1500):
    """Contiguous sentences, to learn from text alone; their chance is their own,
    so that the other files stay as they are.

    A passage goes from need to need about one thing, the near ones first, two sentences each. No
    need of ``asked`` is spoken of.

    Returns
    -------
    list of (list of str, list of Need)
        The sentences of a passage, three or more, and what each is about.
    """
    asked = list(arguments.each("asked", asked, "Need"))
    for k, need in enumerate(asked):
        arguments.instance(f"asked[{k}]", need, Need, "a Need")
    n_passages = arguments.whole("n_passages", n_passages, 1)
    rng, words = random.Random(f"{arguments.seed(seed)} sentences"), read_words()
    left = set(asked)
    needs = [need for need in all_needs(words) if need not in left]
    groups, (same_things, _), found = by_share(needs, words), neighbours(needs), []
    while len(found) < n_passages:
        first = draw_popular(groups, rng)
        near, pool = intent_of(first, words).get("near", ()), same_things[first.topic, first.things]
        order = sorted(
            rng.sample(pool, len(pool)), key=lambda need: (need != first, need.intent not in near)
        )
        said = {
            say(need, words, rng): need for need in order[: rng.choice([2, 3, 4])] for _ in range(2)
        }
        if len(said) > 2:
            found.append((list(said), list(said.values())))
    return found


# ---- grades


def grade(asked, answered, words):
    """How well a page written for one need meets another.

    - 3 (Excellent): the same things, in the same order, and the same intent.
    - 2 (Good): the same things in the same order, and an intent that the word file calls near.
    - 1 (Fair): the same things in the same order, and any other intent; or the same intent and
      another thing of the topic. Of a pair, one of the two things must be right and in its place;
      instead of a site no other will do.
    - 0 (Bad): all else, so also a pair the other way round.
    """
    if (asked.topic, asked.about) != (answered.topic, answered.about):
        return 0
    if asked.things == answered.things:
        near = intent_of(asked, words).get("near", ())
        return 3 if answered.intent == asked.intent else 2 if answered.intent in near else 1
    in_place = any(a == b for a, b in zip(asked.things, answered.things))
    half_right = {"entity": True, "pair": in_place, "site": False}[asked.about]
    return int(half_right and asked.intent == answered.intent)


def judge(asked, queries, needs, words, rng):
    """Gather the candidates of each judged query, and grade them.

    Returns
    -------
    list of (qid, query, docid, title, grade)
    """
    lookups = neighbours(needs)
    web = [(write_title(need, words, rng), need) for need in needs]
    with_word = defaultdict(list)  # word -> places in web
    for k, (title, _) in enumerate(web):
        for word in dict.fromkeys(title.split()):
            with_word[word].append(k)
    judged = []
    for need, query in zip(asked, queries):
        shared = Counter(
            k
            for word, role in zip(query.text.split(), query.roles.split())
            if role == "c"
            for k in with_word[word]
        )
        decoys = [
            web[k][1] for k, _ in sorted(shared.items(), key=lambda item: (-item[1], item[0]))[:60]
        ]
        judged.append(candidates(need, decoys, needs, lookups, words, rng))

    titles = list(dict.fromkeys(title for graded in judged for title in graded))
    rng.shuffle(titles)  # so that a docid says nothing about the grade
    docid = {title: f"d{k:04d}" for k, title in enumerate(titles, start=1)}
    return [
        (qid(k), query.text, docid[title], title, graded[title])
        for k, (query, graded) in enumerate(zip(queries, judged))
        for title in sorted(graded, key=docid.get)
    ]


def candidates(need, decoys, needs, lookups, words, rng):
    """The titles to rank for a need, as ``{title: grade}``: few that meet it, many that seem to."""
    same_things = lookups[0][need.topic, need.things]
    same_intent = lookups[1][need.topic, need.about, need.intent]
    graded = {}

    def add(others, wanted, n):
        """Write titles for the needs, in random order, until n more have the wanted grade,
        or it is no use.
        """
        enough = min(len(graded) + n, N_CANDIDATES)
        for other in rng.sample(others, len(others)) * 9:
            if len(graded) < enough and grade(need, other, words) == wanted:
                graded.setdefault(write_title(other, words, rng), wanted)

    add([need], 3, rng.choice([1, 1, 2]))
    add(same_things, 2, rng.choice([1, 1, 2]))
    add(same_things, 1, rng.choice([2, 3] if need.about == "site" else [1, 2]))
    add(same_intent, 1, rng.choice([1, 2]))
    if need.about == "pair":
        add([reverse(need)], 0, 4)
        add(lookups[0][need.topic, reverse(need).things], 0, 1)
    if need.about == "site":
        add(same_intent, 0, 3)
    add(decoys, 0, 3)  # share words with the query
    add([other for other in needs if other.topic == need.topic and other.about == need.about], 0, 4)
    add(rng.choices(needs, k=60), 0, N_CANDIDATES)
    return graded


def qid(k):
    """The name of judged query k."""
    return f"q{k + 1:03d}"
