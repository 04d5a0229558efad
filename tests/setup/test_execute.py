"""`course.py run` and `pages`: a notebook that goes wrong is named, and holds up no other."""

import json
import os
import re

import pytest
from conftest import ROOT

pytest.importorskip("nbconvert", reason="the extra `notebooks` is not installed (make test does)")
import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_output

from book import execute

AGREE = """\
from lstm_course.lessons.agree import agree
agree("errors", {"dh": 1.0, "dc": here}, {"dh": 1.0, "dc": 2.0})"""
COMPARE = "import lstm_edu\nequal = lstm_edu.compare('y', [here], [2.0])"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(execute.pages, "main", lambda *_: os.makedirs("build", exist_ok=True))
    return tmp_path


def stored(name, *cells, **metadata):
    """A notebook's file, as text; its cells' output is from another time."""
    before = [new_output("stream", text="before\n")]
    cells = [new_code_cell(source, outputs=before, execution_count=1) for source in cells]
    nbformat.write(new_notebook(cells=cells, metadata=metadata), name)
    return read(name)


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def outputs(name):
    return [cell["outputs"] for cell in json.loads(read(name))["cells"]]


@pytest.mark.waits(3)
def test_page_shows_error_and_later_pages_are_made(capfd):
    stored("wrong.ipynb", "print(1)", "raise ValueError('one\\ntwo <em>')", "print('later')")
    stored("dies.ipynb", "print(1)", "import os\nos._exit(1)", "print('later')")
    stored("right.ipynb", "print(6 * 7)")
    assert execute.main("run", "wrong.ipynb", "dies.ipynb", "right.ipynb") == 1
    said = capfd.readouterr()
    assert said.err == ""
    *lines, end, none, title, wrong, dies = said.out.splitlines()
    assert [line.split(" in ")[0] for line in lines] == [
        "3 pages, about 2 minutes",
        "1 of 3  wrong.ipynb  WENT WRONG",
        "2 of 3  dies.ipynb  WENT WRONG",
        "3 of 3  right.ipynb  run",
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
    assert "<pre>42\n</pre>" in read("build/right.html")


@pytest.mark.parametrize("folded", [{"tags": ["hide-cell"]}, {"jupyter": {"source_hidden": True}}])
def test_folded_cell_is_open_where_it_fails(folded):
    error = new_output("error", ename="E", evalue="e", traceback=["\x1b[31mE\x1b[0m: e"])
    cell = new_code_cell("f()", outputs=[error], metadata=folded)
    page = execute.page(new_notebook(cells=[cell]), "folded", [(cell, "E: e")])
    assert 'class="folded"' not in page and "<pre>\nE: e</pre>" in page


@pytest.mark.waits(2)
def test_pages_stores_only_notebooks_without_error(capsys):
    before = stored("wrong.ipynb", "1 / 0")
    stored("right.ipynb", "print(6 * 7)")
    assert execute.main("pages", "wrong.ipynb", "right.ipynb") == 1
    assert read("wrong.ipynb") == before
    assert [output["text"] for (output,) in outputs("right.ipynb")] == [["42\n"]]
    said = capsys.readouterr().out
    assert "their files are as they were:\nwrong.ipynb  cell [1]: ZeroDivisionError" in said


@pytest.mark.parametrize("how", ["run", "pages"])
def test_names_what_cannot_be_started(how, capsys):
    stored("kernel.ipynb", "1", kernelspec={"name": "of no kernel", "display_name": "none"})
    with open("broken.ipynb", "w", encoding="utf-8") as file:
        file.write("{")
    assert execute.main(how, "kernel.ipynb", "broken.ipynb", "missing.ipynb") == 1
    *_, kernel, broken, missing = capsys.readouterr().out.splitlines()
    assert kernel == "kernel.ipynb  NoSuchKernel: No such kernel named of no kernel"
    assert broken.startswith("broken.ipynb  Notebook does not appear to be JSON")
    assert missing.startswith("missing.ipynb  [Errno 2] No such file")
    assert os.path.exists("build/kernel.html") == (how == "run")


@pytest.mark.waits
def test_comparison_that_differs_is_named_unless_stored_so(capsys):
    shown = [
        ("here = 3.0", ""),
        (AGREE, "1 of 2 errors DIFFER: dc"),  # as it should be: a mistake that the lesson shows
        (AGREE, "1 of 2 errors DIFFER: dh"),
        (AGREE, "2 errors: equal to 1e-12"),
        (COMPARE, "y          (1,)       DIFFERS  by 1.0e-09 of the largest"),
        (COMPARE, "y          (1,)       equal    to 1e-12"),
        ("from IPython.display import Markdown\nMarkdown('They DIFFER.')", ""),
    ]
    cells = [new_code_cell(source, outputs=[new_output("stream")]) for source, _ in shown]
    for cell, (_, told) in zip(cells, shown):
        cell.outputs[0].text = told
    nbformat.write(new_notebook(cells=cells), "compared.ipynb")
    before = read("compared.ipynb")
    assert execute.main("pages", "compared.ipynb") == 1
    assert read("compared.ipynb") == before
    named = capsys.readouterr().out.partition("as they were:\n")[2].splitlines()
    assert [line.split(": ", 1)[0][-8:] for line in named] == ["cell [3]", "cell [4]", "cell [6]"]
    assert named[0].endswith("1 of 2 errors DIFFER: dc") and "(1,)       DIFFERS" in named[2]


def test_interrupt_names_what_went_wrong_and_writes_no_page(monkeypatch, capsys):
    found = iter([[(None, "no kernel")]])

    def stopped(*_):
        for wrong in found:
            return wrong
        raise KeyboardInterrupt

    monkeypatch.setattr(execute, "execute", stopped)
    stored("a.ipynb", "1")
    stored("b.ipynb", "2")
    with pytest.raises(KeyboardInterrupt):
        execute.main("run", "a.ipynb", "b.ipynb")
    assert capsys.readouterr().out.endswith("Went wrong:\na.ipynb  no kernel\n")
    assert os.listdir("build") == ["a.html"]


@pytest.mark.parametrize("there", [False, True])
def test_page_without_what_it_wants_is_shown_as_stored_and_named(there, monkeypatch, capsys):
    """PyTorch is a large download, which set-up leaves out."""
    (name,) = execute.course.WANTS
    assert (ROOT / "notebooks" / f"{name}.ipynb").exists()
    monkeypatch.setattr(execute, "find_spec", lambda module: there or module != "torch" or None)
    ran = []
    monkeypatch.setattr(execute, "execute", lambda *_: ran.append(1) or [])
    before = stored(f"{name}.ipynb", "1") + "\n"
    with open(f"{name}.ipynb", "w", encoding="utf-8") as file:
        file.write(before)
    assert execute.main("pages", f"{name}.ipynb") == 0
    assert (read(f"{name}.ipynb") == before) == (not there)
    assert execute.main("run", f"{name}.ipynb") == 0
    assert len(ran) == 2 * there and "<pre>before" in read(f"build/{name}.html")
    said = capsys.readouterr().out
    assert said.count("not run, as it needs torch") == 2 * (not there)
    assert there or "install -c constraints.txt torch" in said


def test_run_prints_a_line_for_each_page_once_it_is_written(monkeypatch, capsys):
    seen = []

    def one(how, path):
        seen.append(capsys.readouterr().out)
        return "run in 3 s", []

    monkeypatch.setattr(execute, "one", one)
    assert execute.main("run", "a.ipynb", "b.ipynb") == 0
    assert seen == ["2 pages, about 2 minutes\n1 of 2  a.ipynb  ", "run in 3 s\n2 of 2  b.ipynb  "]
    assert capsys.readouterr().out == "run in 3 s\nOpen build/index.html\n"
