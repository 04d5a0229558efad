"""The checks are what they were, whatever a notebook does to them.

Each cell that checks begins with `from lstm_course import checks`. That gives the checks, their
exercises and their engine as they were loaded, under their names and with all of their functions,
not what has been put in their place since. It is no lock: the process is the student's own, and who
goes for the code inside the functions, for this file or for NumPy, gets by.
"""

import importlib
import sys
import types

PACKAGE = __name__.partition(".")[0]
CHECKS = f"{PACKAGE}.checks"
ROOMS = CHECKS, f"{PACKAGE}.exercises", f"{PACKAGE}.engine"

_loaded = {}  # name to the module, and to what it held


def modules():
    """Return the modules that are kept."""
    return [module for module, _ in _loaded.values()]


def keep():
    """Keep the checks and their engine as they are now."""
    for name, module in list(sys.modules.items()):
        if name.startswith(ROOMS):
            _loaded[name] = module, dict(vars(module))
    sys.modules[CHECKS].__class__ = Checks
    sys.modules[PACKAGE].__class__ = Package


class Module(types.ModuleType):
    """A module that is sent to another process by its name, as one of no class of its own is."""

    def __reduce__(self):
        return importlib.import_module, (self.__name__,)


class Package(Module):
    """The package."""

    @property
    def checks(self):
        """The checks, as they were."""
        for name, (module, held) in _loaded.items():
            sys.modules[name] = module
            vars(module).update(held)
        return _loaded[CHECKS][0]

    @checks.setter
    def checks(self, module):
        """Only as an import sets it."""
        if module is not _loaded[CHECKS][0]:
            raise AttributeError("lstm_course.checks are the checks: leave them as they are")


class Checks(Module):
    """The module of the checks."""

    def __setattr__(self, name, value):
        if name in vars(self) and name.startswith("check_"):
            raise AttributeError(
                f"{name} is the check: write what it asks for, and leave it as it is"
            )
        super().__setattr__(name, value)
