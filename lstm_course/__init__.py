"""The classroom of the course: checks of exercises, figures and explorers for notebooks.

`lstm_edu` is the system that the course teaches, and doesn't depend on this package.
"""


def __getattr__(name):
    """Import `explore` at its first use: the widgets need more packages than the rest."""
    if name == "explore":
        from .explorers import explore

        return explore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
