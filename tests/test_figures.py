"""The lessons' figures in a page: each with an alternative text that its data have made."""

import json
import subprocess
import sys
from html.parser import HTMLParser

import nbformat
import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT))
import course  # noqa: E402

CELLS = [
    "from lstm_edu import plots\nplots.cost_curve({'cost': [3.0, 1.0]})",
    "import numpy as np\nfrom lstm_edu import explorers\n"
    "explorers.explore_push(['a <b> \"c\"', 'd & e', 'f'], np.array([0.9, 0.5, 0.1]))",
]


class Images(HTMLParser):
    """The images of a page: their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.found.append(dict(attributes))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small notebook as `course.py pages` stores it, and its page as `course.py run` makes it."""
    folder = tmp_path_factory.mktemp("pages")
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, CELLS)))
    nbformat.write(notebook, folder / "small.ipynb")
    convert = [sys.executable, "-m", "nbconvert", str(folder / "small.ipynb")]
    page = [*course.PAGE[:-1], f"--output-dir={folder}"]
    for arguments in ([*course.EXECUTE, "--to=notebook", "--inplace"], page):
        ran = subprocess.run(
            [*convert, *arguments], cwd=ROOT, capture_output=True, encoding="utf-8"
        )
        assert not ran.returncode, ran.stderr
    return folder


def stored(folder):
    cells = json.loads((folder / "small.ipynb").read_text(encoding="utf-8"))["cells"]
    return [o for cell in cells for o in cell["outputs"] if "image/png" in o.get("data", {})]


def test_a_stored_notebook_has_what_its_figures_say(run):
    curve, push = (output["metadata"].get("image/png", {}) for output in stored(run))
    assert "falls from 3 to 1" in curve["alt"] and '“a <b> "c"”' in push["alt"]
    assert curve["width"] > 400
    assert stored(run)[0]["output_type"] == "execute_result"


def test_a_page_of_make_run_has_it_too(run):
    page = (run / "small.html").read_text(encoding="utf-8")
    for image, output in zip(Images(page).found, stored(run), strict=True):
        about = output["metadata"]["image/png"]
        assert image["alt"] == about["alt"] and image["width"] == str(about["width"])


def test_the_book_has_it_too(run, tmp_path):
    pytest.importorskip("myst_nb", reason="the extra `book` is not installed")
    sys.path.insert(0, str(ROOT / "book"))
    import build

    notebook = json.loads((run / "small.ipynb").read_text(encoding="utf-8"))
    notebook["cells"].insert(0, nbformat.v4.new_markdown_cell("# Small"))
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.ipynb").write_text(
        json.dumps(build.pictures(notebook)), encoding="utf-8"
    )
    settings = ["-q", "-D", "nb_execution_mode=off", "-D", "extensions=myst_nb"]
    folders = [str(tmp_path / "pages"), str(tmp_path / "book")]
    assert build.build_main([*settings, "-c", str(ROOT / "book"), *folders]) == 0
    page = (tmp_path / "book" / "index.html").read_text(encoding="utf-8")
    alts = [image["alt"] for image in Images(page).found if image["src"].startswith("_images")]
    assert alts == [output["metadata"]["image/png"]["alt"] for output in stored(run)]
