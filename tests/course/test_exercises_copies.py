"""The students' copies are made of the solutions, up to date, and hold no solution."""

import json
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from conftest import ROOT, needs
from processes import python
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

EXERCISES, SOLUTIONS = ROOT / "notebooks" / "exercises", ROOT / "notebooks" / "solutions"


def test_students_copies_are_those_of_the_solutions():
    made = {
        path.stem: path.read_text(encoding="utf-8")
        for path in EXERCISES.glob("*.ipynb")
        if ".answers" not in path.stem
    }
    assert made.keys() == SOURCES.keys()
    fresh = {name: copies.student_copy(SOLUTIONS / f"{name}.ipynb") for name in made}
    assert [
        name for name in made if made[name] != fresh[name]
    ] == []  # else: make exercises AGAIN=1


@every_notebook
def test_a_students_copy_holds_no_solution_and_no_output(name):
    copy, source = nbformat.read(EXERCISES / f"{name}.ipynb", 4), SOURCES[name]
    nbformat.validate(copy)
    for cell in copy.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None
    text = "\n".join(cell.source for cell in copy.cells)
    assert not re.search("(BEGIN|END) (SOLUTION|STUB)", text)
    stripped = lambda text: {line.strip() for line in text.split("\n")}
    without = (re.sub(REGION.format("SOLUTION"), "", cell.source) for cell in source.cells)
    given = set().union(*(stripped(part.replace("# ", "")) for part in without))
    for region in regions(source):
        assert region.rstrip("\n") not in text
        assert not (stripped(region) - given) & stripped(text)
    n_mended = len(regions(source, "STUB"))
    assert text.count("# YOUR CODE HERE") == len(regions(source)) - n_mended
    printed = [cell.outputs[0].text for *_, cell in exercises_of(source)]
    assert re.findall(r"(?s)Expected output</summary>\n\n```\n(.*?)```", text) == printed


@every_notebook
def test_a_students_copy_ends_before_the_worked_answers(name):
    path, cells = SOLUTIONS / f"{name}.ipynb", SOURCES[name].cells
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
TO_MEND = """\
        ### BEGIN STUB
        # for k in x:
        #     y = x
        #
        ### END STUB
    return x
"""
STUB = '''def step(x):
    """Doc."""
    if x:
        # YOUR CODE HERE
        raise NotImplementedError()
    return x
'''


def test_a_solution_becomes_the_stub_of_nbgrader_at_its_indentation():
    assert copies.student_source(SOURCE) == STUB
    assert copies.student_source("no markers") == "no markers"


def test_code_to_be_mended_takes_the_place_of_the_solution():
    mended = SOURCE.replace("    return x\n", TO_MEND)
    to_mend = "        for k in x:\n            y = x\n        \n"
    stub = "        # YOUR CODE HERE\n        raise NotImplementedError()\n"
    assert copies.student_source(mended) == STUB.replace(stub, to_mend)


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


NAME = next(iter(SOURCES))


@needs("links for every user")
def test_solutions_are_not_replaced_by_their_copies(tmp_path):
    (tmp_path / "solutions").mkdir()
    (tmp_path / "exercises").symlink_to(tmp_path / "solutions")
    path = Path(shutil.copy(SOLUTIONS / f"{NAME}.ipynb", tmp_path / "solutions"))
    with pytest.raises(InputError, match="^exercises: .* is to be read, not written"):
        copies.make(tmp_path)
    assert path.read_bytes() == (SOLUTIONS / f"{NAME}.ipynb").read_bytes()


def test_answers_are_left_or_kept_beside(tmp_path, capsys):
    (tmp_path / "solutions").mkdir()
    shutil.copy(SOLUTIONS / f"{NAME}.ipynb", tmp_path / "solutions")
    [path] = copies.make(tmp_path)
    stub = path.read_bytes()
    for kept, answers in ((".answers", b"no JSON any more"), (".answers1", stub + b" ")):
        path.write_bytes(answers)
        with pytest.raises(InputError, match=f"{path.name}: may hold answers, .*; --again"):
            copies.make(tmp_path)
        assert path.read_bytes() == answers
        for _ in range(2):  # the second finds what it would write
            assert copies.make(tmp_path, again=True) == [path]
            assert path.read_bytes() == stub
        kept = path.with_name(f"{path.stem}{kept}.ipynb")
        assert kept.read_bytes() == answers
        assert capsys.readouterr().out == f"{path}: what was there is kept as {kept}\n"


def test_answers_that_are_saved_meanwhile_are_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "exercises.ipynb"
    path.write_bytes(b"answers")
    monkeypatch.setattr(copies, "check_writable", lambda path: path.write_bytes(b"more answers"))
    with pytest.raises(InputError, match="something else is there by now"):
        copies._is_written(path, b"stub", True)
    assert path.read_bytes() == b"more answers"


def test_the_command_writes_all_or_says_what_is_wrong(tmp_path):
    run = lambda: python("-m", "lstm_course.copies", str(tmp_path))
    (tmp_path / "solutions").mkdir()
    path = Path(shutil.copy(SOLUTIONS / f"{NAME}.ipynb", tmp_path / "solutions"))
    copy = tmp_path / "exercises" / f"{NAME}.ipynb"
    assert run().stdout == f"{copy}\n"
    assert copy.read_text(encoding="utf-8") == copies.student_copy(path)
    source = json.loads(path.read_text(encoding="utf-8"))
    for cell in source["cells"]:
        cell |= {"outputs": []} if cell["cell_type"] == "code" else {}
    path.write_text(json.dumps(source), encoding="utf-8")
    done = run()
    assert done.returncode == 2 and f"{NAME}.ipynb, cell" in done.stderr
    assert "no stored output" in done.stderr
