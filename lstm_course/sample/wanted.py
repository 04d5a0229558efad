"""The titles in the sample's log that are relevant to each query, whether clicked or not."""

from collections import defaultdict

from .synthetic_judgments import grade
from .wordings import read_words


def wanted_titles(sample):
    """Return the titles graded 2 (Good) or 3 (Excellent) for each query of the log.

    If a query was typed for several needs, a title gets its best grade for any of them.

    Parameters
    ----------
    sample : Sample
        The result of `lstm_course.sample.synthetic.generate`.

    Returns
    -------
    dict of dicts
        Grades of 2 or 3, keyed by query, then by title.
    """
    words, titles, about = read_words(), defaultdict(set), defaultdict(set)
    for (_, title), (_, need) in zip(sample.pairs, sample.searched):
        titles[need].add(title)
        about[need.topic, need.things].add(need)
    found = defaultdict(dict)
    for query, need in dict.fromkeys(
        (query, need) for (query, _), (need, _) in zip(sample.pairs, sample.searched)
    ):
        grades = found[query]
        for other in about[need.topic, need.things]:
            if (of_other := grade(need, other, words)) >= 2:
                for title in titles[other]:
                    grades[title] = max(of_other, grades.get(title, 0))
    return dict(found)
