"""Figures for notebooks: style, alternative text, and conversion to small sharp PNGs."""

import base64
import io
import sys
import textwrap

import matplotlib.style
from matplotlib.figure import Figure as Drawn
from PIL import Image

from .alt_text import LONGEST, shown

SHARP = 2  # pixels of the PNG per CSS pixel
PALETTE = 256  # number of colours in the PNG's palette, which halves the file size
STYLE = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.labelsize": 10,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.dpi": 100,
    "savefig.dpi": 100,
    "figure.constrained_layout.use": True,
    "axes.axisbelow": True,
    "grid.color": "#EEEEEE",
}


def style():
    """Return a context manager that applies Matplotlib's defaults and the lessons' style.

    It restores the user's settings at its end.
    """
    return matplotlib.style.context(STYLE, after_reset=True)


class Figure(Drawn):
    """Matplotlib figure in the lessons' style, whose label is its alternative text.

    It is drawn and saved in the style, because Matplotlib reads some settings only then.
    """

    draw = style()(Drawn.draw)
    savefig = style()(Drawn.savefig)

    def says(self, *sentences):
        """Set the alternative text, at most `LONGEST` characters long, and return the figure."""
        text = textwrap.shorten(shown(" ".join(sentences)), LONGEST, placeholder=" …")
        if text[1:2].islower():  # capitalise a word, but not a symbol such as nDCG
            text = text[0].upper() + text[1:]
        self.set_label(text)
        return self


def png(figure):
    """Render a figure as a PNG with a palette.

    JupyterLab hides SVGs in a notebook that hasn't run on the same machine.

    Returns
    -------
    bytes, dict
        The PNG, and nbformat's metadata for ``image/png``: ``width`` on the page, ``alt``.
    """
    drawn, stored = io.BytesIO(), io.BytesIO()
    look = {"dpi": SHARP * figure.dpi, "bbox_inches": "tight", "pil_kwargs": {"compress_level": 1}}
    figure.savefig(drawn, format="png", **look)
    picture = Image.open(drawn).convert("RGB")
    # MAXCOVERAGE approximates every colour well, so that colour bars have no steps
    few = picture.quantize(PALETTE, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(stored, "png")
    about = {"width": round(picture.width / SHARP), "alt": figure.get_label()}
    return stored.getvalue(), {name: value for name, value in about.items() if value}


def _in_base_64(figure):
    """Return `png` with its bytes in base64, because a browser's kernel doesn't convert them."""
    picture, about = png(figure)
    return base64.b64encode(picture).decode("ascii"), about


def _tell_ipython():
    """Register `png` with IPython, if it is running, as the formatter for these figures."""
    ipython = sys.modules.get("IPython")  # IPython has been imported if it is running
    shell = ipython and ipython.get_ipython()
    if shell:
        shell.display_formatter.formatters["image/png"].for_type(Figure, _in_base_64)


_tell_ipython()
