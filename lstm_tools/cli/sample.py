"""`lstm-edu sample`: write the sample data."""

import os

from lstm_edu._util.files import InputError

from .messages import from_the_course
from .options import command


def add_to(commands):
    """Add `sample` to the command line."""
    parser = command(commands, sample, "write the sample data, byte for byte as in data_samples/")
    add = parser.add_argument
    add("--out", required=True, metavar="FOLDER", help="where; it is made if need be")
    parser.number("--seed", "of all that is drawn", 0)


def sample(args):
    """Write the sample data."""
    with from_the_course("sample"):
        from lstm_course.sample import questions, synthetic

    if args.seed < 0:
        raise InputError(f"--seed: {args.seed}; must be a whole number from 0")
    synthetic.write(args.out, args.seed)
    questions.write(os.path.join(args.out, "questions"), args.seed)
