"""Generator of the sample data: a simulated search engine's clicks, and judged queries.

1. **Need.** A search begins with an information need: a topic (travel), one or two things (an
   *entity*: shanghai; an ordered *pair* of entities: boston, denver; or a *site*) and an intent
   (hotels, flights, log in). All combinations in the word files are needs. The first entries of a
   file are the most popular.
2. **Wordings.** Searchers and authors of pages use different words for the same need, and searchers
   abbreviate and misspell. See `lstm_course.sample.wordings`.
3. **Shown results.** The engine gathers pages that meet the need, nearly meet it, or don't. It
   ranks them by the number of words that they share with the query, with some noise, and shows ten.
4. **Click.** The searcher looks at rank r with probability proportional to 1/r, and clicks a result
   that looks right. As some clicks are mistakes, some training pairs are wrong.
5. **Grade.** The judged queries have needs that no training search has. The grade of a candidate
   depends on the query's need and the page's need:
   `lstm_course.sample.synthetic_judgments.grade`.

All random numbers come from one ``random.Random(seed)``, so a seed gives the same bytes on every
machine.
"""

import itertools
import os
import random
from typing import NamedTuple

from lstm_edu._util import arguments
from lstm_edu._util.files import write_text

from .synthetic_judgments import grade, judge, qid, write_rows
from .synthetic_needs import all_needs, by_share, draw_judged, draw_popular, neighbours, reverse
from .wordings import ask, intent_of, kind_of, read_words, say, write_title

# relative probability of a click on a result that the searcher looks at, by grade
ATTRACTION = {3: 1.0, 2: 0.15, 1: 0.01, 0: 0.006}
N_SHOWN = 10  # number of results on a page
N_PASSAGES = 1500


class Sample(NamedTuple):
    """The result of `generate`: the rows of three files, and the needs behind them.

    Attributes
    ----------
    pairs : list of (query, title)
    judgments : list of (qid, query, docid, title, grade)
    needs : list of (qid, topic, kind, misspelled, order_decides, roles)
    asked : list of Need
        The need of each judged query.
    searched : list of (Need, Need)
        For each pair, the need of the search and the need of the clicked page.
    """

    pairs: list
    judgments: list
    needs: list
    asked: list
    searched: list


def write(folder, seed=0):
    """Generate the sample, and write its files into ``folder``.

    The files are ``train_pairs.tsv``, ``titles.txt`` (the distinct titles of the pairs),
    ``judgments.tsv``, ``needs.tsv`` and ``sentences.txt``.
    """
    folder, sample = arguments.path("folder", folder), generate(seed)
    os.makedirs(folder, exist_ok=True)
    for name, rows in zip(("train_pairs", "judgments", "needs"), sample):
        write_rows(os.path.join(folder, name + ".tsv"), rows)
    texts = [
        "".join(f"{sentence}\n" for sentence in passage)
        for passage, _ in passages(sample.asked, seed)
    ]
    write_text(os.path.join(folder, "sentences.txt"), "\n".join(texts))
    titles = dict.fromkeys(title for _, title in sample.pairs)
    write_text(os.path.join(folder, "titles.txt"), "".join(title + "\n" for title in titles))


def generate(seed=0, n_pairs=20_000, n_queries=400):
    """Generate clicked pairs and judged queries.

    Parameters
    ----------
    seed : int
    n_pairs, n_queries : int

    Returns
    -------
    Sample
    """
    rng = random.Random(arguments.seed(seed))  # check the seed, because Random(-1) equals Random(1)
    words = read_words()
    needs = all_needs(words)
    asked = draw_judged(needs, words, n_queries, rng)
    queries = {}  # keyed by text, so that queries are distinct
    for need in asked:
        query = ask(need, words, rng)
        while query.text in queries:
            query = ask(need, words, rng)
        queries[query.text] = query
    judgments = judge(asked, list(queries.values()), needs, words, rng)

    left = set(asked)  # never iterate over this set, because its order isn't fixed
    others = [need for need in needs if need not in left]
    pairs, searched = click_log(others, queries, words, n_pairs, rng)
    known = []
    for k, (need, query) in enumerate(zip(asked, queries.values())):
        marks = int(query.misspelled), int(need.about == "pair")
        known.append((qid(k), need.topic, kind_of(need, words), *marks, query.roles))
    return Sample(pairs, judgments, known, asked, searched)


# ---- shown results and clicks


def click_log(needs, judged, words, n_pairs, rng):
    """Simulate ``n_pairs`` searches with one click each, without the queries in ``judged``.

    Returns
    -------
    pairs : list of (query, title)
    searched : list of (Need, Need)
        The need of each search, and the need of the clicked page.
    """
    pairs, searched = [], []
    every = searches(needs, judged, words, rng, shared_words)
    for need, query, shown in itertools.islice(every, n_pairs):
        title, other = click(need, shown, words, rng)
        pairs.append((query, title))
        searched.append((need, other))
    return pairs, searched


def searches(needs, judged, words, rng, score):
    """Yield (need, query, shown results) for endless searches, except queries in ``judged``."""
    pages = write_pages(needs, words, rng)
    groups, lookups = by_share(needs, words), neighbours(needs)
    while True:
        need = draw_popular(groups, rng)
        query = ask(need, words, rng).text
        if query not in judged:
            results = gather(need, needs, lookups, pages, rng)
            yield need, query, rank_by(score, query, results, rng)[:N_SHOWN]


def write_pages(needs, words, rng):
    """Write the titles of one to three pages per need; return lists of titles, keyed by need."""
    return {n: [write_title(n, words, rng) for _ in range(rng.choice([1, 2, 3]))] for n in needs}


def gather(need, needs, lookups, pages, rng):
    """Return a list of (title, need) for pages that meet the need, nearly meet it, or don't."""
    same_things, same_intent = lookups
    found = [need, reverse(need)]
    found += rng.choices(same_things[need.topic, need.things], k=4)
    found += rng.choices(same_intent[need.topic, need.about, need.intent], k=3)
    found += rng.choices(needs, k=4)
    return [(t, other) for other in dict.fromkeys(found) for t in pages.get(other, ())]


def shared_words(query, title):
    """Count the words that a query and a title share."""
    return len(set(query.split()).intersection(title.split()))


def rank_by(score, query, results, rng):
    """Sort a list of (title, need) by score plus noise, highest first."""
    noisy = [(score(query, title) + 2 * rng.random(), k) for k, (title, _) in enumerate(results)]
    return [results[k] for _, k in sorted(noisy, reverse=True)]


def click(need, results, words, rng):
    """Draw the clicked result, with a probability that depends on its rank and its grade."""
    grades = [grade(need, other, words) for _, other in results]
    weights = [ATTRACTION[g] / rank for rank, g in enumerate(grades, start=1)]
    return rng.choices(results, weights)[0]


# ---- passages of text


def passages(asked, seed=0):
    """Generate passages of sentences, from which models can learn without clicks.

    A passage has up to two sentences for each of two to four needs about the same things. The first
    need is followed by the needs with an intent near its own, and then by others. No passage has a
    need in ``asked``. The random numbers are independent of `generate`.

    Returns
    -------
    list of (list of str, list of Need)
        The sentences of each passage, three or more, and the need of each sentence.
    """
    rng, words = random.Random(f"{seed} sentences"), read_words()
    left = set(asked)
    needs = [need for need in all_needs(words) if need not in left]
    groups, (same_things, _), found = by_share(needs, words), neighbours(needs), []
    while len(found) < N_PASSAGES:
        first = draw_popular(groups, rng)
        near, pool = intent_of(first, words).get("near", ()), same_things[first.topic, first.things]
        order = rng.sample(pool, len(pool))
        order.sort(key=lambda need: (need != first, need.intent not in near))
        order = order[: rng.choice([2, 3, 4])]
        said = {say(need, words, rng): need for need in order for _ in range(2)}
        if len(said) > 2:
            found.append((list(said), list(said.values())))
    return found
