"""Measure the peak memory of a process, if the system reports it."""

import sys

try:
    import resource
except ModuleNotFoundError:  # Windows lacks this module
    resource = None


def peak_megabytes():
    """Return the peak memory of this process so far, in MB.

    On Windows this needs psutil, which ipykernel installs; return None without it.
    """
    if hasattr(resource, "getrusage"):  # in a browser, `resource` has no getrusage
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        # ru_maxrss is in bytes on macOS, in kB on Linux
        return round(peak / (2**20 if sys.platform == "darwin" else 2**10))
    try:
        import psutil
    except ModuleNotFoundError:
        return None
    peak = getattr(psutil.Process().memory_info(), "peak_wset", None)
    return peak and round(peak / 2**20)


def in_words(megabytes):
    """Format an amount of memory, or None if it was not measured."""
    return "memory not measured" if megabytes is None else f"{megabytes} MB"
