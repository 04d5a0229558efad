"""Functions that run the pages' JavaScript in Node."""

import json
import shutil
import subprocess

import pytest

from lstm_course.explorers import reader

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed: it runs the scripts")


def scripts(*names):
    return {name: (reader.FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in names}


def run_node(*arguments, given):
    """Run Node with ``given`` as JSON input, and return the parsed JSON that it prints."""
    how = {"capture_output": True, "encoding": "utf-8"}
    done = subprocess.run([NODE, *arguments], input=json.dumps(given), **how)
    assert not done.returncode, done.stderr[-2000:]
    return json.loads(done.stdout)


def in_node(sources, script, given=None):
    """Run a script in Node after some of the pages' scripts, and return the JSON that it prints."""
    return run_node("-e", "\n".join([*sources.values(), script]), given=given)
