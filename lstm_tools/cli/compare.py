"""`lstm-edu compare`: compute Table IV."""

import datetime
import os
from json import dumps
from typing import Annotated

from lstm_edu._util import files
from lstm_edu._util.files import InputError
from lstm_edu.ranking.ndcg import KINDS
from lstm_edu.readers import read_judgments, read_pairs

from ..table_iv import comparison, results, store
from .messages import check_written, from_the_course, say, tell

FIGURES = ".png", ".svg", ".pdf"


def compare(
    pairs,
    judgments,
    *,
    rows=None,
    seeds: int = 1,
    epochs: int = 16,
    search_pairs: int = 8_000,
    jobs: int = 2,
    header: bool = False,
    skip_bad: bool = False,
    ndcg: Annotated[str, KINDS] = "exponential",
    skip_thought=None,
    sentences=None,
    folder=None,
    figure=None,
    json: bool = False,
):
    """Compute Table IV on a click log and judged queries, or resume a stopped comparison.

    Parameters
    ----------
    pairs
        The click log.
    judgments
        The judged queries.
    seeds
        Number of training runs per trained row.
    epochs
        Maximum number of epochs per training run.
    search_pairs
        Maximum number of pairs on which step size and gamma are chosen.
    jobs
        Number of rows to compute at the same time.
    skip_bad
        Skip bad lines of the log, and report their number.
    skip_thought : FOLDER
        Folder with the files of a Skip-Thought model.
    sentences : FILE
        Text with one sentence per line, to train a small Skip-Thought model on instead.
    folder
        Folder for the results of finished parts (one in the user's cache).
    figure : FILE
        Also draw the table into this file, a .png, .svg or .pdf.
    json
        Print JSON.
    """
    draw = None if figure is None else _drawer(figure, pairs, judgments, sentences)
    pairs, judgments = read_pairs(pairs, skip_bad, None, header), read_judgments(judgments, header)
    settings = ndcg, epochs, search_pairs, skip_thought, sentences
    folder = store.default_folder() if folder is None else folder
    rows = comparison.ROWS if rows is None else rows.split(",")
    try:
        result = comparison.table_iv(pairs, judgments, folder, rows, seeds, *settings, jobs, tell)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"the finished parts are in {folder}; run the same command to resume"
        ) from None
    if json:
        head = {"date": str(datetime.date.today()), "pairs": len(pairs), "seeds": seeds}
        head |= {"epochs": epochs, "search_pairs": search_pairs, "metric": result["metric"]}
        lines = ",\n".join(map(dumps, result["rows"]))  # JSON with one row of the table per line
        say(f'{dumps(head)[:-1]}, "rows": [\n{lines}]}}')
    else:
        say(results.as_text(result))
    if draw is not None:
        draw(result)


def _drawer(figure, pairs, judgments, sentences):
    """Return a function that draws a result into a file; raise InputError if that would fail."""
    with from_the_course("--figure"):
        from lstm_course import plots

    kind = os.path.splitext(figure)[1].lower()
    if kind not in FIGURES:
        raise InputError(f"--figure: {figure!r}; must end in {', '.join(FIGURES)}")
    check_written("--figure", figure, pairs, judgments, sentences)

    def draw(result):
        drawn = plots.comparison(result)
        files.replace(figure, lambda file: drawn.savefig(file, format=kind[1:]))

    return draw
