"""What tells a student right from wrong: one `check_*` for each exercise.

It prints one line, or raises `Wrong` and says what came, and why.
"""

import importlib
import pkgutil
from types import SimpleNamespace

from . import exercises
from .engine import kept, slips
from .engine.report import Wrong, judged

for _file in pkgutil.iter_modules(exercises.__path__, f"{exercises.__name__}."):
    importlib.import_module(_file.name)
globals().update({_name: judged(_check) for _name, _check in slips.CHECKS.items()})


def variant(number):
    """The checks of an exam: ten exercises of the core and an nDCG, with other names and numbers,
    and one term of each another; ``python course.py exercises --variant 7`` writes it.

    Parameters
    ----------
    number : int

    Returns
    -------
    object
        With the checks as attributes, by the lessons' names.
    """
    every = exercises.variants.exercises(number, globals())
    return SimpleNamespace(**{f"check_{each.name}": each.check for each in every})


kept.keep()
