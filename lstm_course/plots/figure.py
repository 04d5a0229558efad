"""Figures for notebooks: style, alternative text, and conversion to small sharp PNGs."""

import base64
import io
import textwrap

import matplotlib.style
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure as Drawn
from matplotlib.lines import Line2D
from PIL import Image

from .alt_text import LONGEST, course, listed, number, quoted, shown

SHARP = 2  # PNG pixels per CSS pixel
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

    On exit, it restores the user's settings.
    """
    return matplotlib.style.context(STYLE, after_reset=True)


class Figure(Drawn):
    """Matplotlib figure in the lessons' style, whose label is its alternative text.

    Drawing and saving apply the style again, because Matplotlib reads some settings only then.
    """

    draw = style()(Drawn.draw)
    savefig = style()(Drawn.savefig)

    def _repr_mimebundle_(self, **_):
        """Return the figure's PNG for IPython, in base64.

        IPython would encode bytes itself, but not in a kernel that runs in the browser.
        """
        picture, about = png(self)
        return {"image/png": base64.b64encode(picture).decode("ascii")}, {"image/png": about}

    def says(self, *sentences):
        """Set the alternative text, shortened to `LONGEST` characters, and return the figure."""
        text = textwrap.shorten(shown(" ".join(sentences)), LONGEST, placeholder=" …")
        if text[1:2].islower():  # capitalise a word, but not a symbol such as nDCG
            text = text[0].upper() + text[1:]
        self.set_label(text)
        return self

    def reads(self, *sentences, along="y"):
        """Set an alternative text read off the axes, add the sentences, and return the figure.

        The text has the axes' labels and, per panel, the title and the values of each line or set
        of bars that has a ``label``. ``along`` is the axis that shows the values: "y", or "x" for
        horizontal charts. If the text is too long, the longest panels are described in brief.
        """
        labels = [(_label(axis, "y"), _label(axis, "x")) for axis in self.axes]
        measure, by = zip(*labels, ("", self.get_supxlabel()))
        measure, by = (list(dict.fromkeys(filter(None, of))) for of in (measure, by))
        if len(by) == 1 and along == "y":
            by += _range(self.axes)
        by = ", ".join(by)
        head = by if along == "x" else " by ".join(filter(None, [", ".join(measure), by]))
        panels = [panel for panel in (_panel(axis, along) for axis in self.axes) if panel]
        said = [full for full, _ in panels]
        for k in sorted(range(len(panels)), key=lambda k: -len(said[k])):
            if len(" ".join([head, *said, *sentences])) < LONGEST - 2 * len(panels):
                break
            said[k] = min(panels[k], key=len)
        return self.says(f"{head.strip()}: {listed(said, between='; ')}.", *sentences)


def _label(axis, along):
    """Return an axis's label, and say in it if the scale is logarithmic."""
    label, is_log = (getattr(axis, f"get_{along}{what}")() for what in ("label", "scale"))
    return f"{label} (log scale)" if label and is_log == "log" and "log" not in label else label


def _named(axis):
    return zip(*axis.get_legend_handles_labels())


def _range(axes):
    """List the range of x of all labelled lines; return [] if an end isn't a whole number."""
    lines = [line for axis in axes for line, _ in _named(axis) if isinstance(line, Line2D)]
    x = [float(value) for line in lines for value in line.get_xdata()]
    whole = x and min(x).is_integer() and max(x).is_integer()
    return [f"from {number(min(x))} to {number(max(x))}"] if whole else []


def _panel(axis, along):
    """Describe a panel's labelled lines and bars, in full and in brief; return "" if it has none.

    The brief description has only the lowest and the highest of the last values of all lines.
    """
    values = {name: _values(drawn, along) for drawn, name in _named(axis)}
    values = {name: of for name, of in values.items() if of is not None}
    parts = [
        f"{quoted(name)} {listed(map(number, of), 5) if len(of) < 6 else course(of)}"
        for name, of in values.items()
    ]
    if not parts:
        return ""
    ends = sorted((of[-1], name) for name, of in values.items())
    low, high = (f"{number(end)} ({quoted(name)})" for end, name in (ends[0], ends[-1]))
    brief = f"{'the lines end ' if along == 'y' else ''}between {low} and {high}"
    title = axis.get_title("left")
    return [", ".join(filter(None, (title, said))) for said in (listed(parts, len(parts)), brief)]


def _values(drawn, along):
    """Return the values of a line, of error bars or of bars; None for other elements."""
    if isinstance(drawn, BarContainer):
        return drawn.datavalues
    line = drawn.lines[0] if isinstance(drawn, ErrorbarContainer) else drawn
    return getattr(line, f"get_{along}data", lambda: None)()


def png(figure):
    """Render a figure as a PNG with a palette.

    A PNG rather than an SVG, because JupyterLab hides the SVGs of a notebook that hasn't been run
    on the same machine.

    Returns
    -------
    bytes, dict
        The PNG, and its nbformat metadata: ``width`` in CSS pixels and, if the figure has one,
        its alternative text ``alt``.
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
