"""Tests of the course in Pyodide (Python in a browser: 32 bits, no threads or processes)."""

import ast
import json

import pyodide
import pytest

from lstm_course import checks
from lstm_course.engine import record, slips
from lstm_course.engine.sandbox import runner

pytestmark = pyodide.needs_pyodide

LESSONS = "02_run_rnn_and_lstm", "04_bptt_rnn", "05a_bptt_lstm"
NAMES = "import numpy as np\nfrom lstm_edu.cells.lstm import sigmoid\n\n"
ALONE = runner.ALONE.replace(runner.STOPS, "Restart Kernel…")
# (check, index of one of its known mistakes)
SLIPS = ("check_step_lstm", 0), ("check_sigmoid", 3), ("check_error_of_c", 0)


PACKAGE = """
import numpy as np
import lstm_edu

pairs = lstm_edu.read_pairs(lstm_edu.sample() / "train_pairs.tsv")[:500]
hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
found = []
for kind, n_negatives in ((lstm_edu.DualEncoder, "batch"), (lstm_edu.AlignedEncoder, 4)):
    model = kind(lstm_edu.LSTM(16), hashing)
    history = lstm_edu.train(model, pairs, epochs=1, n_negatives=n_negatives)
    model.save(PLACE)
    state = lstm_edu.load(PLACE).trace("hotels in shanghai").c
    found += [*map(float, history["cost"]), *np.ravel(state).tolist()]
"""


@pytest.mark.soak
def test_lessons_run_in_pyodide_without_errors():
    notebooks = [pyodide.notebook(f"notebooks/{name}.ipynb") for name in LESSONS]
    for name, cells in zip(LESSONS, pyodide.run(*notebooks), strict=True):
        errors = {k: cell["error"] for k, cell in enumerate(cells) if cell["error"]}
        assert not errors and len(cells) > 20, name


# run checks before and after consent to the record, and while the record can't be written
RECORD = """
import os
os.chdir("/tmp")
from lstm_course import checks
from lstm_course.engine import record

def tried(answer):
    try:
        checks.check_let_in(answer)
    except checks.Wrong:
        pass
    return sorted(os.listdir())

right, wrong = (lambda i, yg: abs(i * yg).mean(axis=1)), (lambda i, yg: (i * yg).mean(axis=1))
before = os.listdir()
found = [set(tried(wrong)) - set(before)]
checks.share(True)
found += [set(tried(answer)) - set(before) for answer in (wrong, right)]
lines = record.read(record.FILE)
checks.share(False)
os.mkdir(record.FILE)
found += [set(tried(right)) - set(before)]
print(found, [[line["try"], line["slip"]] for line in lines], sep="\\n")
"""


def checked(check, row):
    """Return the source of a cell that defines and checks an answer with a known mistake."""
    check = getattr(checks, check)
    source = slips.changed(check.solution, *check.slips[row][1:])
    call = f"checks.{check.__name__}({check.solution.__name__})"
    return f"{NAMES}{source}\nfrom lstm_course import checks\n{call}"


def test_checks_and_training_work_in_pyodide_as_in_cpython(tmp_path):
    """Check solutions, explanations of known mistakes, the record, and the results of training."""
    solutions = [f"notebooks/solutions/{name}.ipynb" for name in (LESSONS[0], LESSONS[2])]
    wrong = [checked(*slip) for slip in SLIPS]
    trains = PACKAGE.replace("PLACE", "'/tmp/m.npz'") + "print(found)\n"
    notebooks = [*map(pyodide.notebook, solutions), ("notebooks", wrong), (".", [trains, RECORD])]
    *solved, slipped, (trained, recorded) = pyodide.run(*notebooks)

    passed = [cell["output"].splitlines() for cells in solved for cell in cells]
    passed = [lines for lines in passed if "passed on" in " ".join(lines)]
    assert not any(cell["error"] for cells in solved for cell in cells)
    assert len(passed) == 12 and all(lines[0] == ALONE for lines in passed)
    for (check, row), cell in zip(SLIPS, slipped, strict=True):
        assert getattr(checks, check).slips[row][0] in cell["error"]
        assert cell["output"].count(ALONE) == 1 and len(cell["output"]) < 1200

    assert not recorded["error"]
    files, lines = map(
        ast.literal_eval, recorded["output"].replace("set()", "{}").splitlines()[-2:]
    )
    assert files == [{}, *[{record.FILE}] * 3]
    assert lines == [[1, checks.check_let_in.slips[0][0]], [2, None]]

    names = {}
    exec(PACKAGE.replace("PLACE", repr(str(tmp_path / "m.npz"))), names)
    assert not trained["error"]
    found = json.loads(trained["output"].splitlines()[-1])
    # Pyodide's BLAS rounds differently
    assert found == pytest.approx(names["found"], rel=0, abs=1e-4)
