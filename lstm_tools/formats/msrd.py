"""The movie searches of msrd, split by query into training, development and test:
the rules by which the data's own card has made them.
"""

import hashlib
import json
import random
import re
from collections import defaultdict

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError

FILLERS = frozenset(
    """a an the of in on at to for and or with from by is movie movies film films cinema full watch
    watching stream streaming online netflix amazon prime hulu hbo max disney plus free hd 4k dvd
    bluray download 123movies imdb rotten tomatoes trailer cast where can i what s new youtube
    official review part""".split()
)
FEWEST = 10  # candidates of a judged search


def split_msrd(corpus, judgments):
    """Split the public files' lines into training, development and test.

    Queries that differ only in order, fillers and punctuation are one group, and a hash of the
    group decides: an eighth is test, a sixteenth development, the rest training.

    Parameters
    ----------
    corpus : list of str
        A JSON object a line, with ``id`` and ``title``.
    judgments : list of str
        A header, then ``qid<TAB>query<TAB>document id<TAB>grade``.

    Returns
    -------
    dict of str to str
        By file name, the content of ``train_pairs.tsv``, ``judgments.tsv`` (development) and
        ``test.tsv``.
    """
    corpus = arguments.texts("corpus", corpus)
    judgments = arguments.texts("judgments", judgments)
    title = dict(_movie(line, number) for number, line in enumerate(corpus, start=1))
    searches = defaultdict(list)
    for number, line in enumerate(judgments[1:], start=2):
        fields = [_one_line(field) for field in line.split("\t")]
        if len(fields) != 4 or fields[3] not in ("0", "1"):
            raise InputError(
                f"movies-judgments.tsv.gz:{number}: {line[:60]!r}; "
                "expected qid <TAB> query <TAB> document <TAB> 0 or 1"
            )
        qid, query, docid, grade = fields
        if title.get(docid):
            searches[qid, query].append((docid, int(grade)))
    pairs, rows = [], {"judgments.tsv": [], "test.tsv": []}
    for (qid, query), candidates in sorted(searches.items()):
        u = share("msrd|" + group(query))
        if u >= 0.1875:
            pairs += [f"{query}\t{title[docid]}\n" for docid, grade in candidates if grade == 1]
        elif len(candidates) >= FEWEST and {grade for _, grade in candidates} == {0, 1}:
            rows["test.tsv" if u < 0.125 else "judgments.tsv"] += [
                f"{qid}\t{query}\t{docid}\t{title[docid]}\t{grade}\n"
                for docid, grade in sorted(candidates)
            ]
    random.Random(1).shuffle(pairs)
    return {"train_pairs.tsv": "".join(dict.fromkeys(pairs))} | {
        file: "".join(lines) for file, lines in rows.items()
    }


def group(query):
    """Return a query's distinct words, sorted, without fillers (all, if nothing is left).

    >>> group("Watch The Matrix 2 online")
    '2 matrix'
    """
    words = set(re.findall(r"\w+", arguments.text("query", query).lower()))
    return " ".join(sorted(words - FILLERS or words))


def _movie(line, number):
    """The id and the title of one movie."""
    try:
        movie = json.loads(line)
        return str(movie["id"]), _one_line(movie.get("title") or "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(
            f"movies-corpus.jsonl.gz:{number}: {line[:60]!r}; expected a JSON object with id, title"
        ) from None


def _one_line(text):
    return " ".join(str(text).split())


def share(text):
    """Return a number from 0 to 1 that only the text decides."""
    text = arguments.text("text", text).encode("utf-8", "surrogatepass")
    return int(hashlib.sha1(text).hexdigest()[:12], 16) / 16**12
