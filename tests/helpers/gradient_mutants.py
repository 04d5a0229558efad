"""Mutants of a backward pass: a module with one place changed, which gradient tests have to find.

A mutant is found if it raises, or if its gradient differs from autograd's by far more than the 1e-9
that other tests allow. `make test` tries each 16th of them, `make soak` all.
"""

import ast
import copy
import inspect
import itertools
import types

import mutations
import numpy as np
import pytest
from conftest import clicks

FOUND = 1e-6
EXAMPLES = clicks(2, n_pairs=5)
every = pytest.mark.parametrize(
    "every", [16, pytest.param(1, marks=pytest.mark.soak)], ids=["each 16th", "all"]
)


def broken(module, *function_names, every):
    """Yield every n-th mutant of some functions of a module: (the change, the source)."""
    tree = ast.parse(inspect.getsource(module))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    functions = [function for function in functions if function.name in function_names]
    assert len(functions) == len(function_names)
    number = itertools.count()
    for function in functions:
        for node in ast.walk(function):
            for label, attribute, value in list(changes(node)):
                if next(number) % every:
                    continue
                old = getattr(node, attribute)
                setattr(node, attribute, value)
                source = ast.unparse(ast.fix_missing_locations(copy.deepcopy(tree)))
                yield f"{function.name}: {label}", source
                setattr(node, attribute, old)


def changes(node):
    """What can be broken at a node of a syntax tree: (what it is, attribute, its wrong value)."""
    for label, attribute, value in mutations.changes(node):
        yield f"`{' '.join(ast.unparse(node).split())}` {label}", attribute, value
    statements = getattr(node, "body", None)
    for k, statement in enumerate(statements if isinstance(statements, list) else []):
        # what is given is checked by tests/edu/test_arguments.py
        checks = any(name in ast.unparse(statement) for name in ("arguments.", "_checked("))
        if isinstance(statement, (ast.Assign, ast.AugAssign)) and not checks:
            without = statements[:k] + [ast.Pass()] + statements[k + 1 :]
            yield f"without `{' '.join(ast.unparse(statement).split())}`", "body", without


def module_of(source, original):
    module = types.ModuleType(original.__name__)
    module.__package__ = original.__package__
    exec(compile(source, f"mutant of {original.__name__}", "exec"), module.__dict__)
    return module


def survivors(mutants, original, gap):
    """The mutants whose gap to autograd stays small, and how many there are in all."""
    assert gap(original) < 1e-9
    survived, count = [], 0
    for label, source in mutants:
        count += 1
        try:
            with np.errstate(all="ignore"):
                if gap(module_of(source, original)) < FOUND:
                    survived.append(label)
        except Exception:
            pass  # a mutant that crashes is found
    return survived, count
