"""The rooms of the package: what each may import, what it says of itself, what the core needs."""

import ast
import re
import subprocess
import sys
import tomllib

import pytest
from conftest import ROOT

import lstm_edu
from lstm_edu.cells import CELLS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# The rooms from the ground up, and which of them each may use: those named, and what these use.
ROOMS = {
    "files": [],
    "array_files": ["files"],
    "threads": [],
    "arguments": ["files"],
    "interrupts": [],
    "text": ["arguments"],
    "data": ["text"],
    "cells": ["text"],
    "gradients": ["cells", "threads"],
    "model_file": ["gradients", "array_files"],
    "model": ["model_file", "gradients", "data"],
    "torch_module": ["model"],
    "aligned": ["model"],
    "loading": ["aligned"],
    "ranking": ["gradients", "data"],
    "training": ["loading", "ranking"],
    "table_iv": ["training"],
    "inside": ["gradients"],
    "plots": ["inside"],
    "explorers": ["plots"],
    "__init__": ["training", "explorers", "interrupts", "torch_module"],
    "checks": ["table_iv", "plots", "training"],
    "exercises": ["files"],
    "commands": ["training", "table_iv", "plots"],
    "__main__": ["commands", "__init__"],
}
PACKAGE = ROOT / "lstm_edu"
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def uses(room):
    """The rooms that a room may import from: those that it names and what these use."""
    return set(ROOMS[room]).union(*(uses(below) for below in ROOMS[room]))


def test_rooms_import_from_below():
    assert {module.split(".")[0] for module in MODULES} == ROOMS.keys()
    assert all(
        list(ROOMS).index(below) < list(ROOMS).index(room)
        for room in ROOMS
        for below in ROOMS[room]
    )
    for module, used in imports():
        room, other = module.split(".")[0], used.split(".")[0]
        assert other == room or other in uses(room), f"{module} imports {used}"


def test_no_two_modules_import_each_other():
    """Within a room, too: what a module needs is read before it, and nothing is read twice."""
    below = {module: set() for module in MODULES}
    for module, used in imports():
        below[module].add(used)
    while leaves := [module for module in below if not below[module] & below.keys() - {module}]:
        for module in leaves:
            del below[module]
    assert not below


def imports():
    """Every import of one module of the package by another: (module, what it imports)."""
    for module, path in MODULES.items():
        folder = path.relative_to(PACKAGE).parts[:-1]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                start = [*folder[: len(folder) + 1 - node.level], *(node.module or "").split(".")]
                for name in node.names:
                    whole = ".".join(filter(None, [*start, name.name]))
                    yield (
                        module,
                        whole if whole in MODULES else ".".join(filter(None, start)) or "__init__",
                    )


def test_nothing_outside_the_cells_asks_which_cell_it_is():
    """Whoever adds a cell touches no other file: it says of itself what others need to know."""
    kinds = {kind.__name__ for kind in CELLS} | {"Cell", "Recurrent"}
    for module, path in MODULES.items():
        if module.split(".")[0] == "cells":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                "isinstance",
                "issubclass",
            ):
                asked = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)}
                assert not asked & kinds, f"{module}:{node.lineno}"


def test_each_room_says_what_lives_there_and_what_it_uses():
    for room in ROOMS:
        if (PACKAGE / room).is_dir():
            said = ast.get_docstring(
                ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))
            )
            assert re.search(r"^(Lessons? \d\d|All )", said, re.MULTILINE), room
            named = re.search(r"Uses: (.+)\.$", said)[1].split(", ")
            assert named == ["everything"] or set(named) == set(ROOMS[room]) - {"threads"}, room


def test_the_core_imports_nothing_but_what_it_declares():
    extras = PROJECT["optional-dependencies"]
    core, baselines, data, cluster = (
        {
            re.split("[>=]", name)[0].replace("scikit-learn", "sklearn").replace("-", "_")
            for name in names
        }
        for names in (
            PROJECT["dependencies"],
            extras["baselines"],
            extras["data"],
            extras["cluster"],
        )
    )
    for module, path in MODULES.items():
        allowed = (
            core
            | sys.stdlib_module_names
            | (
                baselines
                if module.startswith("table_iv")
                else {
                    "data.datasets": data,
                    "files": {"safetensors"},
                    "plots.figure": {"PIL"},  # matplotlib's own
                    "ranking.mteb": {"mteb"},
                    "torch_module": {"torch"},
                    "checks.pytorch": {"torch"},
                    "checks.trial": {"cloudpickle"},  # joblib's own
                    "training.cluster": cluster,
                    "explorers.controls": {"IPython"},
                    "explorers.widget": {"anywidget", "traitlets"},
                }.get(module, set())
            )
            | ({"psutil"} if module == "table_iv.memory" else set())
        )
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module]
                if (isinstance(node, ast.ImportFrom) and node.level == 0)
                else []
            )
            assert {name.split(".")[0] for name in names} <= allowed, path


def test_import_loads_neither_matplotlib_nor_autograd():
    code = (
        "import lstm_edu, sys; print([m for m in ("
        "'matplotlib', 'autograd', 'IPython', 'ipywidgets', 'anywidget', 'lstm_edu.data.datasets', "
        "'pooch', 'requests', 'distributed', 'dask', 'safetensors', 'torch') if m in sys.modules])"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
        ).stdout
        == "[]\n"
    )


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="no attribute 'fetches'"):
        lstm_edu.fetches  # noqa: B018 (to look it up is what raises)


def test_public_functions_are_documented():
    for path in MODULES.values():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in [tree, *ast.walk(tree)]:
            public = (
                isinstance(node, ast.Module)
                or isinstance(node, (ast.FunctionDef, ast.ClassDef))
                and not node.name.startswith("_")
            )
            nested = (
                isinstance(node, ast.FunctionDef)
                and node not in tree.body
                and not any(isinstance(c, ast.ClassDef) and node in c.body for c in tree.body)
            )
            assert not public or nested or ast.get_docstring(node), (
                f"{path.name}: {getattr(node, 'name', 'module')}"
            )
