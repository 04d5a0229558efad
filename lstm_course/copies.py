"""The student's copies of the exercises, made from the solutions: ``python -m lstm_course.copies``.

There is one source for both, ``notebooks/solutions/``. Its markers and cell metadata are those of
nbgrader: what stands between ``### BEGIN SOLUTION`` and ``### END SOLUTION`` becomes the two lines
that nbgrader puts there. Where a student is to mend code rather than to write it, that code stands
below the solution as comments, between ``### BEGIN STUB`` and ``### END STUB``, and takes the
solution's place. Where a notebook of solutions goes on to answer the questions of its lesson that
have no check, the copy ends.
"""

import json
import pathlib
import re
import sys

from lstm_edu._util.files import InputError, check_apart, write_text

STUB = ["# YOUR CODE HERE", "raise NotImplementedError()"]
EXPECTED = "<details><summary>Expected output</summary>\n\n```\n{}```\n\n</details>"
ANSWERS = "## To think about: worked answers\n"
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


def student_copy(path):
    """The student's copy of a notebook of solutions: stubs, no outputs, what each check prints,
    and a link to the solutions.

    Parameters
    ----------
    path : str or path

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
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = []
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
                raise InputError(
                    f"{path}, cell {cell['id']}: this check has no stored output; "
                    "run the notebook first"
                )
            cells.append(_markdown(cell["id"] + "-expected", EXPECTED.format(printed)))
    cells.append(_markdown("solutions", SOLUTIONS.format(path.name)))
    copy = notebook | {"cells": cells}
    return json.dumps(copy, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def make(folder="notebooks"):
    """Write ``exercises/`` from ``solutions/``, both in this folder.

    Returns
    -------
    list of path
        What was written.

    Raises
    ------
    InputError
        Some of the solutions have no right markers or outputs; the copies of all others are
        written.
    """
    folder, written, errors = pathlib.Path(folder), [], []
    (folder / "exercises").mkdir(exist_ok=True)
    for source in sorted(folder.glob("solutions/[0-9]*.ipynb")):
        copy = folder / "exercises" / source.name
        try:
            check_apart("exercises", copy, source)
            text = student_copy(source)
        except InputError as error:
            errors.append(str(error))
            continue
        write_text(copy, text)
        written.append(copy)
    if errors:
        raise InputError("\n".join(errors))
    return written


def _markdown(name, text):
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": _lines(text)}


def _lines(text):
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    try:
        print(*make(*sys.argv[1:2]), sep="\n")
    except (InputError, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
