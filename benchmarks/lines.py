"""How dense the code is.

    python benchmarks/lines.py [FILE or FOLDER ...] [--json FILE]

Without names, the core. A line of code holds something other than a comment or a docstring; a
bracket alone on its line is one, too. Of these lines:

- width: the 90th percentile in columns, indentation included (a tenth of the lines are as wide
  or wider), and the share of lines of more than 100 columns;
- operations a line: operators (BinOp, UnaryOp, BoolOp and Compare, where a chain of `and` or of
  `<` counts once), calls, subscripts (those of annotations, too) and comprehensions, as Python's
  own syntax tree has them. Attributes, assignments and `x if y else z` do not count;
- the longest function: the lines of its body, functions in it included, without its docstring.
  Those of more than 30 are listed.

What counts as an operation was found from the figures of an outside measurement. By it, width,
share and operations a line are those of that measurement for the core as it stood at 37d2d57 (15
modules: 102, 10.6 %, 1.9) and for autograd's examples/lstm.py (81, 2.6 %, 1.3). The s4/s4.py of
annotated-s4 has 57 to 60, by its version, 0 and 1.2 here, for 58, 0 and 1.1 there; minitorch 67, 0
and 0.6 in four of its files, for 66, 0 and 0.7.
"""

import argparse
import ast
import datetime
import io
import json
import os
import pathlib
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORE = "cells", "gradients", "training", "text", "models"
WIDE, LONG = 100, 30  # columns; lines
NO_FUNCTION = {"lines": 0, "name": "no function"}
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef
DOCUMENTED = ast.Module, ast.ClassDef, *FUNCTIONS
OPERATORS = ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare
COMPREHENSIONS = ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp
OPERATIONS = *OPERATORS, ast.Call, ast.Subscript, *COMPREHENSIONS
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER}
LAYOUT |= {tokenize.INDENT, tokenize.DEDENT}


def docstring(node):
    """The numbers of the lines of a module's, class's or function's docstring."""
    if ast.get_docstring(node, clean=False) is None:
        return range(0)
    return range(node.body[0].lineno, node.body[0].end_lineno + 1)


def lines_of_code(source, tree):
    """The numbers of the lines of code."""
    documented = [node for node in ast.walk(tree) if isinstance(node, DOCUMENTED)]
    said = {number for node in documented for number in docstring(node)}
    found = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_said = token.type == tokenize.STRING and token.start[0] in said
        if token.type not in LAYOUT and not is_said:
            found.update(range(token.start[0], token.end[0] + 1))
    return found


def body(function, code):
    """How many lines of code a function's body has."""
    lines = set(range(function.body[0].lineno, function.end_lineno + 1))
    return len((lines - set(docstring(function))) & code)


def read(path):
    """What counts of one file."""
    source = path.read_text(encoding="utf-8")
    tree, lines = ast.parse(source), source.split("\n")
    nodes, code = list(ast.walk(tree)), lines_of_code(source, tree)
    return {
        "widths": [len(lines[number - 1]) for number in code],
        "operations": sum(isinstance(node, OPERATIONS) for node in nodes),
        "functions": [
            {"lines": body(node, code), "name": node.name, "at": f"{path}:{node.lineno}"}
            for node in nodes
            if isinstance(node, FUNCTIONS)
        ],
    }


def measure(paths):
    """The figures of some files together."""
    files = [read(path) for path in paths]
    widths = sorted(width for file in files for width in file["widths"])
    functions = [function for file in files for function in file["functions"]]
    if not widths:
        sys.exit(f"{', '.join(map(str, paths))}: no code")
    return {
        "lines": len(widths),
        "width": widths[int(0.9 * len(widths))],
        "wide": sum(width > WIDE for width in widths) / len(widths),
        "operations": sum(file["operations"] for file in files) / len(widths),
        "longest": max(functions, key=lambda function: function["lines"], default=NO_FUNCTION),
        "long": sorted(
            (function for function in functions if function["lines"] > LONG),
            key=lambda function: -function["lines"],
        ),
    }


def files_of(name):
    """A file, or the Python files of a folder."""
    path = pathlib.Path(name)
    if path.is_dir():
        return sorted(path.rglob("*.py")) or sys.exit(f"{name}: no Python file in it")
    return [path] if path.is_file() else sys.exit(f"{name}: there is no such file")


def rows_of(name):
    """How many rows a folder's tables (.toml) have, a list or a text each; no sample's words."""
    paths = [path for path in pathlib.Path(name).rglob("*.toml") if "sample" not in path.parts]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    return sum(line.startswith(("  [", '  "')) for text in texts for line in text.splitlines())


def table(found):
    """The figures as aligned text."""
    first = max(map(len, found))
    lines = [f"{'':{first}}  lines   rows  width  over {WIDE}  operations a line  longest function"]
    for name, f in found.items():
        size = f"{f['lines']:5,}  {f['rows']:5,}  {f['width']:5}"
        size += f"  {f['wide']:8.1%}  {f['operations']:17.1f}"
        lines.append(f"{name:{first}}  {size}  {f['longest']['lines']} {f['longest']['name']}")
    long = list(found.values())[-1]["long"]
    lines += ["", f"functions of more than {LONG} lines: {len(long)}"]
    lines += [f"{function['lines']:5}  {function['name']}  {function['at']}" for function in long]
    return "\n".join(lines)


def main():
    """A row for each name, and one for all of them together."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="FILE or FOLDER")
    parser.add_argument("--json", metavar="FILE", help="write the figures there, dated, as well")
    args = parser.parse_args()
    names = args.names or [os.path.relpath(ROOT / "lstm_edu" / name) for name in CORE]
    paths = {name: files_of(name) for name in names}
    found = {name: {"rows": rows_of(name), **measure(paths[name])} for name in names}
    if len(found) > 1:
        rows = sum(map(rows_of, names))
        found["together"] = {"rows": rows, **measure(list(dict.fromkeys(sum(paths.values(), []))))}
    print(table(found))
    if args.json:
        figures = {"date": datetime.date.today().isoformat(), "rows": found}
        pathlib.Path(args.json).write_text(
            json.dumps(figures, indent=1) + "\n", encoding="utf-8", newline="\n"
        )


if __name__ == "__main__":
    main()
