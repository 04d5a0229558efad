"""Copy the course for students: python -m book.build.release FOLDER --no-solutions.

The copy has lessons, exercises, data, the packages, and a wheel of them in ``dist``. It lacks the
solutions with their worked answers, exams and variants, the tests, and the teachers' pages.
Paragraphs, list items and table rows that refer to missing files are removed, and printed.

The checks still work. They compute the results that they expect, so the copy does contain the
solutions' formulas, in `lstm_course/exercises`.
"""

import fnmatch
import json
import pathlib
import re
import shutil
import subprocess
import sys

from book.build import LINK, ROOT, one_line, read, source, write
from lstm_edu._util.files import InputError

KEPT = """.gitignore CITATION.cff LICENSE* MANIFEST.in README.md benchmarks/* book/__init__.py
book/build/__init__.py book/build/execute.py book/build/fold.py book/build/front.py
book/build/pages.py book/pages/* book/static/* constraints.txt course.py data_samples/*
environment.yml lstm_course/* lstm_edu/* lstm_tools/* notebooks/* pyproject.toml setup.py"""
LEFT_OUT = """*solution* *.pyc *.npz *.answers* *.ipynb_checkpoints* benchmarks/machines.py
benchmarks/soak.py benchmarks/spread.py
book/pages/index.md book/pages/proofs.md book/pages/questions.md
book/pages/teacher.md
book/static/deck/* lstm_course/copies.py lstm_course/engine/sandbox/room.py
lstm_course/engine/sandbox/submission.py lstm_course/exam/* lstm_course/exercises/variants.*
lstm_course/questions/*"""
NO_COMMAND = "test|book|slides|lite|exercises|exam|questions|release|class|soak|pages|lint"
GONE = re.compile(
    rf"course\.py ({NO_COMMAND})\b|^\| `({NO_COMMAND})` \||tests/|To run the tests|worked answers"
    r"|the solutions\b|benchmarks[./](machines|soak|spread)\b|devcontainer|JupyterHub",
    re.MULTILINE,
)
REPLACED = {  # regular expressions; a space also matches a line break
    r" # or make \w+: ": " # ",
    "leave out the book, the tests and": "leave out",
    ", which `make` has, too": "",
    ", and `test` skips it by name": "",
    ", a devcontainer": "",
    "; the solutions end with worked answers:": ":",
    r", with \[solutions\]\(notebooks/solutions\)": "",
    r"Done, or stuck\? Compare with \[the solutions\]\([^)]*\)\.": "",
    "; the first cell of the worked answers below does this": "",
}
ANSWER = re.compile(r"<details><summary>Answer</summary>.*?</details>", re.DOTALL)
# the gap before a paragraph, table row, list item or command
BLOCK = re.compile(r"(\n\s*\n|\n(?=\||[ ]*(?:-|\d+\.) |python |```))")
EMPTY = re.compile(r"^#+ .*\n\s*(?=^#+ |\Z)", re.MULTILINE)  # the heading of an empty section
ROOM = re.compile(r"^## `([\w/]+)/`\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)  # README section
BUILD = "import sys, setuptools.build_meta as b; b.build_wheel(sys.argv[1])"


def matches(name, patterns):
    """Return whether a file's name matches one of the patterns."""
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns.split())


def copied(folder):
    """Copy the files for students into a new folder, and return their names."""
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder}: not empty")
    tops = [ROOT / top for top in {pattern.split("/")[0] for pattern in KEPT.split()}]
    paths = [*ROOT.glob("*"), *(path for top in tops for path in top.rglob("*"))]
    names = [path.relative_to(ROOT).as_posix() for path in paths if path.is_file()]
    names = [name for name in names if matches(name, KEPT) and not matches(name, LEFT_OUT)]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    return sorted(names)


def trimmed(text, path, left):
    """Remove the parts of a Markdown text that refer to files or commands missing in the copy.

    Parameters
    ----------
    text : str
    path : path
        The file in the copy.
    left : list of str
        The removed parts are appended to it.

    Returns
    -------
    str
    """
    text = ROOM.sub(lambda room: room[0] if (path.parent / room[1]).exists() else "", text)
    for old, new in REPLACED.items():
        text = re.sub(old.replace(" ", r"\s+"), new, text)

    def stays(part):
        links = (path.parent / target for target, _ in LINK.findall(part))
        if not GONE.search(part) and all(link.exists() for link in links):
            return True
        left.append(part.strip())
        return False

    parts, end = BLOCK.split(text.rstrip("\n")), "\n" * text.endswith("\n")
    kept = [gap + part for gap, part in zip(["", *parts[1::2]], parts[::2]) if stays(part)]
    text = EMPTY.sub("", "".join(kept) + end)
    return re.sub(r"\n{3,}", "\n\n", text)


def notebook(text, path, left):
    """Trim a notebook's Markdown with `trimmed`, and remove folded answers to its exercises."""
    content = json.loads(text)
    for cell in content["cells"]:
        if cell["cell_type"] == "markdown":
            asked = source(cell)
            asked = ANSWER.sub("", asked) if path.parent.name == "exercises" else asked
            cell["source"] = trimmed(asked, path, left).splitlines(True)
    content["cells"] = [cell for cell in content["cells"] if source(cell).strip()]
    return json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def release(folder):
    """Write the copy and its wheel, and print the parts removed from its pages."""
    for name in copied(folder):
        path, left = folder / name, []
        if path.suffix in (".md", ".ipynb"):
            edit = notebook if path.suffix == ".ipynb" else trimmed
            write(path, edit(read(path), path, left))
        for part in left:
            print(f"{name}: without {part!r}")
    named = read(folder / "pyproject.toml").replace('"lstm_course.questions" = ["*.toml"]\n', "")
    write(
        folder / "pyproject.toml", re.sub(r'^(version = ".+)"', r'\1+students"', named, flags=re.M)
    )
    subprocess.run(
        [sys.executable, "-c", BUILD, "dist"], cwd=folder, check=True, capture_output=True
    )
    shutil.rmtree(folder / "build")
    shutil.rmtree(folder / "lstm_edu.egg-info")


if __name__ == "__main__":
    with one_line():
        if len(sys.argv) != 3 or sys.argv[2] != "--no-solutions":
            raise InputError("use: release FOLDER --no-solutions; there is no other release")
        release(pathlib.Path(sys.argv[1]))
