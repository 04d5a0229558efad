"""Write notebooks/claims.md, the paper's claims and their verdicts: python -m book.build.claims.

The verdicts on Table IV are stored once, in benchmarks/results/verdicts.json, for lessons and
pages. The numbers are read from the files of benchmarks/, and the verdicts follow from them, so
that the page is never older than these.
"""

import json
from urllib.parse import quote

import numpy as np

from book.build import ROOT
from book.build.paper_claims import LEARNING, READING, Claim
from lstm_course.lessons import claims
from lstm_tools.table_iv.results import BASELINES

PAGE = ROOT / "notebooks" / "claims.md"
RESULTS = ROOT / "benchmarks" / "results"
VERDICTS = RESULTS / "verdicts.json"
SETS = "sample", "msrd", "onet"
HEAD = """# Every claim of the paper, and what became of it

What the paper (arXiv:1502.06922v3) says it has found, what this course finds on its own data, and a
verdict:

- **holds**: our number is on the claim's side, and other queries and other trainings would hardly
  change that;
- **reversed**: it is on the other side, as clearly;
- **level**: neither, and the two are within half a point of each other;
- **one example**: one pair of texts, one model or one seed shows it; another may not;
- **open**: none of these, or the paper's own words can't be measured, or we haven't.

Our log is not the paper's: a verdict is about the claim on our data, and *reversed* doesn't mean
that the paper's number is wrong. Each lesson says what was not varied.

The page is written by `python -m book.build.claims` from the files of
[benchmarks](../benchmarks/README.md); `tests/pages/test_claims.py` holds it up to date.
"""


def of_benchmarks():
    """The numbers that claims take from the files of benchmarks/, by the names in ``found``."""
    curves, settings = (
        json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("curves", "settings")
    )
    pooled = np.mean(
        [
            np.var([run["held_out"][-1] for run in changed["runs"]], ddof=1)
            for group in settings["groups"].values()
            for changed in group
            if len(changed["runs"]) > 1
        ]
    )
    last = {name: np.array(curves["models"][name]["cost"])[:, -1] for name in ("LSTM", "RNN")}

    def held_out(group, setting, *values):
        found = {run["changed"][setting]: run for run in settings["groups"][group]}
        return [np.mean([run["held_out"][-1] for run in found[value]["runs"]]) for value in values]

    mu = held_out("mu", "momentum", 0.0, 0.9)
    scaled = held_out("mu, step (1 - mu) / 0.1 as large", "momentum", 0.0, 0.9)
    schedule = held_out("mu", "momentum", "schedule", 0.9)
    printed = held_out("method", "method", "printed", "bptt")
    pair = "{:.3f} and {:.3f}".format
    ends = "{:.4f} ({:.4f} to {:.4f})".format
    said = [ends(cost.mean(), cost.min(), cost.max()) for cost in last.values()]
    of_sets = json.loads((RESULTS / "sets.json").read_text(encoding="utf-8"))["sets"]
    doc2vec = [
        100 * (rows["doc2vec"]["nDCG@10"]["mean"] - of_sets[name]["nDCG@10 in random order"])
        for name, rows in rows_of_sets().items()
    ]
    return of_asked() | {
        "doc2vec": "{:+.1f}, {:+.1f} and {:+.1f}".format(*doc2vec),
        "curves": f"After {curves['epochs']} epochs {said[0]} against {said[1]}, lowest to highest "
        f"of {curves['seeds']} seeds, each with its own step",
        "worst": last["LSTM"].max(),
        "best": last["RNN"].min(),
        "mu": pair(*mu),
        "mu_scaled": pair(*scaled),
        "schedule": pair(*schedule),
        "nesterov": min(mu[1] - mu[0], scaled[1] - scaled[0]),
        "spread": 1.96 * np.sqrt(2 / 3 * pooled),
        "printed": f"{printed[0]:.3f} against {printed[1]:.3f} by BPTT",
    }


ASKED = {  # by the names in ``found``: what benchmarks/experiments/claims_asked.py has asked
    "order": "nDCG@10, LSTM - RNN, order decides",
    "no_order": "nDCG@10, LSTM - RNN, order does not",
    "forget": "nDCG@10, forget gate - LSTM, all",
    "forget_order": "nDCG@10, forget gate - LSTM, order decides",
    "diagonal": "nDCG@10, diagonal peepholes - LSTM, all",
    "full": "nDCG@10, full peepholes - LSTM, all",
    "left_out": "left out, content - filler",
    "gate": "input gate, content - filler",
    "held": "nDCG@10, queries' gate held - free",
    "cells": "cells assigned, content - filler",
    "filler": "share of cells assigned to filler, RNN - LSTM",
    "shared": "cells shared, same word - other words",
    "topic": "share of the commonest topic, cells",
    "turned": "share of the commonest topic, turned axes",
    "right": "pairs of titles in the right order, LSTM - RNN",
    "rnn_before": "error left eight words back, RNN, before training",
    "rnn_after": "error left eight words back, RNN, after",
    "lstm_before": "error left eight words back, LSTM, before training",
    "lstm_after": "error left eight words back, LSTM, after",
} | {f"words_{n}": f"nDCG@10, LSTM - RNN, {n} words behind each title" for n in (0, 5, 10, 20)}


def of_asked():
    """What five trainings say of each question of `ASKED`: in words, its low and its high end."""
    path = RESULTS / "claims_asked.json"
    asked, found = json.loads(path.read_text(encoding="utf-8"))["asked"], {}
    for name, question in ASKED.items():
        own = asked[question]
        if "mean" in own:
            ends = own["low"], own["high"]
            form = "+.1f" if abs(own["mean"]) > 1 else "+.3f"
            mean, low, high = (format(own[end], form) for end in ("mean", "low", "high"))
            said = f"{mean} ({low.lstrip('+')} to {high.lstrip('+')})"
        else:  # shares, of which each training's is told
            ends = min(own["by_seed"]), max(own["by_seed"])
            digits = 2 if ends[1] < 0.01 else 1 if ends[1] < 0.2 else 0
            said = " to ".join(f"{100 * end:.{digits}f}" for end in ends) + " %"
        found |= {name: said, name + "_low": ends[0], name + "_high": ends[1]}
    of_words = []
    for n in (0, 5, 10, 20):
        both = "{RNN:.3f}, {LSTM:.3f}".format(**asked[f"nDCG@10 with {n} words more"])
        of_words.append(f"{n}: {both}, {found[f'words_{n}']}")
    return found | {"words": "; ".join(of_words)}


def lesson(number):
    """A lesson's file and its cells."""
    path = next((ROOT / "notebooks").glob(f"{number}_*.ipynb"))
    return path.name, json.loads(path.read_text(encoding="utf-8"))["cells"]


def link(claim):
    """A link to the section of a lesson."""
    page, _ = lesson(claim.lesson)
    if not claim.heading:
        return f"[{claim.lesson}]({page})"
    anchor = quote(claim.heading.replace(" ", "-"), safe="-.,")
    return f"[{claim.lesson}, {claim.heading}]({page}#{anchor})"


def row(claim, numbers):
    """A line of a table."""
    verdict = claim.verdict(**numbers) if callable(claim.verdict) else claim.verdict
    return [claim.said, claim.found.format(**numbers), f"**{verdict}**", link(claim)]


def table(head, rows):
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def rows_of_sets():
    """The rows of the stored tables, by set."""
    return {
        name: claims.by_row(
            json.loads((RESULTS / f"table_iv_{name}.json").read_text(encoding="utf-8"))
        )
        for name in SETS
    }


def p_text(p):
    """Write a p value."""
    return "p < 0.001" if p < 0.001 else f"p {p:.3f}"


def at_depth_1(rows):
    """The rows that are stored at depth 1 as well, as `claims.difference` takes them.

    ``against`` is the best baseline there, which has to be among them.
    """
    baselines = {row: own["nDCG@1"]["mean"] for row, own in rows.items() if row in BASELINES}
    best = max(baselines, key=baselines.__getitem__)
    stored = {row: own for row, own in rows.items() if "at_1" in own}
    return {row: own | own["at_1"] | {"against": best} for row, own in stored.items()}


def verdicts():
    """What the stored tables say of the claims, and of what lies past the paper."""
    rows_of = rows_of_sets()
    found = {name: claims.verdicts(rows_of, pairs) for name, pairs in claims.FAMILIES.items()}
    first = {name: at_depth_1(rows) for name, rows in rows_of.items()}
    found["depth 1"] = claims.verdicts(first, claims.HEADLINE)
    return {
        name: {
            claim: {
                on: {k: round(v, 6) if isinstance(v, float) else v for k, v in own.items()}
                for on, own in of_sets.items()
            }
            for claim, of_sets in of_claims.items()
        }
        for name, of_claims in found.items()
    }


def trainings(rows_of):
    """How often the rows were trained, in words."""
    times = {1: "once", 3: "three times"}
    often = {name: rows[claims.LSTM]["seeds"] for name, rows in rows_of.items()}
    often = {name: times.get(n, f"{n} times") for name, n in often.items()}
    if len(set(often.values())) == 1:
        return next(iter(often.values()))
    return " and ".join(f"{n} on {name}" for name, n in often.items())


def table_iv():
    """The claims of Table IV, on each set."""

    def shown(claim, mean, low, high, p, against, verdict):
        on = f" on `{against}`" if claim.endswith(claims.BEST) else ""
        return f"{mean:+.2f} ({low:.2f} to {high:.2f}){on}, {p_text(p)}: **{verdict}**"

    lines = []
    for claim, of_sets in verdicts()["paper"].items():
        a, b = claims.PAPERS[claim]
        in_print = claims.in_print(a, claims.BEST_IN_PRINT if b == claims.BEST else b)
        ours = [shown(claim, **of_sets[name]) for name in SETS]
        lines.append([claim, f"{in_print:+.1f}", *ours])
    at_1 = f"{claims.PAPER[claims.LSTM][0] - claims.PAPER[claims.BEST_IN_PRINT][0]:+.1f}"
    (first,) = verdicts()["depth 1"].values()
    told = [shown(claims.BEST, **first[name]) for name in SETS]
    lines.insert(1, ["... at depth 1, three cells of their own", at_1, *told])
    return table(["claim", "the paper", *SETS], lines)


def page():
    """The text of the page."""
    numbers, head = of_benchmarks(), ["the paper says", "we find", "verdict", "lesson"]
    claim_by_claim = link(Claim("", "", "", "10b", "Claim by claim"))
    parts = [
        HEAD,
        "## Training and memory\n",
        table(head, [row(claim, numbers) for claim in LEARNING]),
        "## What the cells do\n",
        table(head, [row(claim, numbers) for claim in READING]),
        "## Table IV\n",
        f"Differences in nDCG@10, in points (hundredths), as {claim_by_claim} explains: between "
        f"rows that were trained {trainings(rows_of_sets())}, a query counting with its mean, with "
        "the 95 % interval of queries and trainings together, and p by Holm's method for all "
        f"{len(claims.PAPERS) * len(SETS)} cells. A claim holds, or is reversed, where p is below "
        ".05. msrd is the only set of real searches with real judges. The paper's "
        "headline, 1.3 points of nDCG@1 above the best baseline, is a difference to the CLSM with "
        "a window of one word; to the best baseline of its table it is 1.0.\n",
        table_iv(),
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    text = json.dumps(verdicts(), indent=1)
    VERDICTS.write_text(text + "\n", encoding="utf-8", newline="\n")
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
