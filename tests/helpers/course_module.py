"""course.py as a module, and what pip writes where there is no network, as it was recorded."""

import importlib.util

from conftest import ROOT


def load(path=ROOT / "course.py"):
    spec = importlib.util.spec_from_file_location("course", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


course = load()

NO_NAME = (
    "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after "
    "connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection "
    "object>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution"
    "')': /numpy/\nERROR: Could not find a version that satisfies the requirement numpy>=2 (from "
    "versions: none)\nERROR: No matching distribution found for numpy>=2\n"
)
