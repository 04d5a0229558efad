"""Tests of imports between subpackages and of libraries, and of the packages' READMEs."""

import ast
import re
import sys
import tomllib

from conftest import ROOT
from processes import python

from book.build import map as readmes
from lstm_edu.cells import CELLS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# For each package: its subpackages and top-level modules, lowest first, each with a list of those
# that it may import. It may also import what the listed ones may import. BELOW lists the other
# packages that a package may import.
ROOMS = {
    "lstm_edu": {
        "_util": [],
        "text": ["_util"],
        "readers": ["_util"],
        "cells": ["text"],
        "gradients": ["cells"],
        "models": ["gradients", "readers"],
        "ranking": ["readers"],
        "training": ["models", "ranking"],
        "analysis": ["gradients"],
        "__init__": ["training"],
        "whole_paper": [],
        "__main__": [],
    },
    "lstm_tools": {
        "formats": [],
        "nearest": [],
        "vectors": ["formats"],
        "cluster": [],
        "table_iv": [],
        "cli": ["formats", "nearest", "vectors", "cluster", "table_iv"],
        "__init__": ["formats"],
    },
    "lstm_course": {
        "sample": [],
        "plots": [],
        "explorers": ["plots"],
        "engine": [],
        "exercises": ["engine", "sample"],
        "checks": ["exercises"],
        "copies": ["checks"],
        "questions": ["plots"],
        "exam": ["copies", "questions"],
        "lessons": ["explorers"],
        "transformer": [],
        "__init__": ["explorers"],
        "__main__": ["explorers"],
    },
}
BELOW = {"lstm_edu": [], "lstm_tools": ["lstm_edu"], "lstm_course": ["lstm_edu", "lstm_tools"]}
# modules that may import from a higher package, but only inside functions
UPWARD = {"lstm_edu.__main__", "lstm_tools.cli.sample", "lstm_tools.cli.compare"}
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for package in ROOMS
    for path in sorted((ROOT / package).rglob("*.py"))
}


TREES = {module: ast.parse(path.read_text(encoding="utf-8")) for module, path in MODULES.items()}


def uses(package, room):
    """Return the subpackages that ``room`` may import: those listed, and what these may import."""
    below = ROOMS[package][room]
    return set(below).union(*(uses(package, other) for other in below))


def imports():
    """Yield (module, imported module) for each import between modules of the packages."""
    for module, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                named = [(alias.name, "") for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                above = module.split(".")[: -node.level] if node.level else []
                start = ".".join([*above, *filter(None, [node.module])])
                named = [(start, alias.name) for alias in node.names]
            else:
                continue
            for start, name in named:
                if start.split(".")[0] in ROOMS:
                    whole = (f"{start}.{name}", start, f"{start}.{name}.__init__")
                    yield module, next((w for w in whole if w in MODULES), f"{start}.__init__")


def test_subpackages_import_only_from_lower_subpackages():
    for package, rooms in ROOMS.items():
        found = [module.split(".")[1] for module in MODULES if module.startswith(package + ".")]
        assert set(found) == rooms.keys()
    for module, used in imports():
        package, room = module.split(".")[:2]
        other_package, other = used.split(".")[:2]
        if package == other_package:
            assert other == room or other in uses(package, room), f"{module} imports {used}"
        else:
            is_below = other_package in BELOW[package]
            assert is_below or module in UPWARD, f"{module} imports {used}"
    for module in UPWARD:  # check that their imports from higher packages are inside functions
        above = ROOMS.keys() - {module.split(".")[0], *BELOW[module.split(".")[0]]}
        named = [str(getattr(node, "module", "")) for node in TREES[module].body]
        assert not [name for name in named if name.split(".")[0] in above]


def test_imports_between_modules_form_no_cycle():
    below = {module: set() for module in MODULES}
    for module, used in imports():
        below[module].add(used)
    while leaves := [module for module in below if not below[module] & below.keys() - {module}]:
        for module in leaves:
            del below[module]
    assert not below


def test_only_lstm_edu_cells_checks_class_of_cell():
    """Check that adding a cell requires no change outside `lstm_edu.cells`."""
    kinds = {kind.__name__ for kind in CELLS} | {"Cell", "Recurrent"}
    for module, tree in TREES.items():
        for node in ast.walk(tree):
            asks = isinstance(node, ast.Call) and ast.unparse(node.func)
            if asks in ("isinstance", "issubclass") and "lstm_edu.cells." not in module:
                asked = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)}
                assert not asked & kinds, f"{module}:{node.lineno}"


def test_package_readmes_match_subpackage_docstrings():
    for package in readmes.ROOMS:  # if this fails, run `python -m book.build.map`
        text = (ROOT / package / "README.md").read_text(encoding="utf-8")
        assert readmes.readme(package) == text
        for name, file in re.findall(r"\[`([\w.]+)` in [\w/.]+\]\(([\w/.]+)\)", text):
            source = (ROOT / package / file).read_text(encoding="utf-8")
            assert f"def {name.split('.')[-1]}(" in source, f"{file} has no {name}"


def test_modules_import_only_declared_libraries():
    """Check only the imports at the top of each module, because functions import extras."""
    names = {re.split("[>=]", name)[0].replace("-", "_") for name in PROJECT["dependencies"]}
    for module, tree in TREES.items():
        # PIL is installed with matplotlib
        allowed = names | sys.stdlib_module_names | ROOMS.keys() | {"PIL"}
        for node in tree.body:
            found = []
            if isinstance(node, ast.Import):
                found = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found = [node.module]
            roots = {name.split(".")[0] for name in found}
            assert roots <= allowed, module
            is_adapter = module.startswith(("lstm_course.", "lstm_edu.gradients.autodiff"))
            assert "autograd" not in roots or is_adapter, module


def test_import_lstm_edu_loads_no_large_library():
    large = (
        "matplotlib autograd IPython ipywidgets anywidget pooch requests "
        "distributed dask safetensors torch"
    )
    code = "import lstm_edu, lstm_tools.table_iv.skip_thought, sys; "
    code += "print([m for m in sys.argv if m in sys.modules])"
    assert python("-c", code, *large.split()).stdout == "[]\n"
