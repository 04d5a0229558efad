"""Variants of exercises, with different names, different inputs and one changed term.

A variant's solution is the lesson's solution with that term changed. Its known mistakes are the
lesson's mistakes that are still wrong and distinguishable on the variant's inputs, and the lesson's
unchanged solution.
"""

import ast
import copy
import functools
import linecache
import random
import re
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np

from ..engine import slips
from ..engine.calling import judged
from ..engine.forms import alike

TABLE = slips.table(__file__)


@functools.cache
def exercises(number, title="a variant for practice"):
    """Build the checks of variant ``number``. Each check's ``task`` is the text of its exercise."""
    rng = np.random.default_rng(number)
    return [
        _exercise(name, slips.CHECKS[f"check_{name}"], number, asked, rng, title)
        for name, asked in TABLE.items()
    ]


def variant(number):
    """Return the checks of a practice variant, which ``course.py exercises --variant N`` writes.

    A variant has eleven exercises. Their names and numbers differ from the lesson's, and each has
    one changed term.

    Parameters
    ----------
    number : int
        The variant.

    Returns
    -------
    object
        The checks are its attributes, named as in the lessons. Each call makes a new object,
        because a notebook may change it.
    """
    return SimpleNamespace(**{check.__name__: check for check in exercises(number)})


def _exercise(name, lessons, number, asked, rng, title):
    term, *places = asked["terms"][rng.integers(len(asked["terms"]))]
    names = {old: new[rng.integers(len(new))] for old, new in asked["names"].items()}

    def renamed(text):
        return re.sub(r"\b[A-Za-z_]\w*\b", lambda found: names.get(found[0], found[0]), text)

    solution = lessons.solution
    arguments = ", ".join(solution.__code__.co_varnames[: solution.__code__.co_argcount])
    body = slips.changed(solution, *places).removeprefix(slips.source(solution)[0])
    source = renamed(f'def {solution.__name__}({arguments}):\n    """Variant."""\n{body}')
    source = source.replace("Variant.", f"Exercise {name} of {title}.")
    varied = _function(source, f"variant {number}: {name}", solution)
    inputs = _inputs(lessons.inputs, number, names)
    rows = [[text, *map(renamed, places)] for text, *places in lessons.slips]
    text = f"this is what the lesson asks for, and not the variant: {term}"

    def of_the_lesson(given):
        return [(text, slips.answer(solution, given))]

    kept = _distinct(varied, rows, inputs(), of_the_lesson)
    how = {"inputs": inputs, "slips": kept, "others": of_the_lesson, "name": name}
    check, words = judged(lessons.again(solution=varied, **how)), names | {"term": term}
    check.task = re.sub(r"\{(\w+)\}", lambda found: words.get(found[1], found[0]), asked["task"])
    return check


def _function(source, file, solution):
    """Define a function from source, and let `inspect` find the source, from line 10,001 on."""
    lines = ["\n"] * 10_000 + source.splitlines(True)
    linecache.cache[file] = (len(source), None, lines, file)
    code = ast.increment_lineno(ast.parse(source), 10_000)
    names = dict(solution.__globals__)
    exec(compile(code, file, "exec"), names)
    return names[code.body[0].name]


def _inputs(inputs, number, names):
    """Return the lesson's input generator with other seeds and other argument names."""
    numbers, texts = np.random.default_rng, random.Random

    def varied():
        with (
            patch.object(np.random, "default_rng", lambda seed=0: numbers([number, seed])),
            patch.object(random, "Random", lambda seed=0: texts(1000 * number + seed)),
        ):
            every = copy.deepcopy(inputs())
        return [{names.get(key, key): part for key, part in given.items()} for given in every]

    return varied


def _distinct(varied, rows, inputs, others):
    """Select the mistakes whose result is wrong and differs from all earlier mistakes' results."""
    kept = []
    for row in rows:
        try:
            values = [slips.answer(slips.slipped(varied, *row[1:]), given) for given in inputs]
        except Exception:  # the mistake doesn't apply to the variant, or raises an error
            continue
        wrong = [
            (value, given)
            for value, given in zip(values, inputs)
            if not alike(value, slips.answer(varied, given), 1e-9)
        ]
        if wrong:
            value, given = wrong[0]
            before = slips.reasons(varied, kept, given) + others(given)
            if not any(alike(value, other, 1e-9) for _, other in before):
                kept.append(row)
    return kept
