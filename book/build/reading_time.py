"""Estimate how long the lessons take to read: python -m book.build.reading_time.

The estimate counts words (an inline formula is one word), displayed formulas, table rows, lines of
code, and figures and tables that the code makes. Exercises, folded parts and link addresses don't
count. PACE is for a student who knows NumPy and calculus, reads once and tries nothing; SLOW is for
one who works through everything, or reads in a foreign language. Both are assumed, not measured.
Lessons state the estimate for PACE, rounded to five minutes; the teacher's page quotes SLOW.
"""

import json
import re

from book.build import LESSONS, front, prose, read, source

END = re.compile("^## (?:Exercises|To think about)", re.MULTILINE)
# seconds per item, if formulas and lines of code are worked through, not skimmed
PACE = {"words": 0.3, "formulas": 25, "rows": 4, "lines of code": 2, "figures": 15}
SLOW = {"words": 0.6, "formulas": 60, "rows": 8, "lines of code": 5, "figures": 30}
UNREAD = re.compile(r"<details>.+?</details>|(?<=\])\([^)\s]*\)", re.DOTALL)  # folded parts, URLs
FORMULA = re.compile(r"\$\$.+?\$\$", re.DOTALL)
ROW = re.compile(r"^\|.*$", re.MULTILINE)


def counts(page):
    """Count a notebook's items of each kind in `PACE`."""
    text, lines, figures = "", 0, 0
    for cell in json.loads(read(page))["cells"]:
        if cell["cell_type"] == "markdown":
            before, *rest = END.split(source(cell))
            text += before + "\n\n"
            if rest:
                break
        elif "remove-cell" not in cell["metadata"].get("tags", []):
            if not cell["metadata"].get("jupyter", {}).get("source_hidden"):
                lines += sum(bool(line.strip()) for line in cell["source"])
            shown = [{"image/png", "text/html"} & {*o.get("data", {})} for o in cell["outputs"]]
            figures += sum(map(bool, shown))
    text = UNREAD.sub("", text)
    words = re.findall(r"\$[^$]+\$|[\w'-]+", FORMULA.sub(" ", ROW.sub("", text)))
    formulas = FORMULA.findall(ROW.sub("", text))
    rows = ROW.findall(text)
    return dict(zip(PACE, (len(words), len(formulas), len(rows), lines, figures)))


def minutes(page, pace=PACE):
    """Estimate a notebook's reading time in minutes."""
    return sum(pace[kind] * n for kind, n in counts(page).items()) / 60


def stated(page):
    """Return the reading time in minutes that a notebook states."""
    return int(front.TIME.search(prose(page))[1])


if __name__ == "__main__":
    for page in LESSONS:
        parts = ", ".join(f"{n:,} {kind}" for kind, n in counts(page).items())
        print(
            f"{page.stem:28} {minutes(page):3.0f} minutes, says {stated(page)}; "
            f"slowly {minutes(page, SLOW):.0f}: {parts}"
        )
