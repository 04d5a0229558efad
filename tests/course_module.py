"""course.py as a module, and what pip writes, as it was recorded: all goes well, no network."""

import importlib.util

from conftest import ROOT


def load(path=ROOT / "course.py"):
    spec = importlib.util.spec_from_file_location("course", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


course = load()

PIP_23 = """\
Obtaining file:///course
  Installing build dependencies: started
  Installing build dependencies: finished with status 'done'
  Preparing editable metadata (pyproject.toml): started
Processing /stick/numpy-2.4.6-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl
Collecting threadpoolctl>=3.5
  Downloading threadpoolctl-3.8.0-py3-none-any.whl (32 kB)
Collecting nbconvert>=7.16
  Using cached nbconvert-7.17.2-py3-none-any.whl (262 kB)
     ---------------------------------------- 262.1/262.1 kB 78.8 MB/s eta 0:00:00
Requirement already satisfied: tqdm>=4.66 in .venv/lib/python3.11/site-packages (from lstm_edu)
Building wheels for collected packages: lstm_edu
Installing collected packages: pure-eval, threadpoolctl, numpy, nbconvert, lstm_edu
Successfully installed lstm_edu-0.1.0 nbconvert-7.17.2 numpy-2.4.6 threadpoolctl-3.8.0
"""
NO_NAME = (
    "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after "
    "connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection "
    "object>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution"
    "')': /numpy/\nERROR: Could not find a version that satisfies the requirement numpy>=2 (from "
    "versions: none)\nERROR: No matching distribution found for numpy>=2\n"
)
