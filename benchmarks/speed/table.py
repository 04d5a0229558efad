"""Everything about speed, measured anew, and the tables that README.md beside this file shows.

    python -m benchmarks.speed.table [--stored]

Runs step, epoch, encode and search, each in a process of its own, stores their figures beside this
file, and prints the table in Markdown. With --stored it prints what is stored.
"""

import argparse
import json
import subprocess
import sys

from lstm_tools.table_iv.memory import in_words

from ..experiments.experiment import RESULTS

NAMES = "step", "epoch", "encode", "search"


def run(name):
    """Measure, and store the figures."""
    module, figures = f"benchmarks.speed.{name}", str(RESULTS / f"{name}.json")
    subprocess.run([sys.executable, "-m", module, "--json", figures], check=True)


def stored(name):
    """The figures as they were last stored."""
    with open(RESULTS / f"{name}.json", encoding="utf-8") as file:
        return json.load(file)


def table(step, epoch, encode, search):
    """The table, Markdown; each argument what its benchmark stored."""

    def cells(ms, scale):
        if ms is None:
            return "not measured"
        by_hand = step[scale]["bptt_ms"]
        return f"{ms:,.1f} ms" + (f" ({ms / by_hand:.1f})" if ms != by_hand else "")

    def row(what, key):
        paper, classroom = (cells(step[scale].get(key), scale) for scale in ("paper", "classroom"))
        return f"| {what} | {paper} | {classroom} |"

    e, t, s, paper = epoch["epoch"], encode["encode"], search["search"], step["paper"]
    wide = paper["ratios"]["ten times the trigrams / bptt"]
    wide_dense = paper["ten_times_dense_ms"] / paper["dense_ms"]
    return "\n".join(
        [
            "| one training step (times that by hand) "
            "| paper: 50,000 trigrams, 96 cells, 1,024 pairs | classroom: 3,000, 32, 256 |",
            "|---|---|---|",
            row("by hand, `lstm_edu.train`", "bptt_ms"),
            row("PyTorch eager, two threads", "torch_ms"),
            row("autograd", "autograd_ms"),
            row("arithmetic and memory alone, the floor", "floor_ms"),
            "",
            "| at the paper's scale | |",
            "|---|---|",
            f"| ten times the trigrams, same touched rows | {wide:.2f} of the step "
            f"({wide_dense:.1f} with the dense update) |",
            f"| an epoch of {e['pairs']:,} pairs "
            f"| {e['epoch_s']:.1f} s, {in_words(e['peak_mb'])} |",
            f"| titles embedded a second | {t['titles_per_second']:,} |",
            f"| ten best of {s['titles']:,} titles "
            f"| {s['ms_per_query']:.1f} ms a query, {in_words(s['peak_mb'])} |",
            "",
            f"Two cores, {step['date']}; `python -m benchmarks.speed.table`."
            + shared(paper.get("others_share")),
        ]
    )


def shared(share):
    """What has to be said if the processors were not ours alone."""
    if share is None or share < 0.1:
        return ""
    return (
        f" Other programs had {share:.0%} of the processors during the steps, "
        "which costs two threads that work together most."
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--stored", action="store_true", help="print what is stored, and measure nothing"
    )
    args = parser.parse_args()
    for name in () if args.stored else NAMES:
        run(name)
    print(table(*map(stored, NAMES)))
