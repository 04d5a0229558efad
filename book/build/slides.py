"""Make the lessons' slides: python -m book.build.slides build/slides.

No notebook is run. `lecture.py` selects the parts of a stored lesson, nbconvert converts them to
HTML, and reveal.js shows the slides. The folder contains all files, so that slides need neither
network nor server.
"""

import html
import pathlib
import re
import shutil
import sys

from book.build import LESSONS, STATIC, lecture, live, mathjax, read, website, write
from lstm_edu._util.files import from_extra

with from_extra("notebooks", "slides need nbconvert"):
    import nbformat
    from nbconvert.exporters import SlidesExporter
    from traitlets.config import Config
with from_extra("book", "slides need reveal.js, which sphinx-revealjs brings"):
    import sphinx_revealjs

DECK = STATIC / "deck"
REVEAL = pathlib.Path(sphinx_revealjs.__file__).parent / "_static" / "revealjs"
LOADED = [
    REVEAL / "LICENSE",
    REVEAL / "dist" / "reveal.js",
    REVEAL / "dist" / "reveal.css",
    REVEAL / "plugin" / "notes" / "notes.js",
    mathjax(),
    DECK / "slides.css",
    DECK / "slides.js",
]
LINK = re.compile(r"\[([^\]]+)\]\((?!\w+:)[^)\s]*\)")


def copy_loaded(folder):
    """Copy the files that slides load to a folder: reveal.js, MathJax, scripts and styles."""
    (folder / "_static").mkdir(parents=True, exist_ok=True)
    for file in LOADED:
        shutil.copy(file, folder / "_static")


def exporter():
    """Return an nbconvert exporter that converts slides to HTML."""
    config = Config()
    config.TemplateExporter.extra_template_basedirs = [str(STATIC)]
    config.HTMLExporter.exclude_anchor_links = True
    config.CSSHTMLHeaderPreprocessor.style = "a11y-high-contrast-light"
    return SlidesExporter(config=config, template_name="deck")


def deck(path, exporter):
    """Return a lesson's title, and its slides as HTML."""
    notebook = nbformat.read(path, as_version=4)
    number = path.stem.split("_")[0]
    lesson = lecture.lecture(live.in_lesson(website.headings(notebook, number), path.stem, depth=0))
    title = notebook["cells"][0]["source"].strip("# \n")
    lesson["metadata"] = {**lesson["metadata"], "title": title}
    first = read(DECK / "title.md").replace("TITLE", title.split(" ", 1)[1])
    lesson["cells"][0]["source"] = first.replace("NUMBER", number)
    for cell in lesson["cells"]:
        # remove links to other pages
        cell["source"] = LINK.sub(r"\1", cell["source"])
        # compare texts only on request; store no state in the URL, which names the slide
        for other in ('data-compare="swap" ', 'data-address="" '):
            cell["source"] = cell["source"].replace(other, "")
    page = exporter.from_notebook_node(lesson)[0]
    # titles may repeat, but ids must be unique
    return title, re.sub(r'<(h\d) id="[^"]*">', r"<\1>", page)


def main(folder):
    """Write each lesson's slides, and an index page, to a folder."""
    copy_loaded(folder)
    live.write_all(folder / live.FOLDER)
    makes, rows = exporter(), []
    for path in LESSONS:
        title, page = deck(path, makes)
        write(folder / f"{path.stem}.html", page)
        link = f'<a href="{path.stem}.html">{html.escape(title)}</a>'
        rows.append(f"<li>{link} <span>{page.count('<section') // 2} slides</span></li>")
    contents = read(DECK / "contents.html").replace("<!-- decks -->", "\n".join(rows))
    write(folder / "index.html", contents)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
    print(f"{sys.argv[1]}/index.html")
