"""Generator of a click log with positions: the results shown, and which were clicked.

`lstm_course.sample.synthetic` makes one click per search and keeps only the clicked title. Here a
search has ten results and any number of clicks:

1. **Engine.** The search engine ranks the same pages by one of three scores (`ENGINES`), with some
   noise: the number of words shared with the query, its negative, or the length of the title.
2. **Exchange.** In some searches the first result changes places with another one. Because the same
   results are then shown at two ranks, clicks on them reveal how often people look at each rank.
3. **Look.** A person looks at rank k with probability theta[k - 1], whatever the other ranks show.
4. **Click.** A result that was looked at is clicked blindly with probability ``blind``, otherwise
   with the probability that `ATTRACTION` gives its grade.
"""

import itertools
import os
import random
from typing import NamedTuple

from lstm_edu._util import arguments

from .synthetic import ATTRACTION, N_SHOWN, generate, searches, shared_words
from .synthetic_judgments import grade, write_rows
from .synthetic_needs import all_needs
from .wordings import read_words

BLIND, EXCHANGED = 0.1, 0.1
THETA = tuple(1 / k for k in range(1, N_SHOWN + 1))
ENGINES = {
    "words": shared_words,
    "long": lambda query, title: len(title.split()),
    "upside down": lambda query, title: -shared_words(query, title),
}


class Page(NamedTuple):
    """The results of one search, in the order in which they are shown.

    Attributes
    ----------
    query : str
    titles : list of str
    ranked : list of int
        The rank, from 1, that the engine gave each result before the exchange.
    grades : list of int
        The grade of each result for the searcher's need, which a real log lacks.
    """

    query: str
    titles: list
    ranked: list
    grades: list


def write(folder, seed=0, n_searches=20_000):
    """Write ``positions.tsv``: search, rank, engine's rank, query, title, click (0 or 1)."""
    rows = []
    for n, (page, clicked) in enumerate(zip(*clicked_pages(n_searches, seed, f"{seed} clicks"))):
        for k, click in enumerate(clicked):
            row = n + 1, k + 1, page.ranked[k], page.query, page.titles[k], int(click)
            rows.append(row)
    write_rows(os.path.join(folder, "positions.tsv"), rows)


def clicked_pages(n, seed=0, of_clicks=0, engine="words"):
    """Return n result pages, and the clicks on each, simulated with the seed ``of_clicks``."""
    sample, rng = generate(seed), random.Random(of_clicks)
    judged = {row[1] for row in sample.judgments}
    shown = [*itertools.islice(pages(sample.asked, judged, seed, engine), n)]
    return shown, [clicks(page, rng) for page in shown]


def pages(asked, judged, seed=0, engine="words", exchanged=EXCHANGED):
    """Yield the result pages of an endless series of searches.

    Parameters
    ----------
    asked : list of Need
        The needs of the judged queries, which nobody searches for.
    judged : collection of str
        The judged queries, which nobody types.
    seed : int
    engine : {"words", "long", "upside down"}
    exchanged : float
        The share of searches in which the first result changes places with another one.
    """
    rng, words = random.Random(f"{arguments.seed(seed)} {engine}"), read_words()
    left, score = set(asked), ENGINES[arguments.choice("engine", engine, allow=[*ENGINES])]
    needs = [need for need in all_needs(words) if need not in left]
    for need, query, results in searches(needs, judged, words, rng, score):
        order = list(range(len(results)))
        if len(order) > 1 and rng.random() < exchanged:
            k = rng.randrange(1, len(order))
            order[0], order[k] = k, 0
        shown = [results[k] for k in order]
        grades = [grade(need, other, words) for _, other in shown]
        yield Page(query, [title for title, _ in shown], [k + 1 for k in order], grades)


def clicks(page, rng, theta=THETA, blind=BLIND):
    """Simulate at random which results of a page are clicked; return one bool per result."""
    looks = (rng.random() < theta[k] for k in range(len(page.grades)))
    chances = (blind + (1 - blind) * ATTRACTION[g] for g in page.grades)
    return [look and rng.random() < chance for look, chance in zip(looks, chances)]
