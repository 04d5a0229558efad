"""Tests of the course as a site: lessons run whole in Chromium, which reaches no other host.

They need Pyodide in the folder LSTM_EDU_PYODIDE. The soak prints seconds and cells per lesson.
"""

import time

import pyodide
import pytest
from chromium import chromium, needs_chromium

import course
from book.build import LESSONS

pytest.importorskip("jupyterlite_core", reason="the extra `lite` is not installed (make test does)")
from lite import no_other_host, open_notebook, run_all, served, wait_for

from book.build import lite

pytestmark = [pytest.mark.soak, needs_chromium, pyodide.needs_pyodide]
# a lesson that trains nothing, so that the site needs no models
IN_CI = "02_run_rnn_and_lstm"


@pytest.fixture(scope="module")
def site(tmp_path_factory, request):
    """Build the site in a folder, with models unless in CI; training them takes minutes."""
    folder = tmp_path_factory.mktemp("lite")
    models = [] if request.config.getoption("--ci") else lite.trained_models()
    lite.main(folder / "lite", pyodide.FOLDER, models)
    return folder


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, id=p.stem, marks=[pytest.mark.ci] * (p.stem == IN_CI)) for p in LESSONS],
)
def test_lesson_runs_whole_twice_without_a_network(path, site, tmp_path):
    if path.stem in course.WANTS:
        pytest.skip(f"{path.stem}: shown with its stored outputs")
    name = f"notebooks/{path.name}"
    with served(site) as address, no_other_host() as (flag, asked):
        with chromium(tmp_path / "profile", flag) as browser:
            began = time.monotonic()
            open_notebook(browser, f"{address}lite/", name)
            for _ in range(2):
                cells = [c for c in run_all(browser, name)["cells"] if c["cell_type"] == "code"]
                print(f"{path.stem}: {len(cells)} cells, {time.monotonic() - began:.0f} s")
                began = time.monotonic()
                outputs = [output for cell in cells for output in cell["outputs"]]
                assert not [o for o in outputs if {"error", "stderr"} & {*map(str, o.values())}]
                assert [cell["execution_count"] for cell in cells] == [*range(1, len(cells) + 1)]
                browser.refresh()
                wait_for(browser, name)
    assert not asked
