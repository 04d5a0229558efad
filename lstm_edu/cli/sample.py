"""`lstm-edu sample`: write the sample data."""

import os

from .._util.files import InputError
from .messages import from_the_course


def sample(args):
    """Write the sample data."""
    with from_the_course("sample"):
        from lstm_course.sample import questions, synthetic

    if args.seed < 0:
        raise InputError(f"--seed: {args.seed}; must be a whole number from 0")
    synthetic.write(args.out, args.seed)
    questions.write(os.path.join(args.out, "questions"), args.seed)
