"""Write questions as Moodle XML or GIFT, which learning platforms import.

Both contain HTML, with formulas between \\( \\) and \\[ \\] for MathJax.
"""

import base64
import html
import itertools
import operator
import re
import xml.etree.ElementTree as ET

from lstm_edu._util.files import from_extra

with from_extra("book", "exports need markdown-it-py"):
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\([^)]*\)")  # links, whose targets the platform lacks
WRAPPED = re.compile(r'<(span|div) class="math (?:inline|block)">\s*(.*?)\s*</\1>', re.DOTALL)
CODED = str.maketrans({sign: f"&#{ord(sign)};" for sign in "\\{}"})  # some parsers misread \}
CATEGORY, PATH = operator.itemgetter("category"), "$course$/top/{}"
# Moodle's settings for multiple-choice questions, and for answers in words
CHOICES = {"defaultgrade": "1", "single": "true", "shuffleanswers": "true"}
CHOICES |= {"answernumbering": "none"}
WORDS = {"defaultgrade": "1", "responseformat": "editor", "responsefieldlines": "10"}
GIFT_MEANS = re.compile(r"([~=#:])")  # GIFT's special characters


def _formula(text, options):
    """Delimit a formula for MathJax."""
    begin, end = ("<p>\\[", "\\]</p>") if options["display_mode"] else ("\\(", "\\)")
    return f"{begin}{html.escape(text)}{end}"


MARKDOWN = MarkdownIt("commonmark").enable("table")
MARKDOWN.use(dollarmath_plugin, double_inline=True, renderer=_formula)


def in_html(text):
    """Convert Markdown with formulas into one line of HTML, with <br> in blocks of code."""
    made = WRAPPED.sub(r"\2", MARKDOWN.render(LINK.sub(r"\1", text)).strip())
    made = re.sub(r"<pre>.*?</pre>", lambda block: block[0].replace("\n", "<br>"), made, flags=re.S)
    single = re.fullmatch(r"<p>((?:(?!<p>).)*)</p>", made, re.S)
    return (single[1] if single else made).replace("\n", " ")


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
    quiz = ET.Element("quiz")
    for category, group in itertools.groupby(questions, CATEGORY):
        _text(ET.SubElement(quiz, "question", type="category"), "category", PATH.format(category))
        for asked in group:
            _add(quiz, asked)
    ET.indent(quiz)
    return ET.tostring(quiz, "unicode", xml_declaration=True) + "\n"


def _add(quiz, asked):
    """Add a question, with its choices and feedback, to Moodle's quiz element."""
    kind, how = ("multichoice", CHOICES) if asked["choices"] else ("essay", WORDS)
    question = ET.SubElement(quiz, "question", type=kind)
    _text(question, "name", asked["name"])
    _asked(question, asked)
    _text(question, "generalfeedback", in_html(asked["answer"]), format="html")
    for tag, value in how.items():
        ET.SubElement(question, tag).text = value
    for k, (choice, reason) in enumerate(asked["choices"]):
        fraction = "100" if k == asked["right"] else "0"
        answer = ET.SubElement(question, "answer", fraction=fraction, format="html")
        ET.SubElement(answer, "text").text = in_html(choice)
        _text(answer, "feedback", in_html(reason), format="html")


def _asked(question, asked):
    """Add the text of a question, and its figure as an embedded file."""
    shown, figure = in_html(asked["text"]), asked["figure"]
    if figure:
        alt, width = html.escape(figure["alt"]), figure["width"]
        picture = f'<img src="@@PLUGINFILE@@/figure.png" alt="{alt}" width="{width}">'
        shown = f"<p>{shown}</p><p>{picture}</p>"
    text = _text(question, "questiontext", shown, format="html")
    if figure:
        file = ET.SubElement(text, "file", name="figure.png", path="/", encoding="base64")
        file.text = base64.b64encode(figure["png"]).decode("ascii")


def _text(parent, tag, text, **attributes):
    """Add an element that contains a text element, as in Moodle XML, and return it."""
    element = ET.SubElement(parent, tag, attributes)
    ET.SubElement(element, "text").text = text
    return element


def gift(questions):
    """Return the questions as GIFT, with figures described in words, because GIFT has no figures.

    Parameters
    ----------
    questions : list of dict
        As `book.build.questions.every` returns them.

    Returns
    -------
    str
    """
    parts = []
    for category, group in itertools.groupby(questions, CATEGORY):
        parts += [f"$CATEGORY: {PATH.format(category)}", *map(_in_gift, group)]
    return "\n\n".join(parts) + "\n"


def _in_gift(asked):
    text = in_html(asked["text"])
    if asked["figure"]:
        text = f"<p>{text}</p><p>The figure in words: {html.escape(asked['figure']['alt'])}</p>"
    lines = [f"::{_escaped(asked['name'])}::[html]{_escaped(text)} {{"]
    for k, (choice, reason) in enumerate(asked["choices"]):
        sign = "=" if k == asked["right"] else "~"
        lines.append(f"{sign}{_escaped(in_html(choice))}#{_escaped(in_html(reason))}")
    return "\n".join([*lines, f"####{_escaped(in_html(asked['answer']))}", "}"])


def _escaped(text):
    return GIFT_MEANS.sub(r"\\\1", text.translate(CODED))
