"""Data to learn from: the sample; public sets of judged searches,
``ir_datasets`` by name, and the movie searches of msrd, fetched and split.

`fetch` needs pooch, `from_ir_datasets` needs ir_datasets: both are the extra ``data``.
"""

import codecs
import gzip
import hashlib
import locale
import os
import pathlib
import shutil
import tempfile
from typing import Any, Literal

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError, Path, digest, from_extra, write_text
from lstm_edu.text.hashing import plain

from .msrd import share, split_msrd
from .trec import pairs_and_judgments, warn_of_lost

# --- the sample -----------------------------------------------------------------------------------


# --- ir_datasets ----------------------------------------------------------------------------------


def from_ir_datasets(name, judged=0.2, n_queries=None):
    """Read training pairs and judged searches of a set that ``ir_datasets`` knows,
    which downloads it when first used.

    Many sets have one name for training and one for the test:
    ``from_ir_datasets("nfcorpus/train", judged=0)`` and
    ``from_ir_datasets("nfcorpus/test", judged=1)``. Where there is one name for all, as for
    "cranfield", whole queries are judged or trained on, by a hash of their words: no query's text
    is in both. Clicks are for training alone ("msmarco-document/orcas", ``judged=0``): where all
    documents of a search are relevant, any order is right.

    A document's text is its title if it has one, else all of it; white space becomes single spaces.
    Judged documents that the set does not have (or that are empty) count as not found, and it is
    warned of them. All documents are read once, those that are needed kept: nothing is stored
    beyond what the library downloads.

    Parameters
    ----------
    name : str
        As https://ir-datasets.com lists it.
    judged : float
        The share of queries that become judged searches; the relevant documents of the others
        become pairs.
    n_queries : int or None
        Take the first so many queries of the relevance file only, to save memory.

    Returns
    -------
    pairs : list of (query, title)
        Distinct, of grade 1 or more.
    judgments : list of Judged

    Raises
    ------
    InputError
        ir_datasets is missing, does not know the name or cannot download; the set has no queries,
        documents or relevance, or none that go together; or no judged search has two different
        grades.
    """
    name, judged = arguments.text("name", name), arguments.number("judged", judged, 0, 1)
    n_queries = arguments.integer("n_queries", n_queries, 1, allow=[None])
    with from_extra("data", "from_ir_datasets needs ir_datasets"):
        import ir_datasets
    try:
        found = ir_datasets.load(name)
    except (KeyError, TypeError):
        raise InputError(f"name: {name!r} is no set that ir_datasets knows") from None
    lacking = [what for what in ("queries", "docs", "qrels") if not getattr(found, f"has_{what}")()]
    if lacking:
        raise InputError(
            f"{name}: has no {', '.join(lacking)}; a set with queries, docs and qrels is needed"
        )
    try:
        rows = _relevance(found.qrels_iter(), n_queries)
        queries = {
            query.query_id: _plain_text(query, "text")
            for query in found.queries_iter()
            if query.query_id in rows
        }
        needed = {docid for of_query in rows.values() for docid in of_query}
        titles = {
            doc.doc_id: _plain_text(doc, "title")
            for doc in found.docs_iter()
            if doc.doc_id in needed
        }
    except Exception as error:  # what a library's downloads and a hundred readers may raise
        said = " ".join(str(error).split())[:200]
        raise InputError(
            f"{name}: ir_datasets could not read it ({type(error).__name__}: {said})"
        ) from None
    encoding = locale.getpreferredencoding(False)  # in which it opens many a file, all UTF-8
    ascii_alone = all(map(str.isascii, [*queries.values(), *titles.values()]))
    if codecs.lookup(encoding).name != "utf-8" and not ascii_alone:
        raise InputError(
            f"{name}: ir_datasets may have read its letters as {encoding}, this system's encoding; "
            "set PYTHONUTF8=1 and start Python anew"
        )
    warn_of_lost(name, "qid", len(rows), sum(not queries.get(qid) for qid in rows))
    warn_of_lost(name, "docid", len(needed), sum(not titles.get(docid) for docid in needed))
    parts = {}, {}
    for qid, of_query in rows.items():
        is_judged = share(f"{name}|{plain(queries.get(qid, ''))}") < judged
        parts[is_judged][qid] = of_query
    alone = "take it for training alone (judged=0)"
    return pairs_and_judgments(name, *parts, queries, titles, alone)


def _relevance(qrels, n_queries):
    """By query and document, the grade, not below 0; of a document judged twice the higher one."""
    rows = {}
    for qrel in qrels:
        if qrel.query_id not in rows and n_queries is not None and len(rows) == n_queries:
            continue
        of_query = rows.setdefault(qrel.query_id, {})
        of_query[qrel.doc_id] = max(0, int(qrel.relevance), of_query.get(qrel.doc_id, 0))
    return rows


def _plain_text(entry, field):
    """The field of a query or document, or all of its text;
    "" if it has none, as a picture or a link to a document.
    """
    # a few of the library's classes lack default_text
    default_text = getattr(entry, "default_text", lambda: None)
    return " ".join((getattr(entry, field, None) or default_text() or "").split())


# --- msrd -----------------------------------------------------------------------------------------

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
TIMEOUT = 30  # seconds without a byte


def fetch(name: Literal["msrd"], folder: Path | None = None, url: str = URL) -> pathlib.Path:
    """Download a public set of judged searches, check it,
    and split it into training, development and test.

    "msrd" is the Movie Search Ranking Dataset (Metarank Labs, CC BY-SA 4.0), real movie searches
    with marked titles, in the form of elastic/elasticsearch-labs; 6 MB. Both files' SHA-256 is
    checked, and that of the three made of them. A folder that has them is checked and left.

    Parameters
    ----------
    name : str
        "msrd".
    folder : path or None
        To be made; it appears whole or not at all. None: in pooch's cache folder of the user.
    url : str
        Where the two files are.

    Returns
    -------
    pathlib.Path
        The folder, with ``train_pairs.tsv`` (43,648 pairs), ``judgments.tsv`` (development, 981
        searches) and ``test.tsv``.

    Raises
    ------
    InputError
        pooch is missing; the name is not "msrd"; the folder holds something else or cannot be
        written; no network, a cut connection, or a file that is not the one it should be.
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
    if folder.is_dir() and any(folder.iterdir()):
        return _checked(folder)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file, not a folder to make")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = pathlib.Path(
            tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".part", dir=folder.parent)
        )
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None
    try:
        corpus, judgments = (
            _download(pooch, url.rstrip("/") + "/" + file, file, sha, part)
            for file, sha in SOURCES.items()
        )
        made = split_msrd(corpus, judgments)
        for file, text in made.items():
            if hashlib.sha256(text.encode()).hexdigest() != RESULTS[file]:
                raise InputError(
                    f"{folder / file}: made from the right files, yet not as it should be; "
                    "nothing was written"
                )
            write_text(part / file, text)
        part.chmod(0o755)
        if folder.is_dir():
            folder.rmdir()  # an empty one, onto which Windows would move nothing
        os.replace(part, folder)  # in one step
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder


def _checked(folder):
    for file, sha in RESULTS.items():
        path = folder / file
        if digest(path) != sha:
            raise InputError(
                f"{path}: is not the file that fetch makes; remove {folder}, "
                "or name a folder that is not there"
            )
    return folder


def _download(pooch, url, file, sha, folder):
    """The unpacked lines of one file."""
    from requests import exceptions

    log = pooch.get_logger()
    level = log.level
    log.setLevel("ERROR")  # one word from us, if any
    try:
        path = pooch.retrieve(
            url,
            f"sha256:{sha}",
            fname=file,
            path=folder,
            downloader=pooch.HTTPDownloader(timeout=TIMEOUT),
        )
        content = gzip.decompress(pathlib.Path(path).read_bytes()).decode("utf-8")
        os.remove(path)
        return content.removesuffix("\n").split("\n")
    except exceptions.HTTPError as error:
        answer: Any = error.response
        raise InputError(f"{url}: the server says {answer.status_code} ({answer.reason})") from None
    except exceptions.Timeout:
        raise InputError(f"{url}: no answer in {TIMEOUT} seconds") from None
    except (exceptions.ChunkedEncodingError, exceptions.ContentDecodingError):
        raise InputError(
            f"{url}: the connection was cut before the file's end; try again"
        ) from None
    except exceptions.ConnectionError:
        raise InputError(f"{url}: could not be reached; is there a network?") from None
    except exceptions.RequestException as error:
        raise InputError(f"{url}: could not be downloaded ({type(error).__name__})") from None
    except (ValueError, EOFError, gzip.BadGzipFile):
        raise InputError(
            f"{url}: its SHA-256 is not {sha}: cut short, damaged, or another file"
        ) from None
    finally:
        log.setLevel(level)
