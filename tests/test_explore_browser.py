"""The explorers in a real browser: JupyterLab in headless Chromium runs a notebook, and what its controls do is seen on the page."""
import json
import os
import shutil
import socket
import subprocess
import sys
import time

import nbformat
import pytest

from conftest import ROOT

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Chromium and chromedriver (on Debian: apt install chromium chromium-driver)")

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--no-proxy-server", "--window-size=1200,1600")
PATIENCE = 120                                       # seconds until what is waited for has to be there, on a busy machine
CELLS = ["""
import numpy as np
import lstm_edu
from lstm_edu import explorers

titles = ["shanghai inns", "hotels in paris", "bath tub repair", "cheap flights", "a tub of paint", "hostels of shanghai"]
model = lstm_edu.DualEncoder(lstm_edu.LSTM(12), lstm_edu.LetterTrigrams.fit(titles), seed=0, scale=1.0)
lstm_edu.explore(model, titles)""", """
explorers.explore_push(titles, model.score("hotels in shanghai", titles))""", """
def descend(mu, ahead, n_updates, epsilon):
    w, change, path = np.array([-4.0, 1.0]), np.zeros(2), []
    for _ in range(n_updates + 1):
        path.append(w)
        change = mu * change - epsilon * np.array([1.0, 40.0]) * (w + ahead * mu * change)
        w = w + change
    return np.array(path)


explorers.explore_race(descend, np.array([1.0, 40.0]))"""]

RUN_ALL = """
const done = arguments[0], app = window.jupyterapp
const run = async () => {
  await app.restored
  const panel = await app.commands.execute('docmanager:open', {path: 'explore.ipynb'})
  await panel.context.ready
  await panel.sessionContext.ready
  await panel.sessionContext.session.kernel.info
  app.shell.activateById(panel.id)
  await app.commands.execute('notebook:run-all-cells')
  return 'done'
}
run().then(done, error => done(String(error)))
"""


def until(there, what):
    """Wait for a condition, and return what it found."""
    end = time.monotonic() + PATIENCE
    while not (found := there()):
        assert time.monotonic() < end, f"not within {PATIENCE} s: {what}"
        time.sleep(0.05)
    return found


def stop(process):
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a JupyterLab of our own, which knows of nobody's settings and has one notebook."""
    home = tmp_path_factory.mktemp("lab")
    (home / "notebooks").mkdir()
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source.strip()) for source in CELLS])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, home / "notebooks" / "explore.ipynb")
    for name, settings in {"apputils-extension/notification": {"checkForUpdates": False, "fetchNews": "false"},
                           "notebook-extension/tracker": {"windowingMode": "none"}}.items():             # a cell that is out of sight is there all the same
        path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "PYTEST", "COV"))} | {
        "HOME": str(home), "JUPYTER_CONFIG_DIR": str(home / "config"), "JUPYTER_DATA_DIR": str(home / "data"), "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"), "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"), "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]                 # if somebody takes it now, the server takes another and says which
    with open(home / "log", "w") as log:
        server = subprocess.Popen([sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}",
                                   f"--ServerApp.root_dir={home / 'notebooks'}", "--LabApp.extension_manager=readonly", "--LabApp.expose_app_in_browser=True"],
                                  cwd=home, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    try:
        def about():
            assert server.poll() is None, (home / "log").read_text()
            written = [path.read_text() for path in (home / "runtime").glob("jpserver-*.json")]
            return json.loads(written[0]) if written and written[0].rstrip().endswith("}") else None          # all of it

        found = until(about, "JupyterLab's server")
        yield f"{found['url']}lab?token={found['token']}"
    finally:
        stop(server)                                 # its kernels end with it


@pytest.fixture(scope="module")
def patch():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def page(lab, patch, tmp_path_factory):
    """The notebook in the browser, all of its cells run."""
    from selenium import webdriver
    patch.setenv("SE_OFFLINE", "true")               # it is told where browser and driver are, and shall look for no others
    patch.setenv("no_proxy", "127.0.0.1,localhost")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    browser = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    try:
        browser.set_script_timeout(PATIENCE)
        browser.get(lab)
        until(lambda: script(browser, "return Boolean(window.jupyterapp)"), "JupyterLab in the browser")
        assert browser.execute_async_script(RUN_ALL) == "done"
        for k in range(len(CELLS)):
            until(lambda: image(browser, k) and part(browser, k, ".noUi-handle"), f"the picture and the sliders of cell {k}")
        yield browser
    finally:
        browser.quit()


def script(browser, code, *arguments):
    return browser.execute_script(code, *arguments)


def part(browser, cell, selector):
    """The parts of a cell's output that a selector finds."""
    return script(browser, "return [...(document.querySelectorAll('.jp-CodeCell')[arguments[0]]?.querySelectorAll('.jp-OutputArea-output ' + arguments[1]) ?? [])]", cell, selector)


def image(browser, cell):
    """The bytes of a cell's picture, in base 64; nothing before it is there."""
    return script(browser, "return document.querySelectorAll('.jp-CodeCell')[arguments[0]]?.querySelector('.jp-OutputArea-output img')?.src", cell)


def tables(browser, cell):
    return script(browser, "return [...document.querySelectorAll('.jp-CodeCell')[arguments[0]].querySelectorAll('.jp-OutputArea-output table')].map(table => table.innerText)", cell)


def press(browser, cell, slider, *keys):
    part(browser, cell, ".noUi-handle")[slider].send_keys(*keys)


def title_line(page):
    """The head of the table of titles; nothing while it is being changed."""
    return (tables(page, 0)[1:] or [""])[0].split("\n")[0]


def changes(look, act, what):
    """Do something, wait until what is looked at has changed, and return what it is now."""
    before = until(look, "what there is before")
    act()
    return until(lambda: (now := look()) and now != before and now, what)


def test_the_slider_moves_from_word_to_word(page):
    from selenium.webdriver.common.keys import Keys
    whole, titles = image(page, 0), tables(page, 0)[1]
    assert title_line(page).endswith("best titles for: hotels in shanghai")
    changes(lambda: image(page, 0), lambda: press(page, 0, 0, Keys.ARROW_LEFT), "another picture at another word")
    until(lambda: title_line(page).endswith("best titles for: hotels in"), "the titles for two words")
    changes(lambda: image(page, 0), lambda: press(page, 0, 0, Keys.ARROW_RIGHT), "another picture at another word")
    until(lambda: image(page, 0) == whole and tables(page, 0)[1:] == [titles], "what was there before")


def test_another_query_has_other_words_and_titles(page):
    from selenium.webdriver.common.keys import Keys
    field = part(page, 0, "input[type=text]")[0]

    def ask(query):
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(query, Keys.ENTER)

    before = image(page, 0)
    titles = changes(lambda: tables(page, 0)[1:], lambda: ask("paint a bath tub"), "other titles")
    assert titles[0].split("\n")[0].endswith("best titles for: paint a bath tub") and image(page, 0) != before
    assert tables(page, 0)[0].split()[3:7] == ["paint", "a", "bath", "tub"]
    ask("上海")
    until(lambda: not image(page, 0) and "Nothing in this query is known" in part(page, 0, "pre")[0].text, "one line that says so")
    assert not tables(page, 0)
    ask("hotels in shanghai")
    until(lambda: image(page, 0) == before, "the first picture again")


def test_play_reads_the_words_one_by_one(page):
    part(page, 0, ".widget-play button")[0].click()
    until(lambda: title_line(page).endswith((": hotels", ": hotels in")), "a start over")             # a busy kernel may skip a word
    until(lambda: title_line(page).endswith(": hotels in shanghai"), "all words")


@pytest.mark.parametrize("cell, slider, setting", [(1, 0, "gamma"), (1, 1, "n"), (2, 0, "mu"), (2, 1, "epsilon")])
def test_sliders_over_the_cost_and_the_valley(page, cell, slider, setting):
    from selenium.webdriver.common.keys import Keys
    before = until(lambda: image(page, cell), "a picture")
    changes(lambda: image(page, cell), lambda: press(page, cell, slider, Keys.ARROW_LEFT), f"another picture for another {setting}")
    changes(lambda: image(page, cell), lambda: press(page, cell, slider, Keys.ARROW_RIGHT), f"another picture for another {setting}")
    until(lambda: image(page, cell) == before, "the first picture again")


def test_nothing_went_wrong_on_the_way(page):
    assert not part(page, 0, "[data-mime-type='application/vnd.jupyter.stderr']") and "Error" not in page.find_element("css selector", ".jp-Notebook").text
