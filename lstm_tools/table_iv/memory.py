"""The memory that a process has had, where the system tells."""

import sys

try:
    import resource
except ModuleNotFoundError:  # Windows
    resource = None


def peak_megabytes():
    """Return the most memory that this process has had so far, in MB.

    None where nobody tells: Windows' own word needs psutil, which ipykernel brings, and which is
    no part of the project.
    """
    if resource:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return round(peak / (2**20 if sys.platform == "darwin" else 2**10))  # bytes there, else kB
    try:
        import psutil
    except ModuleNotFoundError:
        return None
    peak = getattr(psutil.Process().memory_info(), "peak_wset", None)
    return peak and round(peak / 2**20)


def in_words(megabytes):
    """Say an amount of memory as comparisons and benchmarks do."""
    return "memory not measured" if megabytes is None else f"{megabytes} MB"
