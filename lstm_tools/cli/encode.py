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
    """Encode texts, one per line, and write their vectors, which rank --vectors can read.

    Parameters
    ----------
    model
        A file that train has written.
    titles
        Texts, or docid<TAB>text on each line.
    out : FILE
        The .npy file to write, one row per text. Until it is complete, FILE.parts keeps finished
        blocks, from which the same command resumes.
    side
        Side of the model that encodes the texts.
    jobs : N
        Number of threads; -1 for one per core.
    quiet
        Print nothing.
    """
    check_written("--out", out, model, titles)
    try:
        encode_titles(load(model), titles, out, jobs, header, side, False if quiet else None)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"{out}.parts keeps the finished blocks; run the same command to resume"
        ) from None
