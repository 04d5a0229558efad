"""The checks of the exercises, one `check_*` each.

A check prints one line if the answer is right; otherwise it raises `Wrong`, whose message shows the
answer, the expected value and a likely reason.
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
    """Return the checks of an exam: eleven exercises with other names and numbers, and one term
    of each changed; ``python course.py exercises --variant 7`` writes it.

    Parameters
    ----------
    number : int

    Returns
    -------
    object
        Its attributes are the checks, by the lessons' names. It is made anew by each call, as a
        notebook may change it.
    """
    every = exercises.variants.exercises(number)
    return SimpleNamespace(**{f"check_{each.name}": each.check for each in every})


kept.keep()
runner.refuse_exit()
