"""Exercise checks: one function `check_*` per exercise.

A check prints one line if the answer is right. Otherwise it raises `Wrong`, whose message has the
answer, the expected value and a likely mistake.
"""

import importlib
import pkgutil
from types import SimpleNamespace

from . import exercises
from .engine import kept, slips
from .engine.report import Wrong, judged
from .engine.sandbox import runner

for _file in pkgutil.iter_modules(exercises.__path__, f"{exercises.__name__}."):
    importlib.import_module(_file.name)
globals().update({_name: judged(_check) for _name, _check in slips.CHECKS.items()})


def variant(number):
    """Return the checks of a variant, which ``python course.py exercises --variant 7`` writes.

    It has eleven exercises, with other names and numbers than in the lessons, and one changed term
    each.

    Parameters
    ----------
    number : int
        The variant.

    Returns
    -------
    object
        Its attributes are the checks, by their names in the lessons. Each call makes a new object,
        because a notebook may change it.
    """
    every = exercises.variants.exercises(number)
    return SimpleNamespace(**{check.__name__: check for check in every})


kept.keep()
runner.refuse_exit()
