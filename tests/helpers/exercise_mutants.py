"""Mutants of the solutions: wrong answers that the exercises' checks must refuse.

The checks stop mutants that don't terminate. Mutants that return the solution's result for every
argument aren't mistakes: tests/helpers/equal_mutants.toml lists them with the reason.
"""

import ast
import contextlib
import functools
import importlib.util
import io
import linecache
import os
import pathlib
import random
import tomllib
import warnings
from unittest import mock

import mutations
import solutions

HERE = pathlib.Path(__file__).resolve().parent
WANT_TORCH = "check_torch_loop", "check_cut_way_back"
SECONDS = 1.5  # CPU time limit per call, or 30 times the solution's time if that is longer


def exercises():
    """Return all exercises in order, as tuples (number, name, answer, check, needed).

    A number looks like "01.3". The last three are source code: the answer's cell, its check's cell,
    and the statements of earlier cells that these two need.
    """
    found = []
    for notebook in solutions.SOURCES.values():
        for _, _, _, answer, check in solutions.exercises_of(notebook):
            lesson, k, name = solutions.mark(answer)["grade_id"].split("-", 2)
            before = notebook.cells[: notebook.cells.index(answer)]
            code = [
                cell.source
                for cell in before
                if cell.cell_type == "code" and not solutions.mark(cell).get("grade")
            ]
            needed = _needed(code, f"{answer.source}\n{check.source}")
            found.append((f"{lesson}.{k}", name, answer.source, check.source, needed))
    return found


def missing(check):
    """Return the package that a check needs if it is not installed, else None.

    ``check`` is the check's name or source code.
    """
    wanted = any(name in check for name in WANT_TORCH)
    return "PyTorch" if wanted and importlib.util.find_spec("torch") is None else None


def mutants(source):
    """Return an answer's mutants, each with a change in a line that students write."""
    lines, inside = set(), False
    for k, line in enumerate(source.split("\n"), start=1):
        inside = "BEGIN SOLUTION" in line or inside and "END SOLUTION" not in line
        lines |= {k} if inside else set()
    return list(mutations.mutants(source, lines, mutations.slips))


@contextlib.contextmanager
def worker():
    """Yield `tried_here`, with a shorter time limit than for students' answers."""
    with mock.patch("lstm_course.engine.sandbox.runner.LEAST", SECONDS):
        yield tried_here


def likely(said):
    """Return the likely mistake that a message names, joined into one line."""
    return " ".join(said.partition("\n  likely ")[2].split())


def equal():
    """Return the equivalent mutants from equal_mutants.toml as {exercise: {label: reason}}."""
    listed = tomllib.loads((HERE / "equal_mutants.toml").read_text(encoding="utf-8"))
    return {
        number: {label: reason for reason, labels in reasons.items() for label in labels}
        for number, reasons in listed.items()
    }


def lost(exercise, tried, share=lambda n: n):
    """Try an exercise's mutants; return their number, and (label, message) of those that are lost.

    A mutant is lost if it crashes the check, if it passes without being listed as equivalent, or if
    it is listed and doesn't pass. ``tried`` is the function that `worker` yields; ``share(n)``
    returns how many of n mutants to try.
    """
    known, every = equal().get(exercise[0], {}), mutants(exercise[2])
    drawn = random.Random(0).sample(every, min(len(every), share(len(every))))
    found = [(label, *tried(exercise, source)) for label, source in drawn]
    return len(found), [
        (label, said)
        for label, state, said in found
        if state == "crashed" or (state == "alive") != (label in known)
    ]


def tried_here(exercise, source):
    """Check an answer's source code, and return its state and a message.

    The result is ("alive", the printed text), ("killed", the check's message), or ("crashed", the
    error) if the check raises an error other than `Wrong`.
    """
    from lstm_course.engine.calling import Unread
    from lstm_course.engine.report import Wrong

    names = dict(_names(exercise))
    with _silent() as printed:
        try:
            # register the source, so that messages can quote the line with the error
            linecache.cache["mutant"] = (len(source), None, source.splitlines(True), "mutant")
            exec(compile(source, "mutant", "exec"), names)
            exec(exercise[3], names)
        except Wrong as error:
            # an answer that exhausts memory may crash the check
            crashed = isinstance(error, Unread) and "MemoryError" not in str(error)
            return "crashed" if crashed else "killed", str(error)
        except BaseException as error:
            return "crashed", f"{type(error).__name__}: {error}"
    return "alive", printed.getvalue()


@functools.cache
def _names(exercise):
    """Return the global variables that an exercise's cells may use, keyed by name."""
    _, _, answer, _, needed = exercise
    names = {"__name__": "__main__"}  # run as in a notebook
    with _silent():
        exec(needed, names)
        exec(answer, names)
    return names


@contextlib.contextmanager
def _silent():
    folder = os.getcwd()
    os.chdir(solutions.FOLDER)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()) as printed:
            warnings.simplefilter("ignore")
            yield printed
    finally:
        os.chdir(folder)


def _needed(cells, text):
    """Return the statements of earlier cells that define the names used in ``text``."""
    kept, wanted = [], _loads(ast.parse(text))
    statements = [statement for cell in cells for statement in ast.parse(cell).body]
    for statement in reversed(statements):
        if wanted & _binds(statement):
            kept.insert(0, statement)
            wanted |= _loads(statement)
    return "\n".join(map(ast.unparse, kept))


def _loads(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _binds(statement):
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".")[0] for alias in statement.names}
    names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
    return {node.id for node in names if isinstance(node.ctx, ast.Store)}
