"""Fuzz tests: randomly damaged lines and models are read, or refused with a one-line error.

SECURITY.md states the number of trials; with ``--share 0.01``, only 1 % of them run.
"""

import json
import os
import random
from contextlib import suppress

import pytest
from small_log import PAIRS, new_model

import lstm_edu
from lstm_edu import InputError, readers
from lstm_edu._util import files
from lstm_tools.formats import beir, runs, trec

pytestmark = [pytest.mark.soak, pytest.mark.filterwarnings("ignore")]
TEXTS = [text for pair in PAIRS for text in pair] + ["hôtel oslo", "ЖЖЖ", "日本", "a" * 300]
ODD = [
    *("\t", "\t\t", "\r", "\0", "\ufeff", "\u2028", "\x85", "\x1b[31m", " ", "", "\n\n", "$", '"'),
    *("-1", "101", "1e400", "nan", "0" * 5000, "9" * 5000, "2.5", "٣", "{", "[" * 2000, "\\ud800"),
]
RAW = [b"\xff", b"\xed\xa0\x80", b"\xc3", b"\x00" * 20, b"\n" * 20, b"\t" * 99, b"a" * 100_001]
# for each kind of file: the function that reads it, and the format of its lines
KINDS = {
    "pairs": (readers.read_pairs, "{text}\t{other}"),
    "titles": (readers.read_titles, "{text}"),
    "judgments": (readers.read_judgments, "{qid}\tquery {qid}\t{docid}\t{text}\t{grade}"),
    "qrels": (trec.read_grades, "{qid} 0 {docid} {grade}"),
    "run": (runs.read_run, "{qid} Q0 {docid} 1 {score} tag"),
    "queries": (trec.read_queries, "{docid}\t{text}"),
    "corpus": (
        lambda path: list(beir.iter_corpus(os.path.dirname(path))),
        '{{"_id": "{docid}", "title": "{text}", "text": "{other}"}}',
    ),
}


def damaged(chance, content):
    """Delete, insert, repeat or change bytes of a file's content at random."""
    content = bytearray(content)
    for _ in range(chance.choice((0, 1, 1, 2, 5))):
        at = chance.randrange(len(content) + 1)
        stop = min(len(content), at + chance.choice((1, 1, 2, 8, 50)))
        how = chance.randrange(5)
        if how == 0:
            del content[at:stop]
        elif how == 1:
            content[at:at] = chance.choice(ODD).encode("utf-8")
        elif how == 2:
            content[at:at] = chance.choice(RAW)
        elif how == 3:
            content[at:stop] = chance.randbytes(stop - at)
        else:
            content[at:at] = content[at:stop]
    return bytes(content)


def test_readers_accept_damaged_lines_or_raise_one_line_error(tmp_path, check_tally, share):
    chance, lost, done, n = random.Random(1), [], 0, share(1_000_000)
    while done < n:
        kind = chance.choice(list(KINDS))
        read, line = KINDS[kind]
        path = tmp_path / ("corpus.jsonl" if kind == "corpus" else "lines.tsv")
        lines = [
            line.format(
                **dict(text=chance.choice(TEXTS), other=chance.choice(TEXTS)),
                **dict(qid=chance.randrange(3), docid=chance.randrange(9999)),
                **dict(grade=chance.randrange(5), score=chance.random()),
            )
            for _ in range(chance.randrange(1, 15))
        ]
        content = damaged(chance, "".join(f"{text}\n" for text in lines).encode("utf-8"))
        done += len(lines)
        path.write_bytes(content)
        try:
            found = read(str(path))
            json.dumps(found if isinstance(found, dict) else list(found))
            repr(found).encode("utf-8")
        except InputError as error:
            said = str(error)
            if not said.startswith(f"{path}:") or len(said.splitlines()) != 1 or len(said) > 900:
                lost.append(f"{kind}: {said!r}")
        except Exception as error:
            lost.append(f"{kind}: {error!r:.200} of {content!r:.200}")
    check_tally("lines of logs, judgments, runs and corpora, fuzzed", done, lost)


def test_load_accepts_damaged_model_or_raises_one_line_error(tmp_path, check_tally, share):
    chance, lost, whole, n = random.Random(1), [], {}, share(100_000)
    model = new_model()
    lstm_edu.train(model, PAIRS, epochs=1, batch_size=16)
    for path in (tmp_path / "m.safetensors", tmp_path / "m.npz"):
        with suppress(files.MissingError):
            model.save(path)
            whole[path] = path.read_bytes()
    texts = ["hotel oslo", "pizza lima"]
    training = lstm_edu.load(path).training  # reload, because saving sorts the keys
    expected = model.encode_query(texts), model.encode_document(texts), training
    for _ in range(n):
        path = chance.choice(list(whole))
        content = damaged(chance, whole[path])
        path.write_bytes(content)
        try:
            found = lstm_edu.load(path)
            found = found.encode_query(texts), found.encode_document(texts), found.training
            if repr(found) != repr(expected):
                lost.append("another model was loaded without an error")
        except InputError as error:
            if len(str(error).splitlines()) != 1 or "pickle" in str(error):
                lost.append(f"said: {error!r}")
        except Exception as error:
            lost.append(f"{type(error).__name__} {error!s:.150} of {content!r:.200}")
    check_tally("model files, fuzzed", n, lost)
