"""What the sample's searches are about: every need that the word files make, and how often each is
searched for. Step 1 of `lstm_course.sample.synthetic`.
"""

from collections import defaultdict
from itertools import permutations

from lstm_edu._util.files import InputError

from .wordings import Need, kind_of

# of all searches; the rest ask about one entity
SHARES = {"site": 0.20, "buy": 0.085, "pair": 0.30}


def all_needs(words):
    """Every thing with every intent, topic by topic, the popular ones first."""
    needs = []
    for topic, file in words.topics.items():
        entities, sites = ([(thing,) for thing in file[of]] for of in ("entities", "sites"))
        for about, things, intents in (
            ("entity", entities, file["intents"]),
            ("pair", ordered_pairs(file), file.get("pairs", ())),
            ("site", sites, words.common["navigation"]),
        ):
            needs += [Need(topic, about, some, intent) for some in things for intent in intents]
    return needs


def ordered_pairs(file):
    """Any two things of a group, both ways round, none twice; those of popular things first."""
    groups = file.get("things", ())
    every = [(i + j, g[i], g[j]) for g in groups for i, j in permutations(range(len(g)), 2)]
    return list(dict.fromkeys((x, y) for _, x, y in sorted(every, key=lambda pair: pair[0])))


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
