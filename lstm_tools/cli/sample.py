"""`lstm-edu sample`: write the sample data."""

import os

from .messages import from_the_course


def sample(*, out, seed: int = 0):
    """Write the sample data, byte for byte as in data_samples/.

    Parameters
    ----------
    out : FOLDER
        Folder to write to, created if it is missing.
    seed
        Seed of the random numbers.
    """
    with from_the_course("sample"):
        from lstm_course.sample import questions, synthetic

    synthetic.write(out, seed)
    questions.write(os.path.join(out, "questions"), seed)
