"""Set-up by the pip that Python brings, from a folder of wheels."""

import importlib.util
import os
import shutil
import subprocess
import textwrap
import zipfile

import pytest
from conftest import ROOT
from course_module import load


def wheel(folder, name, requires=()):
    """A wheel of a package with one empty module."""
    info = f"{name}-1.0.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
    metadata += "".join(f"Requires-Dist: {other}\n" for other in requires)
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as file:
        file.writestr(f"{name}.py", "")
        file.writestr(f"{info}/METADATA", metadata)
        file.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        file.writestr(f"{info}/RECORD", f"{name}.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n")


BACKEND = """
import pathlib, zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    name, info = "lstm_edu-1.0-py3-none-any.whl", "lstm_edu-1.0.dist-info"
    metadata = "Metadata-Version: 2.1\\nName: lstm_edu\\nVersion: 1.0\\nRequires-Dist: tiny_a\\n"
    metadata += "Provides-Extra: notebooks\\nRequires-Dist: tiny_b; extra == 'notebooks'\\n"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w") as file:
        file.writestr("lstm_edu.py", "")
        file.writestr(f"{info}/METADATA", metadata)
        file.writestr(f"{info}/WHEEL",
                      "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        file.writestr(f"{info}/RECORD", f"lstm_edu.py,,\\n{info}/METADATA,,\\n{info}/WHEEL,,\\n")
    return name
"""


def test_a_real_pip_sets_up_from_a_folder_of_wheels(tmp_path, monkeypatch, capfd):
    """A course of two packages, by the pip that Python brings."""
    if not importlib.util.find_spec("ensurepip"):
        pytest.skip("Python has no ensurepip")
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    folder, stick = tmp_path / "course", tmp_path / "stick"
    folder.mkdir()
    stick.mkdir()
    shutil.copy(ROOT / "course.py", folder)
    (folder / "constraints.txt").write_text("tiny_a==1.0\ntiny_b==1.0\n", encoding="utf-8")
    (folder / "backend.py").write_text(BACKEND, encoding="utf-8")
    (folder / "pyproject.toml").write_text(
        textwrap.dedent("""
        [build-system]
        requires = []
        build-backend = "backend"
        backend-path = ["."]
        """),
        encoding="utf-8",
    )
    wheel(stick, "tiny_a", ["tiny_b"])
    module = load(folder / "course.py")
    constraints = str(folder / "constraints.txt")
    with pytest.raises(module.Stop) as stop:
        module.set_up(["notebooks"], constraints, str(stick), module.VENV)
    assert "tiny_b" in capfd.readouterr().out
    assert f"{stick} does not hold what this Python" in str(stop.value)

    wheel(stick, "tiny_b")
    python = module.set_up(["notebooks"], constraints, str(stick), module.VENV)
    code = "import lstm_edu, tiny_a, tiny_b"
    subprocess.run([python, "-I", "-c", code], cwd=tmp_path, check=True)
    assert capfd.readouterr().out.endswith("Set up.\n")
