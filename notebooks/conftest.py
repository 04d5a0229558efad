"""A page that wants more than set-up brings is skipped by nbval, by name."""

import importlib.util
import pathlib
import runpy

import pytest

COURSE = pathlib.Path(__file__).parent.parent / "course.py"
WANTS = runpy.run_path(str(COURSE))["WANTS"]


def pytest_collection_modifyitems(items):
    """Each cell of such a page says what it wants."""
    for item in items:
        module, how = WANTS.get(item.path.stem, (None, None))
        if module and importlib.util.find_spec(module) is None:
            told = f"{item.path.name} needs {module}, a large download"
            reason = f"{told}: python {how}"
            item.add_marker(pytest.mark.skip(reason=reason))
