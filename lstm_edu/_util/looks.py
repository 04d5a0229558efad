"""Recognize a file's kind from its first bytes, and open plain or gzipped text files."""

import gzip
import os
import re
import zlib
from contextlib import contextmanager

from .files import InputError, why

HEAD = 4096  # number of bytes to read from the beginning of a file
MODEL, VECTORS, RUN = "a model of lstm_edu", "vectors in an .npy", "a TREC run"
QRELS, JUDGMENTS, UNKNOWN = "TREC's qrels", "judged queries", "data of an unknown kind"
UNTAGGED, BEIR_QRELS = "a TREC run without its last column, the tag", "BEIR's qrels"
PIPE, PAIRS = "a pipe or a device", "text in 2 columns, as clicked pairs"
# the first pattern that matches the beginning of a file determines its kind
NOT_TEXT = {
    rb"PK\x03\x04.{26}meta\.npy": f"{MODEL}, as .npz",
    rb'.{8}\{"__metadata__":\{"lstm_edu":': f"{MODEL}, as .safetensors",
    rb'.{7}\0\{["\s}].{26}': "a .safetensors of another program",
    rb"PK\x03\x04.{26}[^/\0]*/(data\.pkl|\.format_version|byteorder)": "a file of PyTorch",
    rb"PK\x03\x04.{26}(\[Content_Types\]|_rels/|xl/)": "a file of Excel or Word",
    rb"PK\x03\x04.{26}[^\0]*?\.npy": "an .npz of another program",
    rb"\x93NUMPY[^}]*'descr': [^,]*'\|O'": "pickled Python objects in an .npy",
    rb"\x93NUMPY": VECTORS,
    rb"\x80[\x02-\x05]": "a Python pickle, as PyTorch and scikit-learn write",
    rb"\x1f\x8b": "a gzipped file",
    rb"\xff\xfe|\xfe\xff|(?:[^\0]\0){4}|(?:\0[^\0]){4}": "text in UTF-16, not in UTF-8",
    rb"version https://git-lfs": "a pointer of Git LFS (`git lfs pull` fetches the file)",
    rb"(\xef\xbb\xbf)?\s*(?i:<\?xml\s|<(!doctype )?html[^>]*>\s*<)": "a web page (HTML or XML)",
}
# patterns that identify a kind of text from its first or second line; the first match wins
OF_LINES = {
    r"\S+\s+Q0(\s+\S+){4}\s*": RUN,
    r"\S+\s+Q0(\s+\S+){3}\s*": UNTAGGED,
    r"([^\t]*\t){4}\s*[+-]?\d+\s*": JUDGMENTS,
    r"\S+\s+\S+\s+\S+\s+[+-]?\d+\s+[+-]?[0-9.]+([eE][+-]?\d+)?\s+\S+\s*": RUN,
    r"\S+\s+(Q?0\s+\S+\s+\S+|\S+\s+\S+\s+[+-]?\d+)\s*": QRELS,
    r"\S+\s+\S+\s+([+-]?\d+|score)\s*": BEIR_QRELS,
    r"\s*[{[].*": "JSON",
    r"[^\t]+\t[^\t]+": PAIRS,
}


def looks_like(path):
    """Describe the kind of a file, such as "a TREC run" or "a web page".

    Gzipped text is described like plain text, other gzipped files as "…, gzipped". Pipes are not
    read. Raises InputError if the file cannot be read.
    """
    return kind_and_line(path)[0]


def other_kind(path, expected):
    """Describe what kind of text a file seems to be, or return "" if that is the kind expected."""
    kind, line = kind_and_line(path)
    is_other = kind in OF_LINES.values() and kind.split(", as ")[-1] not in expected
    return f"{line}: looks like {kind}" if is_other else ""


def refusal(path, error, expected, kind):
    """Return an InputError that explains an unreadable file by its kind, or else by ``error``.

    Parameters
    ----------
    path : str
    error : Exception
        Raised by the reader.
    expected : str
        The expected content, for the message.
    kind : str
        The expected kind as `looks_like` describes it, or the beginning of that description.
    """
    found = looks_like(path)
    if found == UNKNOWN or found.startswith(kind) and not found.endswith("gzipped"):
        return InputError(f"{path}: not {expected}, or damaged or cut short ({why(error)})")
    advice = "; gunzip it first" * found.startswith(kind)
    return InputError(f"{path}: looks like {found}; expected {expected}{advice}")


def kind_and_line(path):
    """Guess a file's kind; return it and the identifying line's number (0 if it is not text)."""
    if os.path.isdir(path):
        return "a folder", 0
    if os.path.exists(path) and not os.path.isfile(path):
        return PIPE, 0
    with opened(path) as file:
        head = file.peek(HEAD)[:HEAD]
        if kind := not_text(head):
            return f"{kind}{', gzipped' * isinstance(file, gzip.GzipFile)}", 0
        return (UNKNOWN, 0) if b"\0" in head else _text(head)


def not_text(head):
    """Return the kind of a file that begins with these bytes, or None if it may be UTF-8 text."""
    if not head:
        return "an empty file"
    matches = (kind for pattern, kind in NOT_TEXT.items() if re.match(pattern, head, re.DOTALL))
    # a text with a NUL counts as damaged text, whose bad lines are reported
    is_text = b"\0" not in head or head.decode("utf-8", "ignore").encode("utf-8") == head
    return next(matches, None if is_text else UNKNOWN)


def _text(head):
    """Guess a text's kind from its first bytes; return it and the identifying line's number."""
    lines = head.decode("utf-8-sig", "replace").split("\n")
    lines = [(n, line) for n, line in enumerate(lines, start=1) if line.strip() and line[0] != "#"]
    for number, line in lines[:2]:  # two lines, as the first may be a header
        for pattern, kind in OF_LINES.items():
            if re.fullmatch(pattern, line):
                return kind, number
    number, line = lines[0] if lines else (1, "")
    n_columns = line.count("\t") + 1
    return f"text in {n_columns} columns" if n_columns > 1 else "lines of text", number


@contextmanager
def opened(path):
    """Open a file for reading bytes, and decompress it if it begins like a gzip file.

    Raises InputError in the context if the file cannot be read or its gzip is damaged.
    """
    try:
        with open(path, "rb") as file:
            if file.peek(2)[:2] == b"\x1f\x8b":
                with gzip.GzipFile(fileobj=file) as unpacked:
                    yield unpacked
            else:
                yield file
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        said = str(error) if isinstance(error, EOFError) else "its bytes are changed"
        raise InputError(f"{path}: a gzipped file, damaged or cut short ({said})") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
