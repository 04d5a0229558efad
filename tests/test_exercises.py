"""The exercises: each solution passes its check, the students' copies are up to date.

Each stub and each typical wrong answer fails its check and is told why.
"""

import importlib.util
import json
import re
import string
import subprocess
import sys
import types

import exercise_mutants
import nbformat
import pytest
from conftest import ROOT, needs

import lstm_edu
from lstm_edu import checks, exercises
from lstm_edu.files import InputError

SOURCES = {
    path.stem: nbformat.read(path, 4)
    for path in sorted((ROOT / "notebooks" / "solutions").glob("[0-9]*.ipynb"))
}
CHECKS = [name for name in dir(checks) if name.startswith("check_")]
WRONG = {
    name: answers
    for path in sorted((ROOT / "tests" / "wrong_answers").glob("[a-z]*.py"))
    for name, answers in importlib.import_module(f"wrong_answers.{path.stem}").WRONG.items()
}
REGION = r"(?ms)^ *### BEGIN {0}\n(.*?)^ *### END {0}$"
HEAD = r"(?s)## (\d+)\. .+?\n\n\*(\d+) minutes · level ([123]) of 3\*\n\n.+"
# imported where it is used: `checks = …` in a cell above is not believed
CHECK = "# NBVAL_CHECK_OUTPUT\nfrom lstm_edu import checks\n\n"
every_notebook = pytest.mark.parametrize("name", SOURCES)
NO_TORCH = importlib.util.find_spec("torch") is None


def skip_without_torch(name):
    if NO_TORCH and name.startswith("14_") or exercise_mutants.missing(name):
        pytest.skip(f"{name} needs PyTorch, which is not installed")


def mark(cell):
    return cell.metadata.get("nbgrader", {})


def exercises_of(notebook):
    """Number, task, hint, answer and check of each exercise: four cells in a row."""
    cells = notebook.cells
    return [
        (k, *cells[at - 2 : at + 2])
        for k, at in enumerate(
            (at for at, cell in enumerate(cells) if mark(cell).get("solution")), start=1
        )
    ]


def regions(notebook, kind="SOLUTION"):
    return [
        region for cell in notebook.cells for region in re.findall(REGION.format(kind), cell.source)
    ]


LESSONS = sorted(path.stem.split("_")[0] for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))[1:]


@pytest.mark.parametrize("number", LESSONS)
def test_each_lesson_has_three_exercises_or_more(number):
    names = [name for name in SOURCES if name.startswith(f"{number}_")]
    assert len(names) == 1 and (ROOT / "notebooks" / f"{names[0]}.ipynb").exists()
    assert len(exercises_of(SOURCES[names[0]])) >= 3


@every_notebook
def test_each_exercise_has_its_four_cells(name):
    notebook, number, total = SOURCES[name], name.split("_")[0], 0
    nbformat.validate(notebook)
    for k, task, hint, answer, check in exercises_of(notebook):
        head = re.fullmatch(HEAD, task.source)
        assert head and int(head[1]) == k, task.source
        minutes, total = int(head[2]), total + int(head[2])
        assert task.cell_type == hint.cell_type == "markdown" and re.fullmatch(
            r"(?s)<details><summary>Hint</summary>\n\n.+\n\n</details>", hint.source
        )
        assert re.fullmatch(rf"{number}-{k}-[a-z0-9-]+", mark(answer)["grade_id"])
        same = {"schema_version": 3, "task": False}
        assert mark(answer) == {
            "grade": False,
            "locked": False,
            "solution": True,
            "grade_id": mark(answer)["grade_id"],
            **same,
        }
        assert mark(check) == {
            "grade": True,
            "locked": True,
            "solution": False,
            "grade_id": f"{number}-{k}-check",
            "points": max(1, round(minutes / 5)),
            **same,
        }
        assert regions(nbformat.from_dict({"cells": [answer]}))
        assert re.fullmatch(rf"{CHECK}checks\.check_\w+\(.+\)", check.source)
        called = re.search(r"check_\w+", check.source)[0]
        assert [output.text.split(":")[0] for output in check.outputs] == [
            called
        ] and ": passed on " in check.outputs[0].text
    opening = notebook.cells[0].source
    lesson = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4)
    assert opening.split("\n")[0] == lesson.cells[0].source.split("\n")[0].replace(
        "# ", "# Exercises: ", 1
    )
    assert f"(../{name}.ipynb)" in opening and f"{total} minutes" in opening
    graded = [
        cell for cell in notebook.cells if mark(cell).get("grade") or mark(cell).get("solution")
    ]
    assert len(graded) == 2 * len(exercises_of(notebook)) and all(
        mark(cell).get("locked") is not True for cell in notebook.cells if cell not in graded
    )


LESSONS = sorted(
    path
    for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")
    if "To think about" in path.read_text(encoding="utf-8")
)
FOLDED = r"<details><summary>Answer</summary>\n\n.+?\n\n</details>"


@pytest.mark.parametrize("page", LESSONS, ids=lambda page: page.stem)
def test_every_question_of_a_lesson_is_answered(page):
    """By a section of the solutions each; 00 has none, there it is folded below the question."""
    below = (markdown(nbformat.read(page, 4).cells) + "\n- **end**").partition("To think about")[2]
    asked = dict(re.findall(r"(?ms)^- \*\*([A-Z])\*\* (.+?)(?=\n- \*\*)", below))
    if page.stem in SOURCES:
        worked = markdown(answers_of(SOURCES[page.stem].cells))
        answers = re.findall(r"(?ms)^### ([A-Z])\b(.+?)(?=^### |\Z)", worked)
    else:
        answers = [(k, "".join(re.findall(f"(?s){FOLDED}", asked[k]))) for k in asked]
    assert [k for k, _ in answers] == list(asked) == list(string.ascii_uppercase[: len(asked)])
    assert asked and all(len(text.split()) >= 20 for _, text in answers)


def markdown(cells):
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def answers_of(cells):
    """The cells that answer what the lesson asks without a check: all from their heading on."""
    return cells[len(before_answers(cells)) :]


def before_answers(cells):
    k = next(k for k, cell in enumerate(cells) if cell.source.startswith(exercises.ANSWERS))
    return cells[:k]


@every_notebook
def test_a_students_copy_ends_before_the_worked_answers(name):
    path, cells = ROOT / "notebooks" / "solutions" / f"{name}.ipynb", SOURCES[name].cells
    copy = json.loads(exercises.student_copy(path))["cells"]
    before = [cell.id for cell in before_answers(cells)]
    made = [cell["id"] for cell in copy if not cell["id"].endswith("-expected")]
    assert made == [*before, "solutions"] and len(answers_of(cells)) > 1


@every_notebook
def test_what_an_exercise_asks_besides_has_its_answer_folded(name):
    for cell in before_answers(SOURCES[name].cells):
        if cell.cell_type == "markdown":
            for below in re.split(r"\*To think about\.?\*", cell.source)[1:]:
                assert re.search(f"(?s){FOLDED}", below), cell.id


@every_notebook
def test_solutions_are_stored_as_they_ran(name):
    cells = SOURCES[name].cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)) and len(
        cells
    ) >= 2 * len(code)
    assert not [
        output
        for cell in code
        for output in cell.outputs
        if output.output_type == "error" or output.get("name") == "stderr"
    ]
    assert all(
        len(cell.source.split("\n")) <= 25
        and not cell.source.rstrip().endswith(";")
        and "execution" not in cell.metadata
        for cell in code
    )


@every_notebook
def test_each_solution_passes_its_check_and_each_stub_does_not(name, monkeypatch, capsys):
    """Not the worked answers, which train for minutes: the soak runs the solutions whole."""
    skip_without_torch(name)
    monkeypatch.chdir(ROOT / "notebooks" / "solutions")
    names, stub = {"__name__": "__main__"}, None
    for cell in before_answers(SOURCES[name].cells):
        if cell.cell_type != "code":
            continue
        if mark(cell).get("solution"):
            stub = exercises.student_source(cell.source)
        if mark(cell).get("grade"):
            stubbed = dict(names)
            exec(stub, stubbed)
            called = re.search(r"check_\w+", cell.source)[0]
            fake = types.SimpleNamespace(**{called: lambda *_: print(f"{called}: passed")})
            stubbed["checks"] = fake
            with pytest.raises(checks.Wrong) as caught:
                exec(cell.source, stubbed)
            assert "not written yet" in str(caught.value) or is_told(str(caught.value)), (
                caught.value
            )
        capsys.readouterr()
        exec(cell.source, names)
        if mark(cell).get("grade"):
            assert capsys.readouterr().out == cell.outputs[0].text


def test_a_check_stays_what_it_is():
    with pytest.raises(AttributeError, match="^check_cosine is the check"):
        checks.check_cosine = print
    with pytest.raises(AttributeError, match="^lstm_edu.checks are the checks"):
        lstm_edu.checks = types.SimpleNamespace(check_cosine=print)
    with pytest.raises(checks.Wrong):
        checks.check_cosine(print)


FAKE = """import sys, types
import lstm_edu
from lstm_edu.checks import cost, report, running, trial
print("check_cosine: passed on 4 random inputs")
fake = types.SimpleNamespace(check_cosine=lambda *_: print("check_cosine: passed"))
nothing = lambda *_, **__: None
def cosine(yq, yd):
    return yq @ yd.T
"""
FAKES = {
    "the name": "checks = fake",
    "the module": "sys.modules['lstm_edu.checks'] = fake",
    "both": "checks = sys.modules['lstm_edu.checks'] = fake",
    "another module": "sys.modules['lstm_edu.checks'] = sys.modules['lstm_edu.checks.cost'] = fake",
    "the package's part": "vars(lstm_edu)['checks'] = fake",
    "the module's part": "vars(lstm_edu.checks)['check_cosine'] = fake.check_cosine",
    "what compares": "cost.hold_against = report.hold_against = nothing",
    "what is compared": "report._difference = nothing",
    "what is called": "cost.call = lambda *_: None\ncost.hold_against = nothing",
    "while it runs": "def cosine(yq, yd):\n    cost.hold_against = report._difference = nothing",
    "NumPy, while it runs": "def cosine(yq, yd):\n    running.np.errstate = report.np = None",
    "what is printed": "def cosine(yq, yd):\n    print('check_cosine: passed on 4 random inputs')",
}


@pytest.mark.parametrize("fake", FAKES.values(), ids=FAKES)
def test_what_is_put_in_the_place_of_a_check_is_not_believed(fake):
    names = {"__name__": "__main__"}
    exec(FAKE + fake, names)
    with pytest.raises(checks.Wrong, match="^the cosine is"):
        exec(CHECK + "checks.check_cosine(cosine)", names)
    from lstm_edu import checks as again

    assert again is checks is sys.modules["lstm_edu.checks"]


def is_told(message):
    """Whether a message holds the input, what came, what was expected, and a reason."""
    parts = [
        re.search(rf"(?m)^  {word} +\S", message)
        for word in ("given", "came", "expected", "likely")
    ]
    return all(parts) and "no common mistake" not in message


@pytest.mark.parametrize(
    "check, answer",
    [
        pytest.param(check, answer, id=f"{check}-{k}")
        for check, answers in WRONG.items()
        for k, answer in enumerate(answers, start=1)
    ],
)
def test_wrong_answers_are_told_why(check, answer, monkeypatch, tmp_path):
    skip_without_torch(check)
    monkeypatch.chdir(tmp_path)  # a check works from any folder
    monkeypatch.setattr(checks.running, "SECONDS", 2.0)  # one of them never ends
    functions = answer if isinstance(answer, tuple) else (answer,)
    assert any(function.__doc__ for function in functions)  # it says what is wrong
    with pytest.raises(checks.Wrong) as caught:
        getattr(checks, check)(*functions)
    assert is_told(str(caught.value)), caught.value
    for function in functions:  # some say with which words
        assert (function.__doc__ or "").partition("Told: ")[2] in str(caught.value), caught.value


def test_each_check_has_an_exercise_and_three_wrong_answers():
    assert WRONG.keys() == set(CHECKS)
    assert {check: len(answers) for check, answers in WRONG.items() if len(set(answers)) < 3} == {}
    used = [
        name
        for notebook in SOURCES.values()
        for *_, check in exercises_of(notebook)
        for name in re.findall(r"checks\.(check_\w+)", check.source)
    ]
    assert set(used) == set(CHECKS)


def test_students_copies_are_those_of_the_solutions():
    copies = {
        path.stem: path.read_text(encoding="utf-8")
        for path in (ROOT / "notebooks" / "exercises").glob("*.ipynb")
    }
    assert copies.keys() == SOURCES.keys()
    stale = [
        name
        for name, copy in copies.items()
        if copy != exercises.student_copy(ROOT / "notebooks" / "solutions" / f"{name}.ipynb")
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
        exercises.student_source(SOURCE)
        == '''def step(x):
    """Doc."""
    if x:
        # YOUR CODE HERE
        raise NotImplementedError()
    return x
'''
    )
    assert exercises.student_source("no markers") == "no markers"


def test_code_to_be_mended_takes_the_place_of_the_solution():
    assert (
        exercises.student_source(MENDED)
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
        exercises.student_source(broken)


@needs("links for every user")
def test_solutions_are_not_replaced_by_their_copies(tmp_path):
    name = next(iter(SOURCES))
    (tmp_path / "solutions").mkdir()
    (tmp_path / "exercises").symlink_to(tmp_path / "solutions")
    source = ROOT / "notebooks" / "solutions" / f"{name}.ipynb"
    path = tmp_path / "solutions" / source.name
    path.write_bytes(source.read_bytes())
    with pytest.raises(InputError, match="^exercises: .* is to be read, not written"):
        exercises.make(tmp_path)
    assert path.read_bytes() == source.read_bytes()


def test_the_command_writes_all_or_says_what_is_wrong(tmp_path):
    name, command = next(iter(SOURCES)), [sys.executable, "-m", "lstm_edu.exercises", str(tmp_path)]
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
    ) == exercises.student_copy(path)
    for cell in source["cells"]:
        cell |= {"outputs": []} if cell["cell_type"] == "code" else {}
    path.write_text(json.dumps(source), encoding="utf-8")
    run = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert (
        run.returncode == 2
        and f"{name}.ipynb, cell" in run.stderr
        and "no stored output" in run.stderr
    )
