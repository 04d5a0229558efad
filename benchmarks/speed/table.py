"""Run all timings, and print the tables of benchmarks/README.md in Markdown.

    python -m benchmarks.speed.table [--stored]

The timings are step, and epoch, encode and search of at_scale, each in a new process; their figures
are stored in benchmarks/results. With --stored, the stored figures are printed, and nothing is run.
"""

import subprocess
import sys

from book.build import RESULTS, stored

from .memory import in_words

RUNS = {"step": ["step"]} | {name: ["at_scale", name] for name in ("epoch", "encode", "search")}
WAYS = {
    "by hand, `lstm_edu.train`": "bptt_ms",
    "PyTorch eager, two threads": "torch_ms",
    "autograd": "autograd_ms",
    "arithmetic and memory alone, the floor": "floor_ms",
}
TABLE = """| one training step (times that by hand) \
| paper: 50,000 trigrams, 96 cells, 1,024 pairs | classroom: 3,000, 32, 256 |
|---|---|---|
{steps}

| at the paper's scale | |
|---|---|
| ten times the trigrams, same touched rows | {wide:.2f} of the step ({dense:.1f} with the dense \
update) |
| an epoch of {epoch[pairs]:,} pairs | {epoch[epoch_s]:.1f} s, {epoch_memory} |
| titles embedded a second | {encode[titles_per_second]:,} |
| ten best of {search[titles]:,} titles | {search[ms_per_query]:.1f} ms a query, {search_memory} |

Two cores, {date}; `python -m benchmarks.speed.table`. Other programs had {others:.0%} of the \
processors during the steps."""


def cell(figures, way):
    """Format a step's milliseconds and their ratio to the handwritten gradient's."""
    ms, by_hand = figures[way], figures["bptt_ms"]
    times = "" if way == "bptt_ms" else f" ({ms / by_hand:.1f})" if ms else ""
    return f"{ms:,.1f} ms{times}" if ms else "not measured"


def main():
    if sys.argv[1:] != ["--stored"]:
        for name, (module, *more) in RUNS.items():
            command = [sys.executable, "-m", f"benchmarks.speed.{module}", *more, "--json"]
            subprocess.run([*command, str(RESULTS / f"{name}.json")], check=True)
    found = {name: stored(name).get(name, stored(name)) for name in RUNS}
    step, paper = found.pop("step"), stored("step")["paper"]
    steps = [
        f"| {name} | {cell(paper, way)} | {cell(step['classroom'], way)} |"
        for name, way in WAYS.items()
    ]
    figures = {
        "steps": "\n".join(steps),
        "wide": paper["ratios"]["ten times the trigrams / bptt"],
        "dense": paper["ten_times_dense_ms"] / paper["dense_ms"],
        "others": paper["others_share"] or 0,
        "epoch_memory": in_words(found["epoch"]["peak_mb"]),
        "search_memory": in_words(found["search"]["peak_mb"]),
    }
    print(TABLE.format(date=step["date"], **figures, **found))


if __name__ == "__main__":
    main()
