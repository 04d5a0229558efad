"""Count lines of code, and measure how dense they are.

    python benchmarks/lines.py [FILE or FOLDER ...]

Without arguments, the core is measured. Lines of code are all lines except blank lines, comments
and docstrings; a line with only a bracket counts. The columns are:

- rows: the rows of the folder's tables in .toml files;
- width: the 90th percentile of the lines' columns, indentation included, and the share of lines
  with more than 100 columns;
- operations a line: operators (BinOp, UnaryOp, BoolOp and Compare, where a chain of `and` or of
  `<` counts once), calls, subscripts (also in annotations) and comprehensions in Python's syntax
  tree. Attributes, assignments and `x if y else z` do not count;
- the longest function: the lines of its body, with nested functions and without its docstring.
  Functions of more than 30 lines are listed.

The operations to count were inferred from the figures of an outside measurement. Width, share and
operations a line agree with it for the core at 37d2d57 (15 modules: 102, 10.6 %, 1.9) and for
autograd's examples/lstm.py (81, 2.6 %, 1.3). For annotated-s4's s4/s4.py the results are 57 to 60,
depending on its version, 0 and 1.2, instead of 58, 0 and 1.1; for four files of minitorch 67, 0 and
0.6, instead of 66, 0 and 0.7.
"""

import argparse
import ast
import io
import os
import pathlib
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORE = "cells", "gradients", "training", "text", "models"
WIDE, LONG = 100, 30  # limits: columns per line, lines per function
NO_FUNCTION = {"lines": 0, "name": "no function"}
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef
DOCUMENTED = ast.Module, ast.ClassDef, *FUNCTIONS
OPERATORS = ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare
COMPREHENSIONS = ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp
OPERATIONS = *OPERATORS, ast.Call, ast.Subscript, *COMPREHENSIONS
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER}
LAYOUT |= {tokenize.INDENT, tokenize.DEDENT}


def docstring(node):
    """Return the range of lines that the docstring of a module, class or function takes up."""
    if ast.get_docstring(node, clean=False) is None:
        return range(0)
    return range(node.body[0].lineno, node.body[0].end_lineno + 1)


def lines_of_code(source, tree):
    """Return the set of line numbers that contain code."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, DOCUMENTED)]
    documented = {number for node in nodes for number in docstring(node)}
    found = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_docstring = token.type == tokenize.STRING and token.start[0] in documented
        if token.type not in LAYOUT and not is_docstring:
            found.update(range(token.start[0], token.end[0] + 1))
    return found


def body(function, code):
    """Count the lines of code in a function's body; ``code`` is the file's set of code lines."""
    lines = set(range(function.body[0].lineno, function.end_lineno + 1))
    return len((lines - set(docstring(function))) & code)


def read(path):
    """Parse a file; return its line widths, its number of operations, and its functions."""
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
    """Compute one row of the table for several files combined."""
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
    """Return the path of a file, or of all Python files in a folder, as a list."""
    path = pathlib.Path(name)
    if path.is_dir():
        return sorted(path.rglob("*.py")) or sys.exit(f"{name}: no Python file in it")
    return [path] if path.is_file() else sys.exit(f"{name}: no such file or folder")


def rows_of(name):
    """Count the rows of a folder's .toml tables, except the sample's word lists."""
    paths = [path for path in pathlib.Path(name).rglob("*.toml") if "sample" not in path.parts]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    return sum(line.startswith(("  [", '  "')) for text in texts for line in text.splitlines())


def table(found):
    """Format the table of measurements, one row per name, as aligned text."""
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


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="FILE or FOLDER")
    names = parser.parse_args().names or [
        os.path.relpath(ROOT / "lstm_edu" / name) for name in CORE
    ]
    paths = {name: files_of(name) for name in names}
    found = {name: measure(paths[name]) | {"rows": rows_of(name)} for name in names}
    if len(found) > 1:
        every = list(dict.fromkeys(sum(paths.values(), [])))
        found["together"] = measure(every) | {"rows": sum(map(rows_of, names))}
    print(table(found))
