"""Train lesson 17's Transformer on other logs: two real logs, and a larger generated log.

    python -m benchmarks.experiments.transformer_logs msrd onet larger [--seeds 5] [--json FILE]

On msrd and onet, Table IV's search chooses the settings from the log itself, and the control is the
same Transformer without positions. "larger" is a log of 80,000 pairs from the sample's generator,
of which the first 20,000 are the sample. The Transformer and an LSTM of 96 cells train on it with
the settings that the search chose on the sample, except for the default number of epochs. All rows
have the format of Table IV's rows. No setting was tuned on the judgments.
"""

from book.build import stored

from . import experiment
from .transformer import OF_SIZES, chosen, rows_of

LARGER = 80_000
ALONE = "transformer_96", "without_positions"


if __name__ == "__main__":
    args = experiment.options(__doc__, ("msrd", "onet", "larger"), seeds=5, jobs=1)
    how = range(args.seeds), args.jobs
    real = [log for log in args.sets if log != "larger"]
    settings = experiment.run(chosen, [(ALONE[0], log) for log in real], args.jobs)
    logs = {
        log: {name: (name, of_log, log, None) for name in ALONE}
        for log, of_log in zip(real, settings)
    }
    if "larger" in args.sets:
        on_sample = stored("transformer")["by size"]["5000"]  # has both rows' settings
        logs["larger"] = {
            name: (name, on_sample[name]["settings"], "sample", LARGER) for name in OF_SIZES
        }
    figures = {log: rows_of(tasks, *how) for log, tasks in logs.items()}
    experiment.write(args.json, figures)
