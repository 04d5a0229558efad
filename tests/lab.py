"""A JupyterLab for tests: a server with nobody's settings and one notebook, in a browser."""

import json
import os
import socket
import subprocess
import sys
from contextlib import contextmanager

import nbformat
from conftest import ROOT, until

SETTINGS = {
    "apputils-extension/notification": {"checkForUpdates": False, "fetchNews": "false"},
    # a cell that is out of sight is there all the same
    "notebook-extension/tracker": {"windowingMode": "none"},
}
OPEN = """
const done = arguments[0], app = window.jupyterapp
const open = async () => {
  await app.restored
  const panel = await app.commands.execute('docmanager:open', {path: 'notebook.ipynb'})
  await panel.context.ready
  await panel.sessionContext.ready
  app.shell.activateById(panel.id)
  return panel
}
"""
OPEN_IT = f"{OPEN} open().then(() => done('done'), error => done(String(error)))"
RUN_ALL = f"""{OPEN}
open()
  .then(panel => panel.sessionContext.session.kernel.info)
  .then(() => app.commands.execute('notebook:run-all-cells'))
  .then(() => done('done'), error => done(String(error)))
"""
SAVE = """
const done = arguments[0]
window.jupyterapp.commands.execute('docmanager:save').then(() => done('done'), done)
"""
FILE = """
const done = arguments[0]
window.jupyterapp.serviceManager.contents.get('notebook.ipynb', {content: true})
  .then(file => done(JSON.stringify(file.content)), done)
"""
SHUT_DOWN = """
const done = arguments[0]
window.jupyterapp.serviceManager.sessions.shutdownAll().then(() => done('done'), done)
"""


@contextmanager
def server(home, cells):
    """The address of a JupyterLab of our own, whose one notebook has these cells of code.

    All that it knows and writes is in the folder ``home``.
    """
    (home / "notebooks").mkdir()
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source.strip()) for source in cells]
    )
    notebook.metadata.kernelspec = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.write(notebook, home / "notebooks" / "notebook.ipynb")
    for name, settings in SETTINGS.items():
        path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings), encoding="utf-8")
    with open(home / "log", "w", encoding="utf-8") as log:
        process = subprocess.Popen(
            _command(home),
            cwd=home,
            env=_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )

    def about():
        assert process.poll() is None, (home / "log").read_text(encoding="utf-8")
        written = [
            path.read_text(encoding="utf-8") for path in (home / "runtime").glob("jpserver-*.json")
        ]
        # only when all of it is written
        return json.loads(written[0]) if written and written[0].rstrip().endswith("}") else None

    try:
        found = until(about, "JupyterLab's server")
        yield f"{found['url']}lab?token={found['token']}"
    finally:
        _stop(process)  # its kernels end with it


def _command(home):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        # if somebody takes it now, the server takes another and says which
        port = free.getsockname()[1]
    return [
        sys.executable,
        "-m",
        "jupyter",
        "lab",
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        f"--ServerApp.root_dir={home / 'notebooks'}",
        "--LabApp.extension_manager=readonly",
        "--LabApp.expose_app_in_browser=True",
    ]


def _environment(home):
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUPYTER", "PYTEST", "COV"))
    } | {
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": str(ROOT),
        "OPENBLAS_NUM_THREADS": "1",
    }


def _stop(process):
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def run_all(browser, address):
    """Open the server's notebook, and run all of its cells."""
    browser.get(address)
    _tell(browser, RUN_ALL)


def load_again(browser):
    browser.refresh()
    _tell(browser, OPEN_IT)


def saved(browser):
    """The notebook's file, saved now."""
    _tell(browser, SAVE)
    return json.loads(browser.execute_async_script(FILE))


def shut_down(browser):
    """All kernels."""
    _tell(browser, SHUT_DOWN)


def _tell(browser, script):
    until(lambda: browser.execute_script("return Boolean(window.jupyterapp)"), "JupyterLab's page")
    assert browser.execute_async_script(script) == "done"
