"""Exercise checks: one function `check_*` per exercise.

A check prints one line if the answer is right. Otherwise it raises `Wrong`, whose message shows the
student's answer, the expected value and, if a known mistake explains the answer, that mistake.
Students who agree to a record of their results call `share`.
"""

import contextlib
import importlib
import pkgutil

from . import exercises
from .engine import kept, slips
from .engine.calling import judged
from .engine.record import share
from .engine.report import Wrong
from .engine.sandbox import runner

for _file in pkgutil.iter_modules(exercises.__path__, f"{exercises.__name__}."):
    importlib.import_module(_file.name)
globals().update({_name: judged(_check) for _name, _check in slips.CHECKS.items()})
with contextlib.suppress(ImportError):  # the students' release has no variants.py
    from .exercises.variants import variant
kept.keep()
runner.refuse_exit()
