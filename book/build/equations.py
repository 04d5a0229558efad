"""Update the line numbers in the index of equations: python -m book.build.equations.

A link names a file, a function and the code of a line. The line is found by its code, so that the
index remains correct when code moves. Code that isn't found, or is found twice in that function, is
printed, and its link isn't changed. In the book, the index also shows the equations.
"""

import ast
import re
import sys

from book.build import LESSONS, ROOT, prose, read, write

INDEX = ROOT / "notebooks" / "equations.md"
APPENDIX = ROOT / "book" / "pages" / "appendix.md"
LINE = re.compile(
    r"\[`(?P<function>[\w.]+)`\]\(\.\./lstm_edu/(?P<file>[\w/]+\.py)#L(?P<line>\d+)\) "
    r"`` (?P<code>.+?) ``"
)
ROW = re.compile(r"^\| (\(\d.*?) \| (.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
NUMBERS = re.compile(r"\((\d+)\)")


def formulas():
    """Return the equations in lessons and appendix.md, as {number: {file name: Markdown}}.

    An equation is either a displayed formula, tagged with its numbers, or a table row: its numbers
    in the paper's appendices A and D (a dash if it has none there), and then the formula.
    """
    found = {}
    for path in (*LESSONS, APPENDIX):
        text = read(path) if path == APPENDIX else prose(path)
        shown = [
            (re.findall(r"\d+", tag), f"$${formula}$$")
            for formula in re.findall(r"\$\$(.+?)\$\$", text, re.DOTALL)
            for tag in re.findall(r"\\tag\{([\d, ]+)\}", formula)
        ]
        rows = re.findall(r"^\|((?: (?:–|\(\d+\)) \|)+) ([^|]*\$[^|]*) \|", text, re.MULTILINE)
        shown += [(NUMBERS.findall(named), formula) for named, formula in rows]
        for numbers, formula in shown:
            for number in numbers:
                found.setdefault(int(number), {}).setdefault(path.name, formula)
    return found


def with_formulas(index):
    """Turn each row of the index's table into a section with the formula, for the book."""
    known = formulas()

    def section(row):
        numbers, title, shown, code = row.groups()
        page = re.search(r"\]\((?:[^)#]*/)?(\w+\.(?:ipynb|md))#", shown)[1]
        by_page = [known.get(int(number), {}) for number in NUMBERS.findall(numbers)]
        # prefer the formula on the row's first page
        texts = dict.fromkeys(n.get(page) or [*n.values()][0] for n in by_page if n)
        lines = code.replace("<br>", "\n- ")
        parts = [f"## {numbers}: {title}", *texts, f"Shown in {shown}. Computed by", f"- {lines}"]
        return "\n\n".join(parts) + "\n"

    return ROW.sub(section, re.sub(r"^\| equation \|.*\n\|[-|]+\n", "", index, flags=re.MULTILINE))


def spans(tree, path=()):
    """Map each function and class, by name and qualified name, to its first and last line."""
    found = {}
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            for name in {node.name, ".".join((*path, node.name))}:
                found[name] = node.lineno, node.end_lineno
            found |= spans(node, (*path, node.name))
    return found


def line_of(file, function, code):
    """Return the number of the only line of a function that contains the code, or None."""
    text = read(ROOT / "lstm_edu" / file)
    first, last = spans(ast.parse(text)).get(function, (1, 0))
    at = [k for k, line in enumerate(text.splitlines(), 1) if first <= k <= last and code in line]
    return at[0] if len(at) == 1 else None


def main():
    """Rewrite the index of equations; return the number of lines not found (at most 99)."""
    lost = []

    def moved(link):
        file, function, code = link["file"], link["function"], link["code"]
        line = line_of(file, function, code)
        if line is None:
            lost.append(f"{file}: {function} has no line (or two) with {code}")
        return link[0] if line is None else link[0].replace(f"#L{link['line']})", f"#L{line})", 1)

    write(INDEX, LINE.sub(moved, read(INDEX)))
    print(*dict.fromkeys(lost), sep="\n", end="\n" if lost else "")
    return min(len(lost), 99)


if __name__ == "__main__":
    sys.exit(main())
