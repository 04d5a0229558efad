"""Tests of the exercises on the course's site: checks, use by keyboard, and stored answers.

They need Pyodide in the folder LSTM_EDU_PYODIDE. All notebooks take most of an hour.
"""

import re
import tomllib
import zipfile

import exercise_mutants
import nbformat
import pyodide
import pytest
import solutions
from chromium import ActionChains, call, chromium, needs_chromium, press
from conftest import HELPERS, until
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import alert_is_present
from solutions import SOURCES

pytest.importorskip("jupyterlite_core", reason="the extra `lite` is not installed (make test does)")
from lite import no_other_host, open_notebook, served, wait_for

from book.build import lite
from lstm_course import checks

pytestmark = [pytest.mark.soak, needs_chromium, pyodide.needs_pyodide]
TABLE = tomllib.loads((HELPERS / "answers.toml").read_text(encoding="utf-8"))
MARKERS = r"(?ms)^ *### BEGIN STUB\n.*?^ *### END STUB$\n?|^ *### (?:BEGIN|END) SOLUTION$\n?"
# wrong answers to exercises that ask for a test: the check's message, and the test's body
TESTS = [
    ("wrong functions pass", "pass"),
    ("your code raised an error", "raise AssertionError"),
    ("not written yet", "raise NotImplementedError()"),
]
LESSON = "notebooks/02_run_rnn_and_lstm.ipynb"
EXERCISES = "notebooks/exercises/02_run_rnn_and_lstm.ipynb"
ANSWER, CHECK = 5, 6  # indices of the cells of exercise 02.1


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lite")
    lite.main(folder, pyodide.FOLDER, [])
    return folder


@pytest.fixture
def page(site, tmp_path):
    """Yield a browser that can reach only the site, and the site's address."""
    with served(site) as address, no_other_host() as (flag, _):
        with chromium(tmp_path / "profile", flag) as browser:
            yield browser, address


def typed(answer):
    """Return an answer's source as a student types it."""
    return re.sub(MARKERS, "", answer.source)


def wrong(check, source):
    """Return up to three wrong answers, made from the right one, as (expected reason, source)."""
    rows = getattr(getattr(checks, check), "slips", [])
    if check.startswith("check_test_"):
        head = re.match(r'(?s).+?""".+?"""', source)[0]
        return [(reason, f"{head}\n    {body}") for reason, body in TESTS]
    rows = [row for row in rows if all(source.count(old) == 1 for old in row[1::2])]
    rows = [rows[0], rows[len(rows) // 2], rows[-1]] if len(rows) > 2 else [*rows]
    rows += TABLE.get(check, [])[: 3 - len(rows)]
    return [(row[0], replaced(source, row[1:])) for row in rows]


def replaced(source, places):
    """Replace parts of a source, given as [old, new, …], or all of it if only one part is given."""
    if len(places) == 1:
        return places[0]
    for old, new in zip(places[::2], places[1::2], strict=True):
        source = source.replace(old, new)
    return source


@pytest.mark.parametrize("name", SOURCES)
def test_checks_pass_solutions_and_explain_mistakes_in_browser(name, page):
    browser, address = page
    path, exercises = f"notebooks/exercises/{name}.ipynb", solutions.exercises_of(SOURCES[name])
    copy = nbformat.read(solutions.FOLDER.parent / "exercises" / f"{name}.ipynb", 4)
    code = [cell.id for cell in copy.cells if cell.cell_type == "code" and cell.id != "colab"]
    right = {answer.id: typed(answer) for *_, answer, _ in exercises}
    calls = {check.id: re.search(r"check_\w+", check.source)[0] for *_, check in exercises}
    here = [name not in exercise_mutants.WANT_TORCH for name in calls.values()]

    def pass_all(sources):
        said = dict(zip(code, call(browser, "tried", path, sources, code), strict=True))
        for (*_, check), runs in zip(exercises, here, strict=True):
            expected = check.outputs[0].text if runs else "needs PyTorch"
            assert expected in said[check.id], said[check.id]

    open_notebook(browser, address, path)
    pass_all(right)
    for (*_, answer, check), runs in zip(exercises, here, strict=True):
        mistakes = wrong(calls[check.id], right[answer.id]) if runs else []
        assert len(mistakes) >= 2 or not runs  # not 3, because exercise 14.1 has only two
        for reason, source in mistakes:
            # run the check twice, since it explains a planted bug only the second time
            cells = [answer.id, check.id, check.id]
            said = call(browser, "tried", path, {answer.id: source}, cells)
            assert reason in " ".join(said[-1].split()), said[-1]
        call(browser, "tried", path, {answer.id: right[answer.id]}, [answer.id])
    until(lambda: call(browser, "isSaved", path), "the notebook is saved")
    browser.refresh()
    wait_for(browser, path)
    pass_all({})


def chord(browser, held, key):
    ActionChains(browser).key_down(held).send_keys(key).key_up(held).perform()


def press_until(browser, is_there, *keys):
    """Press keys until ``is_there()`` is true, at most 200 times."""
    for _ in range(200):
        if is_there():
            return
        press(browser, *keys)
    raise AssertionError(call(browser, "focused"))


def go_to(browser, cell):
    """Move the focus to a cell from anywhere, even from JupyterLab's list of files."""
    for _ in range(300):
        k = call(browser, "focused")[1]
        if k == cell:
            return
        press(browser, Keys.TAB if k < 0 else Keys.ARROW_DOWN if k < cell else Keys.ARROW_UP)
    raise AssertionError(call(browser, "focused"))


def run_to(browser, cell):
    """Press Shift+Enter in each cell from the focused one to the one before ``cell``."""
    for k in range(call(browser, "focused")[1], cell):
        chord(browser, Keys.SHIFT, Keys.ENTER)
        until(lambda k=k: call(browser, "focused")[1] == k + 1, "the next cell has the focus")


def edit(browser, *keys):
    """Edit the answer to exercise 02.1, starting at the line that students write."""
    go_to(browser, ANSWER)
    press(browser, Keys.ENTER)
    until(lambda: call(browser, "focused")[2], "the answer can be edited")
    chord(browser, Keys.CONTROL, Keys.HOME)
    press(browser, *[Keys.ARROW_DOWN] * 6, Keys.HOME, *keys, Keys.ESCAPE)


def checked(browser, text):
    """Run all cells through the check, and wait until it prints ``text``."""
    run_to(browser, CHECK + 1)
    until(lambda: text in call(browser, "outputsOf", EXERCISES)[CHECK], text)


def choose(browser, *keys):
    """Choose an entry of the menu *Answers* with the given keys."""
    # Tab moves to the first menu, or to the one that was opened last
    press_until(browser, lambda: call(browser, "focused")[3] in ("File", "Answers"), Keys.TAB)
    press_until(browser, lambda: call(browser, "focused")[3] == "Answers", Keys.ARROW_RIGHT)
    press(browser, Keys.ENTER, *keys, Keys.ENTER)


@pytest.mark.ci
def test_answer_is_typed_checked_saved_downloaded_and_deleted_by_keyboard(page, tmp_path):
    browser, address = page
    to = {"behavior": "allow", "downloadPath": str(tmp_path)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", to)
    open_notebook(browser, address, LESSON)
    go_to(browser, len(call(browser, "outputsOf", LESSON)) - 1)
    press_until(browser, lambda: call(browser, "focused")[3].startswith("exercises/02"), Keys.TAB)
    press(browser, Keys.ENTER)
    until(lambda: call(browser, "focused")[0] == EXERCISES, "the exercises")
    go_to(browser, 0)
    run_to(browser, ANSWER)
    stub = call(browser, "sourceOf", EXERCISES, ANSWER)
    rest = len("# YOUR CODE HERE\n    raise NotImplementedError()")
    edit(browser, Keys.DELETE * rest, "c = f * c", Keys.ENTER, "while True: pass")
    checked(browser, "Restart Kernel…")
    press(browser, "0", "0")
    until(lambda: call(browser, "isAsked"), "the question whether to restart")
    press(browser, Keys.ENTER)
    until(lambda: call(browser, "focused")[0] == EXERCISES, "the exercises again")
    go_to(browser, 0)
    run_to(browser, ANSWER)
    edit(browser, Keys.ARROW_DOWN, Keys.DELETE * len("while True: pass"))
    checked(browser, "the new part is missing")
    edit(browser, Keys.END, " + i * yg")
    checked(browser, "check_step_lstm: passed on 5 random inputs")

    until(lambda: call(browser, "isSaved", EXERCISES), "the answer is saved")
    answer = call(browser, "sourceOf", EXERCISES, ANSWER)
    browser.refresh()
    wait_for(browser, EXERCISES)
    assert call(browser, "sourceOf", EXERCISES, ANSWER) == answer != stub

    choose(browser)
    (archive,) = until(lambda: [*tmp_path.glob("*.zip")], "the download")
    with zipfile.ZipFile(archive) as file:
        assert file.testzip() is None
        kept = nbformat.reads(file.read(EXERCISES), 4)
    assert kept.cells[ANSWER].source == answer and kept.cells[CHECK].outputs

    browser.execute_script("localStorage.setItem('predict x', '(a)'); window.isBefore = true")
    choose(browser, Keys.ARROW_DOWN)
    until(lambda: alert_is_present()(browser), "the question whether to delete").dismiss()
    assert call(browser, "sourceOf", EXERCISES, ANSWER) == answer
    choose(browser, Keys.ARROW_DOWN)
    until(lambda: alert_is_present()(browser), "the question again").accept()
    until(lambda: not browser.execute_script("return window.isBefore"), "the reload")
    wait_for(browser, EXERCISES)
    assert call(browser, "sourceOf", EXERCISES, ANSWER) == stub
    assert browser.execute_script("return localStorage.getItem('predict x')") is None
