"""Functions that start JupyterLab with fresh settings, and run its notebook in a browser."""

import json
import os
import socket
import subprocess
import sys
from contextlib import contextmanager

import nbformat
from chromium import call
from conftest import ROOT, until

SETTINGS = {
    "apputils-extension/notification": {"checkForUpdates": False, "fetchNews": "false"},
    # render all cells, not only the visible ones
    "notebook-extension/tracker": {"windowingMode": "none"},
}


@contextmanager
def server(home, cells):
    """Start JupyterLab with a notebook of the given code cells, and yield its address.

    JupyterLab reads its settings from the folder ``home``, and writes all its files there.
    """
    (home / "notebooks").mkdir()
    code = [nbformat.v4.new_code_cell(source.strip()) for source in cells]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=code, metadata={"kernelspec": kernel})
    nbformat.write(notebook, home / "notebooks" / "notebook.ipynb")
    for name, settings in SETTINGS.items():
        path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings), encoding="utf-8")
    with open(home / "log", "w", encoding="utf-8") as log:
        how = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": subprocess.STDOUT}
        process = subprocess.Popen(_command(home), cwd=home, env=_environment(home), **how)

    def about():
        assert process.poll() is None, (home / "log").read_text(encoding="utf-8")
        files = (home / "runtime").glob("jpserver-*.json")
        written = [path.read_text(encoding="utf-8") for path in files]
        # None while the file is incomplete
        return json.loads(written[0]) if written and written[0].rstrip().endswith("}") else None

    try:
        found = until(about, "JupyterLab's server")
        yield f"{found['url']}lab?token={found['token']}"
    finally:
        _stop(process)  # terminates the server, which ends its kernels


def _command(home):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        # the server chooses another port if this one is taken, and reports it
        port = free.getsockname()[1]
    flags = "--no-browser --allow-root --ServerApp.ip=127.0.0.1 --LabApp.extension_manager=readonly"
    places = [f"--ServerApp.port={port}", f"--ServerApp.root_dir={home / 'notebooks'}"]
    lab = [sys.executable, "-m", "jupyter", "lab", "--LabApp.expose_app_in_browser=True"]
    return [*lab, *flags.split(), *places]


def _environment(home):
    others = ("JUPYTER", "PYTEST", "COV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    folders = "config", "data", "runtime"
    paths = {f"JUPYTER_{name.upper()}_DIR": str(home / name) for name in folders}
    paths |= {f"JUPYTERLAB_{n.upper()}_DIR": str(home / n) for n in ("settings", "workspaces")}
    paths |= {"HOME": str(home), "IPYTHONDIR": str(home / "ipython")}
    return kept | paths | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}


def _stop(process):
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def run_all(browser, address):
    """Open the server's notebook in the browser, and run all of its cells."""
    browser.get(address)
    _call(browser, "runAll")


def load_again(browser):
    browser.refresh()
    _call(browser, "ready")


def saved(browser):
    """Save the notebook; return the content of its file."""
    return json.loads(_call(browser, "saved"))


def shut_down(browser):
    """Shut down all kernels."""
    _call(browser, "shutDown")


def _call(browser, name):
    until(lambda: browser.execute_script("return Boolean(window.jupyterapp)"), "JupyterLab's page")
    return call(browser, name)
