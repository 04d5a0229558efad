"""Figures in notebooks: in one style, sharp, small, and with alternative text."""

import io
import sys

import matplotlib.style
from matplotlib.figure import Figure as Drawn
from PIL import Image

from .alt_text import says

SHARP = 2  # pixels of the picture per pixel of the page
PALETTE = 256  # colours: halves the picture's size
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
    """Return a context that sets Matplotlib to its defaults and the lessons' style.

    It restores the user's settings at its end.
    """
    return matplotlib.style.context(STYLE, after_reset=True)


class Figure(Drawn):
    """matplotlib's figure in the lessons' style, with its alternative text as label.

    Matplotlib reads some settings only when it draws or saves: of ticks, fonts and backgrounds.
    """

    draw = style()(Drawn.draw)
    savefig = style()(Drawn.savefig)

    def says(self, *sentences):
        """Give the figure its alternative text, and return the figure."""
        return says(self, *sentences)


def png(figure):
    """Make a figure's picture and its metadata.

    It is a PNG: JupyterLab hides an SVG in a notebook that hasn't run on this machine, and with a
    palette the PNG is smaller.

    Returns
    -------
    bytes, dict
        The picture, and nbformat's metadata for ``image/png``: ``width`` on the page, ``alt``.
    """
    drawn, stored = io.BytesIO(), io.BytesIO()
    look = {"dpi": SHARP * figure.dpi, "bbox_inches": "tight", "pil_kwargs": {"compress_level": 1}}
    figure.savefig(drawn, format="png", **look)
    picture = Image.open(drawn).convert("RGB")
    # MAXCOVERAGE keeps every colour close, so that a colour bar has no steps
    few = picture.quantize(PALETTE, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(stored, "png")
    about = {"width": round(picture.width / SHARP), "alt": figure.get_label()}
    return stored.getvalue(), {name: value for name, value in about.items() if value}


def _tell_ipython():
    """Let IPython, if it runs, show these figures by `png`."""
    ipython = sys.modules.get("IPython")  # imported if it runs
    shell = ipython and ipython.get_ipython()
    if shell:
        shell.display_formatter.formatters["image/png"].for_type(Figure, png)


_tell_ipython()
