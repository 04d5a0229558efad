"""The classroom of the course: what a student types and looks at.

`lstm_edu` is the system that the course is about, and knows nothing of this.
"""


def __getattr__(name):
    """Load `explore` when it is first asked for: what moves needs more than the rest."""
    if name == "explore":
        from .explorers import explore

        return explore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
