"""Mutants of Python source code: copies with one change that imitates a programmer's mistake.

`terms` changes sums and products, and drops statements; the gradient tests must detect each of
these mutants (test_mutants.py). `slips` makes more kinds of changes, for the answers to exercises
(exercise_mutants.py).
"""

import ast

SIGNS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
BOUNDS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
BOUNDS |= {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In}
OTHERS = {"T": "real", "sum": "mean", "mean": "sum", "max": "min", "min": "max"}
SIMPLE = ast.Assign, ast.AugAssign, ast.Expr


def mutants(source, lines, changes, part=slice(None)):
    """Yield (label, source) of each mutant that changes one of the given lines.

    ``changes`` is `terms` or `slips`; ``part`` selects some of the changes. The label is
    `old line -> new line`, so that it doesn't change when lines move.
    """
    tree = ast.parse(source)
    original, names = ast.unparse(tree), _names(tree)
    seen, places = {original}, []
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    # don't swap arrays within len(), since their lengths are often equal
    lengths = [call.args[0] for call in calls if ast.unparse(call.func) == "len"]
    for node in ast.walk(tree):
        if node in lengths:
            continue
        if not isinstance(node, (ast.expr, ast.AugAssign)) or node.lineno in lines:
            places += [(node, *change) for change in changes(node, lines, names)]
    for node, attribute, value in places[part]:
        old = getattr(node, attribute)
        setattr(node, attribute, value)
        mutant = ast.unparse(tree)
        setattr(node, attribute, old)
        if mutant not in seen:
            seen.add(mutant)
            yield _label(original, mutant), mutant


def terms(node, lines, names):
    """Yield (attribute, new value) for each change of a node's sum, product or statements."""
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        is_sum = isinstance(node.op, (ast.Add, ast.Sub))
        yield "left", ast.Constant(0 if is_sum else 1)
        yield "right", ast.Constant(0 if is_sum else 1)
        if is_sum:
            yield "op", SIGNS[type(node.op)]()
        elif isinstance(node.op, ast.Mult):
            yield "right", ast.BinOp(node.right, ast.Mult(), node.right)
    if isinstance(node, ast.AugAssign):
        yield "value", ast.UnaryOp(ast.USub(), node.value)
    statements = getattr(node, "body", None)
    for k, statement in enumerate(statements if isinstance(statements, list) else []):
        is_text = isinstance(getattr(statement, "value", None), ast.Constant)
        if isinstance(statement, SIMPLE) and statement.lineno in lines and not is_text:
            yield "body", [*statements[:k], ast.Pass(), *statements[k + 1 :]]


def slips(node, lines, names):
    """Yield the changes of `terms`, and wrong signs, bounds, numbers, names and functions."""
    yield from terms(node, lines, names)
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        yield "op", SIGNS[type(node.op)]()
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in BOUNDS:
        yield "ops", [BOUNDS[type(node.ops[0])](), *node.ops[1:]]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "op", ast.UAdd()
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield "value", node.value + 1
        yield "value", node.value - 1
    elif isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
        yield from (("id", name) for name in names if name != node.id)
    elif isinstance(node, ast.Attribute) and node.attr in OTHERS:
        yield "attr", OTHERS[node.attr]
    elif isinstance(node, ast.Call):
        if not ast.unparse(node.func).endswith(("max", "min", "maximum", "minimum")):
            yield "args", [*node.args[1::-1], *node.args[2:]]
        yield "keywords", node.keywords[:-1]
    elif isinstance(node, ast.Slice):
        yield from ((bound, None) for bound in ("lower", "upper", "step"))
    elif isinstance(node, ast.IfExp):
        yield "test", ast.UnaryOp(ast.Not(), node.test)


def _names(tree):
    """Return the names of arguments and variables that aren't just aliases (as b in ``b = a``)."""
    nodes = list(ast.walk(tree))
    names = [node.arg for node in nodes if isinstance(node, ast.arg)]
    names += [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    named = [n for n in nodes if isinstance(n, ast.Assign) and isinstance(n.value, ast.Name)]
    aliases = {ast.unparse(node.targets[0]) for node in named}
    return [name for name in dict.fromkeys(names) if name not in aliases]


def _label(original, mutant):
    """Return the changed line as `old -> new`; all mutants have the same number of lines."""
    pairs = zip(original.split("\n"), mutant.split("\n"), strict=True)
    old, new = next(pair for pair in pairs if pair[0] != pair[1])
    return f"{old.strip()} -> {new.strip()}"
