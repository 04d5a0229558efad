"""`lstm-edu sample`: write the sample data."""

import os

from .messages import from_the_course


def sample(*, out, seed: int = 0, positions: bool = False):
    """Write the sample data, byte for byte as in data_samples/.

    Parameters
    ----------
    out : FOLDER
        Folder to write to, created if it is missing.
    seed
        Seed of the random numbers.
    positions
        Also write positions.tsv: 20,000 searches with all results shown, their ranks and clicks.
    """
    with from_the_course("sample"):
        from lstm_course.sample import positions as with_positions
        from lstm_course.sample import questions, synthetic

    synthetic.write(out, seed)
    questions.write(os.path.join(out, "questions"), seed)
    if positions:
        with_positions.write(out, seed)
