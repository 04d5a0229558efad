"""Teaching material for the course: exercise checks, figures and explorers for notebooks.

It depends on `lstm_edu`, the system that the course teaches, and not the other way round.
"""


def __getattr__(name):
    """Import `explore` only when it is used, because its widgets need extra packages."""
    if name == "explore":
        from .explorers import explore

        return explore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
