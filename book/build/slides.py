"""Make the lessons' slides: python -m book.build.slides build/slides.

Nothing is run: `lecture.py` says what of a stored lesson stands on slides, nbconvert makes HTML of
it, and reveal.js shows that. All of it lies in the folder: no network is needed, and no server.
"""

import html
import importlib.util
import pathlib
import re
import shutil
import sys

from book.build import ROOT, lecture, live, website
from lstm_edu._util.files import from_extra

with from_extra("notebooks", "slides need nbconvert"):
    import nbformat
    from nbconvert.exporters import SlidesExporter
    from traitlets.config import Config
with from_extra("book", "slides need reveal.js, which sphinx-revealjs brings"):
    import sphinx_revealjs


TITLE = """<p class="of">lstm_edu, lesson {0}</p>

# {1}

<p class="of">A course that runs, on Palangi et al. 2016, <cite>Deep Sentence Embedding Using Long
Short-Term Memory Networks</cite></p>

<p class="licence">Text and figures: <a href="https://creativecommons.org/licenses/by/4.0/">CC BY
4.0</a>, the lstm_edu authors. Code: MIT.</p>"""
CONTENTS = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>lstm_edu: slides</title>
<link rel="stylesheet" href="_static/slides.css">
</head>
<body class="contents">
<h1>Slides</h1>
<p>One deck a lesson, made of the lesson's own cells. <kbd>→</kbd> goes on, <kbd>S</kbd> opens the
speaker's notes, <kbd>O</kbd> shows all slides, <kbd>F</kbd> fills the screen, <kbd>?</kbd> lists
all keys; where there is something to play with, its own keys hold until <kbd>Esc</kbd>.
<code>?print-pdf</code> at the end of a deck's address makes it ready to print.</p>
<ol>
{}</ol>
<p>Text and figures: <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>, the
lstm_edu authors. Code: MIT. Shown by reveal.js, MIT.</p>
</body>
</html>
"""
STATIC = "_static"
# as one file that draws its letters itself: no network, no fonts
OFFLINE = pathlib.Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent
MATHJAX = OFFLINE / "static" / "mathjax" / "tex-svg-full.js"
LINK = re.compile(r"\[([^\]]+)\]\((?!\w+:)[^)\s]*\)")


def beside(folder):
    """Put beside the slides what they load: reveal.js, MathJax, their look, and the reader."""
    reveal = pathlib.Path(sphinx_revealjs.__file__).parent / "_static" / "revealjs"
    for file in (
        reveal / "LICENSE",
        reveal / "dist" / "reveal.js",
        reveal / "dist" / "reveal.css",
        reveal / "plugin" / "notes" / "notes.js",
        MATHJAX,
        ROOT / "book" / "static" / "deck" / "slides.css",
        ROOT / "book" / "static" / "deck" / "slides.js",
    ):
        shutil.copy(file, folder / STATIC)
    live.write(folder / live.FOLDER)


def exporter():
    """What makes HTML of a lecture."""
    config = Config()
    config.TemplateExporter.extra_template_basedirs = [str(ROOT / "book" / "static")]
    config.HTMLExporter.exclude_anchor_links = True
    config.CSSHTMLHeaderPreprocessor.style = "a11y-high-contrast-light"
    return SlidesExporter(config=config, template_name="deck")


def deck(path, exporter):
    """A lesson's title, and its slides as HTML."""
    notebook = nbformat.read(path, as_version=4)
    number = path.stem.split("_")[0]
    lesson = lecture.lecture(live.in_lesson(website.headings(notebook, number), path.stem, depth=0))
    title = notebook["cells"][0]["source"].strip("# \n")
    lesson["metadata"] = {**lesson["metadata"], "title": title}
    lesson["cells"][0]["source"] = TITLE.format(*title.split(" ", 1))
    for cell in lesson["cells"]:
        # pages are not beside the slides; a second text is beside the reader when it is asked for
        cell["source"] = LINK.sub(r"\1", cell["source"])
        for other in ('data-compare="swap" ', 'data-address="" '):  # a deck's address is its slide
            cell["source"] = cell["source"].replace(other, "")
    page = exporter.from_notebook_node(lesson)[0]
    return title, re.sub(r'<(h\d) id="[^"]*">', r"<\1>", page)  # two slides may share a title


def contents(lessons):
    """The page that lists the decks, of [(file, title, how many slides)]."""
    rows = "".join(
        f'<li><a href="{name}.html">{html.escape(title)}</a> <span>{n} slides</span></li>\n'
        for name, title, n in lessons
    )
    return CONTENTS.format(rows)


def main(folder):
    """Write a deck for each lesson, and a page that lists them."""
    (folder / STATIC).mkdir(parents=True, exist_ok=True)
    makes, lessons = exporter(), []
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        title, page = deck(path, makes)
        write(folder / f"{path.stem}.html", page)
        lessons.append((path.stem, title, page.count("<section") // 2))
    write(folder / "index.html", contents(lessons))
    beside(folder)


def write(path, text):
    """Write a page."""
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
    print(f"{sys.argv[1]}/index.html")
