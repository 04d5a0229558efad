"""Download the movie searches of msrd, and split them by query.

msrd is the Movie Search Ranking Dataset (Metarank Labs, CC BY-SA 4.0): real movie searches with
judged titles, in the version of elastic/elasticsearch-labs. `fetch` needs pooch, which the extra
``data`` installs.
"""

import hashlib
import json
import pathlib
import random
import re
import tempfile
from collections import defaultdict
from typing import Literal

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError, Path, digest, from_extra, why, write_text

COMMIT = "77567655e8343607538e2ef203b4c0b322526d93"
URL = (
    f"https://raw.githubusercontent.com/elastic/elasticsearch-labs/{COMMIT}"
    "/notebooks/search/sample_data/learning-to-rank/"
)
SOURCES = {
    "movies-corpus.jsonl.gz": "e7dbd5a64fd4ec15d9224795eda8d833fa12da871620ea661a36cca6eefabb00",
    "movies-judgments.tsv.gz": "38f64a511f48192fb2eeea02b54ca0420876a611072e57c1ab773adddc84ce3e",
}
RESULTS = {
    "train_pairs.tsv": "95284d26b704e41ea79a7908dbd6a465c22396e9c771704805085d6e2dbd42bb",
    "judgments.tsv": "4e2b7a6c58ed1b35d47f8808700a802aef01e7dd96391d83e96c72dabae473ca",
    "test.tsv": "5306ff48a9755032e76d2a3424d244379e07b21720a0f0e71a3cee3f7cdb1cb9",
}
TIMEOUT, RETRIES = 30, 2  # seconds without data before a download fails; number of retries
FILLERS = frozenset(
    """a an the of in on at to for and or with from by is movie movies film films cinema full watch
    watching stream streaming online netflix amazon prime hulu hbo max disney plus free hd 4k dvd
    bluray download 123movies imdb rotten tomatoes trailer cast where can i what s new youtube
    official review part""".split()
)
FEWEST = 10  # minimum number of candidates per judged search


def fetch(name: Literal["msrd"], folder: Path | None = None, url: str = URL) -> pathlib.Path:
    """Download judged searches, and split them into training, development and test files.

    pooch downloads two files, 6 MB in total, and checks their SHA-256. The SHA-256 of the three
    files made from them is checked, too, even if they exist already.

    Parameters
    ----------
    name : str
        Only "msrd" is known.
    folder : path or None
        Folder for the three files, created if it is missing; existing files are not changed.
        None means the user's cache folder of pooch.
    url : str
        Address of the folder with the two files.

    Returns
    -------
    pathlib.Path
        The folder, with ``train_pairs.tsv`` (43,648 pairs), ``judgments.tsv`` (development, 981
        searches) and ``test.tsv``.

    Raises
    ------
    InputError
        pooch is not installed; the name is not "msrd"; the folder cannot be created, or contains a
        different file under one of the three names; or the download fails or has a wrong SHA-256.
    """
    folder, url = arguments.path("folder", folder, allow=[None]), arguments.text("url", url)
    if arguments.text("name", name) != "msrd":
        raise InputError(
            f"name: {name!r}; fetch knows 'msrd' "
            "(others by name: lstm_tools.formats.datasets.from_ir_datasets)"
        )
    with from_extra("data", "fetch needs pooch"):
        import pooch
    folder = pathlib.Path(folder or pooch.os_cache("lstm_edu") / name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be created ({error.strerror})") from None
    missing = [file for file in RESULTS if not (folder / file).exists()]
    made = split_msrd(*_download(pooch, url)) if missing else {}
    for file in missing:
        write_text(folder / file, made[file])
    for file, sha in RESULTS.items():
        if digest(folder / file) != sha:
            said = "is not the file that fetch makes; remove it, or name another folder"
            raise InputError(f"{folder / file}: {said}")
    return folder


def _download(pooch, url):
    """Download both files, and return the lines of each."""
    downloader = pooch.HTTPDownloader(timeout=TIMEOUT)
    with tempfile.TemporaryDirectory() as folder:
        registry = {"registry": SOURCES, "retry_if_failed": RETRIES}
        there = pooch.create(folder, url.rstrip("/") + "/", **registry)
        try:
            paths = [there.fetch(file, pooch.Decompress(), downloader) for file in SOURCES]
        except (OSError, ValueError) as error:  # from requests, or a wrong checksum
            raise InputError(f"{url}: could not be downloaded ({why(error)})") from None
        texts = [pathlib.Path(path).read_bytes().decode("utf-8") for path in paths]
        return [text.removesuffix("\n").split("\n") for text in texts]


def split_msrd(corpus, judgments):
    """Split msrd's searches into training pairs, development searches and test searches.

    Queries that differ only in word order, fillers and punctuation form a group. A hash of the
    group assigns an eighth of the groups to test, a sixteenth to development, the rest to training.
    A training query forms a pair with each title of grade 1. A development or test search is
    kept if it has titles of both grades and at least `FEWEST` in all.

    Parameters
    ----------
    corpus : list of str
        Lines with one JSON object each, which has an ``id`` and usually a ``title``.
    judgments : list of str
        A header, then lines of ``qid<TAB>query<TAB>document id<TAB>grade``.

    Returns
    -------
    dict of str to str
        The contents of ``train_pairs.tsv``, ``judgments.tsv`` (development) and ``test.tsv``,
        keyed by file name.
    """
    movies = map(json.loads, corpus)
    titles = {str(movie["id"]): _one_line(movie.get("title") or "") for movie in movies}
    searches = defaultdict(list)
    for line in judgments[1:]:
        qid, query, docid, grade = map(_one_line, line.split("\t"))
        if titles.get(docid):
            searches[qid, query].append((docid, int(grade)))
    pairs, rows = [], {"judgments.tsv": [], "test.tsv": []}
    for (qid, query), candidates in sorted(searches.items()):
        u = share("msrd|" + group(query))
        if u >= 0.1875:
            pairs += [f"{query}\t{titles[docid]}\n" for docid, grade in candidates if grade == 1]
        elif len(candidates) >= FEWEST and {grade for _, grade in candidates} == {0, 1}:
            rows["test.tsv" if u < 0.125 else "judgments.tsv"] += [
                f"{qid}\t{query}\t{docid}\t{titles[docid]}\t{grade}\n"
                for docid, grade in sorted(candidates)
            ]
    random.Random(1).shuffle(pairs)
    return {"train_pairs.tsv": "".join(dict.fromkeys(pairs))} | {
        file: "".join(lines) for file, lines in rows.items()
    }


def group(query):
    """Return a query's distinct words, sorted, without fillers unless it has no other words.

    >>> group("Watch The Matrix 2 online")
    '2 matrix'
    """
    words = set(re.findall(r"\w+", query.lower()))
    return " ".join(sorted(words - FILLERS or words))


def _one_line(text):
    return " ".join(str(text).split())


def share(text):
    """Hash a text to a number in [0, 1)."""
    return int(hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest()[:12], 16) / 16**12
