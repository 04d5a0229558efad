"""Tests of `fetch` with a local server, and of the split of msrd against its data card's rules."""

import functools
import gzip
import hashlib
import http.server
import json
import random
import re
import socket
import threading

import pytest
from refusal import refused

import lstm_tools
from lstm_tools.formats import msrd


def source():
    """Return the lines of a small corpus and of judgments, in the format of msrd's public files.

    Some queries and titles are repeated; some documents are missing or have no title.
    """
    rng = random.Random(0)
    titles = [rng.choice([f"Film  {k % 37}", f" Movie\t{k} ", f"Zoë {k}"]) for k in range(200)]
    corpus = [{"id": k, "title": title} for k, title in enumerate([*titles, None, " \n", 1984])]
    rows = ["query_id\tquery\tdoc\tgrade"]
    for k in range(300):
        films = f"the film {k % 60}", f"{k % 60} movie online", "watch the movie"
        query = rng.choice([*films, f" Who  is {k}?", f"spider-man {k}"])
        documents = rng.sample(range(205), rng.choice([5, 10, 11, 30]))
        rows += [f"qid:{k}\t{query}\t{document}\t{rng.choice('01')}" for document in documents]
    return [*map(json.dumps, [*corpus, {"id": 203}])], rows


def test_split_msrd_follows_data_card():
    """Compare with a plain version of the split that msrd's data card, SPLIT.md, describes."""
    corpus, judgments = source()
    plain = lambda field: re.sub(r"\s+", " ", str(field)).strip()
    movies = map(json.loads, corpus)
    titles = {str(movie["id"]): plain(movie.get("title") or "") for movie in movies}
    rows = [list(map(plain, line.split("\t"))) for line in judgments[1:]]
    rows = [row for row in rows if titles.get(row[2], "") != ""]
    parts, shuffled = {"train": [], "development": [], "test": []}, []
    for qid, query in sorted({(row[0], row[1]) for row in rows}):
        judged = [row for row in rows if row[:2] == [qid, query]]
        found = sorted(set(re.findall(r"\w+", query.lower())))
        kept = [word for word in found if word not in msrd.FILLERS] or found
        u = int(hashlib.sha1(("msrd|" + " ".join(kept)).encode()).hexdigest()[:12], 16) / 16**12
        part = "test" if u < 0.125 else "development" if u < 0.1875 else "train"
        if part == "train":
            shuffled += [[query, titles[row[2]]] for row in judged if row[3] == "1"]
        elif len(judged) >= 10 and 0 < sum(int(row[3]) for row in judged) < len(judged):
            judged = sorted(judged, key=lambda row: (row[2], int(row[3])))
            parts[part] += [[*row[:3], titles[row[2]], row[3]] for row in judged]
    random.Random(1).shuffle(shuffled)
    for pair in shuffled:
        if pair not in parts["train"]:
            parts["train"].append(pair)
    names = {"train_pairs.tsv": "train", "judgments.tsv": "development", "test.tsv": "test"}
    as_text = lambda rows: "".join("\t".join(row) + "\n" for row in rows)
    expected = {name: as_text(parts[part]) for name, part in names.items()}
    assert all(expected.values()) and len(parts["train"]) < len(shuffled)
    assert msrd.split_msrd(corpus, judgments) == expected


@pytest.mark.parametrize("u", [0.12499, 0.125, 0.18749, 0.1875])
def test_split_msrd_assigns_query_to_part_by_its_hash(monkeypatch, u):
    monkeypatch.setattr(msrd, "share", lambda text: u if text == "msrd|2 man spider" else 2)
    corpus = [f'{{"id": {k}, "title": "t{k}"}}' for k in range(10)]
    rows = [f"1\tThe Spider-man 2: spider movie\t{k}\t{k % 2}" for k in range(10)]
    made = msrd.split_msrd(corpus, ["h", *rows])
    part = "test.tsv" if u < 0.125 else "judgments.tsv" if u < 0.1875 else "train_pairs.tsv"
    assert [name for name, text in made.items() if text] == [part]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


pytestmark = pytest.mark.waits


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Serve small files on the loopback interface, and make `fetch` expect their digests."""
    pytest.importorskip("pooch", reason="pooch is missing")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "served"
    folder.mkdir()
    monkeypatch.setattr(msrd, "RETRIES", 0)
    parts = source()
    for name, lines in zip(msrd.SOURCES, parts):
        (folder / name).write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        monkeypatch.setitem(msrd.SOURCES, name, digest)
    for name, text in msrd.split_msrd(*parts).items():
        monkeypatch.setitem(msrd.RESULTS, name, hashlib.sha256(text.encode()).hexdigest())
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs=dict(poll_interval=0.01))
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_fetch_writes_three_files_and_reuses_them_offline(served, tmp_path, monkeypatch):
    _, url = served
    made = lstm_tools.fetch("msrd", tmp_path / "a" / "msrd", url=url)
    found = {path.name: path.read_bytes().decode() for path in made.iterdir()}
    assert found == msrd.split_msrd(*source())
    assert [path.name for path in made.parent.iterdir()] == ["msrd"]
    assert lstm_tools.fetch("msrd", str(made), url="http://127.0.0.1:1") == made
    (tmp_path / "lstm_edu" / "msrd").mkdir(parents=True)  # `fetch` must fill an empty folder, too
    monkeypatch.setattr("pooch.os_cache", lambda name: tmp_path / name)
    assert lstm_tools.fetch("msrd", url=url + "/") == tmp_path / "lstm_edu" / "msrd"
    (made / "judgments.tsv").unlink()
    assert lstm_tools.fetch("msrd", made, url=url) == made
    assert found == {path.name: path.read_bytes().decode() for path in made.iterdir()}
    (made / "judgments.tsv").unlink()
    (made / "test.tsv").write_text("mine", encoding="utf-8")
    with refused("test.tsv: is not the file that fetch makes; remove it, or name another folder"):
        lstm_tools.fetch("msrd", made, url=url)
    assert (made / "test.tsv").read_text(encoding="utf-8") == "mine"


CORPUS, JUDGED = msrd.SOURCES
SPOIL = {
    f"could not be downloaded .SHA256 hash of downloaded file .{JUDGED}. does not match": (
        lambda path: path.write_bytes(b"\0")
    ),
    f"could not be downloaded .404 Client Error: .*{CORPUS}": lambda path: path.unlink(),
}


@pytest.mark.parametrize("said, file", zip(SPOIL, (JUDGED, CORPUS)))
def test_fetch_leaves_no_file_after_failed_download(served, tmp_path, said, file):
    folder, url = served
    SPOIL[said](folder / file)
    with refused(f"^{url}: {said}"):
        lstm_tools.fetch("msrd", tmp_path / "msrd", url=url)
    assert not list((tmp_path / "msrd").iterdir())


def test_fetch_reports_silent_server_and_missing_network(served, tmp_path, monkeypatch):
    monkeypatch.setattr(msrd, "TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with refused("could not be downloaded .*Read timed out"):
            lstm_tools.fetch("msrd", tmp_path / "new", url=url)
    with refused("could not be downloaded .*Connection refused|Failed to establish"):
        lstm_tools.fetch("msrd", tmp_path / "new", url=url)  # nothing listens here now


def test_fetch_refuses_bad_folder_and_unknown_name(served, tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for folder, said in ("file", "cannot be created"), ("file/msrd", "cannot be created"):
        with refused(said):
            lstm_tools.fetch("msrd", tmp_path / folder, url=served[1])
    with refused("name: 'onet'; fetch knows 'msrd'"):
        lstm_tools.fetch("onet")
