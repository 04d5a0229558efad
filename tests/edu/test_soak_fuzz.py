"""Lines and model files that chance has damaged: taken as they are or refused in one line.

Each test is there twice: a few times in every run of the tests, and as often as SECURITY.md says in
``python course.py soak``.
"""

import io
import json
import os
import pathlib
import random
import sys
import warnings
from contextlib import suppress

import numpy as np
import pytest
from conftest import ROOT
from processes import python
from small_log import PAIRS, new_model

import lstm_edu
from lstm_edu import InputError
from lstm_edu._util import files
from lstm_edu.data import beir, readers, trec
from lstm_edu.models.model_file import pack

try:
    import resource
except ModuleNotFoundError:  # on Windows
    resource = None

# ---- lines

TEXTS = [text for pair in PAIRS for text in pair] + ["hôtel oslo", "ЖЖЖ", "日本", "a" * 300]
ODD = [
    *("\t", "\t\t", "\r", "\0", "\ufeff", "\u2028", "\x85", "\x1b[31m", " ", "", "\n\n", "$", '"'),
    *("-1", "101", "1e400", "nan", "0" * 5000, "9" * 5000, "2.5", "٣", "{", "[" * 2000, "\\ud800"),
]
RAW = [b"\xff", b"\xed\xa0\x80", b"\xc3", b"\x00" * 20, b"\n" * 20, b"\t" * 99, b"a" * 100_001]


def line(chance, kind):
    """A good line of a kind of file."""
    text, other = chance.choice(TEXTS), chance.choice(TEXTS)
    qid, docid = chance.randrange(3), chance.randrange(9999)
    return {
        "pairs": f"{text}\t{other}",
        "titles": text,
        "judgments": f"{qid}\tquery {qid}\t{docid}\t{text}\t{chance.randrange(5)}",
        "qrels": f"{qid} 0 {docid} {chance.randrange(5)}",
        "run": f"{qid} Q0 {docid} 1 {chance.random()} tag",
        "queries": f"{docid}\t{text}",
        "corpus": json.dumps({"_id": str(docid), "title": text, "text": other}),
    }[kind]


READ = {
    "pairs": readers.read_pairs,
    "titles": readers.read_titles,
    "judgments": readers.read_judgments,
    "qrels": trec.read_grades,
    "run": trec.read_run,
    "queries": trec.read_queries,
    "corpus": lambda path: list(beir.iter_corpus(os.path.dirname(path))),
}


def damaged(chance, content):
    """Bytes with something cut out, put in, doubled or changed."""
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


def check_lines(tmp_path, tally, n, seed=0):
    """Files of a few lines: read to their end, or refused by file and line."""
    chance, lost, done = random.Random(seed), [], 0
    while done < n:
        kind = chance.choice(list(READ))
        path = tmp_path / ("corpus.jsonl" if kind == "corpus" else "lines.tsv")
        lines = [line(chance, kind) for _ in range(chance.randrange(1, 15))]
        content = damaged(chance, "".join(f"{text}\n" for text in lines).encode("utf-8"))
        done += len(lines)
        path.write_bytes(content)
        try:
            found = READ[kind](str(path))
            json.dumps(found if isinstance(found, dict) else list(found))
            repr(found).encode("utf-8")
        except InputError as error:
            said = str(error)
            if not said.startswith(f"{path}:") or len(said.splitlines()) != 1 or len(said) > 900:
                lost.append(f"{kind}: {said!r}")
        except Exception as error:
            lost.append(f"{kind}: {error!r:.200} of {content!r:.200}")
    tally("lines of logs, judgments, runs and corpora, fuzzed", done, lost)


def test_damaged_lines(tmp_path, tally):
    check_lines(tmp_path, tally, 5_000)


@pytest.mark.soak
def test_a_million_damaged_lines(tmp_path, tally, share):
    check_lines(tmp_path, tally, share(1_000_000), seed=1)


# ---- model files

MEMORY = 512 << 20  # bytes that reading a file of some thousand may take beside what is there
NUMBERS = [-1, 0, 1, 2**31, 2**63, 10**30, 1e308, float("nan"), True, None, "", [], {}, [[]] * 9]


def forged(chance, arrays, meta):
    """Another model's arrays and facts, with some of them changed."""
    arrays, meta = dict(arrays), json.loads(json.dumps(meta))
    for _ in range(chance.choice((1, 1, 2))):
        how = chance.randrange(4)
        if how == 0:
            facts = meta
            while isinstance(facts, dict) and chance.random() < 0.7 and facts:
                name = chance.choice(sorted(facts))
                if not isinstance(facts[name], dict) or chance.random() < 0.3:
                    facts[name] = chance.choice(NUMBERS)
                    break
                facts = facts[name]
        name = chance.choice(sorted(arrays)) if arrays else ""
        if how == 1 and arrays:
            arrays[chance.choice([name, "meta.more", "../../etc", "query.W"])] = arrays.pop(name)
        if how == 2 and arrays:
            kind = chance.choice(["f2", "i1", "c8", "f8", "S3", "U2"])
            with suppress(ValueError):  # of texts that are no numbers, if it is done twice
                arrays[name] = arrays[name].astype(kind)
        if how == 3 and arrays:
            arrays[name] = chance.choice([arrays[name][:1], arrays[name].T, np.zeros((0, 9)), 3.0])
            arrays[name] = np.ascontiguousarray(arrays[name])
    return arrays, meta


def as_npz(arrays, meta):
    file, text = io.BytesIO(), json.dumps(meta).encode("utf-8")
    np.savez(file, **{"meta": np.frombuffer(text, np.uint8)} | arrays)
    return file.getvalue()


def fuzz_models(folder, n, seed):
    """Read n model files that are damaged or forged, in this process; returns what was lost."""
    chance, lost = random.Random(seed), []
    model = new_model()
    lstm_edu.train(model, PAIRS, epochs=1, batch_size=16, progress=False)
    whole = {}
    for name in ("m.npz", "m.safetensors"):
        path = os.path.join(folder, name)
        try:
            model.save(path)
        except files.MissingError:
            continue
        with open(path, "rb") as file:
            whole[path] = file.read()
    packed = pack(model)
    for _ in range(n):
        path = chance.choice(list(whole))
        is_forged = path.endswith(".npz") and chance.random() < 0.3
        content = as_npz(*forged(chance, *packed)) if is_forged else whole[path]
        if not is_forged or chance.random() < 0.2:
            content = damaged(chance, content)
        with open(path, "wb") as file:
            file.write(content)
        try:
            found = lstm_edu.load(path)
            if not is_forged and not same(pack(found), packed):
                lost.append("another model was read, and nothing was said")
            found.encode_query(["hotel oslo"])
        except InputError as error:
            if len(str(error).splitlines()) != 1 or "pickle" in str(error):
                lost.append(f"said: {error!r}")
        except (Exception, RecursionError) as error:
            kept = os.path.join(folder, f"lost_{len(lost)}")
            with open(kept, "wb") as file:
                file.write(content)
            lost.append(f"{type(error).__name__} {error!s:.150} at {path}")
    return lost


def same(packed, other):
    (arrays, meta), (others, other_meta) = packed, other
    alike = [json.dumps(facts, sort_keys=True) for facts in (meta, other_meta)]
    if arrays.keys() != others.keys() or alike[0] != alike[1]:
        return False
    return all(np.array_equal(arrays[name], others[name]) for name in arrays)


def main(folder, n, seed):
    """What the test starts: under a limit of memory, where the system has one."""
    warnings.simplefilter("ignore")
    new_model().encode_query(["a"])  # all is loaded
    if sys.platform == "linux":
        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))
    print(json.dumps(fuzz_models(folder, int(n), int(seed))))


def check_models(tmp_path, tally, n, seed=0):
    code = "import sys, test_soak_fuzz; test_soak_fuzz.main(*sys.argv[1:])"
    path = os.pathsep.join([str(pathlib.Path(__file__).parent), str(ROOT), *filter(None, sys.path)])
    run = python("-c", code, str(tmp_path), str(n), str(seed), PYTHONPATH=path)
    assert run.returncode == 0, run.stderr[-2000:]
    tally(f"model files, fuzzed, within {MEMORY >> 20} MB of memory", n, json.loads(run.stdout))


def test_damaged_models(tmp_path, tally):
    check_models(tmp_path, tally, 500)


@pytest.mark.soak
def test_a_hundred_thousand_damaged_models(tmp_path, tally, share):
    check_models(tmp_path, tally, share(100_000), seed=1)
