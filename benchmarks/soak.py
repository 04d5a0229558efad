"""Write the soak's trials and losses as a table into SECURITY.md.

    python course.py soak          # an hour on two cores; each test records its trials
    python benchmarks/soak.py      # stores the records in benchmarks/results, writes the table

CONTRIBUTING.md has the command that runs a hundredth of the soak, in a minute or two.
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- soak -->\n", "<!-- end of soak -->\n"


def gathered(folder):
    """Read the tests' records except those of mutants: dicts with what, tried, lost, date."""
    paths = [path for path in folder.glob("*.json") if not path.stem.startswith("mutants")]
    rows = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    return sorted(rows, key=lambda row: row["what"])


def as_table(rows):
    """Format the rows as a table in Markdown."""
    lines = ["| tried | times | lost | |", "|---|--:|--:|---|"]
    lines += [f"| {r['what']} | {r['tried']:,} | {r['lost']:,} | {r['date']} |" for r in rows]
    return "".join(line + "\n" for line in lines)


def with_table(text, rows):
    """Replace the table between the page's two marks."""
    head, rest = text.split(BEGIN)
    return head + BEGIN + as_table(rows) + END + rest.split(END)[1]


def main():
    """Write the soak's records to soak.json, and as a table to SECURITY.md."""
    rows = gathered(ROOT / "build" / "soak")
    if not rows:
        sys.exit("build/soak is empty: run python course.py soak first")
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
