"""Figures in notebooks: sharp, small, and with alternative text."""

import io
import sys

from matplotlib.figure import Figure as Drawn
from PIL import Image

from .alt_text import says

SHARP = 2  # pixels of the picture per pixel of the page
PALETTE = 256  # colours: halves the picture's size


class Figure(Drawn):
    """matplotlib's figure, with its alternative text as label."""

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
