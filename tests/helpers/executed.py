"""Execution of a lesson's cells in the test process, to inspect their variables and outputs."""

import os
import shutil
from contextlib import chdir
from types import SimpleNamespace
from typing import NamedTuple

import matplotlib.pyplot as plt
from conftest import ROOT
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display
from IPython.utils.capture import capture_output
from lesson_names import notebook

SEEN = "text/plain", "text/html", "text/markdown"
READ = "data_samples", "benchmarks"  # folders outside notebooks/ from which lessons read


class Lesson(NamedTuple):
    """Variables and outputs of an executed lesson.

    Attributes
    ----------
    name : str
    names : SimpleNamespace
        The variables that the lesson's cells define.
    outputs : dict
        Each cell's outputs, as returned by `shown`, keyed by cell id.
    """

    name: str
    names: SimpleNamespace
    outputs: dict


def cells_of(name, kind="code"):
    """Return a lesson's stored cells of one kind, such as "code"."""
    return [cell for cell in notebook(name)["cells"] if cell["cell_type"] == kind]


def texts_of(name):
    """Return the sources of a lesson's Markdown cells, keyed by cell id."""
    return {cell["id"]: "".join(cell["source"]) for cell in cells_of(name, "markdown")}


def notebooks_in(folder):
    """Create ``folder/notebooks``, put the folders that lessons read beside it; return its path."""
    (folder / "notebooks").mkdir(parents=True)
    for name in READ:
        try:
            os.symlink(ROOT / name, folder / name)
        except OSError:  # Windows lets only some users create links
            shutil.copytree(ROOT / name, folder / name)
    return folder / "notebooks"


def execute(name, folder, changed=()):
    """Execute a lesson in a folder, where it stores the models that it trains.

    Parameters
    ----------
    name : str
    folder : pathlib.Path
        From `notebooks_in`.
    changed : sequence of (cell id, old, new)
        Replacements that break the lesson on purpose; each cell must contain ``old``.

    Returns
    -------
    Lesson
    """
    sources = {cell["id"]: "".join(cell["source"]) for cell in cells_of(name)}
    for cell, old, new in changed:
        if old not in sources[cell]:
            raise ValueError(f"cell {cell} of {name} has no {old!r}")
        sources[cell] = sources[cell].replace(old, new)
    shell = InteractiveShell.instance()
    shell.reset(new_session=True)
    shell.user_module.__spec__ = None  # multiprocessing needs a __spec__ to spawn processes
    shell.display_trap.hook = lambda value: None if value is None else display(value)
    outputs = {}
    try:
        with chdir(folder):
            for cell, source in sources.items():
                with capture_output() as said:
                    found = shell.run_cell(source)
                found.raise_error()
                plt.close("all")
                outputs[cell] = shown(said)
        return Lesson(name, SimpleNamespace(**shell.user_ns), outputs)
    finally:
        InteractiveShell.clear_instance()


def shown(said):
    """Return an executed cell's outputs, keyed by MIME type, "stdout" or "stderr"."""
    texts = {"stdout": said.stdout, "stderr": said.stderr}
    for output in said.outputs:
        for kind in SEEN:
            texts[kind] = texts.get(kind, "") + output.data.get(kind, "")
    return {kind: text for kind, text in texts.items() if text}


def stored(cell):
    """Return a cell's stored outputs, keyed as in `shown`."""
    texts = {}
    for output in cell["outputs"]:
        if "text" in output:
            of_kind = {output["name"]: output["text"]}
        else:
            of_kind = {kind: output["data"].get(kind, "") for kind in SEEN}
        for kind, text in of_kind.items():
            texts[kind] = texts.get(kind, "") + "".join(text)
    return {kind: text for kind, text in texts.items() if text}
