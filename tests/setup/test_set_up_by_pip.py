"""Test of set-up with Python's bundled pip and a folder of wheels."""

import os
import shutil
import subprocess

import pytest
from conftest import ROOT
from course_module import load

# A build backend that writes a wheel with one empty module; the test also calls it directly.
WHEEL = """
import pathlib, zipfile

def wheel(folder, name, *requires):
    file, info = f"{name}-1.0-py3-none-any.whl", f"{name}-1.0.dist-info"
    about = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0", *requires, ""]
    with zipfile.ZipFile(pathlib.Path(folder) / file, "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(f"{info}/METADATA", "\\n".join(about))
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\n")
        archive.writestr(f"{info}/RECORD", "")
    return file

def build_editable(folder, config_settings=None, metadata_directory=None):
    requires = "Provides-Extra: notebooks", "Requires-Dist: tiny; extra == 'notebooks'"
    return wheel(folder, "lstm_edu", *requires)
"""
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""


@pytest.mark.soak
@pytest.mark.ci
def test_real_pip_installs_from_folder_of_wheels(tmp_path, monkeypatch, capfd):
    """Set up a project of one module with one dependency."""
    pytest.importorskip("ensurepip")
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    folder, stick = tmp_path / "course", tmp_path / "stick"
    folder.mkdir()
    stick.mkdir()
    shutil.copy(ROOT / "course.py", folder)
    files = {"constraints.txt": "tiny==1.0", "backend.py": WHEEL, "pyproject.toml": PROJECT}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    exec(WHEEL, backend := {})
    backend["wheel"](stick, "tiny")
    module = load(folder / "course.py")
    constraints = str(folder / "constraints.txt")
    python = module.set_up(["notebooks"], constraints, str(stick))
    subprocess.run([python, "-I", "-c", "import lstm_edu, tiny"], cwd=tmp_path, check=True)
    assert capfd.readouterr().out.endswith("Set up.\n")
