"""The rooms of the package: what each may import, what it says of itself, what the core needs."""

import ast
import re
import runpy
import sys
import tomllib

import pytest
from conftest import ROOT
from processes import python

import lstm_edu
from lstm_edu.cells import CELLS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# The rooms of each package from the ground up, and which of them each may use: those named, and
# what these use. lstm_course may use all of lstm_edu, which knows nothing of it.
ROOMS = {
    "lstm_edu": {
        "_util": [],
        "text": ["_util"],
        "data": ["text"],
        "cells": ["text"],
        "gradients": ["cells"],
        "models": ["gradients", "data"],
        "ranking": ["gradients", "data"],
        "training": ["models", "ranking"],
        "table_iv": ["training"],
        "analysis": ["gradients"],
        "__init__": ["training"],
        "whole_paper": [],
        "cli": ["table_iv"],
        "__main__": ["cli", "__init__"],
    },
    "lstm_course": {
        "sample": [],
        "plots": [],
        "explorers": ["plots"],
        "engine": [],
        "exercises": ["engine", "sample"],
        "checks": ["exercises"],
        "copies": ["checks"],
        "lessons": [],
        "__init__": ["explorers"],
    },
}
# what may name lstm_course: it is imported inside a function there
FOR_THE_COURSE = {"lstm_edu.cli.sample", "lstm_edu.cli.compare"}
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for package in ROOMS
    for path in sorted((ROOT / package).rglob("*.py"))
}


def tree_of(module):
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def nodes_of(module):
    return ast.walk(tree_of(module))


def uses(package, room):
    """The rooms that a room may import from: those that it names and what these use."""
    below = ROOMS[package][room]
    return set(below).union(*(uses(package, other) for other in below))


def test_rooms_import_from_below():
    for package, rooms in ROOMS.items():
        here = [module.split(".")[1] for module in MODULES if module.startswith(package + ".")]
        assert set(here) == rooms.keys()
        order = list(rooms)
        for room, below in rooms.items():
            assert all(order.index(one) < order.index(room) for one in below)
    for module, used in imports():
        package, room = module.split(".")[:2]
        other_package, other = used.split(".")[:2]
        if package == other_package:
            assert other == room or other in uses(package, room), f"{module} imports {used}"
        else:
            assert package == "lstm_course" or module in FOR_THE_COURSE, f"{module} imports {used}"


def test_no_two_modules_import_each_other():
    """Within a room, too: what a module needs is read before it, and nothing is read twice."""
    below = {module: set() for module in MODULES}
    for module, used in imports():
        below[module].add(used)
    while leaves := [module for module in below if not below[module] & below.keys() - {module}]:
        for module in leaves:
            del below[module]
    assert not below


def test_the_system_does_without_the_course():
    """It names the other package in no module but those two, and there inside of a function."""
    for module in FOR_THE_COURSE:
        named = [str(getattr(node, "module", "")) for node in tree_of(module).body]
        assert not [name for name in named if "lstm_course" in name]


def imports():
    """Every import of one module of the packages by another: (module, what it imports)."""
    for module in MODULES:
        for node in nodes_of(module):
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            if isinstance(node, ast.Import):
                named = [(alias.name, None) for alias in node.names]
            else:
                above = module.split(".")[: -node.level] if node.level else []
                start = ".".join([*above, *filter(None, [node.module])])
                named = [(start, alias.name) for alias in node.names]
            for start, name in named:
                if start.split(".")[0] in ROOMS:
                    whole = (f"{start}.{name}", start, f"{start}.{name}.__init__")
                    yield module, next((w for w in whole if w in MODULES), f"{start}.__init__")


def test_nothing_outside_the_cells_asks_which_cell_it_is():
    """Whoever adds a cell touches no other file: it says of itself what others need to know."""
    kinds = {kind.__name__ for kind in CELLS} | {"Cell", "Recurrent"}
    for module in MODULES:
        if module.startswith("lstm_edu.cells."):
            continue
        for node in nodes_of(module):
            asks = isinstance(node, ast.Call) and ast.unparse(node.func)
            if asks in ("isinstance", "issubclass"):
                asked = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)}
                assert not asked & kinds, f"{module}:{node.lineno}"


def test_each_room_says_what_lives_there():
    for package, rooms in ROOMS.items():
        for room in rooms:
            if (ROOT / package / room).is_dir():
                said = ast.get_docstring(tree_of(f"{package}.{room}.__init__"))
                assert re.search(r"^(Lessons? \d\d|All |No )", said, re.MULTILINE), room


def test_the_packages_readmes_are_what_their_docstrings_say():
    pages = runpy.run_path(str(ROOT / "book" / "map.py"))["pages"]()
    for package, text in pages.items():  # else: python book/map.py
        assert (ROOT / package / "README.md").read_text(encoding="utf-8") == text


def test_the_core_imports_nothing_but_what_it_declares():
    def packages(names):
        bare = {re.split("[>=]", name)[0].replace("-", "_") for name in names}
        return {name.replace("scikit_learn", "sklearn") for name in bare}

    extras = PROJECT["optional-dependencies"]
    always = packages(PROJECT["dependencies"]) | sys.stdlib_module_names | ROOMS.keys()
    own = {
        "lstm_edu.data.datasets": packages(extras["data"]),
        "lstm_edu._util.files": {"safetensors"},
        "lstm_course.plots.figure": {"PIL"},  # matplotlib's own
        "lstm_edu.ranking.mteb": {"mteb"},
        "lstm_edu.models.pytorch": {"torch"},
        "lstm_course.exercises.torch_loop": {"torch"},
        "lstm_course.engine.sandbox.client": {"cloudpickle"},  # joblib's own
        "lstm_edu.training.cluster": packages(extras["cluster"]),
        "lstm_course.explorers.controls": {"IPython"},
        "lstm_course.explorers.widget": {"anywidget", "traitlets"},
        "lstm_edu.table_iv.memory": {"psutil"},
    }
    for module in MODULES:
        allowed = always | own.get(module, set())
        if module.startswith("lstm_edu.table_iv."):
            allowed |= packages(extras["baselines"])
        for node in nodes_of(module):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            assert {name.split(".")[0] for name in names} <= allowed, module


def test_import_loads_neither_matplotlib_nor_autograd():
    large = (
        "matplotlib autograd IPython ipywidgets anywidget lstm_edu.data.datasets pooch requests "
        "distributed dask safetensors torch"
    )
    code = "import lstm_edu, lstm_edu.table_iv.skip_thought, sys; "
    code += "print([m for m in sys.argv if m in sys.modules])"
    assert python("-c", code, *large.split()).stdout == "[]\n"


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="no attribute 'fetches'"):
        lstm_edu.fetches  # noqa: B018 (to look it up is what raises)


def test_public_functions_are_documented():
    """Every module, and every class and function of it or of a class."""
    for module in MODULES:
        tree = tree_of(module)
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        own = [node for holder in (tree, *classes) for node in holder.body]
        defined = [node for node in own if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        public = [node for node in defined if not node.name.startswith("_")]
        assert ast.get_docstring(tree), module
        assert not [f"{module}.{node.name}" for node in public if not ast.get_docstring(node)]


@pytest.mark.parametrize("name", ["checks", "explore", "plots"])
def test_an_old_copy_is_told_what_to_type(name):
    said = f"^lstm_edu.{name} is in lstm_course now: from lstm_course import {name}$"
    with pytest.raises(ImportError, match=said):
        exec(f"from lstm_edu import {name}")
    with pytest.raises(ImportError, match=said):
        getattr(lstm_edu, name)
