"""Tests that a comparison reuses the parts in its folder unless their inputs changed."""

import json
import shutil

import pytest
from refusal import refused
from small_table import JUDGMENTS, PAIRS, SMALL, pretended

from lstm_tools.table_iv import comparison, store
from lstm_tools.table_iv.skip_thought_files import FILES


def test_table_iv_recomputes_only_parts_with_changed_inputs(tmp_path, monkeypatch):
    compare, worked = pretended(monkeypatch)
    text, said, rows = tmp_path / "sentences.txt", [], ["skip_thought", "dssm"]
    text.write_text("a b\nc d\n", encoding="utf-8")
    compare(tmp_path / "c", rows, sentences=str(text))
    assert worked == [("dssm", None), ("dssm", 0), ("skip_thought", 0)]
    shutil.copy(text, tmp_path / "elsewhere.txt")  # the same content under another name
    compare(tmp_path / "c", rows, said, sentences=str(tmp_path / "elsewhere.txt"))
    assert not worked and not said
    text.write_text("a b\nc e\n", encoding="utf-8")
    compare(tmp_path / "c", rows, sentences=str(text))
    assert worked == [("skip_thought", 0)]
    for name in FILES:
        (tmp_path / name).write_bytes(name.encode())
    for name in FILES:
        compare(tmp_path / "c", rows, skip_thought=str(tmp_path))
        (tmp_path / name).write_bytes(b"other")
        compare(tmp_path / "c", rows, skip_thought=str(tmp_path))
        assert worked == [("skip_thought", 0)]


def test_folder_stores_several_comparisons(tmp_path, monkeypatch):
    compare, worked = pretended(monkeypatch)
    settings = {}, {"epochs": 3}, {"search_pairs": 9}, {"kind": "linear"}
    for more in settings:
        compare(tmp_path, ["dssm"], **more)
        assert worked == [("dssm", None), ("dssm", 0)]
    for more in settings:
        compare(tmp_path, ["dssm"], **more)
        assert not worked


DAMAGE = {
    "cut short": lambda text: text[: len(text) // 2],
    "another number": lambda text: text.replace("0.1", "0.9", 1),
    "no UTF-8": lambda text: b"\xff\xfe{}",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_part_is_reported_and_recomputed(tmp_path, monkeypatch, damage):
    compare, worked = pretended(monkeypatch)
    whole, said = compare(tmp_path, ["dssm"]), []
    (path,) = tmp_path.glob("dssm_seed_0_*.json")
    text = path.read_text(encoding="utf-8")
    damaged = DAMAGE[damage](text)
    path.write_bytes(damaged if isinstance(damaged, bytes) else damaged.encode())
    assert compare(tmp_path, ["dssm"], said) == whole and worked == [("dssm", 0)]
    assert said[0] == f"{path}: is damaged; it is computed again"
    assert path.read_text(encoding="utf-8") == text


def test_part_copied_from_another_seed_is_recomputed(tmp_path, monkeypatch):
    compare, worked = pretended(monkeypatch)
    compare(tmp_path, ["dssm"], seeds=2)
    search, first, second = sorted(tmp_path.glob("*.json"))
    shutil.copy(first, second)
    compare(tmp_path, ["dssm"], seeds=2)
    assert worked == [("dssm", 1)]
    part = json.loads(search.read_text(encoding="utf-8"))
    inputs, _ = part.pop("inputs"), part.pop("seal")
    task = comparison.Task("dssm", None, inputs)
    store.write(str(tmp_path), task, part | {"chosen": {"step_size": 99}})
    (row,) = compare(tmp_path, ["dssm"])["rows"]
    assert row["chosen"] == {"step_size": 99} and worked == [("dssm", 0)]


def test_table_iv_refuses_bad_arguments_before_creating_folder(tmp_path, monkeypatch):
    compare, worked = pretended(monkeypatch)
    (tmp_path / "no_text").write_bytes(b"\xff\n")
    folder = tmp_path / "c"
    for rows, more, said in (
        ([], {}, "rows: ''; must be among"),
        (["dssm"], {"seeds": 0}, "seeds: 0; must be a whole number from 1"),
        (["skip_thought"], {"sentences": str(tmp_path / "no_text")}, "no_text:1: not UTF-8"),
        (["skip_thought"], {"sentences": str(tmp_path)}, "is a folder, a device or a pipe; must"),
    ):
        with refused(said):
            compare(folder, rows, **more)
        assert not worked and not folder.exists()
    with refused("^judgments: no query has a title of grade 1 or more"):
        comparison.table_iv(PAIRS, JUDGMENTS[7:8], str(folder), ["ulm"], **SMALL)
    assert not folder.exists()
