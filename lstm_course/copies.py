"""Make the students' copies of the exercises: ``python -m lstm_course.copies``.

With ``--variant 7`` it writes practice variant 7 instead; see `lstm_course.exercises.variants`.

The copies are made from the notebooks in ``notebooks/solutions/``, which have nbgrader's markers
and cell metadata. The lines between ``### BEGIN SOLUTION`` and ``### END SOLUTION`` are replaced
with nbgrader's two-line stub. If students correct code instead of writing it, the wrong code
follows the solution as comments, between ``### BEGIN STUB`` and ``### END STUB``, and becomes the
stub. A copy ends before the worked answers to questions that no check grades.

A file that differs from its new copy may contain a student's answers. It is left unchanged, or with
``--again`` renamed.
"""

import contextlib
import io
import itertools
import json
import os
import pathlib
import re
import sys

from lstm_edu._util.files import InputError, check_apart, check_writable, replace

MARKED = r"(?ms)^( *)### BEGIN {0}\n(.*?)^ *### END {0}\n"
STUB = r"\1# YOUR CODE HERE\n\1raise NotImplementedError()\n"
EXPECTED = "<details><summary>Expected output</summary>\n\n```\n{}```\n\n</details>"
ANSWERS = "## To think about: worked answers\n"
VARIANT = """from collections import Counter

import numpy as np

from lstm_course import checks
from lstm_edu import letter_trigrams
from lstm_edu.cells.lstm import sigmoid"""
PUBLIC = """# Variant {0}, for practice

Read what each exercise asks for in the place of the lesson's. The key is public: whoever has the
course can make it from the number {0}."""
CHECK = "from lstm_course import checks\n\nchecks.variant({}).{}({})"
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
FORMAT = {"nbformat": 4, "nbformat_minor": 5}
DIFFERS = "may contain answers (they differ from their stubs); --again renames and replaces them"
SOLUTIONS = "Done, or stuck? Compare with [the solutions](../solutions/{})."


def student_source(source):
    """Replace the solutions in a cell's source with stubs.

    Parameters
    ----------
    source : str

    Returns
    -------
    str

    Raises
    ------
    InputError
        A marker has no partner, or is not alone on its line.
    """
    source += "\n"
    has_stub = re.search(MARKED.format("STUB"), source)
    source = re.sub(MARKED.format("SOLUTION"), "" if has_stub else STUB, source)
    source = re.sub(MARKED.format("STUB"), lambda found: _uncommented(found[2]), source)
    left = re.search(r".*(BEGIN|END) (SOLUTION|STUB).*", source)
    if left:
        raise InputError(f"{left[0].strip()}: markers come in pairs, each alone on its line")
    return source.removesuffix("\n")


def _uncommented(lines):
    return re.sub("(?m)^( *)# ?", r"\1", lines)


def student_copy(path, notebook=None):
    """Make the student's copy of a solutions notebook.

    It has stubs instead of solutions, no outputs, the expected output of each check, and a link to
    the solutions.

    Parameters
    ----------
    path : str or path
    notebook : dict, optional
        The content of the file. By default it is read from ``path``.

    Returns
    -------
    str
        The copy as JSON.

    Raises
    ------
    InputError
        The markers do not come in pairs, or a check has no stored output.
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
        cells.append(cell | {"source": in_lines(source)})
        if cell["cell_type"] == "code":
            cells[-1] |= {"outputs": [], "execution_count": None}
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            printed = "".join("".join(output.get("text", "")) for output in cell["outputs"])
            if not printed:
                missing = "this check has no stored output; run the notebook first"
                raise InputError(f"{path}, cell {cell['id']}: {missing}")
            cells.append(markdown_cell(cell["id"] + "-expected", EXPECTED.format(printed)))
    cells.append(markdown_cell("solutions", SOLUTIONS.format(path.name)))
    return dumped(notebook | {"cells": cells})


def make(folder="notebooks", again=False):
    """Write the students' copies of a folder's ``solutions/`` to its ``exercises/``.

    Parameters
    ----------
    folder : str or path
    again : bool
        Whether to rename and replace files that differ from their new copies.

    Returns
    -------
    list of path
        The copies, whether written or already up to date.

    Raises
    ------
    InputError
        Some solutions have unpaired markers or checks without output, or some files differ from
        their new copies. All other copies are written.
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
    return write_all(texts, again, errors)


def write_all(texts, again, errors):
    """Write ``texts``, keyed by path; return the paths. Raise one InputError for all failures."""
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
    """Write a copy unless the existing file differs; return whether the file is now the copy.

    With ``again``, rename a file that differs and write the copy.
    """
    if path.exists():
        if path.read_bytes() == text:
            return True
        if not again:
            return False
        check_writable(path)
        names = (f"{path.stem}.answers{k or ''}.ipynb" for k in itertools.count())
        kept = next(kept for kept in map(path.with_name, names) if not os.path.lexists(kept))
        path.rename(kept)
        print(f"{path}: the previous file was renamed to {kept}")
    replace(path, lambda file: file.write(text))
    return True


def make_variant(number, folder="build", again=False):
    """Write two notebooks for a practice variant: its exercises, and their checked solutions.

    Parameters
    ----------
    number : int
        The variant's number.
    folder : str or path
    again : bool
        As for `make`.

    Returns
    -------
    list of path
        The two notebooks, whether written or already up to date.
    """
    from .engine import slips
    from .exercises import variants

    folder = pathlib.Path(folder) / f"variant_{number}"
    folder.mkdir(parents=True, exist_ok=True)
    cells = [markdown_cell("title", PUBLIC.format(number)), code_cell("imports", VARIANT)]
    names = {"__name__": "__main__"}  # the solutions run in this namespace, as in a notebook
    exec(VARIANT, names)
    for k, check in enumerate(variants.exercises(number), start=1):
        name = check.solution.__name__
        head, body = slips.source(check.solution)
        source = f"{head}    ### BEGIN SOLUTION\n{body}    ### END SOLUTION"
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(source, names)
            check(names[name])
        cells += [
            markdown_cell(f"{k}-task", f"## {k}. {name}\n\n{check.task}"),
            code_cell(f"{k}-answer", source, solution=True),
            code_cell(f"{k}-check", CHECK.format(number, check.__name__, name), printed.getvalue()),
        ]
    solutions = {"cells": cells, "metadata": KERNEL} | FORMAT
    copy = json.loads(student_copy(folder / "solutions.ipynb", solutions))
    del copy["cells"][-1]  # remove the link to the solutions
    made = {"exercises.ipynb": copy, "solutions.ipynb": solutions}
    return write_all({folder / name: dumped(made[name]) for name in made}, again, [])


def code_cell(name, source, printed=None, solution=False):
    """Make a code cell; it is graded if ``printed``, a check's output, is given."""
    is_check = printed is not None
    mark = {"grade": is_check, "grade_id": name, "locked": is_check, "schema_version": 3}
    mark |= {"solution": solution, "task": False} | ({"points": 1} if printed else {})
    text = {"name": "stdout", "output_type": "stream", "text": in_lines(printed or "")}
    cell = {"cell_type": "code", "execution_count": None, "id": name, "source": in_lines(source)}
    cell["metadata"] = {"nbgrader": mark} if printed or solution else {}
    return cell | {"outputs": [text] if printed else []}


def dumped(notebook):
    """Return a notebook as JSON in nbformat's layout."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def markdown_cell(name, text):
    """Make a Markdown cell."""
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": in_lines(text)}


def in_lines(text):
    """Split text into lines that keep their line endings, as nbformat stores them."""
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    again, asked = "--again" in sys.argv, [word for word in sys.argv[1:] if word != "--again"]
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
