"""What drawings are made of: a canvas without axes, boxes, arrows."""

from matplotlib.patches import FancyBboxPatch

from .style import subplots


def canvas(width, height, xlim=None, ylim=None):
    """A figure without axes, in inches, or in the units of the limits, as long across as up."""
    figure, axis = subplots(figsize=(width, height))
    axis.set(xlim=xlim or (0, width), ylim=ylim or (0, height), aspect="equal" if xlim else "auto")
    axis.axis("off")
    return figure, axis


def box(
    axis,
    x,
    y,
    width,
    height,
    text="",
    colour="black",
    edge="#333333",
    ground="white",
    linewidth=1,
    fontsize=9,
    zorder=3,
):
    """A box around (x, y), and what is written in it."""
    axis.add_patch(
        FancyBboxPatch(
            (x - width / 2, y - height / 2),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=0.08",
            facecolor=ground,
            edgecolor=edge,
            linewidth=linewidth,
            zorder=zorder,
        )
    )
    axis.text(
        x, y, text, ha="center", va="center", color=colour, fontsize=fontsize, zorder=zorder + 1
    )


def arrow(axis, start, end, zorder=2.5, **look):
    """An arrow from one point to another; ``look`` as matplotlib's arrowprops."""
    axis.annotate(
        "",
        end,
        start,
        zorder=zorder,
        arrowprops={
            "arrowstyle": "-|>",
            "color": "black",
            "linewidth": 1,
            "shrinkA": 0,
            "shrinkB": 0,
        }
        | look,
    )
