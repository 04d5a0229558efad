"""The table in SECURITY.md of what the soak tried is what its tests noted."""

import json

from conftest import ROOT


def test_the_page_has_the_table_of_the_last_run(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import soak

    rows = json.loads((ROOT / "benchmarks" / "soak.json").read_text(encoding="utf-8"))
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert rows and soak.with_table(text, rows) == text, "say python benchmarks/soak.py"
