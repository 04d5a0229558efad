"""Conversion of the book's formulas to MathML, which browsers display and screen readers read.

MathML needs no script, so that pages don't move while they load. Because not every machine has a
font for mathematics, the book contains the characters of STIX Two that formulas use. The font is
embedded in a style sheet, because Firefox loads no font from another folder for a page opened as a
file.
"""

import base64
import importlib.util
import io
import pathlib

from book.build import write
from lstm_edu._util.files import from_extra

with from_extra("book", "the book's formulas need math-core, ziamath and fontTools"):
    from docutils import nodes
    from fontTools import subset, ttLib
    from math_core import LatexToMathML

# ziamath ships the font
FONT = pathlib.Path(importlib.util.find_spec("ziamath").origin).parent / "fonts"
# characters to keep in the font: letters, Greek, accents, arrows, operators, brackets
SIGNS = [
    *[range(0x20, 0x7F), range(0xA0, 0x100), range(0x2C6, 0x2DE), range(0x300, 0x339)],
    *[range(0x391, 0x3F6), range(0x2010, 0x2058), range(0x210E, 0x210F), range(0x2190, 0x21D5)],
    *[range(0x2200, 0x2300), range(0x2308, 0x230C), range(0x23DC, 0x23E2), range(0x25B3, 0x25B4)],
    *[range(0x27E8, 0x27EA), range(0x1D400, 0x1D49C), range(0x1D6A4, 0x1D756)],
]
STYLE = """@font-face {{ font-family: "formulas"; src: url(data:font/woff;base64,{}); }}
math {{ font-family: "formulas", math; font-size: 1.1em; }}
"""
to_mathml = LatexToMathML(fancy_error=False)


def mathml(latex, block):
    """Convert a formula from LaTeX to MathML, with its tag at the right margin."""
    if r"\tag" in latex:  # a tag is allowed only in numbered environments
        latex = rf"\begin{{equation}}{latex}\end{{equation}}"
    return to_mathml.convert_with_local_state(latex, displaystyle=block)


def visit(writer, node):
    """Write a formula as MathML into Sphinx's page."""
    block = isinstance(node, nodes.math_block)
    tag = "div" if block else "span"
    writer.body.append(f'<{tag} class="math">{mathml(node.astext(), block)}</{tag}>')
    raise nodes.SkipNode


def write_style(path):
    """Write the style sheet with the font, reduced to the characters of `SIGNS`."""
    font, kept = ttLib.TTFont(FONT / "STIXTwoMath-Regular.ttf"), io.BytesIO()
    subsetter = subset.Subsetter(subset.Options(hinting=False, layout_features=["ssty", "dtls"]))
    subsetter.populate(unicodes=[sign for signs in SIGNS for sign in signs])
    subsetter.subset(font)
    font.flavor = "woff"
    font.save(kept)
    in_base_64 = base64.b64encode(kept.getvalue()).decode("ascii")
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, STYLE.format(in_base_64))
