"""The book: built without a warning, all there, and readable with the network off."""

import html
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from conftest import PATIENCE, ROOT

pytest.importorskip("myst_nb", reason="the extra `book` is not installed (make test installs it)")
LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
EXERCISES = sorted(path.stem for path in (ROOT / "notebooks" / "exercises").glob("[0-9]*.ipynb"))
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

# Opens every page at two widths and says what a reader would see. Runs as a page of the book, so
# that it may look into the others.
LOOK = """<!doctype html><body><pre id="seen"></pre><script>
const style = e => e.ownerDocument.defaultView.getComputedStyle(e);
const scrolls = e => { for (; e && e.tagName != "ARTICLE"; e = e.parentElement)
  if (e.tagName == "DETAILS" && !e.open
      || ["auto", "scroll", "hidden"].includes(style(e).overflowX)) return true; };
async function look(page, width) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width: ${width}px; height: 900px; border: 0`;
  frame.src = page;
  document.body.append(frame);
  await new Promise(done => frame.onload = done);
  const inside = frame.contentWindow, all = inside.document;
  if (inside.MathJax) await inside.MathJax.startup.promise;
  const text = all.querySelector("article").cloneNode(true);
  text.querySelectorAll("pre, code, script, mjx-container").forEach(e => e.remove());
  const seen = {formulas: all.querySelectorAll("mjx-container").length,
                misread: [...all.querySelectorAll("[data-mjx-error]")]
                  .map(e => e.getAttribute("data-mjx-error")),
                raw: text.textContent
                  .match(/.{0,40}([$][$]|\\\\mathbf|\\\\frac|\\\\delta).{0,40}/g) || [],
                figures: all.querySelectorAll("article img").length,
                nameless: [...all.querySelectorAll("article img")]
                  .filter(e => !e.alt || /[.](png|svg)$/.test(e.alt)).map(e => e.src),
                shrunk: [...all.querySelectorAll("article .cell_output img[width]")]
                  .filter(e => width < 900 && e.clientWidth < e.getAttribute("width") - 1)
                  .map(e => e.src),
                broken: [...all.images]
                  .filter(image => !image.naturalWidth).map(image => image.src),
                sticks_out: [...all.querySelectorAll("article *")]
                  .filter(e => e.getBoundingClientRect().right > width + 1 && !scrolls(e))
                  .map(e => e.outerHTML.slice(0, 80))};
  frame.remove();
  return seen;
}
(async () => { const seen = {};
  for (const page of PAGES) for (const width of [1200, 390])
    seen[`${page}, ${width} pixels`] = await look(page, width);
  document.getElementById("seen").textContent = JSON.stringify(seen); })();
</script>"""


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book") / "book"
    built = subprocess.run(
        [sys.executable, ROOT / "book" / "build.py", folder], capture_output=True, encoding="utf-8"
    )
    assert not built.returncode, built.stdout + built.stderr
    return folder


def in_chromium(page, profile, query=""):
    """A page's elements, as Chromium has them with no network once its scripts have run."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed: the book's pages were built, but not looked at")
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--allow-file-access-from-files",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--user-data-dir={profile}",
        "--virtual-time-budget=300000",
        "--dump-dom",
    ]
    return subprocess.run(
        [CHROMIUM, *flags, page.as_uri() + query],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=PATIENCE,
    ).stdout


class Addresses(HTMLParser):
    """What a page loads, what it links to, and which places it has."""

    def __init__(self, page):
        super().__init__()
        self.loads, self.links, self.places = [], [], set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.places |= {attributes.get("id"), attributes.get("name") if tag == "a" else None}
        if "src" in attributes or tag == "link" and attributes.get("rel") != "canonical":
            self.loads.append(attributes.get("src") or attributes.get("href"))
        elif tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])


def test_all_is_in_it(book):
    pages = {path.relative_to(book).as_posix() for path in book.rglob("*.html")}
    assert {
        "index.html",
        "search.html",
        "teacher.html",
        "api.html",
        "notebooks/equations.html",
        "notebooks/claims.html",
        "data_samples/README.html",
    } <= pages
    assert {f"notebooks/{name}.html" for name in LESSONS} | {
        f"notebooks/exercises/{name}.html" for name in EXERCISES
    } <= pages
    contents = (book / "index.html").read_text(encoding="utf-8")
    assert all(
        f'href="notebooks/{name}.html"' in contents
        for name in [*LESSONS, "equations", "claims", *(f"exercises/{name}" for name in EXERCISES)]
    )
    numbers = [name.split("_")[0] for name in LESSONS]
    assert [number for number in numbers if f">{number} " not in contents] == []


def test_pages_load_nothing_from_the_network_and_links_lead_somewhere(book):
    read = {page: Addresses(page) for page in book.rglob("*.html")}
    for page, found in read.items():
        assert not [address for address in found.loads if urlsplit(address).netloc], page
        for address in [*found.loads, *found.links]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
            assert target.is_file(), f"{page.relative_to(book)}: {address}"
            assert (
                not parts.fragment
                or target not in read
                or unquote(parts.fragment) in read[target].places
            ), f"{page.relative_to(book)}: {address}"
    for sheet in book.rglob("*.css"):
        assert not re.search(
            r"@import|url\([\"']?(https?:)?//", sheet.read_text(encoding="utf-8")
        ), sheet


def test_the_index_of_equations_leads_to_lines_of_code(book):
    index, written = (
        (book / "notebooks" / "equations.html").read_text(encoding="utf-8"),
        (ROOT / "notebooks" / "equations.md").read_text(encoding="utf-8"),
    )
    links = re.findall(r'href="\.\./(lstm_edu/[\w/]+)\.html#L-(\d+)"', index)
    assert links == re.findall(r"\]\(\.\./(lstm_edu/[\w/]+)\.py#L(\d+)\)", written)
    module, line = links[0]
    shown = re.search(rf'id="L-{line}".*', (book / f"{module}.html").read_text(encoding="utf-8"))[0]
    # after its number
    code = html.unescape(re.sub("<[^>]*>", "", shown.split(">", 1)[1])).split(maxsplit=1)[1]
    assert (
        code
        == (ROOT / f"{module}.py").read_text(encoding="utf-8").splitlines()[int(line) - 1].strip()
    )


@pytest.mark.parametrize("name", EXERCISES)
def test_solutions_are_folded(book, name):
    cells = json.loads(
        (ROOT / "notebooks" / "solutions" / f"{name}.ipynb").read_text(encoding="utf-8")
    )["cells"]
    page = (book / "notebooks" / "exercises" / f"{name}.html").read_text(encoding="utf-8")
    open_text = re.sub(r"<details>.*?</details>", "", page, flags=re.DOTALL)
    assert (
        page.count("<summary>Solution</summary>")
        == sum(cell["metadata"].get("nbgrader", {}).get("solution", False) for cell in cells)
        > 0
    )
    assert "### " not in page and "YOUR CODE HERE" in open_text


def test_pages_can_be_read_with_the_network_off(book, tmp_path):
    pages = sorted(
        page.relative_to(book).as_posix()
        for page in book.rglob("*.html")
        if book / "lstm_edu" not in page.parents
    )
    (book / "look.html").write_text(LOOK.replace("PAGES", json.dumps(pages)), encoding="utf-8")
    dom = in_chromium(book / "look.html", tmp_path)
    os.remove(book / "look.html")
    seen = json.loads(html.unescape(re.search(r'<pre id="seen">(.*?)</pre>', dom, re.DOTALL)[1]))
    assert len(seen) == 2 * len(pages)
    for page, what in seen.items():
        assert (
            not what["misread"]
            and not what["raw"]
            and not what["broken"]
            and not what["sticks_out"]
            and not what["shrunk"]
            and not what["nameless"]
        ), f"{page}: {what}"
    for name in LESSONS:
        assert seen[f"notebooks/{name}.html, 1200 pixels"]["figures"] > 0
    assert seen["notebooks/05b_check_the_appendix.html, 1200 pixels"]["formulas"] > 100


def test_search_finds_a_word_with_the_network_off(book, tmp_path):
    results = in_chromium(book / "search.html", tmp_path, "?q=peepholes").split(
        'id="search-results"'
    )[1]
    assert (
        'href="notebooks/02_run_rnn_and_lstm.html' in results
        and 'href="notebooks/10b_table_iv.html' not in results
    )
