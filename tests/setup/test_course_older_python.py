"""Any Python can read course.py, and one that is too old says so in a line."""

import ast
import shutil
import subprocess

import pytest
from conftest import ROOT
from course_module import course

SOURCE = (ROOT / "course.py").read_text(encoding="utf-8")


def test_any_python_can_read_the_file():
    """No node that Python 2.7 does not know, and no sign but ASCII's."""
    assert SOURCE.isascii()
    new = (
        *(ast.JoinedStr, ast.NamedExpr, ast.AnnAssign, ast.Nonlocal, ast.AsyncFunctionDef),
        *(ast.Match, ast.TryStar, ast.YieldFrom, ast.Await, ast.MatMult),
    )
    for node in ast.walk(ast.parse(SOURCE)):
        where = f"line {getattr(node, 'lineno', '?')}"
        assert not isinstance(node, new), where
        if isinstance(node, ast.arguments):
            assert not node.kwonlyargs and not node.posonlyargs, where
            assert not any(a.annotation for a in node.args), where
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            assert not any(isinstance(e, ast.Starred) for e in node.elts), where
        if isinstance(node, ast.Dict):
            assert None not in node.keys, where
        if isinstance(node, ast.Call):
            stars = [a for a in node.args if isinstance(a, ast.Starred)]
            assert len(stars) + sum(k.arg is None for k in node.keywords) <= 2, where
            assert not stars or node.args[-1] is stars[0], where
        if isinstance(node, ast.Raise):
            assert node.cause is None, where


@pytest.mark.parametrize("name", ["python2.7", "python3.6", "python3.8", "python3.10"])
def test_an_older_python_says_one_line(name):
    python = shutil.which(name)
    version = name.removeprefix("python")
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    quietly = {"capture_output": True, "encoding": "utf-8"}
    if not python or version not in subprocess.run([python, "-c", code], **quietly).stdout:
        pytest.skip(f"{name} is not here")
    done = subprocess.run([python, str(ROOT / "course.py"), "run"], **quietly)
    assert done.returncode == 1 and not done.stdout
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"The course needs Python 3.11 or newer, and this is {version}.")


def test_the_line_for_an_older_python_stands_before_anything_new():
    """Where none is there: this Python says that it is an older one."""
    old = SOURCE.replace("sys.version_info", "(3, 10, 4)")
    with pytest.raises(SystemExit, match="needs Python 3.11 or newer, and this is 3.10"):
        exec(compile(old, "course.py", "exec"), {"__name__": "course"})
    body = ast.parse(SOURCE).body
    check = next(k for k, node in enumerate(body) if isinstance(node, ast.If))
    before = {type(node) for node in body[:check]}
    assert before == {ast.Expr, ast.ImportFrom, ast.Import, ast.Assign}
    project = course.pyproject()["project"]
    assert f">={course.OLDEST[0]}.{course.OLDEST[1]}" == project["requires-python"]
