"""Function that runs Python in a subprocess."""

import os
import subprocess
import sys


def python(*arguments, cwd=None, **variables):
    """Run Python with additional environment variables; return the completed process."""
    how = {"capture_output": True, "encoding": "utf-8"}
    return subprocess.run([sys.executable, *arguments], cwd=cwd, env=os.environ | variables, **how)
