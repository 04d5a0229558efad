"""What tells a student right from wrong: one `check_*` for each exercise.

It prints one line, or raises `Wrong` and says what came, and why.
"""

from .engine import kept
from .engine.report import judged

# One line for each topic, by the alphabet; every check is named, so that this file is their list.

for _name in [name for name in globals() if name.startswith("check_")]:
    globals()[_name] = judged(globals()[_name])

kept.keep()
