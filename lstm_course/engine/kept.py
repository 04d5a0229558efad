"""Protection of the checks against changes that a notebook makes to their modules.

Each cell with a check begins with `from lstm_course import checks`. This import restores the
modules of the checks, the exercises and the engine to the state in which they were loaded. This is
not a security measure: code that changes the functions' bytecode, this file or NumPy gets past it.
"""

import importlib
import sys
import types

PACKAGE = __name__.partition(".")[0]
CHECKS = f"{PACKAGE}.checks"
ROOMS = CHECKS, f"{PACKAGE}.exercises", f"{PACKAGE}.engine"

_loaded = {}  # (module, copy of its attributes), keyed by module name


def modules():
    """Return the protected modules."""
    return [module for module, _ in _loaded.values()]


def keep():
    """Store the attributes of the protected modules, to restore them later."""
    for name, module in list(sys.modules.items()):
        if name.startswith(ROOMS):
            _loaded[name] = module, dict(vars(module))
    sys.modules[CHECKS].__class__ = Checks
    sys.modules[PACKAGE].__class__ = Package


class Module(types.ModuleType):
    """Base class for modules that are pickled by name."""

    def __reduce__(self):
        return importlib.import_module, (self.__name__,)


class Package(Module):
    """The package `lstm_course`, whose attribute `checks` can't be replaced."""

    @property
    def checks(self):
        """Restore all protected modules, and return the checks."""
        for name, (module, attributes) in _loaded.items():
            sys.modules[name] = module
            vars(module).update(attributes)
        return _loaded[CHECKS][0]

    @checks.setter
    def checks(self, module):
        """Refuse to replace `checks`, but accept the same module, which `import` assigns."""
        if module is not _loaded[CHECKS][0]:
            raise AttributeError("lstm_course.checks are the checks: leave them as they are")


class Checks(Module):
    """The module `lstm_course.checks`, whose checks can't be replaced."""

    def __setattr__(self, name, value):
        if name in vars(self) and name.startswith("check_"):
            raise AttributeError(
                f"{name} is the check: write what it asks for, and leave it as it is"
            )
        super().__setattr__(name, value)
