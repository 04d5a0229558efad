"""`lstm-edu encode`: the vectors of a file of texts; stopped, it goes on where it was."""

import os
from contextlib import suppress
from itertools import islice

import numpy as np
from tqdm import tqdm

from lstm_edu._util import files
from lstm_edu._util.files import InputError
from lstm_edu.models.dual_encoder import LINES, seal
from lstm_edu.models.encoder import SIDES
from lstm_edu.models.loading import load

from ..formats import trec
from .messages import check_written, tell
from .options import command


def add_to(commands):
    """Add `encode` to the command line."""
    parser = command(commands, encode, "write the vectors of texts, one a line, for rank --vectors")
    add = parser.add_argument
    add("model", help="a file that train has written")
    add("titles", help="texts, or docid<TAB>text a line")
    add(
        "--out",
        required=True,
        metavar="FILE",
        help="a .npy, a row a line; until it is whole, "
        "FILE.parts keeps what is done, and the same command goes on from there",
    )
    add("--side", choices=SIDES, default="document", help="which side reads them (document)")
    parser.number("--jobs", "threads; -1 for one a core", 1)
    parser.header()
    parser.switch("--quiet", "print nothing")


def encode(args):
    """Write the vectors, block by block; a block that is done is not done again."""
    check_written("--out", args.out, args.model, args.titles)
    model, folder, used = load(args.model), f"{args.out}.parts", []
    if model.relevance.words:
        raise InputError(f"{args.model}: aligns words, of which a text has several vectors")
    encode = model.encode_query if args.side == "query" else model.encode_document
    texts = (text for _, text in trec.iter_documents(args.titles, args.header))
    done = tqdm(unit=" texts", unit_scale=True, disable=args.quiet or None)

    def blocks():
        for block in iter(lambda: list(islice(texts, LINES)), []):
            of_block = seal(model, args.side)
            of_block.update("\n".join(block).encode())
            used.append(os.path.join(folder, f"{of_block.hexdigest()}.npy"))
            y = _kept(used[-1], (len(block), model.document.cell.size))
            if y is None:
                y = encode(block, args.jobs)
                files.write_table(used[-1], y)
            done.update(len(block))
            if done.disable and not args.quiet:  # no terminal to draw a bar in
                tell(f"{(len(used) - 1) * LINES + len(block):,} texts")
            yield block, y

    try:
        with suppress(FileExistsError), done:
            os.makedirs(folder)
        size, total = (model.document.cell.size,), seal(model, args.side)
        files.write_blocks(args.out, blocks(), size, model.dtype, total)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"{folder} keeps what is done; the same command goes on from there"
        ) from None
    for part in used:
        with suppress(OSError):
            os.remove(part)
    with suppress(OSError):  # another run's parts are its own
        os.rmdir(folder)


def _kept(part, shape):
    """What an earlier run has left of a block; None if that is not there, or damaged."""
    try:
        y = np.load(part)
    except (OSError, ValueError, EOFError):
        return None
    return y if y.shape == shape else None
