"""Put the rows of a comparison that was made later into a stored table of the same searches.

    python benchmarks/table_rows.py NEW.json benchmarks/table_iv_NAME.json

Both are what ``lstm_edu compare --json`` has written. A row that the table has is replaced, and it
is said what has moved; the best baseline and all p are told again of all rows together.
"""

import json
import sys

import numpy as np

from lstm_edu._util import files
from lstm_tools.table_iv.comparison import ROWS
from lstm_tools.table_iv.results import against_the_best


def merged(table, new):
    """The table with the new rows in it, in the order of `ROWS`."""
    for name in ("metric", "epochs", "search_pairs"):
        if table[name] != new[name]:
            raise SystemExit(f"{name}: {table[name]} here and {new[name]} there")
    rows = {row["row"]: row for row in table["rows"]}
    for row in new["rows"]:
        if "missing" in row:
            raise SystemExit(f"{row['row']}: {row['missing']}")
        before = rows.get(row["row"], {})
        if before.get("by_query") not in (None, row["by_query"]):
            print(row["row"], "by seed:", before["by_seed"], "before,", row["by_seed"], "now")
        rows[row["row"]] = row | {"date": new["date"]}
    rows = {name: rows[name] for name in ROWS if name in rows}
    values = {name: np.array(row["by_query"], float) for name, row in rows.items()}
    against, p = against_the_best(values)
    of_all = [row | {"p": p.get(name), "against": against} for name, row in rows.items()]
    return table | {"rows": of_all}


if __name__ == "__main__":
    new, table = (json.loads(open(path, encoding="utf-8").read()) for path in sys.argv[1:])
    table = merged(table, new)
    rows = ",\n".join(map(json.dumps, table.pop("rows")))  # a row a line
    files.write_text(sys.argv[2], json.dumps(table)[:-1] + f', "rows": [\n{rows}]}}\n')
