"""Mutants of a source: it with one place changed, as a slip of the hand or the mind would.

`mutants` makes them of the lines that are named. `changes` breaks terms of sums and products, which
is what the proofs of the gradients want (gradient_mutants.py); `instead` changes everything else
that the answers to exercises are made of (exercise_mutants.py).
"""

import ast
import copy
import difflib

BINARY = {
    ast.Add: [ast.Sub, ast.Mult],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Div, ast.Add],
    ast.Div: [ast.Mult, ast.FloorDiv],
    ast.FloorDiv: [ast.Div],
    ast.Pow: [ast.Mult],
    ast.MatMult: [ast.Mult],
}
COMPARISONS = {
    ast.Lt: [ast.LtE, ast.Gt],
    ast.LtE: [ast.Lt, ast.GtE],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt, ast.LtE],
    ast.Eq: [ast.NotEq, ast.GtE, ast.LtE],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
FUNCTIONS = [  # each may be written for each other of its line
    "max min sum",
    "maximum minimum",
    "mean sum median",
    "argmax argmin",
    "any all",
    "tanh sigmoid",
    "log log2 log1p",
    "exp expm1",
    "ceil floor rint round int",
    "zeros ones",
    "zeros_like ones_like",
    "inner outer",
    "real imag",
]
TURNED = (ast.Sub, ast.Div, ast.Pow, ast.MatMult)
FILLED = ("zeros", "ones", "zeros_like", "ones_like", "array")
SYMMETRIC = ("maximum", "minimum", "max", "min")
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr)


def mutants(source, lines):
    """Each mutant of a source in these lines, once: (how it reads now, its source).

    How it reads is `the lines that changed -> what they became`, which stays when other lines move.
    """
    tree = ast.parse(source)
    honest, named = ast.unparse(tree), {}
    seen = {honest}
    for _ in _changed(tree, lines):
        mutant = ast.unparse(ast.fix_missing_locations(copy.deepcopy(tree)))
        if mutant not in seen and _reads(mutant):
            seen.add(mutant)
            yield _label(honest, mutant, named), mutant


def _changed(tree, lines):
    """Change a tree at one place after another, each until the next is asked for."""
    names, texts, summed = _names(tree), _texts(tree), _summed(tree)
    arguments = {node.arg for node in _of(tree, ast.arg)}
    for parent in ast.walk(tree):
        for field, at, child in _children(parent):
            if _line(child) in lines:
                for new in instead(child, parent, names, texts, parent in summed):
                    _put(parent, field, at, new)
                    yield
                    _put(parent, field, at, child)
        for field in ("body", "orelse"):
            body = getattr(parent, field, None)
            if isinstance(body, list) and body:
                for new in _statements(body, lines, arguments):
                    setattr(parent, field, new)
                    yield
                    setattr(parent, field, body)


def _of(tree, kind):
    return [node for node in ast.walk(tree) if isinstance(node, kind)]


def _named(tree, context):
    """The names that a tree stores or loads."""
    return [node.id for node in _of(tree, ast.Name) if isinstance(node.ctx, context)]


def _summed(tree):
    """The loops over what has no order: generators in a sum."""
    calls = [n for n in _of(tree, ast.Call) if ast.unparse(n.func) in ("sum", "max", "min")]
    return {part for call in calls for one in call.args for part in getattr(one, "generators", [])}


def changes(node):
    """What a sum or product may be broken to: (what it is, attribute, its wrong value)."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
        nothing = ast.Constant(1 if isinstance(node.op, (ast.Mult, ast.Div)) else 0)
        yield "loses its left", "left", nothing
        yield "loses its right", "right", nothing
        if isinstance(node.op, (ast.Add, ast.Sub)):
            sign = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield "turns its sign", "op", sign
        if isinstance(node.op, ast.Mult):
            yield "has its right twice", "right", ast.BinOp(node.right, ast.Mult(), node.right)
    if isinstance(node, ast.AugAssign):
        yield "turns its sign", "value", ast.UnaryOp(ast.USub(), node.value)


def instead(node, parent, names, texts, summed=False):
    """What may stand in the place of an expression."""
    for _, attribute, value in changes(node):
        yield _with(node, **{attribute: value})
    if isinstance(node, ast.BinOp):
        for op in BINARY.get(type(node.op), []):
            yield _with(node, op=op())
        if isinstance(node.op, TURNED):
            yield _with(node, left=node.right, right=node.left)
        if isinstance(node.op, ast.MatMult) and any(map(str.isupper, ast.unparse(node.left))):
            yield _with(node, left=ast.Attribute(node.left, "T", ast.Load()))  # of a matrix
        if isinstance(node.op, ast.Sub) and not isinstance(node.left, ast.Constant):
            yield _call("abs", node)
        if isinstance(node.op, (ast.Pow, ast.MatMult)):
            yield node.left
    elif isinstance(node, ast.AugAssign):
        yield ast.Assign([node.target], node.value, lineno=node.lineno)
    elif isinstance(node, ast.Compare):
        for k, op in enumerate(node.ops):
            for new in COMPARISONS.get(type(op), []):
                yield _with(node, ops=[*node.ops[:k], new(), *node.ops[k + 1 :]])
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        yield from node.values
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    elif isinstance(node, ast.Constant):
        yield from map(ast.Constant, _other_constants(node.value, texts))
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
        yield from (ast.Name(name, ast.Load()) for name in names if names[name] != names[node.id])
    elif isinstance(node, ast.Attribute):
        if node.attr == "T":
            yield node.value
        yield from (_with(node, attr=name) for name in _other_functions(node.attr))
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
        yield from (_with(node, slice=new) for new in _beside(node.slice))
    elif isinstance(node, ast.Slice):
        yield from _other_slices(node)
    elif isinstance(node, ast.Call):
        yield from _other_calls(node)
    elif isinstance(node, ast.Tuple) and isinstance(parent, ast.Return):
        for k in range(len(node.elts) - 1):
            first, second = node.elts[k : k + 2]
            yield _with(node, elts=[*node.elts[:k], second, first, *node.elts[k + 2 :]])
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield _with(node, ifs=[])
    if isinstance(node, ast.Name) and not isinstance(parent, ast.Attribute):
        yield from (
            ast.Name(name, node.ctx) for name in _other_functions(node.id) if node.id not in names
        )
    if isinstance(parent, (ast.For, ast.comprehension)) and node is parent.iter and not summed:
        yield _call("reversed", _call("list", node))
        if not isinstance(node, (ast.Call, ast.Constant)):
            yield _call("sorted", node)
            yield _call("set", node)
    if isinstance(parent, (ast.If, ast.While)) and node is parent.test:
        yield ast.UnaryOp(ast.Not(), node)


def _other_constants(value, texts):
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield from (value + 1, value - 1)
        if isinstance(value, float):
            yield from (2 * value, value / 2)
    elif isinstance(value, str):  # W2 for W1
        for text in texts:
            if len(text) == len(value) and sum(a != b for a, b in zip(text, value)) == 1:
                yield text


def _other_functions(name):
    for line in FUNCTIONS:
        if name in line.split():
            yield from (other for other in line.split() if other != name)


def _other_slices(node):
    for bound in ("lower", "upper", "step"):
        if getattr(node, bound) is not None:
            yield _with(node, **{bound: None})
            if isinstance(getattr(node, bound), ast.Name):
                yield from (_with(node, **{bound: new}) for new in _beside(getattr(node, bound)))
    if node.lower is None:
        yield _with(node, lower=ast.Constant(1))
    if node.upper is None:
        yield _with(node, upper=ast.Constant(-1))


def _other_calls(node):
    name = getattr(node.func, "attr", getattr(node.func, "id", None))
    if name in FILLED:
        for dtype in ("int", "'float32'"):
            of = ast.keyword("dtype", ast.parse(dtype, mode="eval").body)
            yield _with(node, args=node.args[:1], keywords=[of])
    elif node.args and not isinstance(node.args[0], (ast.Starred, ast.GeneratorExp)):
        yield node.args[0]  # x for f(x)
    elif isinstance(node.func, ast.Attribute):
        yield node.func.value  # x for x.f()
    for k in range(len(node.keywords)):
        yield _with(node, keywords=node.keywords[:k] + node.keywords[k + 1 :])
    if len(node.args) > 1 and name not in SYMMETRIC:
        yield _with(node, args=[node.args[1], node.args[0], *node.args[2:]])
    if len(node.args) > 1:
        yield _with(node, args=node.args[:-1])
    if name == "range":
        last = 0 if len(node.args) == 1 else 1
        for bound in range(last + 1):
            for new in _beside(node.args[bound]):
                yield _with(node, args=[*node.args[:bound], new, *node.args[bound + 1 :]])
        if last == 0:
            yield _with(node, args=[ast.Constant(1), *node.args])


def _statements(body, lines, arguments):
    """What may stand in the place of a body of statements."""
    for k, statement in enumerate(body):
        before, after = body[:k], body[k + 1 :]
        if statement.lineno not in lines:
            continue
        if not isinstance(statement, (ast.Return, ast.FunctionDef)):
            yield [*before, ast.Pass(), *after]
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) in arguments:
            everywhere = ast.Subscript(statement.targets[0], ast.Constant(...), ast.Store())
            yield [*before, _with(statement, targets=[everywhere]), *after]  # in place
        if after and _depend(statement, after[0]):
            yield [*before, after[0], statement, *after[1:]]
        if after and isinstance(statement, ast.For) and isinstance(after[0], ast.Return):
            yield [*before, _with(statement, body=[*statement.body, after[0]]), *after]


def _depend(first, second):
    """Whether one of two simple statements uses what the other makes."""
    if not (isinstance(first, SIMPLE) and isinstance(second, SIMPLE)):
        return False
    made, made_2 = (set(_named(one, ast.Store)) for one in (first, second))
    used, used_2 = (set(_named(one, ast.Load)) for one in (first, second))
    return bool(made & (used_2 | made_2) or made_2 & used)


def _beside(node):
    """One less, and one more."""
    yield ast.BinOp(node, ast.Sub(), ast.Constant(1))
    yield ast.BinOp(node, ast.Add(), ast.Constant(1))


def _call(name, node):
    return ast.Call(ast.Name(name, ast.Load()), [node], [])


def _with(node, **fields):
    return ast.copy_location(type(node)(**dict(ast.iter_fields(node)) | fields), node)


def _names(tree):
    """Arguments and variables of the functions, each to what it is another name for, or itself."""
    found = [node.arg for node in _of(tree, ast.arg)] + _named(tree, ast.Store)
    same = {
        node.targets[0].id: node.value.id
        for node in _of(tree, ast.Assign)
        if isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Name)
    }
    return {name: same.get(name, name) for name in dict.fromkeys(found)}


def _texts(tree):
    values = (node.value for node in _of(tree, ast.Constant))
    return sorted({value for value in values if isinstance(value, str)})


def _children(parent):
    for field, value in ast.iter_fields(parent):
        if isinstance(value, list):
            for k, child in enumerate(value):
                if isinstance(child, (ast.expr, ast.comprehension, ast.AugAssign)):
                    yield field, k, child
        elif isinstance(value, ast.expr):
            yield field, None, value


def _put(parent, field, at, node):
    if at is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[at] = node


def _line(node):
    return node.target.lineno if isinstance(node, ast.comprehension) else node.lineno


def _reads(source):
    """Whether it is Python: x[...] of a thing that is a number is none."""
    try:
        compile(source, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _label(honest, mutant, named):
    """What changed, as (lines before) -> (lines after); a second that reads the same is `#2`."""
    old, new = [], []
    for line in difflib.ndiff(honest.split("\n"), mutant.split("\n")):
        if line[:2] in ("- ", "+ "):
            (old if line[0] == "-" else new).append(line[2:].strip())
    moved = old == new
    label = f"moved: {' / '.join(old)}" if moved else f"{' / '.join(old)} -> {' / '.join(new)}"
    named[label] = named.get(label, 0) + 1
    return label if named[label] == 1 else f"{label} #{named[label]}"
