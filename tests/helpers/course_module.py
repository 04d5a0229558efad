"""course.py, imported as a module."""

import importlib.util

from conftest import ROOT


def load(path=ROOT / "course.py"):
    spec = importlib.util.spec_from_file_location("course", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


course = load()
