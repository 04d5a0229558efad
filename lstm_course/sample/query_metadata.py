"""Reading ``needs.tsv``: what the sample's maker knows of each judged query, and no model sees.

A line is ``qid<TAB>topic<TAB>kind<TAB>misspelled<TAB>order decides<TAB>roles``, the fourth and the
fifth 0 or 1, the last with a c (content) or an f (filler) for each word of the query.
"""

from typing import NamedTuple

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError
from lstm_edu.readers import checked_judgments, read_table

COLUMNS = ["qid", "topic", "kind", "misspelled", "order decides", "roles"]


class Known(NamedTuple):
    """What is known of one judged query.

    Attributes
    ----------
    qid, topic : str
    kind : str
        informational, navigational or transactional.
    misspelled : bool
        Whether a word of it is.
    order_decides : bool
        Whether the same words in another order would ask for something else.
    roles : (n_words,) of str
        Of each word: "c" for content, "f" for filler, added without changing what is asked for.
    """

    qid: str
    topic: str
    kind: str
    misspelled: bool
    order_decides: bool
    roles: np.ndarray


def read_needs(path, judgments):
    """Read what is known of the judged queries.

    Parameters
    ----------
    path : str
    judgments : list of Judged

    Returns
    -------
    list of Known
        One for each judged query, in the order of ``judgments``.

    Raises
    ------
    InputError
        Naming the file and line, at the first bad line: not six columns, no 0 or 1, roles that are
        not one for each word of the query, a qid that is not judged or has two lines. Naming the
        file, where a judged query has no line.
    """
    judged, found = checked_judgments(judgments), {}
    n_words = {search.qid: len(search.query.split()) for search in judged}
    if not judged:
        arguments.refuse("judgments", judgments, "at least one Judged")

    def add(_, qid, topic, kind, misspelled, order_decides, roles):
        roles = np.array(roles.split())
        for column, value in (("misspelled", misspelled), ("order decides", order_decides)):
            if value not in ("0", "1"):
                raise InputError(f"{column} {arguments.shown(value)}; must be 0 or 1")
        if qid not in n_words or qid in found:
            said = "has two lines" if qid in found else "is not judged"
            raise InputError(f"qid {arguments.shown(qid)} {said}")
        if set(roles) - {"c", "f"} or len(roles) != n_words[qid]:
            asked = f"must be c or f for each of the {n_words[qid]} words of its query"
            raise InputError(f"roles {arguments.shown(' '.join(roles))}; {asked}")
        found[qid] = Known(qid, topic, kind, misspelled == "1", order_decides == "1", roles)

    list(read_table(path, COLUMNS, take=add))
    for qid in n_words:
        if qid not in found:
            raise InputError(f"{path}: has no line for the judged query {arguments.shown(qid)}")
    return [found[search.qid] for search in judged]
