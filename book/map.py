"""Write lstm_edu/README.md, the map from equations to files: python book/map.py.

Its words are the docstrings' own, its equations those of notebooks/equations.md.
"""

import ast
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lstm_edu"
HEAD = """# lstm_edu: the system

What one imports to train a model, rank with it, measure it and look inside. Equations are those of
the paper; every one, with its line and the lesson that shows it, is in
[the index](../notebooks/equations.md). Rooms stand from the ground up: each uses only those above
it. Checks, figures and what else belongs to the classroom are in [`lstm_course`](../lstm_course).

*Written from the docstrings by `book/map.py`.*

## From an equation to its code

| equation | what | computed by |
|---|---|---|
"""
LAST = 13  # of the equations that have a row each; the others are the appendix's
MORE = [
    ("", "the LSTM's exact way back", "errors", "cells/lstm.py"),
    ("(14)–(44)", "its way back as printed, which is not exact", "errors", "gradients/printed.py"),
    ("Algorithm 1", "an epoch, as the paper has it", "epoch", "training/algorithm_1.py"),
    ("", "the same, quick: what `lstm_edu.train` runs", "train", "training/loop.py"),
    ("", "the unclicked titles of a pair", "sample_unclicked", "training/minibatches.py"),
    ("Table IV", "nDCG", "ndcg", "ranking/ndcg.py"),
]
ROW = re.compile(
    r"^\| (\((\d+)\).*?) \| (.+?) \| .+? \| \[`([\w.]+)`\]\(\.\./lstm_edu/([\w/]+\.py)", re.M
)


def equations():
    """The rows of the equations of the text, each with the function that computes it."""
    index = (ROOT / "notebooks" / "equations.md").read_text(encoding="utf-8")
    found = ROW.findall(index)
    rows = [(numbers, *others) for numbers, first, *others in found if int(first) <= LAST] + MORE
    return "".join(
        f"| {numbers} | {what} | [`{function}` in {file}]({file}) |\n"
        for numbers, what, function, file in rows
    )


def said(path):
    """The paragraphs of a module's docstring."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    return [paragraph.replace("\n", " ").rstrip(":") for paragraph in docstring.split("\n\n")]


def rooms():
    """Every room with what lives there, and its files."""
    text = ""
    for name in ORDER:
        room = PACKAGE / name
        text += f"\n## `{name}/`\n\n" + "\n\n".join(said(room / "__init__.py")) + "\n\n"
        for path in sorted(room.glob("[a-z]*.py")):
            text += f"- [`{path.name}`]({name}/{path.name}): {said(path)[0]}\n"
    return text


ORDER = "text cells gradients models data training ranking analysis table_iv cli _util".split()


def page():
    """The whole README."""
    return HEAD + equations() + rooms()


if __name__ == "__main__":
    (PACKAGE / "README.md").write_text(page(), encoding="utf-8", newline="\n")
