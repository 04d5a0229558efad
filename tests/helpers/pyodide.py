"""Functions that run notebooks in Pyodide under Node.

The environment variable LSTM_EDU_PYODIDE names the folder of a Pyodide distribution.
"""

import importlib.util
import os
import pathlib

import nbformat
import pytest
from conftest import ROOT
from node import NODE, run_node

FOLDER = os.environ.get("LSTM_EDU_PYODIDE")
needs_pyodide = pytest.mark.skipif(
    not (NODE and FOLDER and pathlib.Path(FOLDER, "pyodide.mjs").exists()),
    reason="needs node, and a Pyodide distribution in the folder that LSTM_EDU_PYODIDE names",
)
PACKAGES = "numpy", "scipy", "matplotlib", "joblib", "threadpoolctl"
PURE = "autograd", "tqdm"  # pure Python packages that the Pyodide distribution lacks

# Python code that runs a notebook's cells in Pyodide and collects their printed text and values
INSIDE = """
import ast, contextlib, io, json, linecache, os, sys, types

sys.path[:0] = "/course", "/site"


class Shown:
    def __init__(self, data=""):
        self.data = data

    def __repr__(self):
        return self.data


display = types.ModuleType("IPython.display")
display.Markdown = display.HTML = Shown
display.display = lambda *values: print(*map(repr, values), sep="\\n")
package = types.ModuleType("IPython")
package.display, package.get_ipython = display, lambda: None
given_names = {"display": display.display, "get_ipython": package.get_ipython}
sys.modules |= {"IPython": package, "IPython.display": display}


def run(cell, source, names):
    body = ast.parse(source, cell).body
    linecache.cache[cell] = len(source), None, f"{source}\\n".splitlines(True), cell
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), cell, "exec"), names)
    if last:
        value = eval(compile(ast.Expression(last.value), cell, "eval"), names)
        if value is not None and not source.rstrip().endswith(";"):
            print(repr(value))


def notebook(folder, sources):
    os.chdir(f"/course/{folder}")
    names, done = {"__name__": "__main__", **given_names}, []
    for k, source in enumerate(sources):
        out, error = io.StringIO(), None
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                run(f"cell {k}", source, names)
            except BaseException as caught:
                error = f"{type(caught).__name__}: {caught}"
        done.append({"output": out.getvalue(), "error": error})
    return done


json.dumps([notebook(*each) for each in json.loads(given)])
"""


def run(*notebooks):
    """Run notebooks, each given as its folder in the course and the source code of its cells.

    Returns
    -------
    list of list of {"output": str, "error": str or None}
        The output and error of each cell, for each notebook.
    """
    mounts = {"/course": str(ROOT)}
    for name in PURE:
        mounts[f"/site/{name}"] = importlib.util.find_spec(name).submodule_search_locations[0]
    given = {"folder": os.path.abspath(FOLDER), "packages": PACKAGES, "mounts": mounts}
    given |= {"source": INSIDE, "given": notebooks}
    return run_node(str(ROOT / "tests" / "helpers" / "pyodide.mjs"), given=given)


def notebook(path):
    """Read a notebook of the course in the form that `run` takes."""
    cells = nbformat.read(ROOT / path, 4).cells
    folder = pathlib.PurePosixPath(path).parent.as_posix()
    return folder, [cell.source for cell in cells if cell.cell_type == "code"]
