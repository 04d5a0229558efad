"""Tests that `course.py run` and `pages` report failing notebooks and run the others."""

import json
import os
import re

import pytest
from conftest import ROOT

pytest.importorskip("nbconvert", reason="the extra `notebooks` is not installed")
import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_output

from book.build import execute

AGREE = """\
from lstm_course.lessons.agree import agree
agree("errors", {"dh": 1.0, "dc": here}, {"dh": 1.0, "dc": 2.0})"""
COMPARE = "import lstm_edu\nequal = lstm_edu.compare('y', [here], [2.0])"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(execute.pages, "main", lambda *_: os.makedirs("build", exist_ok=True))


def stored(name, *cells, **metadata):
    """Store a notebook with cells given as source or (source, output); return the file's text."""
    pairs = [cell if isinstance(cell, tuple) else (cell, "before\n") for cell in cells]
    cells = [
        new_code_cell(source, outputs=[new_output("stream", text=said)], execution_count=1)
        for source, said in pairs
    ]
    nbformat.write(new_notebook(cells=cells, metadata=metadata), name)
    return read(name)


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


@pytest.mark.waits(2)
def test_run_shows_error_on_page_and_makes_later_pages(capfd):
    stored("dies.ipynb", "print(1)", "import os\nos._exit(1)", "print('later')")
    stored("wrong.ipynb", "print(1)", "raise ValueError('one\\ntwo <em>')", "print('later')")
    assert execute.main("run", "dies.ipynb", "wrong.ipynb") == 1
    said = capfd.readouterr()
    assert said.err == ""
    *lines, end, none, title, dies, wrong = said.out.splitlines()
    assert [line.split(" in ")[0] for line in lines] == [
        "2 pages, about 2 minutes",
        "1 of 2  dies.ipynb  WENT WRONG",
        "2 of 2  wrong.ipynb  WENT WRONG",
    ]
    assert (end, none, title) == ("Open build/index.html", "", "Went wrong:")
    assert wrong == "wrong.ipynb  cell [2]: two <em>"
    assert dies == "dies.ipynb  cell [2]: DeadKernelError: Kernel died"
    for name, line in ("wrong", "two &lt;em&gt;"), ("dies", ": Kernel died"):
        page = read(f"build/{name}.html")
        assert f"{line}</code>" in page and "went wrong on this machine" in page
        (where,) = re.findall(r'<a href="#(cell-id=\w+)">Cell \[2\]</a>', page)
        assert f'id="{where}"' in page and "<pre>1\n</pre>" in page
        assert not re.search("<pre>(before|later)|\x1b", page)
    assert "ValueError: one\ntwo &lt;em&gt;</pre>" in read("build/wrong.html")


@pytest.mark.parametrize("folded", [{"tags": ["hide-cell"]}, {"jupyter": {"source_hidden": True}}])
def test_page_unfolds_cell_that_fails(folded):
    error = {"ename": "E", "evalue": "e", "traceback": ["\x1b[31mE\x1b[0m: e"]}
    outputs = [new_output("error", **error)]
    cell = new_code_cell("f()", outputs=outputs, metadata=folded)
    page = execute.page(new_notebook(cells=[cell]), "folded", [(cell, "E: e")])
    assert 'class="folded"' not in page and "<pre>\nE: e</pre>" in page


@pytest.mark.waits(2)
def test_pages_command_stores_only_notebooks_without_errors_or_new_differences(capsys):
    before = stored(
        "compared.ipynb",
        ("here = 3.0", ""),
        (AGREE, "1 of 2 errors DIFFER: dc"),  # an intended mistake, also in the stored output
        (AGREE, "1 of 2 errors DIFFER: dh"),
        (AGREE, "2 errors: equal to 1e-12"),
        (COMPARE, "y          (1,)       DIFFERS  by 1.0e-09 of the largest"),
        (COMPARE, "y          (1,)       equal    to 1e-12"),
        ("from IPython.display import Markdown\nMarkdown('They DIFFER.')", ""),
        "1 / 0",
    )
    stored("right.ipynb", "print(6 * 7)")
    assert execute.main("pages", "compared.ipynb", "right.ipynb") == 1
    assert read("compared.ipynb") == before
    (cell,) = json.loads(read("right.ipynb"))["cells"]
    assert [output["text"] for output in cell["outputs"]] == [["42\n"]]
    _, said = capsys.readouterr().out.split("their files are as they were:\n")
    said = said.splitlines()
    named = [re.match(r"compared.ipynb  cell \[(\d)\]: ", line)[1] for line in said]
    assert sorted(named) == ["3", "4", "6", "8"]
    assert any(line.endswith("ZeroDivisionError: division by zero") for line in said)
    assert any(line.endswith("1 of 2 errors DIFFER: dc") for line in said)


def test_run_reports_notebooks_that_cannot_be_read_or_started(capsys):
    stored("kernel.ipynb", "1", kernelspec={"name": "of no kernel", "display_name": "none"})
    with open("broken.ipynb", "w", encoding="utf-8") as file:
        file.write("{")
    assert execute.main("run", "kernel.ipynb", "broken.ipynb", "missing.ipynb") == 1
    *_, kernel, broken, missing = capsys.readouterr().out.splitlines()
    assert kernel == "kernel.ipynb  NoSuchKernel: No such kernel named of no kernel"
    assert broken.startswith("broken.ipynb  Notebook does not appear to be JSON")
    assert missing.startswith("missing.ipynb  [Errno 2] No such file")
    assert os.listdir("build") == ["kernel.html"]


def test_run_shows_stored_outputs_when_module_is_missing(monkeypatch, capsys):
    """Simulate a missing PyTorch, which set-up doesn't install because it is large."""
    (name,) = execute.course.WANTS
    path = f"{name}.ipynb"
    assert (ROOT / "notebooks" / path).exists()
    monkeypatch.setattr(execute, "find_spec", lambda module: module != "torch" or None)
    before = stored(path, "1")
    assert execute.main("pages", path) == execute.main("run", path) == 0
    assert read(path) == before and "<pre>before" in read(f"build/{name}.html")
    said = capsys.readouterr().out
    assert said.count("not run, as it needs torch") == 2
    assert "install -c constraints.txt torch" in said
