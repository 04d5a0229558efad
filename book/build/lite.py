"""Build the course as a site that runs in a browser: python -m book.build.lite build/lite.

The site is JupyterLite: JupyterLab with Python compiled to WebAssembly (Pyodide). It has the
lessons, the exercises, the sample data and a wheel of the packages. Any web server can serve it, at
any address: `python -m http.server` in its folder.

Pyodide is copied from the folder given by --pyodide or LSTM_EDU_PYODIDE; the site then sends no
request to other hosts. Without such a folder, browsers fetch Pyodide from the address PYODIDE.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib import metadata

import nbformat

import course
from book.build import LESSONS, LINK, ROOT, SOLUTIONS, execute, prose, read, write
from lstm_course.lessons import sent
from lstm_edu._util import array_files
from lstm_edu._util.files import InputError
from lstm_edu.models.model_file import FORMAT, VERSIONS

# works with the jupyterlite-pyodide-kernel of constraints.txt; later versions were not tested
PYODIDE = "https://cdn.jsdelivr.net/pyodide/v0.27.7/full/"
FROM_PYODIDE = ["ssl", "sqlite3", "ipython", "micropip", "numpy", "scipy", "matplotlib", "joblib"]
FROM_PYODIDE += ["threadpoolctl"]
# pure Python packages that Pyodide lacks, or has in an older version
PURE = ["autograd", "tqdm", "bm25s", "comm", "anywidget", "ipywidgets", "jupyterlab_widgets"]
PURE += ["psygnal", "typing_extensions"]
FILES = "lstm_files"  # the folder in site-packages with the files that lessons read
MODEL = re.compile(r"(?:kept as|Loaded) (\w+-[0-9a-f]{8}\.npz)")  # names that train_once prints
DATA = ["data_samples/*.*", "data_samples/questions/*", "benchmarks/results/*.json"]
STATIC = ROOT / "book" / "static" / "lite"
NOTE = """\
*You run this in your browser. The first run loads Python, which takes some seconds. What you write
is saved every second, in this browser and for this address only. The menu **Answers** downloads it,
for another machine, and deletes it from a shared one. **Kernel > Restart Kernel…** stops an endless
loop.*

*With a screen reader, read the lessons in the book: here a cell's editor has no name, and no output
is announced. By keys, **Enter** edits a cell, **Escape** leaves it, **Shift+Enter** runs it.*"""
MISSING = "\n\n*Browsers have no {}: don't run this lesson here, but read its stored outputs.*"


def notebooks():
    """List the lessons, exercises and solutions."""
    exercises = [ROOT / "notebooks" / "exercises" / path.name for path in SOLUTIONS]
    return [*LESSONS, *exercises, *SOLUTIONS]


def linked():
    """List the repository's files that notebooks link to, such as modules and data cards."""
    found = set()
    for path in notebooks():
        for target, _ in LINK.findall(prose(path)):
            found.add((path.parent / target).resolve())
    return sorted(path for path in found - set(notebooks()) if path.is_file())


def with_note(notebook, name):
    """Replace a notebook's cell for Colab with a note on running in a browser."""
    title, *cells = (cell for cell in notebook["cells"] if cell["id"] != "colab")
    note = {"cell_type": "markdown", "id": "lite", "metadata": {}, "source": NOTE}
    if name in course.WANTS:
        note["source"] += MISSING.format(course.WANTS[name][0])
    return {**notebook, "cells": [title, note, *cells]}


def write_contents(folder):
    """Write all files that JupyterLab's file browser shows."""
    data = [path for pattern in DATA for path in ROOT.glob(pattern)]
    for path in [*notebooks(), *linked(), *data]:
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".ipynb":
            write(target, json.dumps(with_note(json.loads(read(path)), path.stem), indent=1))
        else:
            shutil.copy(path, target)


def wheel_of(name, folder):
    """Repack an installed pure Python package as a wheel; return the wheel's path."""
    package = metadata.distribution(name)
    path = folder / f"{re.sub('[-.]', '_', name)}-{package.version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file in package.files:
            compiled = file.suffix in (".so", ".pyd", ".pyc")
            if ".." not in file.parts and not compiled:
                wheel.write(file.locate(), file.as_posix())
    return path


def course_wheel(folder):
    """Pack the packages, and the files that lessons read, into a wheel; return the wheel's path.

    It includes the files because a kernel can't read those in JupyterLab's file browser.
    """
    path, about = folder / "lstm_edu-1-py3-none-any.whl", "lstm_edu-1.dist-info"
    packed = [(ROOT / name, name) for name in ("lstm_edu", "lstm_tools", "lstm_course")]
    packed.append((ROOT / "data_samples", "lstm_edu/data_samples"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for top, place in packed:
            for file in sorted(top.rglob("*.*")):
                if file.suffix != ".pyc":
                    wheel.write(file, f"{place}/{file.relative_to(top).as_posix()}")
        for file in sorted(file for pattern in DATA for file in ROOT.glob(pattern)):
            wheel.write(file, f"{FILES}/{file.relative_to(ROOT).as_posix()}")
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: lstm_edu\nVersion: 1\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
    return path


def copy_pyodide(source, target):
    """Copy Pyodide's core and the packages that the course needs."""
    lock = json.loads(read(source / "pyodide-lock.json"))["packages"]
    needed, names = set(), list(FROM_PYODIDE)
    while names:
        name = names.pop().lower().replace("_", "-")
        if name not in needed:
            needed.add(name)
            names += lock[name]["depends"]
    core = ["pyodide.js", "pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "pyodide-lock.json"]
    files = [*core, "python_stdlib.zip", *(lock[name]["file_name"] for name in sorted(needed))]
    missing = [name for name in files if not (source / name).exists()]
    if missing:
        raise InputError(f"{source}: lacks {', '.join(missing)}")
    target.mkdir(parents=True)
    for name in files:
        shutil.copy(source / name, target)


def trained_models():
    """List the files of the models that lessons train; run the lessons whose models are missing."""
    every = set()
    for path in LESSONS:
        files = {path.with_name(name) for name in MODEL.findall(read(path))}
        if not all(map(is_trained, files)):
            print(f"Training the models of {path.stem}", flush=True)
            wrong = execute.execute(nbformat.read(path, 4), str(path.parent))
            if wrong or not all(map(is_trained, files)):
                raise InputError(
                    f"{path}: can't be run, or trains other models than it is stored with"
                )
        every |= files
    return sorted(every)


def is_trained(file):
    """Return whether a file exists and contains a fully trained model."""
    return (
        file.exists() and array_files.read_arrays(file, FORMAT, VERSIONS)[1]["training"]["finished"]
    )


def settings(pyodide, wheels):
    """Return JupyterLite's configuration.

    The kernel loads all packages when it starts, so that `import lstm_edu` works in any cell.
    It runs in the folder HOME, next to the data, and can't read the files in JupyterLab's file
    browser: JupyterLite's service worker would give it access, but confuses the answers to two
    kernels. The browser's databases are named after the course, because all JupyterLite sites on
    one host share those with default names.
    """
    found = json.loads(read(STATIC / "jupyter-lite.json"))
    (kernel,) = found["jupyter-config-data"]["litePluginSettings"].values()
    kernel["pyodideUrl"] = f"{pyodide}pyodide.js"
    # paths relative to the folder of the kernel's script
    own = [f"../../../../wheels/{path.name}" for path in wheels]
    kernel["loadPyodideOptions"]["packages"] = [*FROM_PYODIDE, *own]
    return found


def main(folder, pyodide, models):
    """Build the site in a folder, replacing any older one.

    Pyodide is copied from the folder `pyodide`; if that is None, browsers fetch it online.
    """
    site = pathlib.Path(folder).resolve()
    shutil.rmtree(site, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        lite = pathlib.Path(scratch)
        (lite / "wheels").mkdir()
        wheels = [wheel_of(name, lite / "wheels") for name in PURE]
        wheels.append(course_wheel(lite / "wheels"))
        write_contents(lite / "contents")
        address = "./static/pyodide/" if pyodide else PYODIDE
        write(lite / "jupyter-lite.json", json.dumps(settings(address, wheels)))
        shutil.copy(STATIC / "overrides.json", lite)
        options = ["--lite-dir", scratch, "--contents", str(lite / "contents"), "--apps", "lab"]
        options += ["--no-sourcemaps", "--no-libarchive", "--output-dir", str(site)]
        command = [sys.executable, "-m", "jupyter", "lite", "build", "--log-level", "WARN"]
        subprocess.run(command + options, check=True, cwd=scratch)
        shutil.copytree(lite / "wheels", site / "wheels")
    (site / "models").mkdir()
    sent.write(models, site / "models")
    (site / "extensions" / "lstm_edu").mkdir()
    shutil.copy(STATIC / "course.js", site / "extensions" / "lstm_edu")
    if pyodide:
        copy_pyodide(pathlib.Path(pyodide), site / "static" / "pyodide")
    print(f"In {folder}: python -m http.server, then open http://localhost:8000")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m book.build.lite")
    parser.add_argument("folder")
    given = os.environ.get("LSTM_EDU_PYODIDE")
    parser.add_argument("--pyodide", metavar="FOLDER", default=given, help="a Pyodide distribution")
    asked = parser.parse_args()
    try:
        main(asked.folder, asked.pyodide, trained_models())
    except InputError as error:
        sys.exit(str(error))
