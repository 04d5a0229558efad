"""Tests of book/build/lecture.py, which splits a lesson into slides and speaker notes."""

import re

import nbformat
import pytest
from conftest import ROOT
from lesson_names import LESSONS

pytest.importorskip("sphinx_revealjs", reason="the extra `book` is not installed (make test does)")
pytest.importorskip("nbconvert", reason="the extra `notebooks` is not installed (make test does)")
from book.build import figures, lecture


@pytest.mark.parametrize(
    "text, kept",
    [
        ("One thing. A **term** is bold. Another.", "One thing.\n\nA **term** is bold."),
        ("See Eq. (1), Fig. 2 and Li et al. (3). So.", "See Eq. (1), Fig. 2 and Li et al. (3)."),
        ("(An aside.) More.", ""),
        ("All. Begin. So is:\n\n$$x\\tag{1}$$", "All.\n\nBegin.\n\nSo is:\n\n$$x\\tag{1}$$"),
        ("One. Say: a 1. That is **one-hot**. End.", "One.\n\nSay: a 1.\n\nThat is **one-hot**."),
        ("**What you need**: time. **Time**: an hour.", "**What you need**: time."),
        ("A.\n\n- **One.** More.\n- two, three. Four", "A.\n\n- **One.**\n- two, three."),
        ("Is it:\n\n**Predict first.** What? Why?", "Is it:\n\n**Predict first.** What? Why?"),
    ],
)
def test_slide_keeps_first_bold_and_introductory_sentences(text, kept):
    assert lecture.on_slide(text) == kept


def test_folded_answer_is_fragment_after_question_and_part_of_notes():
    folded = "<details><summary>Answer</summary>\n\nTwo. As it is.\n\n</details>\n\nAfter. All."
    asked = f"**Predict first.** One or two?\n\n{folded}"
    shown = lecture.on_slide(asked)
    assert shown.endswith('<div class="fragment answer">\n\nTwo. As it is.\n\n</div>\n\nAfter.')
    said = lecture.spoken(asked)
    assert "*Answer.*\n\nTwo. As it is." in said and "details" not in said
    assert lecture.on_slide(f"Think.\n\n{folded}") == "Think."  # only the notes have the answer


def text(source, kind=None):
    metadata = {"slideshow": {"slide_type": kind}} if kind else {}
    return nbformat.v4.new_markdown_cell(source, metadata=metadata)


def code(kind=None, *outputs, **metadata):
    if kind:
        metadata["slideshow"] = {"slide_type": kind}
    return nbformat.v4.new_code_cell("x = 1", metadata=metadata, outputs=list(outputs))


PRINTED = nbformat.from_dict({"output_type": "stream", "name": "stdout", "text": "said\n"})
DRAWN = nbformat.v4.new_output(
    "display_data", {"image/png": "AAAA"}, metadata={"image/png": {"alt": "A line."}}
)


def deck(*cells):
    """Make slides from cells; return each slide's [(slide type, content), …] and its notes."""
    made = lecture.lecture(nbformat.v4.new_notebook(cells=[text("# 01 A lesson"), *cells]))
    found, shown = [], []
    for cell in made.cells:
        kind = cell.metadata.slideshow.slide_type
        if kind == "notes":
            found.append((shown, cell.source))
            shown = []
        else:
            shown.append((kind, cell.source or [o.output_type for o in cell.outputs]))
    return found


def test_title_and_each_heading_begin_a_slide():
    cell = text("Before.\n\n## One\n\nFirst. More.", "slide")
    assert deck(code(None, DRAWN), text("Three.", "notes"), cell, code("subslide", DRAWN)) == [
        ([("slide", "## 01 A lesson")], "Three.\n\nBefore."),
        ([("slide", "## One"), ("-", "First.")], "First. More."),
        ([("subslide", "## One"), ("-", ["display_data"])], lecture.IN_WORDS.format("A line.")),
    ]


def test_fragments_join_the_slide_and_skipped_cells_are_omitted():
    cells = text("Left.", "skip"), text("## A\n\nOne.", "slide"), text("Two. Three.", "fragment")
    cells += (code("fragment", PRINTED, DRAWN), text("**Fig. 1.1**. A line.\n\nSo it is."))
    ((shown, said),) = deck(*cells)[1:]
    caption = '<div class="caption">\n\n**Fig. 1.1**. A line.\n\n</div>'
    fragments = [("fragment", "Two."), ("fragment", ["display_data"])]
    assert shown == [("slide", "## A"), ("-", "One."), *fragments, ("-", caption)]
    drawn = lecture.IN_WORDS.format("A line.")
    assert said == f"One.\n\nTwo. Three.\n\n{drawn}\n\nSo it is."


@pytest.mark.parametrize("tags, source", [(["show-input"], "x = 1"), ([], "")])
def test_slide_shows_code_only_if_tagged(tags, source):
    made = lecture.made(code("slide", PRINTED, tags=tags), "slide")
    assert made["source"] == source and made["outputs"] == [PRINTED]


@pytest.mark.parametrize("name", LESSONS)
def test_notes_contain_every_word_of_the_lesson(name):
    """Check that the notes, in order, contain the lesson's whole text."""
    lesson = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    written = []
    for cell in lesson.cells:
        if cell.cell_type == "markdown":
            skip = cell.metadata.get("slideshow", {}).get("slide_type") == "skip"
            written += [] if skip else cell.source.split("\n\n")[len(figures.captions(cell)) :]
    written = re.sub(r"^#+ .*$", "", "\n\n".join(written), flags=re.MULTILINE)
    said = "\n\n".join(c.source for c in lecture.lecture(lesson).cells if is_notes(c))
    for cell in lesson.cells:  # remove descriptions of pictures and computed sentences
        for extra in lecture.in_words(cell) if cell.cell_type == "code" else ():
            said = said.replace(extra, "", 1)
    assert said.split() == lecture.spoken(written).split()


def is_notes(cell):
    return cell.metadata.slideshow.slide_type == "notes"
