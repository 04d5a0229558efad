"""Write the README of each package: python -m book.build.map.

Their words are the docstrings' own; the equations are those of notebooks/equations.md.
"""

import ast
import itertools
import json
import re

from book.build import ROOT

SYSTEM = """# lstm_edu: the system

What one imports to train a model, rank with it, measure it and look inside. Equations are those of
the paper; every one, with its line and the lesson that shows it, is in
[the index](../notebooks/equations.md). Rooms stand from the ground up: each uses only those above
it. The command line, Table IV and other tools for data of one's own are in
[`lstm_tools`](../lstm_tools/README.md), checks and figures in
[`lstm_course`](../lstm_course/README.md).

First read [`whole_paper.py`](whole_paper.py): all of the paper on one page, in plain NumPy. What
follows computes the same numbers, faster, and checks what it is given.

*Written from the docstrings by `book/build/map.py`.*

## From an equation to its code

| equation | what | computed by |
|---|---|---|
"""
TOOLS = """# lstm_tools: for data of one's own, and for Table IV

What one uses of the system that the course is about, [`lstm_edu`](../lstm_edu/README.md), on logs
of one's own: `lstm-edu` on the command line is `cli/`.

*Written from the docstrings by `book/build/map.py`.*
"""
COURSE = """# lstm_course: the classroom

What a student types and looks at: `from lstm_course import checks, explore, plots`. The system that
the course is about is [`lstm_edu`](../lstm_edu/README.md).

- **A check**: `checks.py` finds it, `exercises/` has one file a topic (`lstm_step.py`: the solution
  and its inputs) and its table (`lstm_step.toml`: the slips, each a changed solution);
  `engine/drawn.py` draws many of them; `engine/slips.py` makes the check of these, `call` and
  `hold_against` of `engine/report.py` run, compare and write the message, and `hold` of
  `engine/minimize.py` looks where a wrong answer begins.
- **A figure**: a function of `plots/`, here by its number in the lessons. A lesson's
  `explorers.explore_push` shows `plots.push` with sliders, and so do its like.

*Written from the docstrings and the lessons by `book/build/map.py`.*

"""
LAST = 13  # of the equations that have a row each; the others are the appendix's
SECOND = [
    ("(6)", "its second half", "correct", "training/nesterov.py"),
    ("(7)", "its T", "back_in_time", "text/batch.py"),
]
MORE = [
    ("", "(2) for all sentences at once", "LSTM.outputs", "cells/lstm.py"),
    ("", "the LSTM's exact way back", "LSTM.errors", "cells/lstm.py"),
    ("(14)", "from the cost to the cosines", "cosines_with_drawn", "gradients/cost.py"),
    ("(15)", "the errors at the embeddings", "cost_gradient", "gradients/cost.py"),
    ("(16)–(44)", "the way back as printed, which is not exact", "errors", "gradients/printed.py"),
    ("Algorithm 1", "an epoch, as the paper has it", "epoch", "training/algorithm_1.py"),
    ("", "what `lstm_edu.train` runs, by Adam unless told", "train", "training/loop.py"),
    ("", "Adam's update", "correct", "training/adam.py"),
    ("", "Adam for the rows that a minibatch touches", "Adam.update", "training/adam.py"),
    ("", "(6) for the rows that a minibatch touches", "Nesterov.begin", "training/nesterov.py"),
    ("", "all unclicked titles of the minibatch", "of_epoch", "training/minibatches.py"),
    ("", "n unclicked titles, drawn", "sample_unclicked", "training/minibatches.py"),
    ("Table IV", "nDCG", "_ndcg", "ranking/ndcg.py"),
]
ROW = re.compile(
    r"^\| (\((\d+)\).*?) \| (.+?) \| .+? \| \[`([\w.]+)`\]\(\.\./lstm_edu/([\w/]+\.py)", re.M
)


def equations():
    """The rows of the equations of the text, each with the function that computes it."""
    index = (ROOT / "notebooks" / "equations.md").read_text(encoding="utf-8")
    found = ROW.findall(index)
    rows = [(numbers, *others) for numbers, first, *others in found if int(first) <= LAST] + MORE
    for second in SECOND:
        rows.insert(1 + [row[0] for row in rows].index(second[0]), second)
    return "".join(
        f"| {numbers} | {what} | [`{function}` in {file}]({file}) |\n"
        for numbers, what, function, file in rows
    )


def said(path):
    """The paragraphs of a module's docstring, each in a line unless it is a list."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    return [
        paragraph if paragraph.startswith("1. ") else paragraph.replace("\n", " ").rstrip(":")
        for paragraph in docstring.split("\n\n")
    ]


def figures():
    """The function that draws each figure of the lessons, a line a lesson."""
    files, course = {}, ROOT / "lstm_course"
    explorers = [course / "explorers" / "controls.py", course / "explorers" / "pictures.py"]
    for path in [*explorers, *sorted((course / "plots").glob("[a-z]*.py"))]:
        functions = re.findall(r"^def (\w+)", path.read_text(encoding="utf-8"), re.M)
        files |= dict.fromkeys(functions, path.relative_to(course).as_posix())
    text = ""
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells]
        drawn = []
        for code, caption in itertools.pairwise(sources):
            if number := re.match(r"\*\*Fig\. ([\w.]+)\*\*", caption):
                function = re.findall(r"\b(?:plots\.|explore_|(?=explore\())(\w+)\(", code)[-1]
                drawn.append(f"{number[1]} [`{function}`]({files[function]})")
        text += f"- {', '.join(drawn)}\n"
    return text


def rooms(package, order):
    """Every room with what lives there, and its files."""
    text = ""
    for name in order.split():
        room = ROOT / package / name
        text += f"\n## `{name}/`\n\n" + "\n\n".join(said(room / "__init__.py")) + "\n\n"
        text += files(room, f"{name}/")
    return text


def files(folder, before=""):
    """The modules of a folder, a line each."""
    paths = sorted(folder.glob("[a-z]*.py"))
    return "".join(f"- [`{path.name}`]({before}{path.name}): {said(path)[0]}\n" for path in paths)


def pages():
    """The READMEs, by package."""
    system = "text cells gradients models training ranking analysis _util"
    tools = "formats table_iv cli"
    course = "exercises engine engine/sandbox plots explorers lessons sample"
    return {
        "lstm_edu": SYSTEM + equations() + rooms("lstm_edu", system),
        "lstm_tools": TOOLS + "\n" + files(ROOT / "lstm_tools") + rooms("lstm_tools", tools),
        "lstm_course": COURSE + figures() + rooms("lstm_course", course),
    }


if __name__ == "__main__":
    for package, text in pages().items():
        (ROOT / package / "README.md").write_text(text, encoding="utf-8", newline="\n")
