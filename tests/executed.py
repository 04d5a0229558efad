"""Execute a lesson's cells in this process: the names that they define, the outputs they show."""

import json
from contextlib import chdir
from dataclasses import dataclass

import matplotlib.pyplot as plt
from conftest import ROOT
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display
from IPython.utils.capture import capture_output

SEEN = "text/plain", "text/html", "text/markdown"


@dataclass(frozen=True)
class Lesson:
    """A lesson that was executed.

    Attributes
    ----------
    names : dict
        What its cells define.
    outputs : dict
        Of each cell, by its id: what it showed, a dictionary by kind.
    """

    names: dict
    outputs: dict

    def __getattr__(self, name):
        try:
            return self.names[name]
        except KeyError:
            raise AttributeError(f"no cell of the lesson defines {name}") from None


def cells_of(name):
    """The code cells of a lesson, as they are stored."""
    path = ROOT / "notebooks" / f"{name}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def execute(name, folder, changed=(), until=None):
    """Execute a lesson in a folder from which its data is found as from `notebooks/`.

    Parameters
    ----------
    name : str
    folder : pathlib.Path
        Where the models that it trains are kept.
    changed : sequence of (cell's id, old, new)
        To break it on purpose; raises ValueError where old isn't there.
    until : str, optional
        The id of the last cell to execute.

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
                if cell == until:
                    break
        return Lesson(dict(shell.user_ns), outputs)
    finally:
        InteractiveShell.clear_instance()


def shown(said):
    """What a cell showed, by kind, what was printed among it."""
    texts = {"stdout": said.stdout, "stderr": said.stderr}
    for output in said.outputs:
        for kind in SEEN:
            texts[kind] = texts.get(kind, "") + output.data.get(kind, "")
    return {kind: text for kind, text in texts.items() if text}


def stored(cell):
    """What a cell is stored to have shown, as `shown` has it."""
    texts = {}
    for output in cell["outputs"]:
        if "text" in output:
            of_kind = {output["name"]: output["text"]}
        else:
            of_kind = {kind: output["data"].get(kind, "") for kind in SEEN}
        for kind, text in of_kind.items():
            texts[kind] = texts.get(kind, "") + "".join(text)
    return {kind: text for kind, text in texts.items() if text}
