"""The information needs in the word files, and their frequencies (step 1 of `synthetic`)."""

from collections import defaultdict
from itertools import permutations

from .wordings import Need, kind_of

# fractions of all searches; in the rest, somebody wants information about one entity
SHARES = {"site": 0.20, "buy": 0.085, "pair": 0.30}


def all_needs(words):
    """List all needs: by topic, then by kind (entity, pair, site), then from popular to rare."""
    needs = []
    for topic, file in words.topics.items():
        entities, sites = ([(thing,) for thing in file[of]] for of in ("entities", "sites"))
        for about, things, intents in (
            ("entity", entities, file["intents"]),
            ("pair", ordered_pairs(file), file.get("pairs", ())),
            ("site", sites, words.common["navigation"]),
        ):
            needs += [Need(topic, about, each, intent) for each in things for intent in intents]
    return needs


def ordered_pairs(file):
    """List all ordered pairs of things within a group, most popular first, without duplicates."""
    groups = file.get("things", ())
    every = [(i + j, g[i], g[j]) for g in groups for i, j in permutations(range(len(g)), 2)]
    return list(dict.fromkeys((x, y) for _, x, y in sorted(every, key=lambda pair: pair[0])))


def by_share(needs, words):
    """Group needs by kind, as in `SHARES`, then by topic, so that topics get equal shares."""
    groups = defaultdict(lambda: defaultdict(list))
    for need in needs:
        buy = need.about == "entity" and kind_of(need, words) == "transactional"
        groups["buy" if buy else need.about][need.topic].append(need)
    return groups


def draw_judged(needs, words, n_queries, rng):
    """Draw distinct needs for the judged queries in the proportions of `SHARES`.

    Popular and rare needs are equally likely.
    """
    groups = by_share(needs, words)
    names = [name for name, share in SHARES.items() for _ in range(round(share * n_queries))]
    names += ["entity"] * (n_queries - len(names))
    rng.shuffle(names)
    asked = []
    for name in names:
        topics = [topic for topic, pool in groups[name].items() if pool]
        pool = groups[name][rng.choice(topics)]
        asked.append(pool.pop(rng.randrange(len(pool))))
    return asked


def draw_popular(groups, rng):
    """Draw a need from the groups of `by_share`, with all topics equally likely.

    Within a topic the probability of the k-th need is proportional to 1/sqrt(k).
    """
    chances = [1 - sum(SHARES.values()), *SHARES.values()]
    topics = groups[rng.choices(["entity", *SHARES], chances)[0]]
    pool, chance = topics[rng.choice(list(topics))], rng.random()
    return pool[int(len(pool) * chance * chance)]


def neighbours(needs):
    """Return two dicts of needs, one keyed by topic and things, one by topic, kind and intent."""
    same_things, same_intent = defaultdict(list), defaultdict(list)
    for need in needs:
        same_things[need.topic, need.things].append(need)
        same_intent[need.topic, need.about, need.intent].append(need)
    return same_things, same_intent


def reverse(need):
    """Return a copy of the need with its two things exchanged."""
    return need._replace(things=need.things[::-1])
