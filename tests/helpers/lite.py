"""Functions that serve the course's site and run its notebooks in Chromium, without a network."""

import functools
import json
import socketserver
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from chromium import call
from conftest import until


class Quiet(SimpleHTTPRequestHandler):
    """Serve files like `python -m http.server`, without a log."""

    def log_message(self, *_):
        pass


@contextmanager
def _running(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def served(folder, host="127.0.0.1"):
    """Serve a folder, and yield its address."""
    handler = functools.partial(Quiet, directory=str(folder))
    with _running(ThreadingHTTPServer((host, 0), handler)) as port:
        yield f"http://{host}:{port}/"


@contextmanager
def no_other_host(*hosts):
    """Yield Chromium's flag that leads requests to all other hosts nowhere, and a list of them."""
    asked = []

    class Nowhere(socketserver.BaseRequestHandler):
        def handle(self):
            asked.append(self.request.recv(2000))

    with _running(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Nowhere)) as port:
        here = "".join(f" , EXCLUDE {host}" for host in ("127.0.0.1", *hosts))
        yield f"--host-resolver-rules=MAP * 127.0.0.1:{port}{here}", asked


def open_notebook(browser, address, path):
    """Open a notebook of the site, such as notebooks/00_start_here.ipynb, in JupyterLab."""
    browser.get(f"{address}lab/index.html?path={path}")
    wait_for(browser, path)


def wait_for(browser, path):
    """Wait until JupyterLab has opened the notebook and started its kernel."""
    until(lambda: browser.execute_script("return Boolean(window.jupyterapp)"), "JupyterLab's page")
    call(browser, "ready", path)


def run_all(browser, path):
    """Run all cells of the open notebook, until the first error; return the saved notebook."""
    call(browser, "runAll", path)
    return json.loads(call(browser, "saved", path))
