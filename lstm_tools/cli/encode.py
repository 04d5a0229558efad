"""`lstm-edu encode`: write the vectors of a file of texts."""

from typing import Annotated

from lstm_edu.models.encoder import SIDES
from lstm_edu.models.loading import load

from ..vectors import encode_titles
from .messages import check_written


def encode(
    model,
    titles,
    *,
    out,
    side: Annotated[str, SIDES] = "document",
    jobs: int = 1,
    header: bool = False,
    quiet: bool = False,
):
    """Write the vectors of texts, given one per line, for rank --vectors.

    Parameters
    ----------
    model
        A file that train has written.
    titles
        Texts, or docid<TAB>text on each line.
    out : FILE
        The .npy to write, one row per line. Until it is complete, FILE.parts keeps finished blocks,
        from which the same command resumes.
    side
        Side of the model that encodes the texts.
    jobs : N
        Threads; -1 for one per core.
    quiet
        Print nothing.
    """
    check_written("--out", out, model, titles)
    try:
        encode_titles(load(model), titles, out, jobs, header, side, False if quiet else None)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"{out}.parts keeps the finished blocks; the same command goes on from there"
        ) from None
