"""Tests that questions exported as Moodle XML can be parsed and are complete."""

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
    reasons = [why for q in every for _, why in q["choices"] if q["category"] in kinds[1:]]
    assert all(reasons) and all(text for q in every for text, _ in q["choices"])


def test_moodle_xml_has_every_choice_reason_formula_and_figure(every):
    """Read the file by the tags that Moodle documents."""
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
