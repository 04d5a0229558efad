"""The student's copies of the exercises, made from the solutions: ``python -m lstm_course.copies``.

With ``--variant 7`` those of an exam: `lstm_course.exercises.variants` says what is another there.

There is one source for both, ``notebooks/solutions/``. Its markers and cell metadata are those of
nbgrader: what stands between ``### BEGIN SOLUTION`` and ``### END SOLUTION`` becomes the two lines
that nbgrader puts there. Where a student is to mend code rather than to write it, that code stands
below the solution as comments, between ``### BEGIN STUB`` and ``### END STUB``, and takes the
solution's place. Where a notebook of solutions goes on to answer the questions of its lesson that
have no check, the copy ends.

A copy that differs from its stub may hold answers: it is left as it is, or with ``--again`` kept
beside the new one.
"""

import contextlib
import io
import itertools
import json
import os
import pathlib
import re
import sys

from lstm_edu._util.files import InputError, check_apart, check_writable, digest, replace

STUB = ["# YOUR CODE HERE", "raise NotImplementedError()"]
EXPECTED = "<details><summary>Expected output</summary>\n\n```\n{}```\n\n</details>"
ANSWERS = "## To think about: worked answers\n"
VARIANT = """from collections import Counter

import numpy as np

from lstm_course import checks
from lstm_edu import letter_trigrams
from lstm_edu.cells.lstm import sigmoid

check = checks.variant({})"""
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
FORMAT = {"nbformat": 4, "nbformat_minor": 5}
DIFFERS = "may hold answers, as they differ from their stubs; --again keeps them beside new ones"
SOLUTIONS = "Done, or stuck? Compare with [the solutions](../solutions/{})."


def student_source(source):
    """A cell's text without its solution.

    Parameters
    ----------
    source : str

    Returns
    -------
    str

    Raises
    ------
    InputError
        The markers do not come in pairs.
    """
    lines, region, mend = [], None, "### BEGIN STUB" in source
    for line in source.split("\n"):
        marker = re.fullmatch(r"( *)### (BEGIN|END) (SOLUTION|STUB)", line)
        if marker:
            indent, edge, kind = marker.groups()
            if region != (None if edge == "BEGIN" else kind):
                raise InputError(f"{line.strip()}: does not fit the markers before it")
            region = kind if edge == "BEGIN" else None
            if region == "SOLUTION" and not mend:
                lines += [indent + stub for stub in STUB]
        elif re.search(r"(BEGIN|END) (SOLUTION|STUB)", line):
            raise InputError(f"{line.strip()}: a marker stands alone on its line")
        elif region == "STUB":
            lines.append(re.sub("^( *)# ?", r"\1", line))
        elif region is None:
            lines.append(line)
    if region:
        raise InputError(f"### END {region}: missing")
    return "\n".join(lines)


def student_copy(path, notebook=None):
    """The student's copy of a notebook of solutions: stubs, no outputs, what each check prints,
    and a link to the solutions.

    Parameters
    ----------
    path : str or path
    notebook : dict, optional
        What is or will be in that file.

    Returns
    -------
    str
        The text of the copy's file.

    Raises
    ------
    InputError
        Markers do not come in pairs, or a check has no stored output.
    """
    path = pathlib.Path(path)
    notebook, cells = notebook or json.loads(path.read_text(encoding="utf-8")), []
    for cell in notebook["cells"]:
        if "".join(cell["source"]).startswith(ANSWERS):
            break
        try:
            source = student_source("".join(cell["source"]))
        except InputError as error:
            raise InputError(f"{path}, cell {cell['id']}: {error}") from None
        cells.append(cell | {"source": _lines(source)})
        if cell["cell_type"] == "code":
            cells[-1] |= {"outputs": [], "execution_count": None}
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            printed = "".join("".join(output.get("text", "")) for output in cell["outputs"])
            if not printed:
                told = "this check has no stored output; run the notebook first"
                raise InputError(f"{path}, cell {cell['id']}: {told}")
            cells.append(_markdown(cell["id"] + "-expected", EXPECTED.format(printed)))
    cells.append(_markdown("solutions", SOLUTIONS.format(path.name)))
    return _dumped(notebook | {"cells": cells})


def make(folder="notebooks", again=False):
    """Write ``exercises/`` from ``solutions/``, both in this folder.

    Parameters
    ----------
    folder : str or path
    again : bool
        Write those anew that differ from their stubs, and keep what was there beside them.

    Returns
    -------
    list of path
        What was written, or is so already.

    Raises
    ------
    InputError
        Some of the solutions have no right markers or outputs, or some of the copies differ from
        their stubs; all others are written.
    """
    folder, texts, errors = pathlib.Path(folder), {}, []
    (folder / "exercises").mkdir(exist_ok=True)
    for source in sorted(folder.glob("solutions/[0-9]*.ipynb")):
        copy = folder / "exercises" / source.name
        try:
            check_apart("exercises", copy, source)
            texts[copy] = student_copy(source)
        except InputError as error:
            errors.append(str(error))
    return _write(texts, again, errors)


def _write(texts, again, errors):
    """Write copies, and return their paths; raise InputError with all that could not be."""
    left = []
    for path, text in texts.items():
        try:
            left += [] if _is_written(path, text.encode("utf-8"), again) else [path.name]
        except InputError as error:
            errors.append(str(error))
    if left:
        errors.append(f"{path.parent}: {', '.join(left)}: {DIFFERS}")
    if errors:
        raise InputError("\n".join(errors))
    return list(texts)


def _is_written(path, text, again):
    """Write a copy, and tell whether it is there now.

    What is there and differs is left, or with ``again`` kept beside it by a name that is free.
    """
    was = digest(path)
    if was and (found := path.read_bytes()) != text:
        if not again:
            return False
        check_writable(path)
        names = (f"{path.stem}.answers{k or ''}.ipynb" for k in itertools.count())
        kept = next(kept for kept in map(path.with_name, names) if not os.path.lexists(kept))
        replace(kept, lambda file: file.write(found), only=None)
        print(f"{path}: what was there is kept as {kept}")
    elif was:
        return True
    replace(path, lambda file: file.write(text), only=was)
    return True


def make_variant(number, folder="build", again=False):
    """Write a variant's exercises and, apart from them, its solutions, each held by its check.

    Parameters
    ----------
    number : int
    folder : str or path
    again : bool
        As of `make`.

    Returns
    -------
    list of path
        What was written, or is so already.
    """
    from . import checks
    from .engine import slips
    from .exercises import variants

    folder = pathlib.Path(folder) / f"variant_{number}"
    folder.mkdir(parents=True, exist_ok=True)
    title = f"# Variant {number}\n\nRead what each asks for in the place of the lesson's."
    cells = [_markdown("title", title), _code("imports", VARIANT.format(number))]
    names = {"__name__": "__main__"}  # as in a notebook
    exec(VARIANT.format(number), names)
    for k, each in enumerate(variants.exercises(number, vars(checks)), start=1):
        name = each.check.solution.__name__
        head, body = slips.source(each.check.solution)
        source = f"{head}    ### BEGIN SOLUTION\n{body}    ### END SOLUTION"
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(source, names)
            each.check(names[name])
        cells += [
            _markdown(f"{k}-task", f"## {k}. {name}\n\n{each.task}"),
            _code(f"{k}-answer", source, solution=True),
            _code(f"{k}-check", f"check.check_{each.name}({name})", printed.getvalue()),
        ]
    solutions = {"cells": cells, "metadata": KERNEL} | FORMAT
    copy = json.loads(student_copy(folder / "solutions.ipynb", solutions))
    del copy["cells"][-1]  # the link to the solutions
    made = {"exercises.ipynb": copy, "solutions.ipynb": solutions}
    return _write({folder / name: _dumped(made[name]) for name in made}, again, [])


def _code(name, source, printed=None, solution=False):
    """A cell of code; one that prints is a check, and graded."""
    is_check = printed is not None
    mark = {"grade": is_check, "grade_id": name, "locked": is_check, "schema_version": 3}
    mark |= {"solution": solution, "task": False} | ({"points": 1} if printed else {})
    text = {"name": "stdout", "output_type": "stream", "text": _lines(printed or "")}
    cell = {"cell_type": "code", "execution_count": None, "id": name, "source": _lines(source)}
    cell["metadata"] = {"nbgrader": mark} if printed or solution else {}
    return cell | {"outputs": [text] if printed else []}


def _dumped(notebook):
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _markdown(name, text):
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": _lines(text)}


def _lines(text):
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    again, asked = "--again" in sys.argv, [own for own in sys.argv[1:] if own != "--again"]
    try:
        if asked[:1] == ["--variant"]:
            if len(asked) != 2 or not re.fullmatch("[0-9]{1,9}", asked[1]):
                raise InputError("--variant: give a whole number, as in --variant 7")
            print(*make_variant(int(asked[1]), again=again), sep="\n")
        else:
            print(*make(*asked[:1], again=again), sep="\n")
    except (InputError, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
