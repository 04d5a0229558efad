"""Write the part of benchmarks/README.md on Table IV: python -m book.build.table_iv.

It stands between two marks. Every number in it, and every verdict, is computed here from the
stored comparisons, so that it is never older than benchmarks/results/table_iv_NAME.json.
"""

import json

from book.build import ROOT
from book.build.claims import p_text, rows_of_sets, table, trainings, verdicts
from lstm_course.lessons import claims
from lstm_tools.table_iv.comparison import ROWS, TRAINED

BEGIN, END = "<!-- table iv -->\n", "<!-- end of table iv -->\n"
SETS = {"msrd": "movie searches", "onet": "job titles"}  # the sample's is in lesson 10b
SAID = [f"LSTM above {claims.BEST}", "LSTM above RNN", "both directions above one", *claims.PAST]


def stored(name):
    """A comparison as it was last stored."""
    path = ROOT / "benchmarks" / "results" / f"table_iv_{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def line_of(row, rows_of):
    """A row's nDCG on each set that has it."""
    cells = [f"`{row}`"]
    for rows in rows_of.values():
        if row not in rows:
            cells += ["", "", ""]
            continue
        at_1, at_3, at_10 = (rows[row][f"nDCG@{k}"] for k in (1, 3, 10))
        cells += [f"{at_1['mean']:.3f}", f"{at_3['mean']:.3f}"]
        cells.append("{mean:.3f} ({low:.3f}–{high:.3f})".format(**at_10))
    return cells


def points(value, plus=True):
    """A number of points with a minus sign that reads as one."""
    return f"{value:{'+' if plus else ''}.2f}".replace("-", "−")


def shown(claim, mean, low, high, p, against, verdict, above):
    """How far one row is above another, what it says, and what the seeds leave of it."""
    on = f"`{against}`: " if claim.endswith(claims.BEST) else ""
    interval = f"{points(low, plus=False)} to {points(high, plus=False)}"
    of_pairs = f"{(above > 0).sum()} of {above.size}"
    return f"{on}{points(mean)} ({interval}; {p_text(p)}): {verdict}; {of_pairs}"


def differences(rows_of):
    """What the table says of some of the paper's claims, and of the rows past it."""
    lines, pairs = [], claims.PAPERS | claims.PAST
    found = {claim: own for some in verdicts().values() for claim, own in some.items()}
    for claim in SAID:
        above = {name: claims.over_seeds(rows, *pairs[claim]) for name, rows in rows_of.items()}
        cells = [shown(claim, **found[claim][name], above=above[name]) for name in rows_of]
        lines.append([claim, *cells])
    return table(["nDCG@10, in points", *rows_of], lines)


def chosen():
    """What the search of each trained row has found."""
    rows_of = rows_of_sets()
    settings = lambda row: ", ".join(
        f"{row['chosen'][key]:.2g}" for key in ("step_size", "gamma", "epochs")
    )
    lines = [
        [f"`{row}`", *(settings(rows[row]) if row in rows else "" for rows in rows_of.values())]
        for row in TRAINED
        if row in rows_of["sample"]
    ]
    return table(["step, γ, epochs", *rows_of], lines)


def part():
    """What stands between the marks."""
    results = {name: stored(name) for name in SETS}
    rows_of = {name: claims.by_row(result) for name, result in results.items()}
    named = ", ".join(
        f"{name}, {what} ({results[name]['metric']['n_queries']} queries)"
        for name, what in SETS.items()
    )
    seeds = max(row["seeds"] for rows in rows_of.values() for row in rows.values())
    dates = sorted({result["date"] for result in results.values()})
    memory = max(row["memory"] or 0 for rows in rows_of.values() for row in rows.values())
    depths = [f"{name} @{k}" for name in SETS for k in (1, 3, 10)]
    return f"""\
Table IV on real judged searches: {named}. nDCG with gain 2^grade − 1, ties averaged, 95 % \
bootstrap interval over queries; rows trained {trainings(rows_of)}, a query counting with its mean \
({" and ".join(dates)}, `python -m lstm_edu compare train_pairs.tsv judgments.tsv \
--sentences data_samples/sentences.txt --seeds {seeds} --folder NAME --json > \
benchmarks/results/table_iv_NAME.json` for each; at most {memory:.0f} MB a process). Step size, γ \
and epochs of every trained row are chosen by the same search on held-out training queries, never \
on the judgments.

{table(["", *depths], [line_of(row, rows_of) for row in ROWS if row in rows_of["msrd"]])}
How far one row is above another, query by query, with its 95 % interval, of queries and trainings \
together, and p by Holm's method for all such lines on all sets. It *holds*, or is *reversed*, \
where p is below .05; else the rows are *level* if the interval is within half a point of zero, or \
it is *open*. The last two numbers are of trainings: in how many pairs, one of each row, the first \
is above the second.

{differences(rows_of)}
What the searches chose, step size, γ and epochs:

{chosen()}"""


def with_part(text):
    """The page with the part between its two marks."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + part() + END + rest.split(END)[1]


if __name__ == "__main__":
    page = ROOT / "benchmarks" / "README.md"
    text = with_part(page.read_text(encoding="utf-8"))
    page.write_text(text, encoding="utf-8", newline="\n")
