"""Load a DualEncoder or an AlignedEncoder from a file."""

from collections.abc import Iterable

from .._util import arguments, array_files, files
from .._util.files import InputError, Path
from ..cells import CELLS
from ..cells.cell import Cell, check_classes, rebuild
from ..text.hashing import LetterTrigrams
from .aligned_encoder import AlignedEncoder, aligned
from .dual_encoder import DualEncoder
from .encoder import Side
from .model_file import FORMAT, SIDES, VERSIONS, check_arrays, shapes_of


def load(path: Path, cells: Iterable[type[Cell]] = ()) -> DualEncoder | AlignedEncoder:
    """Load a model from a saved file or a checkpoint.

    Parameters
    ----------
    path : str
    cells : list of type
        Your own cell classes, in addition to the package's.

    Returns
    -------
    DualEncoder or AlignedEncoder

    Raises
    ------
    InputError
        The file is damaged, cut short, or not a model. Its content is never executed.
    """
    path, classes = arguments.path("path", path), [*CELLS, *check_classes(cells)]
    arrays, meta = array_files.read_arrays(path, FORMAT, VERSIONS)
    kind = AlignedEncoder if "with_embedding" in meta else DualEncoder
    model = kind.__new__(kind)
    try:
        model.cell, model.training = rebuild(meta, classes), dict(meta["training"])
        model.hashing = LetterTrigrams(meta["trigrams"], meta.get("max_words"))
        model.dtype = arguments.float_type("dtype", meta["dtype"])
        if kind is AlignedEncoder:
            model.relevance = aligned(model.cell, meta["with_embedding"])
        shapes = shapes_of(model.cell, model.hashing)
        found = {name: arrays[name] for name in shapes if name in arrays}
        check_arrays(found, shapes, model.dtype)
    except Exception as error:  # forged metadata may raise any error
        raise InputError(f"{path}: cannot be loaded ({files.why(error)})") from None
    names = model.cell.shapes(0)
    model.query, model.document = (
        Side(model.cell, {name: found[f"{side}.{name}"] for name in names}) for side in SIDES
    )
    return model
