"""Tests of the students' copies of the exercises, made from the solution notebooks."""

import json
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from conftest import ROOT
from processes import python
from solutions import REGION, SOURCES, every_notebook, regions

from lstm_course import copies
from lstm_course.exercises import variants
from lstm_edu import InputError

EXERCISES, SOLUTIONS = (ROOT / "notebooks" / name for name in ("exercises", "solutions"))
NAME = next(iter(SOURCES))


@every_notebook
def test_stored_copy_is_current_and_contains_no_solution(name):
    path, source = EXERCISES / f"{name}.ipynb", SOURCES[name]
    stored = path.read_text(encoding="utf-8")
    # if this fails, make the copies again: make exercises AGAIN=1
    assert stored == copies.student_copy(SOLUTIONS / path.name)
    copy = nbformat.reads(stored, 4)
    nbformat.validate(copy)
    assert all(not cell.get("outputs") for cell in copy.cells)
    text = "\n".join(cell.source for cell in copy.cells)
    assert not re.search("(BEGIN|END) (SOLUTION|STUB)", text)
    stripped = lambda text: {line.strip() for line in text.split("\n")}
    without = (re.sub(REGION.format("SOLUTION"), "", cell.source) for cell in source.cells)
    given = set().union(*(stripped(part.replace("# ", "")) for part in without))
    for region in regions(source):
        assert not (stripped(region) - given) & stripped(text)


SOURCE = "if x:\n    ### BEGIN SOLUTION\n    y = x\n    ### END SOLUTION\n"


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("### END", "### BEGIN", "come in pairs"),
        ("    ### BEGIN SOLUTION\n", "", "come in pairs"),
        ("    ### END SOLUTION\n", "", "come in pairs"),
        ("### END SOLUTION", "### END SOLUTION.", "alone"),
    ],
)
def test_student_source_refuses_unpaired_or_altered_markers(old, new, said):
    with pytest.raises(InputError, match=said):
        copies.student_source(SOURCE.replace(old, new))


@pytest.fixture
def solution(tmp_path):
    """Copy one solution notebook into a temporary folder, and return the copy's path."""
    (tmp_path / "solutions").mkdir()
    return Path(shutil.copy(SOLUTIONS / f"{NAME}.ipynb", tmp_path / "solutions"))


def test_make_refuses_to_overwrite_answers_and_renames_them_with_again(tmp_path, solution, capsys):
    [path] = copies.make(tmp_path)
    stub = path.read_bytes()
    for kept, answers in ((".answers", b"not JSON"), (".answers1", stub + b" ")):
        path.write_bytes(answers)
        with pytest.raises(InputError, match=f"{path.name}: may contain answers .*; --again"):
            copies.make(tmp_path)
        assert path.read_bytes() == answers
        for _ in range(2):  # the second time, there are no answers to rename
            assert copies.make(tmp_path, again=True) == [path]
            assert path.read_bytes() == stub
        kept = path.with_name(f"{path.stem}{kept}.ipynb")
        assert kept.read_bytes() == answers
        assert capsys.readouterr().out == f"{path}: the previous file was renamed to {kept}\n"


def test_write_keeps_answers_saved_while_it_runs(tmp_path, monkeypatch):
    path = tmp_path / "exercises.ipynb"
    path.write_bytes(b"answers")
    monkeypatch.setattr(copies, "check_writable", lambda path: path.write_bytes(b"more answers"))
    assert copies._is_written(path, b"stub", True)
    kept = path.with_name("exercises.answers.ipynb")
    assert kept.read_bytes() == b"more answers" and path.read_bytes() == b"stub"


def test_make_reports_check_cell_without_stored_output(tmp_path, solution):
    source = json.loads(solution.read_text(encoding="utf-8"))
    for cell in source["cells"]:
        cell |= {"outputs": []} if cell["cell_type"] == "code" else {}
    solution.write_text(json.dumps(source), encoding="utf-8")
    with pytest.raises(InputError, match=rf"{NAME}\.ipynb, cell .*no stored output"):
        copies.make(tmp_path)


def test_make_variant_writes_stubs_and_runnable_solutions_and_keeps_answers(tmp_path, monkeypatch):
    copy, solutions = copies.make_variant(7, tmp_path)
    text = copy.read_text(encoding="utf-8")
    cells = nbformat.reads(text, 4).cells
    graded = [cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")]
    n = text.count("raise NotImplementedError()")
    assert len(graded) == len(variants.TABLE) == n and not re.search("SOLUTION|solutions", text)
    copy.write_text(text + " ", encoding="utf-8")
    with pytest.raises(InputError, match="variant_7: exercises.ipynb: may contain answers"):
        copies.make_variant(7, tmp_path)
    assert copies.make_variant(7, tmp_path, again=True) == [copy, solutions]
    assert len(list(copy.parent.iterdir())) == 3 and copy.read_text(encoding="utf-8") == text
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for cell in nbformat.read(solutions, 4).cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
            names["check"] = names["checks"] = None  # so each cell must import `checks` itself


@pytest.mark.parametrize("given", [[], ["-1"], ["1_0"], ["\u0663"]])
def test_command_refuses_variant_number_not_written_in_ascii_digits(given, tmp_path):
    done = python("-m", "lstm_course.copies", "--variant", *given, cwd=tmp_path)
    said = "--variant: give a whole number, as in --variant 7\n"
    assert done.returncode == 2 and done.stderr == said
