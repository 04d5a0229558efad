"""Grades of pages, and candidate titles for judged queries (step 5 of `synthetic`)."""

from collections import Counter, defaultdict

from lstm_edu._util.files import write_text

from .synthetic_needs import neighbours, reverse
from .wordings import intent_of, write_title

N_CANDIDATES = 15


def grade(asked, answered, words):
    """Grade a page that was written for the need ``answered``, for a query with the need ``asked``.

    A need has a topic, things (one entity, an ordered pair of entities, or one site) and an intent;
    see `lstm_course.sample.wordings.Need`.

    - 3 (Excellent): the same things and the same intent.
    - 2 (Good): the same things, and an intent that the word file lists as near.
    - 1 (Fair): the same things and any other intent; or the same intent, and another entity of the
      topic or a pair with one entity in common, in the same position.
    - 0 (Bad): all other pages, such as pages about the pair in the other order or another site.
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
    """Write and grade the candidate titles of each judged query.

    Returns
    -------
    list of (qid, query, docid, title, grade)
    """
    lookups = neighbours(needs)
    web = [(write_title(need, words, rng), need) for need in needs]
    with_word = defaultdict(list)  # indices of pages in `web`, keyed by word
    for k, (title, _) in enumerate(web):
        for word in dict.fromkeys(title.split()):
            with_word[word].append(k)
    judged = []
    for need, query in zip(asked, queries):
        words_and_roles = zip(query.text.split(), query.roles.split())
        content = [word for word, role in words_and_roles if role == "c"]
        shared = Counter(k for word in content for k in with_word[word])
        nearest = sorted(shared, key=lambda k: (-shared[k], k))[:60]
        decoys = [web[k][1] for k in nearest]
        judged.append(candidates(need, decoys, needs, lookups, words, rng))

    return rows([query.text for query in queries], judged, "d", rng)


def rows(queries, graded, letter, rng):
    """Return the rows of a judgments file; ``graded`` has each query's grades, keyed by title.

    A docid is ``letter`` and a random number, so that it doesn't reveal the grade.
    """
    titles = list(dict.fromkeys(title for grades in graded for title in grades))
    rng.shuffle(titles)
    docid = {title: f"{letter}{k:04d}" for k, title in enumerate(titles, start=1)}
    return [
        (qid(k), query, docid[title], title, grades[title])
        for k, (query, grades) in enumerate(zip(queries, graded))
        for title in sorted(grades, key=docid.get)
    ]


def write_rows(path, rows):
    """Write rows as a file of tab-separated values."""
    write_text(path, "".join("\t".join(map(str, row)) + "\n" for row in rows))


def candidates(need, decoys, needs, lookups, words, rng):
    """Write candidate titles for a need, few of them relevant; return grades, keyed by title."""
    same_things = lookups[0][need.topic, need.things]
    same_intent = lookups[1][need.topic, need.about, need.intent]
    graded = {}

    def add(others, wanted, n):
        """Add up to n titles of grade ``wanted``, written for the needs ``others``."""
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
    add(decoys, 0, 3)  # decoys share words with the query
    add([other for other in needs if other.topic == need.topic and other.about == need.about], 0, 4)
    add(rng.choices(needs, k=60), 0, N_CANDIDATES)
    return graded


def qid(k):
    """Return the identifier of judged query k, such as q001 for k = 0."""
    return f"q{k + 1:03d}"
