"""Read click logs, judgments and titles line by line, and report each bad line.

Files are UTF-8 and tab-separated: pairs are ``query<TAB>title``, judgments
``qid<TAB>query<TAB>docid<TAB>title<TAB>grade``. Windows line ends and a byte-order mark are
accepted. A first line of known column names is refused; with ``header=True`` the first line is
skipped, unless it has a number in the column of grades or scores. Gzipped files are recognised from
their content.
"""

import pathlib
import re
import warnings
from typing import NamedTuple

from ._util import arguments, looks
from ._util.files import InputError, Path
from ._util.lines import Table, in_words, mistake, read_lines, read_table

PAIRS, TITLES = Table("clicked pairs", ["query", "title"]), Table("titles", ["title"])
JUDGMENTS = Table(looks.JUDGMENTS, ["qid", "query", "docid", "title", "grade"])
HIGHEST_GRADE = 100  # the largest grade, which limits 2^grade in nDCG
LONG = 100  # number of words in a query and its title above which to warn
SURROGATE = re.compile("[\ud800-\udfff]")  # matches lone surrogates, which UTF-8 cannot encode


def sample() -> pathlib.Path:
    """Return the path of the folder with the sample data.

    Returns
    -------
    pathlib.Path
        The folder has ``train_pairs.tsv``, ``judgments.tsv`` and the files that its ``README.md``
        describes.
    """
    here = pathlib.Path(__file__)
    # wheels have the data inside the package (see setup.py), checkouts at the top level
    inside, checkout = here.with_name("data_samples"), here.parents[1] / "data_samples"
    return inside if inside.exists() else checkout


# ---- judged queries


class Judged(NamedTuple):
    """A judged query with its candidate documents.

    Attributes
    ----------
    qid, query : str
    docids, titles : list of str
        An empty title means a judged document without a text, which counts as not found.
    grades : list of int
        From 0 (Bad) to `HIGHEST_GRADE`.
    """

    qid: str
    query: str
    docids: list
    titles: list
    grades: list


def checked_grades(name, grades):
    """Return grades as a list of int; raise InputError unless they are in 0, …, `HIGHEST_GRADE`."""
    return arguments.wholes(name, grades, "n_titles", high=HIGHEST_GRADE).tolist()


def checked_judgments(judgments):
    """Return judged queries as a list of Judged, with whole grades from 0 to `HIGHEST_GRADE`.

    Raises
    ------
    InputError
        An item is not a Judged, has different numbers of docids, titles and grades, or repeats a
        docid.
    """
    found = []
    for k, search in enumerate(arguments.each("judgments", judgments, "Judged")):
        name = f"judgments[{k}]"
        if not all(hasattr(search, field) for field in Judged._fields):
            arguments.refuse(name, search, "a Judged")
        docids = list(arguments.each(f"{name}.docids", search.docids, "docids"))
        titles = arguments.texts(f"{name}.titles", search.titles)
        grades = checked_grades(f"{name}.grades", search.grades)
        if not len(docids) == len(titles) == len(grades):
            arguments.refuse(name, search, "of as many docids as titles and grades")
        if len(set(map(str, docids))) < len(docids):
            raise InputError(f"{name}: qid {search.qid!r} judges a document twice")
        query = arguments.text(f"{name}.query", search.query)
        found.append(Judged(search.qid, query, docids, titles, grades))
    return found


def check_id(name, value):
    """Raise InputError unless an id fits into a column of a TREC file."""
    arguments.text(name, value)
    odd = value.startswith("\ufeff") or "\0" in value or SURROGATE.search(value)
    if odd or value.split() != [value] or value == "#":  # "#" begins a comment
        raise mistake(f"{name} %s: does not fit into TREC's files (no white space, not #)", value)


class Grades(dict):
    """Grades by query and document, ``{qid: {docid: grade}}``; negative grades become 0.

    Attributes
    ----------
    lines : dict
        The line number of each judgment, keyed by (qid, docid).
    """

    def __init__(self):
        super().__init__()
        self.lines = {}

    def add(self, number, qid, docid, grade, lowest=-(10**9)):
        """Add a judgment; raise InputError for a bad id or grade, or a repeated judgment."""
        check_id("qid", qid)
        check_id("docid", docid)
        if not re.fullmatch("[+-]?[0-9]{1,19}", grade) or not lowest <= int(grade) <= HIGHEST_GRADE:
            allowed = f"a whole number{' from 0 to' if lowest == 0 else ' up to'} {HIGHEST_GRADE}"
            raise mistake(f"grade %s; must be {allowed}", grade[:20])
        if line := self.lines.get((qid, docid)):
            raise mistake("document %s of qid %s was judged in line %s", docid, qid, line)
        self.lines[qid, docid] = number
        self.setdefault(qid, {})[docid] = max(0, int(grade))


# ---- files


def read_pairs(
    path: Path, skip_bad: bool = False, max_words: int | None = None, header: bool = False
) -> list[tuple[str, str]]:
    """Read the clicked pairs of a log.

    Parameters
    ----------
    path : str
    skip_bad : bool
        Skip bad lines, with a warning that counts them.
    max_words : int, optional
        Keep only the first ``max_words`` words of each text. Give `LetterTrigrams.fit` the same
        number, so that the model does the same. If None, lines of more than `LONG` words cause a
        warning.
    header : bool
        Skip the first line, with a warning.

    Returns
    -------
    list of (query, title)

    Raises
    ------
    InputError
        The file has bad lines; the message groups them by kind of mistake.
    """
    return list(iter_pairs(path, skip_bad, max_words, header))


def iter_pairs(path, skip_bad=False, max_words=None, header=False):
    """Yield the clicked pairs (query, title) of a log one by one, without storing them.

    ``LetterTrigrams.fit(text for pair in iter_pairs(path) for text in pair)`` and
    ``train(model, iter_pairs(path))`` keep no texts in memory. Errors are those of `read_pairs`,
    raised at the end of the file.
    """
    skip_bad = arguments.boolean("skip_bad", skip_bad)
    max_words = arguments.integer("max_words", max_words, 1, allow=[None])
    long = []
    for number, *pair in read_table(path, PAIRS, header, skip_bad=skip_bad):
        if max_words:
            pair = (" ".join(text.split()[:max_words]) for text in pair)
        elif sum(text.count(" ") + 1 for text in pair) > LONG:
            long.append(number)
        yield tuple(pair)
    if long:
        advice = f"max_words={LONG}, or --max-words {LONG}, reads the first {LONG} of each text"
        said = f"{len(long):,} line(s) of more than {LONG} words, {in_words(long)}; {advice}"
        warnings.warn(f"{path}: {said}", stacklevel=2)


def read_titles(path, header=False):
    """Read a list of titles, one per line; see `read_pairs` for ``header`` and errors."""
    return [title for _, title in read_table(path, TITLES, header)]


def read_passages(path):
    """Read passages: one sentence per line, with an empty line between passages.

    Returns
    -------
    list of list of str
        Passages of at least one sentence.

    Raises
    ------
    InputError
        As `read_pairs`.
    """
    passages = [[]]
    for sentence in read_lines(path, lambda _, line: line.strip(), "one sentence a line"):
        if sentence:
            passages[-1].append(sentence)
        elif passages[-1]:
            passages.append([])
    return [passage for passage in passages if passage]


def read_judgments(path: Path, header: bool = False) -> list[Judged]:
    """Read judged queries, in the order in which their qids first appear.

    Parameters
    ----------
    path : str
    header : bool
        Skip the first line, with a warning.

    Returns
    -------
    list of Judged

    Raises
    ------
    InputError
        As `read_pairs`; also if an id has white space, a grade is not a whole number from 0 to 100,
        a qid has two queries, or a document is judged twice for one qid.
    """
    grades, queries, titles = Grades(), {}, {}

    def add(number, qid, query, docid, title, grade):
        if query != queries.setdefault(qid, query):
            raise mistake("qid %s has two queries, %s and %s", qid, queries[qid], query)
        grades.add(number, qid, docid, grade, lowest=0)
        titles[qid, docid] = title

    for _ in read_table(path, JUDGMENTS, header, add):
        pass
    return [
        Judged(qid, queries[qid], [*judged], [titles[qid, d] for d in judged], [*judged.values()])
        for qid, judged in grades.items()
    ]
