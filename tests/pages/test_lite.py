"""Tests that whole lessons run on the course's site, in Chromium that can reach no other host.

They need Pyodide in the folder LSTM_EDU_PYODIDE, and print each lesson's seconds and cells.
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
from lstm_course.lessons import sent
from lstm_course.transformer import Transformer
from lstm_edu import evaluate, load, read_judgments, sample

pytestmark = [pytest.mark.soak, needs_chromium, pyodide.needs_pyodide]
# a lesson that trains nothing, so that the site needs no models
IN_CI = "02_run_rnn_and_lstm"


@pytest.fixture(scope="module")
def site(tmp_path_factory, request):
    """Build the site in a folder, with trained models (which take minutes) unless in CI."""
    folder = tmp_path_factory.mktemp("lite")
    models = [] if request.config.getoption("--ci") else lite.trained_models()
    lite.main(folder / "lite", pyodide.FOLDER, models)
    return folder


def cells_of(notebook):
    """Check that a notebook's code cells all ran without errors or warnings, and return them."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert not [o for o in outputs if {"error", "stderr"} & {o["output_type"], o.get("name")}]
    assert [cell["execution_count"] for cell in cells] == [*range(1, len(cells) + 1)]
    return cells


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, id=p.stem, marks=[pytest.mark.ci] * (p.stem == IN_CI)) for p in LESSONS],
)
def test_whole_lesson_runs_twice_without_network(path, site, tmp_path):
    if path.stem in course.WANTS:
        pytest.skip(f"{path.stem}: shown with its stored outputs")
    name = f"notebooks/{path.name}"
    with served(site) as address, no_other_host() as (flag, asked):
        with chromium(tmp_path / "profile", flag) as browser:
            began = time.monotonic()
            open_notebook(browser, f"{address}lite/", name)
            for _ in range(2):
                cells = cells_of(run_all(browser, name))
                print(f"{path.stem}: {len(cells)} cells, {time.monotonic() - began:.0f} s")
                began = time.monotonic()
                browser.refresh()
                wait_for(browser, name)
    assert not asked


def test_site_built_without_pyodide_downloads_it(tmp_path, monkeypatch):
    name = f"notebooks/{IN_CI}.ipynb"
    with (
        served(pyodide.FOLDER) as elsewhere,
        served(tmp_path) as address,
        no_other_host() as (flag, asked),
    ):
        monkeypatch.setattr(lite, "PYODIDE", elsewhere)
        lite.main(tmp_path / "lite", None, [])
        assert not (tmp_path / "lite" / "static" / "pyodide").exists()
        with chromium(tmp_path / "profile", flag) as browser:
            open_notebook(browser, f"{address}lite/", name)
            cells_of(run_all(browser, name))
    assert not asked


def test_second_machine_runs_lesson_without_https(site, tmp_path):
    """At an address without https, browsers allow no service worker."""
    name = f"notebooks/{IN_CI}.ipynb"
    with served(site) as address, no_other_host("school.test") as (flag, asked):
        with chromium(tmp_path / "profile", flag) as browser:
            open_notebook(browser, address.replace("127.0.0.1", "school.test") + "lite/", name)
            assert not browser.execute_script("return isSecureContext")
            cells_of(run_all(browser, name))
    assert not asked


def test_rounded_models_of_site_rank_like_exact_ones(tmp_path, monkeypatch):
    judgments, models = read_judgments(sample() / "judgments.tsv"), lite.trained_models()
    sent.write(models, tmp_path)
    monkeypatch.setattr(sent, "SITE", "here")
    monkeypatch.setattr(sent, "read", lambda name: (tmp_path / name).read_bytes())
    for file in models:
        both = [
            evaluate(load(path, [Transformer]), judgments)["nDCG@10"]
            for path in (file, sent.fetch(file.name))
        ]
        assert abs(both[0] - both[1]) < 0.005, (file.name, both)
