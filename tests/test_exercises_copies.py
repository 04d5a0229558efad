"""The students' copies are made of the solutions, up to date, and hold no solution."""

import json
import re
import subprocess
import sys

import nbformat
import pytest
from conftest import ROOT, needs
from solutions import (
    REGION,
    SOURCES,
    answers_of,
    before_answers,
    every_notebook,
    exercises_of,
    regions,
)

from lstm_course import copies
from lstm_edu._util.files import InputError


def test_students_copies_are_those_of_the_solutions():
    made = {
        path.stem: path.read_text(encoding="utf-8")
        for path in (ROOT / "notebooks" / "exercises").glob("*.ipynb")
    }
    assert made.keys() == SOURCES.keys()
    stale = [
        name
        for name, copy in made.items()
        if copy != copies.student_copy(ROOT / "notebooks" / "solutions" / f"{name}.ipynb")
    ]
    assert stale == []  # else: make exercises


@every_notebook
def test_a_students_copy_holds_no_solution_and_no_output(name):
    copy = nbformat.read(ROOT / "notebooks" / "exercises" / f"{name}.ipynb", 4)
    nbformat.validate(copy)
    text = "\n".join(cell.source for cell in copy.cells)
    assert not re.search("(BEGIN|END) (SOLUTION|STUB)", text)
    assert all(
        cell.outputs == [] and cell.execution_count is None
        for cell in copy.cells
        if cell.cell_type == "code"
    )
    source = SOURCES[name]
    given = {
        line
        for cell in source.cells
        for line in re.sub(REGION.format("SOLUTION"), "", cell.source).replace("# ", "").split("\n")
    }
    given = {line.strip() for line in given}
    for region in regions(source):
        assert region.rstrip("\n") not in text
        assert not {line.strip() for line in region.split("\n")} - given & {
            line.strip() for line in text.split("\n")
        }
    n_mended = len(regions(source, "STUB"))
    assert text.count("# YOUR CODE HERE") == len(regions(source)) - n_mended
    printed = [cell.outputs[0].text for *_, cell in exercises_of(source)]
    assert re.findall(r"(?s)Expected output</summary>\n\n```\n(.*?)```", text) == printed


@every_notebook
def test_a_students_copy_ends_before_the_worked_answers(name):
    path, cells = ROOT / "notebooks" / "solutions" / f"{name}.ipynb", SOURCES[name].cells
    copy = json.loads(copies.student_copy(path))["cells"]
    before = [cell.id for cell in before_answers(cells)]
    made = [cell["id"] for cell in copy if not cell["id"].endswith("-expected")]
    assert made == [*before, "solutions"] and len(answers_of(cells)) > 1


SOURCE = '''def step(x):
    """Doc."""
    if x:
        ### BEGIN SOLUTION
        y = x + 1

        z = y
        ### END SOLUTION
    return x
'''


MENDED = SOURCE.replace(
    "    return x\n",
    "        ### BEGIN STUB\n"
    "        # for k in x:\n"
    "        #     y = x\n"
    "        #\n"
    "        ### END STUB\n"
    "    return x\n",
)


def test_a_solution_becomes_the_stub_of_nbgrader_at_its_indentation():
    assert (
        copies.student_source(SOURCE)
        == '''def step(x):
    """Doc."""
    if x:
        # YOUR CODE HERE
        raise NotImplementedError()
    return x
'''
    )
    assert copies.student_source("no markers") == "no markers"


def test_code_to_be_mended_takes_the_place_of_the_solution():
    assert (
        copies.student_source(MENDED)
        == '''def step(x):
    """Doc."""
    if x:
        for k in x:
            y = x
        #
    return x
'''.replace("#", "")  # that line is of blanks alone, and editors strip such lines
    )


@pytest.mark.parametrize(
    "broken, said",
    [
        (SOURCE.replace("### END", "### BEGIN"), "does not fit"),
        (SOURCE.replace("        ### BEGIN SOLUTION\n", ""), "does not fit"),
        (SOURCE.replace("        ### END SOLUTION\n", ""), "missing"),
        (SOURCE.replace("### END SOLUTION", "### END SOLUTION."), "alone"),
        (SOURCE.replace("### END SOLUTION", "### END STUB"), "does not fit"),
        (SOURCE.replace("### BEGIN", "# BEGIN"), "alone"),
    ],
)
def test_markers_that_do_not_pair_are_refused(broken, said):
    with pytest.raises(InputError, match=said):
        copies.student_source(broken)


@needs("links for every user")
def test_solutions_are_not_replaced_by_their_copies(tmp_path):
    name = next(iter(SOURCES))
    (tmp_path / "solutions").mkdir()
    (tmp_path / "exercises").symlink_to(tmp_path / "solutions")
    source = ROOT / "notebooks" / "solutions" / f"{name}.ipynb"
    path = tmp_path / "solutions" / source.name
    path.write_bytes(source.read_bytes())
    with pytest.raises(InputError, match="^exercises: .* is to be read, not written"):
        copies.make(tmp_path)
    assert path.read_bytes() == source.read_bytes()


def test_the_command_writes_all_or_says_what_is_wrong(tmp_path):
    name, command = next(iter(SOURCES)), [sys.executable, "-m", "lstm_course.copies", str(tmp_path)]
    (tmp_path / "solutions").mkdir()
    source = json.loads(
        (ROOT / "notebooks" / "solutions" / f"{name}.ipynb").read_text(encoding="utf-8")
    )
    path = tmp_path / "solutions" / f"{name}.ipynb"
    path.write_text(json.dumps(source), encoding="utf-8")
    assert (
        subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
        == f"{tmp_path / 'exercises' / name}.ipynb\n"
    )
    assert (tmp_path / "exercises" / f"{name}.ipynb").read_text(
        encoding="utf-8"
    ) == copies.student_copy(path)
    for cell in source["cells"]:
        cell |= {"outputs": []} if cell["cell_type"] == "code" else {}
    path.write_text(json.dumps(source), encoding="utf-8")
    run = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert (
        run.returncode == 2
        and f"{name}.ipynb, cell" in run.stderr
        and "no stored output" in run.stderr
    )
