"""Generate the second part of each package's README: python -m book.build.map.

That part is made from docstrings. The part above MARK is written by hand.
"""

import ast

from book.build import ROOT, read, write

MARK = "*What follows is written from the docstrings by `book/build/map.py`.*\n"
ROOMS = {
    "lstm_edu": "text cells gradients models training ranking analysis _util".split(),
    "lstm_tools": "formats table_iv cli".split(),
    "lstm_course": [
        *"exercises engine engine/sandbox exam questions".split(),
        *"plots explorers lessons sample".split(),
    ],
}


def said(path):
    """Return the paragraphs of a module's docstring, each on one line, except lists."""
    docstring = ast.get_docstring(ast.parse(read(path)))
    return [
        paragraph if paragraph.startswith("1. ") else paragraph.replace("\n", " ").rstrip(":")
        for paragraph in docstring.split("\n\n")
    ]


def files(folder, before=""):
    """List the modules of a folder, with the first paragraph of their docstrings."""
    paths = sorted(folder.glob("[a-z]*.py"))
    return "".join(f"- [`{path.name}`]({before}{path.name}): {said(path)[0]}\n" for path in paths)


def readme(package):
    """Return the text of a package's README, with the lists of its modules."""
    text = read(ROOT / package / "README.md").split(MARK)[0] + MARK
    if package == "lstm_tools":
        text += "\n" + files(ROOT / package)
    for name in ROOMS[package]:
        room = ROOT / package / name
        text += f"\n## `{name}/`\n\n" + "\n\n".join(said(room / "__init__.py")) + "\n\n"
        text += files(room, f"{name}/")
    return text


if __name__ == "__main__":
    for package in ROOMS:
        write(ROOT / package / "README.md", readme(package))
