"""The table in SECURITY.md of what the soak tried is what its tests noted."""

import importlib.util
import json

import pytest
from conftest import ROOT


@pytest.fixture
def soak():
    spec = importlib.util.spec_from_file_location("soak", ROOT / "benchmarks" / "soak.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_the_table_of_the_last_run(soak):
    rows = json.loads((ROOT / "benchmarks" / "soak.json").read_text(encoding="utf-8"))
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert rows and soak.with_table(text, rows) == text, "say python benchmarks/soak.py"


def test_what_was_noted_becomes_a_row_each_in_the_place_of_the_old(soak, tmp_path, monkeypatch):
    monkeypatch.setattr(soak, "ROOT", tmp_path)
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "SECURITY.md").write_text(
        f"a\n{soak.BEGIN}old\n{soak.END}b\n", encoding="utf-8", newline="\n"
    )
    with pytest.raises(SystemExit, match="say python course.py soak first"):
        soak.main()
    (tmp_path / "build" / "soak").mkdir(parents=True)
    for what, tried in (("b", 1_000_000), ("a", 7)):
        row = {"what": what, "tried": tried, "lost": 0, "date": "2026-11-22"}
        path = tmp_path / "build" / "soak" / f"{what}.json"
        path.write_text(json.dumps(row), encoding="utf-8")
    for _ in range(2):
        soak.main()
        head, table, rest = (tmp_path / "SECURITY.md").read_text(encoding="utf-8").split("<!-- ")
        assert head == "a\n" and rest == "end of soak -->\nb\n"
        assert table.splitlines()[3:] == [
            "| a | 7 | 0 | 2026-11-22 |",
            "| b | 1,000,000 | 0 | 2026-11-22 |",
        ]
    found = json.loads((tmp_path / "benchmarks" / "soak.json").read_text(encoding="utf-8"))
    assert [row["what"] for row in found] == ["a", "b"]
