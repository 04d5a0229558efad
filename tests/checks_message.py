"""What a check says of an answer that is not right, for a small input."""

import numpy as np
import pytest

from lstm_course.engine.report import Wrong, hold_against

Y = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0], [2.0, 4.0, 7.0]])
GIVEN = {"l": np.arange(3.0), "words": ["a", "b"]}


def message(*args, **kwargs):
    with pytest.raises(Wrong) as caught:
        hold_against(*args, **kwargs)
    return str(caught.value)
