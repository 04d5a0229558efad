"""Write notebooks/claims.md, the paper's claims and what became of each: python book/claims.py.

The numbers are read from the stored outputs of the lessons' cells and from the files of
benchmarks/, and the verdicts follow from them, so that the page is never older than these.
"""

import json
import pathlib
import re
from typing import NamedTuple
from urllib.parse import quote

import numpy as np

from lstm_edu.table_iv import claims
from lstm_edu.table_iv.results import BASELINES

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "notebooks" / "claims.md"
INTERVAL = r"(?P<mean>[-+]?[\d.]+) \((?P<low>-?[\d.]+) to (?P<high>-?[\d.]+)\)"
SETS = "sample", "msrd", "onet"
HEAD = """# Every claim of the paper, and what became of it

What the paper (arXiv:1502.06922v3) says it has found, what this course finds on its own data, and a verdict:

- **holds**: our number is on the claim's side, and its 95 % interval leaves out zero, or all seeds agree;
- **reversed**: it is on the other side, as clearly;
- **open**: neither, or the paper's own words can't be measured, or we haven't.

An interval is over the judged queries and knows of no other seed, unless seeds are named. Our log is not the paper's: a verdict is about the claim on our data, and *reversed* doesn't mean that the paper's number is wrong. Each lesson says what was not varied.
The page is written by `python book/claims.py` from the lessons' stored cells and the files of [benchmarks](../benchmarks/README.md); `tests/test_claims.py` holds it up to date.
"""  # noqa: E501


class Claim(NamedTuple):
    """A claim, and where to read what we found.

    ``found`` names numbers in braces: the groups of ``pattern`` in what a cell of the lesson
    printed. ``verdict`` takes these numbers, or is a word.
    """

    said: str
    found: str
    verdict: object
    lesson: str
    heading: str
    cell: str = ""
    pattern: str = ""


def above_zero(low, high, **_):
    """The verdict of an interval on a claim that something is above zero."""
    return claims.verdict(low, high)


def below_zero(low, high, **_):
    """The same of the claim that it is below."""
    return claims.verdict(-high, -low)


LEARNING = [
    Claim(
        "In the RNN gradients vanish (III-B): before training",
        "{before} % of the last word's error get eight words back",
        lambda before, **_: "holds" if before < 10 else "reversed",
        "07",
        "Where do errors get to?",
        "07-18",
        r"gets (?P<before>[\d.]+)% ",
    ),
    Claim(
        "... and in a trained one",
        "{after} % get there (one small model, one seed)",
        lambda after, **_: "holds" if after < 10 else "reversed",
        "07",
        "Where do errors get to?",
        "07-18",
        r"before training and (?P<after>[\d.]+)% after",
    ),
    Claim(
        "In the LSTM they don't: it is a solution to this (III-B)",
        "{lstm_before} % of the error get eight words back before training, {lstm_after} % after",
        lambda lstm_before, lstm_after, **_: (
            "holds" if min(lstm_before, lstm_after) > 50 else "reversed"
        ),
        "07",
        "Where do errors get to?",
        "07-18",
        r"the LSTM (?P<lstm_before>[\d.]+)% and (?P<lstm_after>[\d.]+)%",
    ),
    Claim(
        "The LSTM captures long-term memory better (abstract, II)",
        "Where word order decides ({n} queries) a small LSTM minus an RNN of its size: "
        "nDCG@10 {mean} ({low} to {high}); on the others it is ahead (one seed)",
        above_zero,
        "07",
        "Does the gap grow with length, or where order decides?",
        "07-24",
        r"Order decides: \*\*(?P<mean>[-+.\d]+)\*\* \((?P<low>-?[.\d]+) to (?P<high>-?[.\d]+)\), "
        r"(?P<n>\d+) queries",
    ),
    Claim(
        "Forget gates are not a great help here (V)",
        "With one, at equal size, nDCG@10 {mean} ({low} to {high}) over all queries; where order "
        "decides {order} (one seed)",
        lambda low, high, **_: "reversed" if low > 0 else "open",
        "07",
        "Does the gap grow with length, or where order decides?",
        "07-26c",
        r"order decides +\d+ +(?P<order>\S+)[\s\S]*all queries +\d+ +(?P<mean>\S+) +"
        r"(?P<low>-?[.\d]+) to (?P<high>-?[.\d]+)",
    ),
    Claim("Peepholes are not that important (V)", "Not measured", "open", "02", ""),
    Claim(
        "The LSTM optimizes the cost more effectively than the RNN (Fig. 7)",
        "{curves}",
        lambda worst, best, **_: "holds" if worst < best else "open",
        "07",
        "Training curves (Fig. 7)",
    ),
    Claim(
        "Nesterov's method is effective (IV)",
        "Held-out nDCG@10 with μ = 0 and 0.9: {mu}, the same step; {mu_scaled}, the same effective "
        "step (three seeds)",
        lambda nesterov, **_: "holds" if nesterov > 0 else "open",
        "06",
        "What the settings do",
    ),
    Claim(
        "So is its schedule of μ (IV)",
        "Held-out nDCG@10 with the schedule and with μ = 0.9 throughout: {schedule}; one step, "
        "which was not searched for each (three seeds)",
        "open",
        "06",
        "What the settings do",
    ),
    Claim(
        "The expressions of appendices A and D are the gradient (IV)",
        "For texts of more than one word (14)-(44) are not the LSTM's gradient; held-out nDCG@10 "
        "after training with both: {printed} (three seeds)",
        "reversed",
        "05b",
        "What does not hold as printed: the whole list",
    ),
]
READING = [
    Claim(
        "The vector mainly embeds keywords (VI); valuable information is absorbed word by word "
        "(V-A1)",
        "Left out, a content word turns the embedding by a 1 − cosine of {content}, a filler word "
        "by {filler}: {mean} ({low} to {high}) apart",
        above_zero,
        "08",
        "Hold the gate still",
        "08-45",
        r"gate free +(?P<content>[.\d]+) +(?P<filler>[.\d]+) +" + INTERVAL,
    ),
    Claim(
        "Input gates attenuate unimportant words (V-A1)",
        "The mean gate is lower at filler words by {mean} ({low} to {high}); it was {content} at "
        "content words",
        above_zero,
        "08",
        "From two examples to all queries",
        "08-28",
        r"at \*\*(?P<content>[.\d]+)\*\* on content[\s\S]*difference of \*\*(?P<mean>[.\d]+)\*\* "
        r"\(95 % interval (?P<low>-?[.\d]+) to (?P<high>-?[.\d]+)\)",
    ),
    Claim(
        "It is the input gates that keep useless information out (VI)",
        "With the queries' gates held still, nDCG@10 changes by {mean} ({low} to {high})",
        below_zero,
        "08",
        "Hold the gate still",
        "08-43",
        r"queries' gate held +[.\d]+ +" + INTERVAL,
    ),
    Claim(
        "They are small at *accommodation*, *discount*, *reservation* (Fig. 8)",
        "Ours are below the title's median at {n} of the three, as {all} of all {words} words are",
        "open",
        "08",
        "The input gate alone (Fig. 8)",
        "08-17",
        r"median at (?P<n>\d) \(.*\); (?P<all>\d) of all (?P<words>\d) words",
    ),
    Claim(
        "Keywords activate more cells than unimportant words (Tables I, II, IX, X)",
        "A content word is assigned {mean} of ten cells more than a filler word ({low} to {high})",
        above_zero,
        "09",
        'What "large enough" decides',
        "09-19",
        r"\*\*(?P<mean>[.\d]+)\*\* more \(95 % interval (?P<low>-?[.\d]+) to (?P<high>-?[.\d]+)",
    ),
    Claim(
        "Words of one topic activate the same cell (abstract; Table III)",
        "The share of a cell's queries that is of its commonest topic is {mean}; of 32 axes turned "
        "at random it is {low} to {high}",
        lambda mean, low, high: "holds" if mean > high else "reversed" if mean < low else "open",
        "09",
        "Do cells line up with topics?",
        "09-36",
        r"^cells +(?P<mean>[.\d]+) +[.\d]+ to [.\d]+ +(?P<low>[.\d]+) to (?P<high>[.\d]+)",
    ),
    Claim(
        "Different words activate different cells (V-A2, Fig. 6)", "Not measured", "open", "09", ""
    ),
    Claim(
        "The LSTM's score is nearer to the grade: a Good pair (appendix C)",
        "On that pair RNN {rnn}, LSTM {lstm}",
        lambda rnn, lstm: "holds" if lstm > rnn else "reversed",
        "07",
        "Scores beside grades (appendix C)",
        "07-28",
        r"Good, in the paper +(?P<rnn>[.\d]+) +(?P<lstm>[.\d]+)",
    ),
    Claim(
        "... and a Bad one",
        "On that pair RNN {rnn}, LSTM {lstm}",
        lambda rnn, lstm: "holds" if lstm < rnn else "reversed",
        "07",
        "Scores beside grades (appendix C)",
        "07-28",
        r"Bad, in the paper +(?P<rnn>[.\d]+) +(?P<lstm>[.\d]+)",
    ),
    Claim(
        "... asked of all judged pairs: its scores agree better with the grades",
        "It puts {mean} ({low} to {high}) more of the pairs of titles in the right order",
        above_zero,
        "07",
        "Scores beside grades (appendix C)",
        "07-32a",
        r"LSTM − RNN +" + INTERVAL,
    ),
    Claim(
        "The RNN assigns more neurons to unimportant words (Tables V to VIII)",
        "{mean} of ten more to a filler word ({low} to {high})",
        above_zero,
        "07",
        "Cells for each word (Tables V to VIII)",
        "07-39",
        r"\*\*(?P<mean>[.\d]+)\*\* of ten [\s\S]*interval (?P<low>-?[.\d]+) to (?P<high>-?[.\d]+)",
    ),
    Claim(
        "Doc2Vec, as trained, is a meaningful model (appendix F)",
        "Lists of neighbours, ours and the paper's; no number could decide it",
        "open",
        "10b",
        "The nearest words (appendix F)",
    ),
]


def of_benchmarks():
    """The numbers that claims take from the files of benchmarks/, by the names in ``found``."""
    folder = ROOT / "benchmarks"
    curves, settings = (
        json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("curves", "settings")
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
    return {
        "curves": f"After {curves['epochs']} epochs {said[0]} against {said[1]}, lowest to highest "
        f"of {curves['seeds']} seeds, each with its own step",
        "worst": last["LSTM"].max(),
        "best": last["RNN"].min(),
        "mu": pair(*mu),
        "mu_scaled": pair(*scaled),
        "schedule": pair(*schedule),
        "nesterov": min(mu[1] - mu[0], scaled[1] - scaled[0]),
        "printed": f"{printed[0]:.3f} against {printed[1]:.3f} by BPTT",
    }


def lesson(number):
    """A lesson's file and its cells."""
    path = next((ROOT / "notebooks").glob(f"{number}_*.ipynb"))
    return path.name, json.loads(path.read_text(encoding="utf-8"))["cells"]


def printed(number, cell):
    """What a cell of a lesson printed, as text."""
    outputs = next(c["outputs"] for c in lesson(number)[1] if c["id"] == cell)
    texts = []
    for output in outputs:
        kinds = output.get("data", {})
        texts.append(output.get("text") or kinds.get("text/markdown") or kinds.get("text/plain"))
    return "\n".join("".join(text) for text in texts)


def link(claim):
    """A link to the section of a lesson."""
    page, _ = lesson(claim.lesson)
    if not claim.heading:
        return f"[{claim.lesson}]({page})"
    anchor = quote(claim.heading.replace(" ", "-"), safe="-.,")
    return f"[{claim.lesson}, {claim.heading}]({page}#{anchor})"


def row(claim, numbers):
    """A line of a table."""
    if claim.pattern:
        found = re.search(claim.pattern, printed(claim.lesson, claim.cell), re.MULTILINE)
        if found is None:
            raise SystemExit(f"{claim.lesson}, cell {claim.cell}: has no {claim.pattern}")
        numbers = found.groupdict()
        values = {name: float(value) for name, value in numbers.items()}
    else:
        values = numbers
    verdict = claim.verdict(**values) if callable(claim.verdict) else claim.verdict
    return [claim.said, claim.found.format(**numbers), f"**{verdict}**", link(claim)]


def table(head, rows):
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def at_depth_1(rows):
    """How far the LSTM is above the best baseline at depth 1, in points."""
    mean = {row: 100 * rows[row]["nDCG@1"]["mean"] for row in (*BASELINES, claims.LSTM)}
    return mean.pop(claims.LSTM) - max(mean.values())


def rows_of_sets():
    """The rows of the stored tables, by set."""
    return {
        name: claims.by_row(
            json.loads((ROOT / "benchmarks" / f"table_iv_{name}.json").read_text(encoding="utf-8"))
        )
        for name in SETS
    }


def trainings():
    """How often the rows were trained, in words."""
    seeds = {name: rows[claims.LSTM]["seeds"] for name, rows in rows_of_sets().items()}
    if set(seeds.values()) == {1}:
        return "once each"
    if len(set(seeds.values())) == 1:
        return f"{seeds[SETS[0]]} times each"
    return "each " + ", ".join(f"{n} times on {name}" for name, n in seeds.items())


def table_iv():
    """The claims of Table IV, on each set."""
    rows_of = rows_of_sets()

    def shown(mean, low, high, *rest):
        *test, verdict = rest
        against = "" if not test else f", on `{test[0]}`, p {test[1]:.4f}"
        return f"{mean:+.2f} ({low:.2f} to {high:.2f}){against}: **{verdict}**"

    best = [shown(*claims.against_the_best(rows_of[name], claims.LSTM)) for name in SETS]
    in_print = f"{claims.in_print(claims.LSTM, claims.BEST_IN_PRINT):+.1f}"
    at_1 = f"{claims.PAPER[claims.LSTM][0] - claims.PAPER[claims.BEST_IN_PRINT][0]:+.1f}"
    first = [f"{at_depth_1(rows_of[name]):+.1f}, not tested: **open**" for name in SETS]
    lines = [
        ["LSTM above the best baseline", in_print, *best],
        ["... at depth 1", at_1, *first],
    ]
    for claim, (a, b) in claims.CLAIMS.items():
        ours = [shown(*claims.difference(rows_of[name], a, b)) for name in SETS]
        lines.append([claim, f"{claims.in_print(a, b):+.1f}", *ours])
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
        f"rows that were trained {trainings()}, with the 95 % interval over the queries; the first "
        "line "
        "by the permutation test, corrected for the number of rows. msrd is the only set of real "
        "searches with real judges. The paper's headline, 1.3 points of nDCG@1 above the best "
        "baseline, is a difference to the CLSM with a window of one word; to the best baseline of "
        "its table it is 1.0.\n",
        table_iv(),
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
