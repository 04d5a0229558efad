"""The explorers in a real browser: JupyterLab in headless Chromium runs a notebook.

What its controls do is seen on the page.
"""

import json
import os
import socket
import subprocess
import sys

import nbformat
import pytest
from chromium import chromium, needs_chromium
from conftest import ROOT, until
from selenium.webdriver.common.keys import Keys

pytestmark = [pytest.mark.waits, needs_chromium]
CELLS = [
    """
import numpy as np
import lstm_edu
from lstm_edu import explorers

titles = ["shanghai inns", "hotels in paris", "bath tub repair", "cheap flights", "a tub of paint",
          "hostels of shanghai"]
hashing = lstm_edu.LetterTrigrams.fit(titles)
model = lstm_edu.DualEncoder(lstm_edu.LSTM(12), hashing, seed=0, scale=1.0)
lstm_edu.explore(model, titles)""",
    """
explorers.explore_push(titles, model.score("hotels in shanghai", titles))""",
    """
def descend(mu, ahead, n_updates, epsilon):
    w, change, path = np.array([-4.0, 1.0]), np.zeros(2), []
    for _ in range(n_updates + 1):
        path.append(w)
        change = mu * change - epsilon * np.array([1.0, 40.0]) * (w + ahead * mu * change)
        w = w + change
    return np.array(path)


explorers.explore_race(descend, np.array([1.0, 40.0]))""",
]

NOTE_TITLES = """
window.noted = []
new MutationObserver(() => {
  for (const table of document.querySelectorAll('.jp-CodeCell .jp-OutputArea-output table'))
    window.noted.push(table.innerText.split('\\n')[0].split('best titles for: ')[1])
}).observe(document.body, {childList: true, subtree: true, characterData: true})
"""
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


def stop(process):
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a JupyterLab of our own.

    It knows of nobody's settings and has one notebook.
    """
    home = tmp_path_factory.mktemp("lab")
    (home / "notebooks").mkdir()
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source.strip()) for source in CELLS]
    )
    notebook.metadata.kernelspec = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.write(notebook, home / "notebooks" / "explore.ipynb")
    for name, settings in {
        "apputils-extension/notification": {"checkForUpdates": False, "fetchNews": "false"},
        # a cell that is out of sight is there all the same
        "notebook-extension/tracker": {"windowingMode": "none"},
    }.items():
        path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings), encoding="utf-8")
    environment = {
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
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        # if somebody takes it now, the server takes another and says which
        port = free.getsockname()[1]
    with open(home / "log", "w", encoding="utf-8") as log:
        server = subprocess.Popen(
            [
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
            ],
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:

        def about():
            assert server.poll() is None, (home / "log").read_text(encoding="utf-8")
            written = [
                path.read_text(encoding="utf-8")
                for path in (home / "runtime").glob("jpserver-*.json")
            ]
            # only when all of it is written
            return json.loads(written[0]) if written and written[0].rstrip().endswith("}") else None

        found = until(about, "JupyterLab's server")
        yield f"{found['url']}lab?token={found['token']}"
    finally:
        stop(server)  # its kernels end with it


@pytest.fixture(scope="module")
def page(lab, tmp_path_factory):
    """The notebook in the browser, all of its cells run."""
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        browser.get(lab)
        until(
            lambda: browser.execute_script("return Boolean(window.jupyterapp)"),
            "JupyterLab in the browser",
        )
        assert browser.execute_async_script(RUN_ALL) == "done"
        for k in range(len(CELLS)):
            until(
                lambda: shown(browser, k)["image"] and part(browser, k, ".noUi-handle"),
                f"the picture and the sliders of cell {k}",
            )
        yield browser


def part(browser, cell, selector):
    """The parts of a cell's controls that a selector finds."""
    return browser.execute_script(
        "return [...(document.querySelectorAll('.jp-CodeCell')[arguments[0]]"
        "?.querySelectorAll('.jupyter-widgets ' + arguments[1]) ?? [])]",
        cell,
        selector,
    )


def shown(browser, cell):
    """What a cell shows at one moment: its picture's bytes, in base 64, its tables and its lines.

    A part that is just being replaced is not there.
    """
    return browser.execute_script(
        """
        const outputs = [...document.querySelectorAll('.jp-CodeCell')[arguments[0]]
          ?.querySelectorAll('.jp-OutputArea-output') ?? []]
        const texts = selector => outputs.flatMap(output => [...output.querySelectorAll(selector)])
          .map(found => found.innerText.trim()).filter(Boolean)
        return {image: outputs.map(output => output.querySelector('img')?.src).find(Boolean),
                tables: texts('table'), lines: texts('pre')}""",
        cell,
    )


def titles_for(now):
    """Which words the table of titles is for."""
    return (
        now["tables"][1].split("\n")[0].split("best titles for: ")[1]
        if len(now["tables"]) == 2
        else None
    )


def press(browser, cell, slider, *keys):
    part(browser, cell, ".noUi-handle")[slider].send_keys(*keys)


def ask(browser, query):
    (field,) = part(browser, 0, "input[type=text]")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(query, Keys.ENTER)


def test_the_slider_moves_from_word_to_word(page):
    before = until(
        lambda: (
            (now := shown(page, 0))["image"] and titles_for(now) == "hotels in shanghai" and now
        ),
        "the whole query",
    )
    press(page, 0, 0, Keys.ARROW_LEFT)
    until(
        lambda: (
            titles_for(now := shown(page, 0)) == "hotels in"
            and now["image"] not in (None, before["image"])
        ),
        "picture and titles for two words",
    )
    press(page, 0, 0, Keys.ARROW_RIGHT)
    until(lambda: shown(page, 0) == before, "what was there before")


def test_another_query_has_other_words_and_titles(page):
    before = until(lambda: (now := shown(page, 0))["image"] and titles_for(now) and now, "a query")
    ask(page, "paint a bath tub")
    now = until(
        lambda: (
            titles_for(now := shown(page, 0)) == "paint a bath tub"
            and now["image"] not in (None, before["image"])
            and now
        ),
        "picture and titles for it",
    )
    assert (
        now["tables"][0].split()[3:7] == ["paint", "a", "bath", "tub"]
        and now["tables"][1].split("\n")[1:] != before["tables"][1].split("\n")[1:]
    )
    ask(page, "上海")
    line = ["Nothing in this query is known to the model: no letter trigram of it was in the log."]
    until(
        lambda: shown(page, 0) == {"image": None, "tables": [], "lines": line},
        "one line that says so",
    )
    ask(page, "hotels in shanghai")
    until(lambda: shown(page, 0) == before, "what was there before")


def test_play_reads_the_words_one_by_one(page):
    ask(page, "hotels in shanghai")
    until(lambda: titles_for(shown(page, 0)) == "hotels in shanghai", "the whole query")
    page.execute_script(NOTE_TITLES)
    part(page, 0, "button")[0].click()
    # a busy kernel may skip a word, and we may look too late, but the page does not
    until(
        lambda: {"hotels", "hotels in"} & set(page.execute_script("return window.noted")),
        "a start over",
    )
    until(lambda: titles_for(shown(page, 0)) == "hotels in shanghai", "all words")


@pytest.mark.parametrize(
    "cell, slider, setting", [(1, 0, "gamma"), (1, 1, "n"), (2, 0, "mu"), (2, 1, "epsilon")]
)
def test_sliders_over_the_cost_and_the_valley(page, cell, slider, setting):
    before = until(lambda: (now := shown(page, cell))["image"] and now, "a picture")
    press(page, cell, slider, Keys.ARROW_LEFT)
    until(
        lambda: shown(page, cell)["image"] not in (None, before["image"]),
        f"another picture for another {setting}",
    )
    press(page, cell, slider, Keys.ARROW_RIGHT)
    until(lambda: shown(page, cell) == before, "what was there before")


def test_nothing_went_wrong_on_the_way(page):
    assert "Error" not in page.find_element("css selector", ".jp-Notebook").text
    assert not page.find_elements(
        "css selector", "[data-mime-type='application/vnd.jupyter.stderr']"
    )
