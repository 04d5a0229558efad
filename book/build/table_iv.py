"""Tables and verdicts from the stored comparisons of Table IV, for pages in Markdown."""

import json

from book.build import stored
from lstm_course.lessons import claims
from lstm_tools.table_iv.comparison import ROWS
from lstm_tools.table_iv.results import BASELINES

SETS = "sample", "msrd", "onet"
PUBLIC = {"msrd": "movie searches", "onet": "job titles"}  # lesson 10b has the sample's table
IN_README = [
    f"LSTM above {claims.BEST}",
    "LSTM above RNN",
    "both directions above one",
    *claims.PAST,
]
TIMES = {1: "once", 3: "three times"}


def table(head, rows):
    """Format a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def rows_of(sets=SETS):
    """Return the rows of the stored tables, keyed by data set."""
    return {name: claims.by_row(stored(f"table_iv_{name}")) for name in sets}


def at_depth_1(rows):
    """Select the rows with results at depth 1 (nDCG@1), in the form that `claims.difference` takes.

    In each row, ``against`` names the best baseline at depth 1, which must itself be selected.
    """
    baselines = {row: rows[row]["nDCG@1"]["mean"] for row in rows if row in BASELINES}
    best = max(baselines, key=baselines.__getitem__)
    at_1 = {row: result for row, result in rows.items() if "at_1" in result}
    return {row: result | result["at_1"] | {"against": best} for row, result in at_1.items()}


def rounded(found):
    """Round the numbers in nested dictionaries to six digits."""
    return json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 6))


def verdicts():
    """Judge the claims of the paper and of the course from the stored tables."""
    rows = rows_of()
    found = {name: claims.verdicts(rows, pairs) for name, pairs in claims.FAMILIES.items()}
    first = {name: at_depth_1(of_set) for name, of_set in rows.items()}
    return rounded(found | {"depth 1": claims.verdicts(first, claims.HEADLINE)})


def trainings(rows):
    """Describe how many times each row was trained, as in "three times"."""
    often = {name: of_set[claims.LSTM]["seeds"] for name, of_set in rows.items()}
    often = {name: TIMES.get(n, f"{n} times") for name, n in often.items()}
    if len(set(often.values())) == 1:
        return next(iter(often.values()))
    return " and ".join(f"{n} on {name}" for name, n in often.items())


def p_text(p):
    """Format a p value, as "p 0.012" or "p < 0.001"."""
    return "p < 0.001" if p < 0.001 else f"p {p:.3f}"


def of_claims():
    """Return claims.md's values on Table IV: differences in the paper's and in our tables."""

    def shown(claim, mean, low, high, p, against, verdict):
        on = f" on `{against}`" if claim.endswith(claims.BEST) else ""
        by_interval = "holds" if low > 0 else "reversed" if high < 0 else "open"
        survives = "yes" if p < 0.05 else "no"
        corrected = "" if by_interval == "open" else f", corrected: {survives} ({p_text(p)})"
        return f"{mean:+.2f} ({low:.2f} to {high:.2f}){on}: **{by_interval}**{corrected}"

    found, lines = verdicts(), []
    for claim, of_sets in found["paper"].items():
        a, b = claims.PAPERS[claim]
        in_print = claims.in_print(a, claims.BEST_IN_PRINT if b == claims.BEST else b)
        lines.append([claim, f"{in_print:+.1f}", *(shown(claim, **of_sets[on]) for on in SETS)])
    at_1 = f"{claims.PAPER[claims.LSTM][0] - claims.PAPER[claims.BEST_IN_PRINT][0]:+.1f}"
    (first,) = found["depth 1"].values()
    ours = [shown(claims.BEST, **first[on]) for on in SETS]
    lines.insert(1, ["... at depth 1, three cells of their own", at_1, *ours])
    above_chance = [
        100 * (rows["doc2vec"]["nDCG@10"]["mean"] - about["nDCG@10 in random order"])
        for rows, about in zip(rows_of().values(), map(stored("sets")["sets"].get, SETS))
    ]
    return {
        "doc2vec": "{:+.1f}, {:+.1f} and {:+.1f}".format(*above_chance),
        "trainings": trainings(rows_of()),
        "n_cells": len(claims.PAPERS) * len(SETS),
        "table_iv": table(["claim", "the paper", *SETS], lines),
    }


def line_of(row, rows):
    """Format a row of the table, with empty cells for data sets on which it wasn't measured."""
    cells = [f"`{row}`"]
    for of_set in rows.values():
        if row not in of_set:
            cells += ["", "", ""]
            continue
        at_1, at_3, at_10 = (of_set[row][f"nDCG@{k}"] for k in (1, 3, 10))
        cells += [f"{at_1['mean']:.3f}", f"{at_3['mean']:.3f}"]
        cells.append("{mean:.3f} ({low:.3f}–{high:.3f})".format(**at_10))
    return cells


def difference(claim, above, mean, low, high, p, against, verdict):
    """Format a difference: mean, interval, p value, verdict, and share of positive ``above``.

    ``above`` has the difference for each pair of training runs.
    """
    on = f"`{against}`: " if claim.endswith(claims.BEST) else ""
    numbers = f"{mean:+.2f} ({low:.2f} to {high:.2f};".replace("-", "−")
    return f"{on}{numbers} {p_text(p)}): {verdict}; {(above > 0).sum()} of {above.size}"


def differences(rows):
    """Return the README's table of the differences that the paper and the course claim."""
    pairs = claims.PAPERS | claims.PAST
    found = {claim: judged for family in verdicts().values() for claim, judged in family.items()}
    lines = []
    for c in IN_README:
        above = {on: claims.over_seeds(of_set, *pairs[c]) for on, of_set in rows.items()}
        lines.append([c, *(difference(c, above[on], **found[c][on]) for on in rows)])
    return table(["nDCG@10, in points", *rows], lines)


def of_readme():
    """Return the numbers and tables that the template table_iv.md names in braces."""
    results, rows = {on: stored(f"table_iv_{on}") for on in PUBLIC}, rows_of(PUBLIC)
    every = [row for of_set in rows.values() for row in of_set.values()]
    depths = [f"{on} @{k}" for on in PUBLIC for k in (1, 3, 10)]
    queries = {on: result["metric"]["n_queries"] for on, result in results.items()}
    return {
        "sets": ", ".join(f"{on}, {kind} ({queries[on]} queries)" for on, kind in PUBLIC.items()),
        "trainings": trainings(rows),
        "dates": " and ".join(sorted({result["date"] for result in results.values()})),
        "seeds": max(row["seeds"] for row in every),
        "memory": max(row["memory"] or 0 for row in every),
        "rows": table(["", *depths], [line_of(row, rows) for row in ROWS if row in rows["msrd"]]),
        "differences": differences(rows),
    }
