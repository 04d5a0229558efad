"""Write questions as Moodle XML, which learning platforms import.

The texts become HTML, with formulas between \\( \\) and \\[ \\], as MathJax reads them.
"""

import base64
import html
import re
import xml.etree.ElementTree as ET

from lstm_edu._util.files import from_extra

with from_extra("book", "exports need markdown-it-py"):
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\([^)]*\)")  # the target isn't on the platform
WRAPPED = re.compile(r'<(span|div) class="math (?:inline|block)">\s*(.*?)\s*</\1>', re.DOTALL)
CHOICES = {"single": "true", "shuffleanswers": "true", "answernumbering": "none"}
WORDS = {"responseformat": "editor", "responsefieldlines": "10"}


def _formula(text, options):
    """Delimit a formula for MathJax."""
    begin, end = ("<p>\\[", "\\]</p>") if options["display_mode"] else ("\\(", "\\)")
    return f"{begin}{html.escape(text)}{end}"


MARKDOWN = MarkdownIt("commonmark").enable("table")
MARKDOWN.use(dollarmath_plugin, double_inline=True, renderer=_formula)


def in_html(text):
    """Convert Markdown with formulas into HTML."""
    return WRAPPED.sub(r"\2", MARKDOWN.render(LINK.sub(r"\1", text)).strip())


def moodle(questions):
    """Return the questions as Moodle XML, with embedded figures.

    Parameters
    ----------
    questions : list of dict
        As `book.build.questions.every` returns them.

    Returns
    -------
    str
    """
    quiz, category = ET.Element("quiz"), None
    for asked in questions:
        if asked["category"] != category:
            category = asked["category"]
            path = f"$course$/top/{category}"
            _text(ET.SubElement(quiz, "question", type="category"), "category", path)
        kind, how = ("multichoice", CHOICES) if asked["choices"] else ("essay", WORDS)
        question = ET.SubElement(quiz, "question", type=kind)
        _text(question, "name", asked["name"])
        _asked(question, asked)
        for tag, value in how.items():
            ET.SubElement(question, tag).text = value
        _text(question, "generalfeedback", in_html(asked["answer"]), format="html")
        for k, (choice, reason) in enumerate(asked["choices"]):
            fraction = "100" if k == asked["right"] else "0"
            answer = ET.SubElement(question, "answer", fraction=fraction, format="html")
            ET.SubElement(answer, "text").text = in_html(choice)
            _text(answer, "feedback", in_html(reason), format="html")
    ET.indent(quiz)
    return ET.tostring(quiz, "unicode", xml_declaration=True) + "\n"


def _asked(question, asked):
    """Add the text of a question, and its figure as an embedded file."""
    shown, figure = in_html(asked["text"]), asked["figure"]
    if figure:
        alt, width = html.escape(figure["alt"]), figure["width"]
        shown += f'<p><img src="@@PLUGINFILE@@/figure.png" alt="{alt}" width="{width}"></p>'
    text = _text(question, "questiontext", shown, format="html")
    if figure:
        file = ET.SubElement(text, "file", name="figure.png", path="/", encoding="base64")
        file.text = base64.b64encode(figure["png"]).decode("ascii")


def _text(parent, tag, text, **attributes):
    """Add an element that contains a text element, as in Moodle XML, and return it."""
    element = ET.SubElement(parent, tag, attributes)
    ET.SubElement(element, "text").text = text
    return element
