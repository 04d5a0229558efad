"""Conversion of a lesson into slides with speaker notes.

Each cell's *Slide Type*, set in JupyterLab's property inspector, means:

- Slide, Sub-Slide: begin a slide, or one below it. Each heading in the cell begins another; text
  above the first heading joins the notes of the previous slide.
- Fragment: join the previous slide, and appear when a key is pressed.
- Notes, or none: join the notes. Skip: omit the cell.

The lesson's title is the first slide.

From a text, a slide shows the heading, formulas, tables and blocks of code; the first sentence of
the section and of each list item; sentences with **bold** words; a sentence that ends with a colon
before one of these; the sentence before one that refers to it ("That is …") or answers it; and a
question to predict, whose answer appears when a key is pressed. If a section has an instrument, the
slide shows the first sentence and the instrument. From a code cell, it shows the pictures, or else
tables, computed sentences or printed text, and the code if the cell has the tag `show-input`.
Captions stay with their pictures.

The notes of a slide are the lesson's whole text up to the next slide, and its figures' alt texts.
"""

import html
import re

from book.build import figures
from lstm_edu._util.files import from_extra

with from_extra("book", "slides need markdown-it-py"):
    import nbformat
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

BEGIN = "slide", "subslide"
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
# formulas, code and link addresses, within which no sentence ends
WHOLE = re.compile(r"\$\$.*?\$\$|\$.*?\$|`.*?`|\]\(.*?\)", re.DOTALL)
END = re.compile(r"[.?!][*_\"”)]*\s+(?=[^\sa-z])")
SHORT = re.compile(r"\b(?:Eqs?|Figs?|al|e\.g|i\.e|vs|cf)\.$")
ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
BACK = re.compile(r"(That|This|These|Those|It|They|Both|So|Then|There) ")
OF_A_PAGE = "**What you need**", "**Time**"  # paragraphs that slides omit
PREDICT, ANSWER = "**Predict first.**", "<details><summary>Answer</summary>"
FOLDED = re.compile(f"{ANSWER}(.*?)</details>", re.DOTALL)
# HTML of an instrument, which is shown on the slide but left out of the notes
LIVE = re.compile(r'^<(?:link|script|div class="(?:reader|follow|training)").*\n?', re.MULTILINE)
MARKDOWN = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, double_inline=True)
# don't render formulas, because a figure may quote text typed by a user
IN_WORDS = '<p class="mathjax_ignore tex2jax_ignore"><em>What it shows.</em> {}</p>'
SHOWN = "image/png", "text/html", "text/markdown"  # a slide shows the first kind available


def lecture(notebook):
    """Convert a lesson into a notebook of slides for nbconvert's SlidesExporter."""
    slides, heading, shown = [], "", False
    for cell in notebook["cells"]:
        kind = cell["metadata"].get("slideshow", {}).get("slide_type", "-")
        source = "".join(cell["source"])
        if not slides and source.startswith("# "):
            kind = "slide"
        if kind == "skip" or "remove-cell" in cell["metadata"].get("tags", []):
            continue
        if cell["cell_type"] == "code":
            shown = kind in (*BEGIN, "fragment")
            if kind in BEGIN:
                slides.append(new(kind, heading))
            if shown:
                add(slides, made(cell, kind))
                say(slides, *in_words(cell))
            continue
        captions = source.split("\n\n")[: len(figures.captions(cell))]
        if shown:
            add(slides, *(markdown(f'<div class="caption">\n\n{c}\n\n</div>') for c in captions))
        shown = False
        for title, text in sections("\n\n".join(source.split("\n\n")[len(captions) :])):
            heading = title or heading
            if kind in BEGIN and (title or not HEADING.search(source)):
                slides.append(new(kind, heading))
                add(slides, markdown(on_slide(text)))
            elif kind == "fragment":
                add(slides, markdown(on_slide(text), kind))
            say(slides, spoken(text))
    cells = [cell for slide in slides for cell in (*slide["cells"], notes(slide["said"]))]
    return nbformat.from_dict({**notebook, "cells": cells})


def new(kind, heading):
    """Return a new slide with its title."""
    return {"cells": [markdown(f"## {heading}", kind)], "said": []}


def add(slides, *cells):
    """Append the non-empty cells to the last slide."""
    slides[-1]["cells"] += [cell for cell in cells if cell["source"] or cell.get("outputs")]


def say(slides, *texts):
    """Append the non-empty strings to the last slide's notes."""
    if slides:
        slides[-1]["said"] += [text for text in texts if text]


def notes(said):
    """Return a speaker-notes cell that contains the strings of ``said``."""
    return markdown("\n\n".join(said), "notes")


def markdown(text, kind="-"):
    """Return a Markdown cell with a slide type (by default, it continues the previous slide)."""
    return nbformat.v4.new_markdown_cell(text, metadata={"slideshow": {"slide_type": kind}})


def made(cell, kind):
    """Return a copy of a code cell, with only the outputs that its slide shows."""
    seen = "show-input" in cell["metadata"].get("tags", [])
    source = "".join(cell["source"]) if seen else ""
    of_kinds = [[o for o in cell["outputs"] if mime in o.get("data", {})] for mime in SHOWN]
    outputs = next(filter(None, of_kinds), cell["outputs"])
    metadata = {"slideshow": {"slide_type": "fragment" if kind == "fragment" else "-"}}
    return {**cell, "metadata": metadata, "source": source, "outputs": outputs}


def in_words(cell):
    """Return a code cell's outputs as text: each picture's alt text, then any Markdown output."""
    pictures = [output.get("metadata", {}).get("image/png", {}) for output in cell["outputs"]]
    computed = [output.get("data", {}).get("text/markdown") for output in cell["outputs"]]
    shown = [IN_WORDS.format(html.escape(p["alt"])) for p in pictures if p.get("alt")]
    return [*shown, *filter(None, computed)]


def sections(text):
    """Split a text at its headings into pairs of heading (or "") and text below it."""
    parts = HEADING.split(text)
    return [(title, part.strip()) for title, part in zip(["", *parts[1::2]], parts[::2])]


def blocks(text):
    """Split Markdown into blocks; return pairs (markdown-it token type, text)."""
    lines = text.splitlines()
    tokens = [t for t in MARKDOWN.parse(text) if t.map and t.level == 0 and t.nesting >= 0]
    return [(token.type, "\n".join(lines[slice(*token.map)]).strip()) for token in tokens]


def items(block):
    """Split a list in Markdown into its items."""
    lines = block.splitlines()
    tokens = [t for t in MARKDOWN.parse(block) if t.level == 1 and t.type == "list_item_open"]
    return ["\n".join(lines[slice(*token.map)]).strip() for token in tokens]


def sentences(paragraph):
    """Split a paragraph into sentences, ignoring periods in formulas, code and link addresses."""
    whole = [found.span() for found in WHOLE.finditer(paragraph)]
    found, start = [], 0
    for end in END.finditer(paragraph):
        at = end.start() + 1
        within = any(first < at <= last - 1 for first, last in whole)
        if not within and not SHORT.search(paragraph[:at]):
            found.append(paragraph[start : end.end()].rstrip())
            start = end.end()
    return [*found, paragraph[start:]]


def on_slide(text):
    """Return, as Markdown, the part of a section's text that its slide shows."""
    if LIVE.search(text):
        said = [block for kind, block in blocks(text) if kind != "hr"][:1]
        return "\n\n".join([*(sentences(block)[0] for block in said), "".join(LIVE.findall(text))])
    kept, first, asked = [], True, False
    for k, piece in enumerate(FOLDED.split(text)):
        if k % 2:
            kept += [f'<div class="fragment answer">\n\n{piece.strip()}\n\n</div>'] * asked
            continue
        parts = [part for part in blocks(piece) if part[0] != "hr"]
        for (kind, block), (after, _) in zip(parts, [*parts[1:], ("", "")]):
            asked = block.startswith(PREDICT)
            if kind == "paragraph_open" and not asked:
                kept += chosen(sentences(block), first, leads=after not in LEFT)
                first = False
            elif kind.endswith("list_open"):
                kept.append("\n".join(map(short, items(block))))
            else:
                kept.append(block)
    return "\n\n".join(filter(None, kept))


LEFT = "paragraph_open", "html_block", ""  # slides omit a “…:” sentence before these


def chosen(said, first, leads):
    """Choose the sentences of a paragraph that its slide shows.

    Parameters
    ----------
    said : list of str
        The paragraph's sentences.
    first : bool
        Whether the paragraph is the first of its section.
    leads : bool
        Whether a list, table, formula or block of code follows the paragraph.
    """
    kept = {k for k, text in enumerate(said) if "**" in text and not text.startswith(OF_A_PAGE)}
    if first and not said[0].startswith("("):
        kept.add(0)
    if leads and said[-1].endswith(":"):
        kept.add(len(said) - 1)
    kept |= {k - 1 for k in kept if k and (BACK.match(said[k]) or said[k - 1].endswith("?"))}
    return [said[k] for k in sorted(kept)]


def short(item):
    """Return a list item's first sentence, with the item's bullet or number."""
    mark = ITEM.match(item)[0]
    return mark + sentences(item[len(mark) :])[0]


def spoken(text):
    """Return a section's text for the speaker notes, with its answers unfolded."""
    return LIVE.sub("", text).replace(ANSWER, "*Answer.*").replace("</details>", "")
