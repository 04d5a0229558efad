"""Reader of ``needs.tsv``: metadata of the judged queries, which no model sees.

A line is ``qid<TAB>topic<TAB>kind<TAB>misspelled<TAB>order decides<TAB>roles``. The fourth and
fifth columns are 0 or 1. The last has a c (content) or an f (filler) for each word of the query.
"""

from typing import NamedTuple

import numpy as np

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError
from lstm_edu._util.lines import Table, read_table
from lstm_edu.readers import checked_judgments

COLUMNS = ["qid", "topic", "kind", "misspelled", "order decides", "roles"]


class Known(NamedTuple):
    """The metadata of one judged query.

    Attributes
    ----------
    qid, topic : str
    kind : str
        informational, navigational or transactional.
    misspelled : bool
        Whether one of its words is misspelled.
    order_decides : bool
        Whether the same words in another order mean something else.
    roles : (n_words,) of str
        "c" for content words, "f" for filler words, which don't change the meaning.
    """

    qid: str
    topic: str
    kind: str
    misspelled: bool
    order_decides: bool
    roles: np.ndarray


def read_needs(path, judgments):
    """Read the metadata of judged queries from a file such as ``needs.tsv``.

    Parameters
    ----------
    path : str
    judgments : list of Judged

    Returns
    -------
    list of Known
        One per judged query, in the order of ``judgments``.

    Raises
    ------
    InputError
        A line has a wrong number of columns, a flag other than 0 and 1, roles that don't fit the
        words of the query, or a qid that is not judged or repeated; the message names file and
        line. Or a judged query has no line; the message names the file.
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
            reason = "has two lines" if qid in found else "is not judged"
            raise InputError(f"qid {arguments.shown(qid)} {reason}")
        if set(roles) - {"c", "f"} or len(roles) != n_words[qid]:
            asked = f"must be c or f for each of the {n_words[qid]} words of its query"
            raise InputError(f"roles {arguments.shown(' '.join(roles))}; {asked}")
        found[qid] = Known(qid, topic, kind, misspelled == "1", order_decides == "1", roles)

    list(read_table(path, Table("queries' metadata", COLUMNS), take=add))
    for qid in n_words:
        if qid not in found:
            raise InputError(f"{path}: has no line for the judged query {arguments.shown(qid)}")
    return [found[search.qid] for search in judged]
