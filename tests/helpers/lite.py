"""Functions that serve the course's site and run its notebooks in Chromium, without a network."""

import functools
import json
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from chromium import call
from conftest import until

# Chromium finds no host but this machine
NO_OTHER_HOST = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"


class Handler(SimpleHTTPRequestHandler):
    """Serve files like `python -m http.server`, without a log."""

    def log_message(self, *_):
        pass


@contextmanager
def served(folder, host="127.0.0.1"):
    """Serve a folder, and yield its address."""
    server = ThreadingHTTPServer((host, 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://{host}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def open_notebook(browser, address, path):
    """Open a notebook of the site, such as notebooks/00_start_here.ipynb, in JupyterLab."""
    browser.get(f"{address}lab/index.html?path={path}")
    load_again(browser, path)


def load_again(browser, path):
    """Wait until the notebook is open and its kernel has started, also after a reload."""
    until(lambda: browser.execute_script("return Boolean(window.jupyterapp)"), "JupyterLab's page")
    call(browser, "ready", path)


def run_all(browser, path):
    """Run all cells of the open notebook until its end or first error; return the notebook."""
    call(browser, "runAll", path)
    return json.loads(call(browser, "saved", path))
