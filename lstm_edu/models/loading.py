"""From a file to the model in it, whichever kind it is."""

from collections.abc import Iterable

from .._util import arguments
from .._util.files import InputError, Path
from ..cells import CELLS
from ..cells.cell import Cell, check_classes
from .aligned_encoder import AlignedEncoder
from .dual_encoder import DualEncoder
from .encoder import Side
from .model_file import unpack


def load(path: Path, cells: Iterable[type[Cell]] = ()) -> DualEncoder | AlignedEncoder:
    """Read a model that was saved, or that a checkpoint wrote.

    Parameters
    ----------
    path : str
    cells : list of type
        Classes of cells of one's own that it may be a model of, beside the package's.

    Returns
    -------
    DualEncoder or AlignedEncoder

    Raises
    ------
    InputError
        The file is damaged, cut short, or not a model. Nothing in it is ever run.
    """
    path, classes = arguments.path("path", path), [*CELLS, *check_classes(cells)]
    try:
        facts, weights = unpack(path, classes)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    kind = AlignedEncoder if "relevance" in facts else DualEncoder
    model = kind.__new__(kind)
    vars(model).update(facts)
    model.query, model.document = (Side(model.cell, of_side) for of_side in weights)
    return model
