"""Run notebooks to make their pages (`course.py run`) or to store outputs (`course.py pages`).

    python -m book.build.execute run notebooks/02_run_rnn_and_lstm.ipynb ...
    python -m book.build.execute pages notebooks/02_run_rnn_and_lstm.ipynb ...

A notebook stops at its first error, because later outputs can't be trusted. The other notebooks
still run; a list at the end names those that failed, and the exit status is 1. `run` also makes the
page of a failed notebook, which shows the error; `pages` doesn't change its file. A comparison that
prints DIFFER (`agree`, `lstm_edu.compare`, `check_gradient`) is a failure, too, unless the stored
cell prints the same.
"""

import html
import os
import re
import sys
import time
from importlib.util import find_spec

import nbformat
from nbconvert import NotebookExporter
from nbconvert.filters import strip_ansi
from nbconvert.preprocessors import CoalesceStreamsPreprocessor, ExecutePreprocessor

import course
from book.build import LESSONS, SOLUTIONS, fold, pages
from lstm_edu._util.files import one_line, write_text

# no timestamps, so that a stored notebook changes only with its content; no kernel messages
HOW = {"record_timing": False, "startup_timeout": 900, "extra_arguments": ["--log-level=50"]}
DIFFERS = re.compile(r"^.*\bDIFFERS?\b.*$", re.M)
NOTE = """\
<div role="note" style="border: 2px solid #b00020; padding: .5em 1em">
<strong>This page went wrong on this machine.</strong> After an error, no further cell was run.
<ul>
{items}
</ul>
</div>"""


def lacks(path):
    """Return why a notebook can't run (such as a missing package), or None if it can."""
    module, how = course.WANTS.get(os.path.splitext(os.path.basename(path))[0], ("sys", ""))
    if find_spec(module) is None:
        python = os.path.relpath(sys.executable, course.ROOT)
        return f"not run, as it needs {module}, a large download: {python} {how}"


def execute(notebook, folder):
    """Run a notebook in a folder and set its outputs; return its errors as (cell, message) pairs.

    The cell is None if the kernel didn't start.
    """
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    stored = [differences(cell) for cell in cells]
    for cell in cells:
        cell.outputs, cell.execution_count = [], None
    begun, wrong = [], []
    runner = ExecutePreprocessor(on_cell_execute=lambda cell, **_: begun.append(cell), **HOW)
    try:
        runner.preprocess(notebook, {"metadata": {"path": folder}})
    except Exception as error:  # a cell failed, or the kernel died or didn't start
        name = getattr(error, "ename", type(error).__name__)
        text = f"{name}: {getattr(error, 'evalue', error)}".strip(": \n")
        wrong = [(begun[-1] if begun else None, text.splitlines()[-1])]
        for number, cell in enumerate(begun, 1):
            cell.execution_count = number  # set the number even if the kernel died in this cell
    CoalesceStreamsPreprocessor().preprocess(notebook, {})
    for cell, known in zip(cells, stored):
        wrong += [(cell, line) for line in differences(cell) if line not in known]
    return wrong


def differences(cell):
    """Return a cell's printed lines with the word DIFFER, without the size of the difference."""
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs]
    lines = DIFFERS.findall("\n".join(texts))
    return [re.sub(r" by \S+ of the largest", "", line) for line in lines]


def page(notebook, name, wrong):
    """Convert a notebook to an HTML page that lists its errors at the top."""
    items = []
    for cell, line in wrong:
        where = ""
        if cell:
            where = f'<a href="#cell-id={cell.id}">Cell [{cell.execution_count}]</a>: '
            cell.metadata = {}  # without tags, the cell isn't folded
            for output in cell.outputs:
                if output.output_type == "error":  # remove ANSI colours, which are too pale
                    output.traceback = [strip_ansi(text) for text in output.traceback]
        items.append(f"<li>{where}<code>{html.escape(line)}</code></li>")
    notebook = pages.link(fold.fold(notebook))
    if items:
        note = nbformat.v4.new_markdown_cell(NOTE.format(items="\n".join(items)))
        notebook.cells.insert(0, note)
    return pages.html(notebook, name)


def one(how, path):
    """Run one notebook, then make its page or store it; return a message and a list of errors."""
    name, began, lack = os.path.splitext(os.path.basename(path))[0], time.monotonic(), lacks(path)
    try:
        notebook = nbformat.read(path, 4)
    except (OSError, ValueError) as error:
        return "can't be read", [one_line(str(error))]
    wrong = [] if lack else execute(notebook, os.path.dirname(path))
    errors = [f"cell [{cell.execution_count}]: {line}" if cell else line for cell, line in wrong]
    if how == "run":  # the page has the stored outputs if the notebook can't run
        write_text(os.path.join("build", name + ".html"), page(notebook, name, wrong))
    elif not (lack or wrong):
        write_text(path, NotebookExporter().from_notebook_node(notebook)[0])
    return lack or f"{'WENT WRONG' if wrong else 'run'} in {time.monotonic() - began:.0f} s", errors


def main(how, *paths):
    """Run each notebook until its end or first error; return the exit status.

    By default, `run` runs every lesson, and `pages` every lesson and its solutions.
    """
    every = LESSONS if how == "run" else [*LESSONS, *SOLUTIONS]
    wrong, paths = [], [os.path.relpath(path) for path in paths or every]
    if len(paths) > 1:
        print(f"{len(paths)} pages, about {2 + len(paths) // 4} minutes", flush=True)
    if how == "run":
        pages.main("build", paths)
    try:
        for k, path in enumerate(paths, 1):
            print(f"{k} of {len(paths)}  {path}", end="  ", flush=True)
            message, errors = one(how, path)
            print(message, flush=True)
            wrong += [f"{path}  {line}" for line in errors]
        if how == "run":
            print("Open build/index.html", flush=True)
    finally:
        if wrong:
            left = "; their files are as they were" if how == "pages" else ""
            print(f"\nWent wrong{left}:", *wrong, sep="\n", flush=True)
    return int(bool(wrong))


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except OSError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
