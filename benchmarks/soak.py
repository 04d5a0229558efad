"""What the soak tried, how often, and what was lost, as a table in SECURITY.md.

    python course.py soak          # an hour on two cores; each of its tests notes what it did
    python benchmarks/soak.py      # stores that in benchmarks/results, and writes the table

CONTRIBUTING.md says how to try a hundredth of it, in a minute or two.
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- soak -->\n", "<!-- end of soak -->\n"


def gathered(folder):
    """What the tests noted but of mutants: a dict each, what, tried, lost, date."""
    paths = [path for path in folder.glob("*.json") if not path.stem.startswith("mutants")]
    rows = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    return sorted(rows, key=lambda row: row["what"])


def as_table(rows):
    """Markdown."""
    lines = ["| tried | times | lost | |", "|---|--:|--:|---|"]
    lines += [f"| {r['what']} | {r['tried']:,} | {r['lost']:,} | {r['date']} |" for r in rows]
    return "".join(line + "\n" for line in lines)


def with_table(text, rows):
    """The page with the table between its two marks."""
    head, rest = text.split(BEGIN)
    return head + BEGIN + as_table(rows) + END + rest.split(END)[1]


def main():
    """Gather, and write."""
    rows = gathered(ROOT / "build" / "soak")
    if not rows:
        sys.exit("build/soak holds nothing: say python course.py soak first")
    lines = ",\n".join(json.dumps(row) for row in rows)
    text = with_table((ROOT / "SECURITY.md").read_text(encoding="utf-8"), rows)
    for name, content in (
        ("benchmarks/results/soak.json", f"[\n{lines}\n]\n"),
        ("SECURITY.md", text),
    ):
        (ROOT / name).write_text(content, encoding="utf-8", newline="\n")
    print(as_table(rows), end="")


if __name__ == "__main__":
    main()
