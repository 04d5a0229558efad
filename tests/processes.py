"""A Python of its own, run to its end."""

import os
import subprocess
import sys


def python(*arguments, cwd=None, **variables):
    """Its exit code, output and complaints, with some variables of the environment set."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=os.environ | variables,
        capture_output=True,
        encoding="utf-8",
    )
