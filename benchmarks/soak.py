"""Write the table of the soak tests' trials and losses into SECURITY.md.

    python course.py soak          # an hour on two cores; each test records its trials
    python -m benchmarks.soak      # stores the records in benchmarks/results, writes the table

CONTRIBUTING.md has the command that runs a hundredth of the soak, in a minute or two.
"""

import json
import sys

from book.build import RESULTS, ROOT, read, replace_part, write


def records(folder):
    """Read the soak tests' records, except those of mutants, as dicts (what, tried, lost, date)."""
    paths = [path for path in folder.glob("*.json") if not path.stem.startswith("mutants")]
    return sorted((json.loads(read(path)) for path in paths), key=lambda row: row["what"])


def as_table(rows):
    """Format the records as a Markdown table."""
    lines = ["| tried | times | lost | |", "|---|--:|--:|---|"]
    lines += [f"| {r['what']} | {r['tried']:,} | {r['lost']:,} | {r['date']} |" for r in rows]
    return "".join(line + "\n" for line in lines)


if __name__ == "__main__":
    rows = records(ROOT / "build" / "soak")
    if not rows:
        sys.exit("build/soak is empty: run python course.py soak first")
    lines = ",\n".join(json.dumps(row) for row in rows)
    write(RESULTS / "soak.json", f"[\n{lines}\n]\n")
    replace_part(ROOT / "SECURITY.md", "soak", as_table(rows))
    print(as_table(rows), end="")
