"""The packages' subpackages: their imports, docstrings, and the libraries that they need."""

import ast
import re
import runpy
import sys
import tomllib

import pytest
from conftest import ROOT
from processes import python

import lstm_edu

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# The rooms of each package, bottom up: each may use those before it.
ROOMS = {
    "lstm_edu": """
        whole_paper _util text data cells gradients models ranking training table_iv analysis
        __init__ cli __main__
    """.split(),
    "lstm_course": """
        sample plots explorers engine exercises checks copies lessons __init__
    """.split(),
}
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for package in ROOMS
    for path in sorted((ROOT / package).rglob("*.py"))
}


TREES = {module: ast.parse(path.read_text(encoding="utf-8")) for module, path in MODULES.items()}


def imports():
    """Yield every import of one module of the packages by another: (module, its import, node)."""
    for module, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                above = module.split(".")[: -node.level] if node.level else []
                start = [*above, *filter(None, [node.module])]
                named = [".".join([*start, alias.name]) for alias in node.names]
            else:
                continue
            yield from ((module, name, node) for name in named if name.split(".")[0] in ROOMS)


def test_rooms_import_from_below():
    """Only functions of the command line import lstm_course, which uses all of lstm_edu."""
    for module, used, node in imports():
        (package, room), (other, *path) = module.split(".")[:2], used.split(".")
        below = path[0] if path and path[0] in ROOMS[other] else "__init__"
        if package == other:
            rooms = ROOMS[package]
            assert rooms.index(below) <= rooms.index(room), f"{module} imports {used}"
        elif package == "lstm_edu":
            assert room == "cli" and node not in TREES[module].body, f"{module} imports {used}"


def test_readmes_are_made_of_docstrings():
    pages = runpy.run_path(str(ROOT / "book" / "map.py"))["pages"]()
    for package, text in pages.items():  # else: python book/map.py
        assert (ROOT / package / "README.md").read_text(encoding="utf-8") == text


def test_imports_only_declared_libraries():
    """Look at what a module imports at once; extras are imported inside functions."""
    names = {re.split("[>=]", name)[0].replace("-", "_") for name in PROJECT["dependencies"]}
    for module, tree in TREES.items():
        allowed = names | sys.stdlib_module_names | ROOMS.keys() | {"PIL"}  # matplotlib's own
        for node in tree.body:
            found = []
            if isinstance(node, ast.Import):
                found = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found = [node.module]
            assert {name.split(".")[0] for name in found} <= allowed, module


def test_package_names_what_it_has_and_where_the_rest_is():
    assert {"LSTM", "sample", "to_torch", "cells"} <= set(dir(lstm_edu))
    assert lstm_edu.analysis.__name__ == "lstm_edu.analysis" and not hasattr(lstm_edu, "nothing")
    with pytest.raises(ImportError, match="from lstm_course import checks"):
        _ = lstm_edu.checks


def test_import_loads_neither_matplotlib_nor_autograd():
    large = (
        "matplotlib autograd IPython ipywidgets anywidget lstm_edu.data.datasets pooch requests "
        "distributed dask safetensors torch"
    )
    code = "import lstm_edu, lstm_edu.table_iv.skip_thought, sys; "
    code += "print([m for m in sys.argv if m in sys.modules])"
    assert python("-c", code, *large.split()).stdout == "[]\n"
