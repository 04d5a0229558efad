"""A Python of its own, run to its end."""

import os
import subprocess
import sys


def python(*arguments, cwd=None, timeout=None, **variables):
    """Its exit code, output and complaints, with some variables of the environment set."""
    how = {"capture_output": True, "encoding": "utf-8", "timeout": timeout}
    return subprocess.run([sys.executable, *arguments], cwd=cwd, env=os.environ | variables, **how)
