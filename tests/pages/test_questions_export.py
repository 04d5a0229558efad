"""Tests that exported questions, in Moodle XML and GIFT, can be parsed and are complete."""

import base64
import re
import xml.etree.ElementTree as ET

import pytest
from conftest import ROOT
from lesson_names import LESSONS

from book.build import prose, questions, quiz
from book.build.lecture import ANSWER, PREDICT


@pytest.fixture(scope="module")
def every():
    return questions.every()


def counted():
    """Count the questions and choices in the lessons' text, using regular expressions."""
    texts = [prose(ROOT / "notebooks" / f"{name}.ipynb") for name in LESSONS]
    asked = [part.split(ANSWER)[0] for text in texts for part in text.split(PREDICT)[1:]]
    return len(asked), sum(len(re.findall(r"(?m)^- \([a-d]\)", text)) for text in asked)


def test_export_has_all_questions_of_lessons_bank_and_inventory(every):
    kinds = ["Predict first", "Conceptual questions", "Concept inventory"]
    named = {kind: [q for q in every if q["category"].startswith(kind)] for kind in kinds}
    sizes = [(len(found), sum(len(q["choices"]) for q in found)) for found in named.values()]
    assert sizes == [counted(), (48, 176), (12, 48)]
    assert len({q["name"] for q in every}) == len(every) == sum(n for n, _ in sizes)
    assert all(text and why for q in every for text, why in q["choices"])


@pytest.mark.parametrize(
    "answer, right, reasons",
    [
        (
            "(b). Yes. (a) adds. It is a sum. (c) cuts.",
            "b",
            ["(a) adds. It is a sum.", "(c) cuts."],
        ),
        ("(b): so. (a) and (c) take it.", "b", ["(a) and (c) take it."] * 2),
        ("(b): so. (a) adds; (c) cuts.", "b", ["(a) adds.", "(c) cuts."]),
        ("(b), as seen. So it is.", "b", ["(b), as seen. So it is."] * 2),
        ("(b). $x$ fades, which (a) overlooks. (c) cuts.", "b", [None, "(c) cuts."]),
    ],
)
def test_feedback_on_each_choice_is_taken_from_answer(answer, right, reasons):
    if reasons[0] is None:
        reasons = ["$x$ fades, which (a) overlooks.", reasons[1]]
    assert [questions.reason(answer, letter, right) for letter in "ac"] == reasons


def test_moodle_xml_has_every_choice_reason_formula_and_figure(every):
    """Parse the file with the tags that Moodle documents."""
    root = ET.fromstring(quiz.moodle(every))
    read = [q for q in root if q.get("type") != "category"]
    assert len(root) - len(read) == len({q["category"] for q in every})
    assert len(read) == len(every)
    for asked, question in zip(every, read, strict=True):
        assert question.findtext("name/text") == asked["name"]
        answers = question.findall("answer")
        assert question.get("type") == ("multichoice" if asked["choices"] else "essay")
        assert [a.get("fraction") == "100" for a in answers] == [
            k == asked["right"] for k in range(len(asked["choices"]))
        ]
        for (choice, why), answer in zip(asked["choices"], answers, strict=True):
            assert answer.findtext("text") == quiz.in_html(choice)
            assert answer.findtext("feedback/text") == quiz.in_html(why)
        text = question.findtext("questiontext/text")
        n_formulas = len(re.findall(r"\$\$.+?\$\$|\$.+?\$", asked["text"], re.S))
        assert text.count(r"\(") + text.count(r"\[") == n_formulas and "$" not in text
        files = question.findall("questiontext/file")
        assert len(files) == text.count("@@PLUGINFILE@@/figure.png") == bool(asked["figure"])
        for file in files:
            assert base64.b64decode(file.text, validate=True) == asked["figure"]["png"]
            assert re.search(r'alt="[^"]{40,}"', text)


def test_gift_can_be_parsed_by_another_program(every, tmp_path):
    parser = pytest.importorskip("pygiftparser.parser", reason="pygiftparser is not installed")
    read = parser.parseFile(quiz.gift(every).splitlines(keepends=True))
    assert len(read) == len(every) and all(question.valid for question in read)
    plain = lambda text: re.sub(r"\\([~=#:])", r"\1", text).translate(quiz.CODED)
    for asked, question in zip(every, read, strict=True):
        assert question.title == asked["name"]
        answers = getattr(question.answers, "answers", [])
        expected = [tuple(map(quiz.in_html, pair)) for pair in asked["choices"]]
        coded = [tuple(text.translate(quiz.CODED) for text in pair) for pair in expected]
        assert [(plain(a.answer), plain(a.feedback)) for a in answers] == coded
        assert [a.fraction == 100 for a in answers] == [
            k == asked["right"] for k in range(len(expected))
        ]
        if asked["figure"]:
            assert "The figure in words:" in plain(question.text)


def test_gift_has_a_line_per_choice_and_no_blank_line_within_a_question(every):
    parts = re.split(r"\n\n", quiz.gift(every).strip())
    asked = [part for part in parts if not part.startswith("$CATEGORY")]
    assert len(asked) == len(every)
    for question, part in zip(every, asked):
        n = len(re.findall(r"^[~=](?:[^#\\]|\\.)+#", part, re.M))
        assert n == len(question["choices"]) and part.count("{") == part.count("}") == 1


def test_gift_export_writes_figures_as_files(tmp_path, every):
    paths = questions.export("gift", tmp_path)
    assert {path.name for path in paths} == {path.name for path in tmp_path.iterdir()}
    n_figures = sum(q["figure"] is not None for q in every)
    assert len(paths) == 1 + n_figures == 17
