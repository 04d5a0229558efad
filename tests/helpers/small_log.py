"""A click log that a small model learns in seconds, and functions that write its files."""

import pytest

from lstm_edu import LSTM, DualEncoder, LetterTrigrams, train

TOPICS = {"hotel": "inn", "pizza": "pie", "doctor": "clinic"}
TOPICS |= {"flight": "airfare", "tap": "faucet", "lawn": "mower"}
PLACES = "boston denver paris shanghai lisbon oslo cairo lima".split()
PAIRS = [(f"{q} {p}", f"{p} {d} guide") for q, d in TOPICS.items() for p in PLACES]
HASHING = LetterTrigrams.fit(text for pair in PAIRS for text in pair)
SETTINGS = dict(epochs=6, batch_size=16, seed=2, optimizer="nesterov")
TRAIN = "train pairs.tsv --out m.npz --cells 16 --batch-size 16 --step-size 0.01".split()


def new_model(cell=LSTM(8), seed=0, dtype="float32"):  # noqa: B008 (cells are immutable)
    return DualEncoder(cell, HASHING, seed, dtype, tied=False)


def write_table(path, rows):
    """Write rows to a file as tab-separated columns."""
    lines = ("\t".join(map(str, row)) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")


def write_judgments(path, judgments):
    write_table(path, ((*s[:2], *row) for s in judgments for row in zip(*s[2:])))


def in_files(tmp_path, monkeypatch):
    """Fixture that writes log, judgments and titles to a folder, its new working directory."""
    monkeypatch.chdir(tmp_path)
    pairs = list(enumerate(PAIRS))
    judged = ((k, q, j, d, 3 * (j == k)) for k, (q, _) in pairs for j, (_, d) in pairs)
    write_table(tmp_path / "pairs.tsv", PAIRS)
    write_table(tmp_path / "judgments.tsv", judged)
    write_table(tmp_path / "titles.txt", ([d] for _, d in PAIRS))
    return tmp_path


class Stop(Exception):
    pass


def resumed(make, pairs, folder):
    """Interrupt and resume training; return the model and the path of its file.

    Check that the file is identical to that of an uninterrupted run.
    """
    path, how = folder / "half.npz", dict(batch_size=4, step_size=0.01, epochs=4)
    train(make(), pairs, checkpoint=folder / "whole.npz", **how)
    with pytest.raises(Stop):
        train(make(), pairs, checkpoint=path, callback=stop_after(3), **how)
    model = make()
    train(model, pairs, checkpoint=path, resume=True, **how)
    assert path.read_bytes() == (folder / "whole.npz").read_bytes()
    return model, path


def stop_after(epochs):
    def callback(model, history):
        if len(history["cost"]) == epochs:
            raise Stop

    return callback
