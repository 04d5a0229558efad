"""Mutants of a backward pass: modules with one change that the gradient tests must detect.

A mutant is detected if it raises an error, or if its gradient differs from autograd's by far more
than the 1e-9 that other tests allow. `make test` tries a sixteenth of the mutants, and `make soak`
the rest. For each commit, CI tries a part of the rest.
"""

import ast
import inspect
import types

import mutations
import numpy as np
import pytest
from conftest import clicks

FOUND = 1e-6
EXAMPLES = clicks(2, n_pairs=5)
LATER = [pytest.param(k, marks=[pytest.mark.soak, pytest.mark.mutants]) for k in range(1, 16)]
in_sixteenths = pytest.mark.parametrize("sixteenth", [0, *LATER])


def broken(module, *function_names, sixteenth):
    """Yield one sixteenth of the mutants of a module's functions as (label, source)."""
    source = inspect.getsource(module)
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    functions = [function for function in functions if function.name in function_names]
    assert len(functions) == len(function_names)
    lines = {k for node in functions for k in range(node.lineno, node.end_lineno + 1)}
    part = slice(sixteenth, None, 16)
    for label, mutant in mutations.mutants(source, lines, mutations.terms, part):
        # skip argument checks, which tests/edu/test_arguments.py covers
        if not any(name in label for name in ("arguments.", "_checked(", "warn_of_zeros")):
            yield label, mutant


def module_of(source, original):
    module = types.ModuleType(original.__name__)
    module.__package__ = original.__package__
    exec(compile(source, f"mutant of {original.__name__}", "exec"), module.__dict__)
    return module


def survivors(mutants, original, gap):
    """Return the labels of undetected mutants, and the number of mutants tried.

    ``gap(module)`` returns how far the module's gradient is from the expected one.
    """
    assert gap(original) < 1e-9
    survived, count = [], 0
    for label, source in mutants:
        count += 1
        try:
            with np.errstate(all="ignore"):
                if gap(module_of(source, original)) < FOUND:
                    survived.append(label)
        except Exception:
            pass  # a mutant that crashes counts as detected
    return survived, count
