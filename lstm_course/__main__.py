"""Command line that writes a page on a trained model: ``python -m lstm_course page MODEL``."""

import pathlib
import sys

import lstm_edu
from lstm_edu.readers import read_titles
from lstm_tools.cli.main import main
from lstm_tools.cli.messages import check_written, say

from .explorers import write_page


def page(model, *, out=None, titles=None):
    """Write a page that shows how a model reads a text.

    The reader in the book can open the page, too.

    Parameters
    ----------
    model
        A file that train has written.
    out : FILE
        Page to write (the model's name with .html, in the current folder).
    titles : FILE
        Titles to search, one per line.
    """
    out = out or f"{pathlib.Path(model).stem}.html"
    check_written("--out", out, model, titles)
    write_page(lstm_edu.load(model), out, titles and read_titles(titles))
    say(f"{out}: open it in a browser, or drop it on the reader of the book")


if __name__ == "__main__":
    sys.exit(main(commands=[page]))
