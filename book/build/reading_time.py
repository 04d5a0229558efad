"""How long the lessons take to read: python -m book.build.reading_time

Counted are the words of the prose (a formula among them is one), displayed formulas, rows of
tables, lines of code, and figures and tables that the code makes; not the exercises, nor what is
folded. At the pace of PACE a student who knows NumPy and calculus has read them once, and has
tried nothing. Lessons state the sum, rounded to five minutes.
"""

import json
import re

from book.build import ROOT

LESSONS = ROOT / "notebooks"
END = re.compile("^## (?:Exercises|To think about)", re.MULTILINE)
# seconds; a formula and a line of code are worked through, not skimmed
PACE = {"words": 0.3, "formulas": 25, "rows": 4, "lines of code": 2, "figures": 15}


def counts(page):
    """What there is to read in a notebook, by the kinds of `PACE`."""
    cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
    prose, code, figures = [], [], 0
    for cell in cells:
        if cell["cell_type"] == "markdown":
            if END.search("".join(cell["source"])):
                prose += END.split("".join(cell["source"]))[0].splitlines()
                break
            prose += [*"".join(cell["source"]).splitlines(), ""]
        elif "remove-cell" not in cell["metadata"].get("tags", []):
            if not cell["metadata"].get("jupyter", {}).get("source_hidden"):
                code += [line for line in cell["source"] if line.strip()]
            figures += sum(
                bool({"image/png", "text/html"} & set(output.get("data", {})))
                for output in cell["outputs"]
            )
    text = re.sub("<details>.+?</details>", "", "\n".join(prose), flags=re.DOTALL)
    rows = re.findall(r"^\|.*$", text, flags=re.MULTILINE)
    text = re.sub(r"^\|.*$", "", text, flags=re.MULTILINE)
    formulas = re.compile(r"\$\$.+?\$\$", re.DOTALL)
    words = re.findall(r"\$[^$]+\$|[\w'-]+", formulas.sub(" ", text))
    return dict(zip(PACE, (len(words), len(formulas.findall(text)), len(rows), len(code), figures)))


def minutes(page):
    """Minutes to read a notebook."""
    return sum(PACE[kind] * n for kind, n in counts(page).items()) / 60


def stated(page):
    """The minutes that it says it takes."""
    return int(re.search(r"\*\*Time\*\*: (\d+) minutes to read", page.read_text("utf-8"))[1])


if __name__ == "__main__":
    for page in sorted(LESSONS.glob("[0-9]*.ipynb")):
        parts = ", ".join(f"{n:,} {kind}" for kind, n in counts(page).items())
        print(f"{page.stem:28} {minutes(page):3.0f} minutes, says {stated(page)}: {parts}")
