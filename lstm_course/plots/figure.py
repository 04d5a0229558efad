"""A figure as a notebook shows it: sharp, small, and with what it says as alternative text."""

import io
import sys

from matplotlib.figure import Figure as Drawn
from PIL import Image

from .alt_text import says

SHARP = 2  # pixels of a picture for each of the page's
PALETTE = 256  # colours: a picture of as many is half as long as one of all


class Figure(Drawn):
    """matplotlib's figure, whose label is a sentence on what it shows."""

    def says(self, *sentences):
        """Give the figure the sentence that says what it shows, and return it."""
        return says(self, *sentences)


def png(figure):
    """A figure's picture, and what a page is to know of it.

    A PNG and no SVG: JupyterLab hides an SVG in a notebook that has not run here, and with a
    palette the PNG is the shorter of the two.

    Returns
    -------
    bytes, dict
        The dict as nbformat has it for ``image/png``: ``width`` on the page, ``alt``.
    """
    drawn, stored = io.BytesIO(), io.BytesIO()
    look = {"dpi": SHARP * figure.dpi, "bbox_inches": "tight", "pil_kwargs": {"compress_level": 1}}
    figure.savefig(drawn, format="png", **look)
    picture = Image.open(drawn).convert("RGB")
    # the palette that is never far off: a bar of colours has no steps
    few = picture.quantize(PALETTE, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(stored, "png")
    about = {"width": round(picture.width / SHARP), "alt": figure.get_label()}
    return stored.getvalue(), {name: value for name, value in about.items() if value}


def _tell_ipython():
    """IPython, where it runs, shows these figures by `png`, and others as ever."""
    ipython = sys.modules.get("IPython")  # where it runs, it has been imported
    shell = ipython and ipython.get_ipython()
    if shell:
        shell.display_formatter.formatters["image/png"].for_type(Figure, png)


_tell_ipython()
