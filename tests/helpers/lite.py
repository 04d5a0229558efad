"""Functions that serve the course's site and run its notebooks in Chromium, without a network."""

import functools
import json
import re
import socketserver
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from chromium import call
from conftest import until


class Quiet(SimpleHTTPRequestHandler):
    """Request handler that serves files to pages from any origin, and logs nothing."""

    def end_headers(self):
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def _running(server):
    server.handle_error = lambda *_: None  # ignore requests that browsers cancel
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def served(folder):
    """Serve a folder on this machine, and yield its URL."""
    handler = functools.partial(Quiet, directory=str(folder))
    with _running(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as port:
        yield f"http://127.0.0.1:{port}/"


@contextmanager
def no_other_host(name="localhost"):
    """Yield a Chromium flag that diverts requests for other hosts, and the set of these hosts.

    ``name`` is this machine's name in URLs; unless it is localhost, Chromium expects https. The set
    excludes hosts of Google, which Chromium contacts by itself.
    """
    asked = set()

    class Nowhere(socketserver.BaseRequestHandler):
        def handle(self):
            sent = self.request.recv(4000)
            # the host's name is in the TLS handshake, after its length, or in an HTTP header
            names = [
                name[: size[0]] for size, name in re.findall(rb"\0\0(.)([a-z0-9.-]{4,})", sent)
            ]
            names = [n for n in names if b"." in n] + re.findall(rb"Host: (\S+)", sent)
            makers = b".google.com", b".googleapis.com"
            names = filter(None, names or [sent[:80]])  # drop an empty request
            asked.update(name for name in names if not name.endswith(makers))

    with _running(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Nowhere)) as port:
        rules = f"MAP {name} 127.0.0.1 , MAP * 127.0.0.1:{port} , EXCLUDE 127.0.0.1"
        yield f"--host-resolver-rules={rules}", asked


def open_notebook(browser, address, path):
    """Open a notebook of the site, such as notebooks/00_start_here.ipynb, in JupyterLab."""
    browser.get(f"{address}lab/index.html?path={path}")
    wait_for(browser, path)


def wait_for(browser, path):
    """Wait until JupyterLab has opened the notebook and started its kernel."""
    until(lambda: browser.execute_script("return Boolean(window.jupyterapp)"), "JupyterLab's page")
    call(browser, "ready", path)


def run_all(browser, path):
    """Clear all outputs and run all cells until the first error; return the saved notebook."""
    call(browser, "clear", path)
    call(browser, "runAll", path)
    return json.loads(call(browser, "saved", path))
