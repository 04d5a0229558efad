"""Set up and run the course: python course.py COMMAND. The commands are:

run        Run every notebook, or the named ones; write the pages to build/.
lab        Open JupyterLab in notebooks/.
test       Run the notebooks, and all tests except the long ones (see soak).
book       Build the book from the stored notebooks, in build/book.
slides     Build the lessons' slides from the stored notebooks, in build/slides.
lite       Build a site that runs the course in a browser, in build/lite [--pyodide FOLDER].
exercises  Write the students' copies of the exercises [--again], or a variant: --variant N.
exam       Draw an exam from a secret phrase, or grade it: exam [--grade FOLDER] --out FOLDER.
questions  Export questions for a learning platform: questions --to moodle|gift [--out FOLDER].
soak       Run the long tests, or with --ci COMMIT a selection that takes about 20 minutes.
pages      Run the notebooks and the solutions, and store their outputs in them.
about      Describe this machine and compare five results with stored ones, for bug reports.
lint       Check the Python code with ruff, and the pages' JavaScript with tsc and Biome.
setup      Install everything that the other commands need.
release    Make a copy for students, without solutions: release FOLDER --no-solutions.
class      Make a page of statistics from a class's records or an exam's grades: class FOLDER ...
fetch      Download the packages for set-up without a network: fetch FOLDER; run --from FOLDER.
clean      Remove .venv and build.

Each command first installs what it needs into .venv, once, and again when pyproject.toml or
constraints.txt have changed. This file imports only the standard library, and runs on Linux, macOS
and Windows. Even an old Python must be able to parse it, to report that it is too old: don't use
f-strings or other new syntax.
"""

from __future__ import print_function

import sys

OLDEST = (3, 11)
if sys.version_info < OLDEST:
    sys.exit(
        "The course needs Python 3.11 or newer, and this is %d.%d. Install or name a newer one: "
        "python3.12 course.py run (or make run PYTHON=python3.12)." % sys.version_info[:2]
    )

import os

if __name__ == "__main__":  # search these folders last, so that a random.py can't shadow Python's
    _LAST = [os.path.dirname(__file__)] + os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path.sort(key=lambda folder: os.path.abspath(folder) in map(os.path.abspath, _LAST))

import argparse
import ast
import hashlib
import json
import re
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import time

VERSION = "%d.%d" % sys.version_info[:2]
ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
STAMP = os.path.join(VENV, "ready.json")  # the record of the last set-up
CONSTRAINTS = os.path.join(ROOT, "constraints.txt")
MATHJAX = "sphinx-mathjax-offline"
ALL = "notebooks baselines widgets lab data cluster safetensors book lite test".split()
PYTEST = ["-m", "pytest", "-n", "2", "--dist", "loadscope", "--no-loadscope-reorder"]
PYTEST += ["-o", "pythonpath=tests tests/helpers"]  # not ".", which course.pth appends
NOTEBOOKS_TOO = ["--nbval-lax", "--nbval-current-env", "--ignore", "notebooks/exercises"]
NOTEBOOKS_TOO += ["--nbval-sanitize-with", os.path.join("tests", "lessons", "masks.cfg")]
NOTEBOOKS_TOO += ["--nbval-kernel-startup-timeout=900", "tests", "notebooks"]

# For each lesson that needs a module too large for set-up to install: the module, and the arguments
# that install it. Without the module, the lesson isn't run, and its page shows stored outputs.
WANTS = {"14_from_here_to_pytorch": ("torch", "-m pip install -c constraints.txt torch")}

# Environment variables that child processes don't inherit, because they change how Python runs,
# what it imports, or where pip installs. Pip's settings for the network are inherited.
FOREIGN = re.compile(
    r"PYTHON(?!DONTWRITE|PYCACHE)|PYTEST_(?!ADDOPTS)|MPLBACKEND|__PYVENV|JUPYTERLAB_DIR"
    r"|JUPYTER_(PATH|DATA_DIR|PREFER)|PIP_(?!CONFIG_FILE|(EXTRA_)?INDEX_URL|NO_INDEX|FIND_LINKS"
    r"|TRUSTED_HOST|(CLIENT_)?CERT|PROXY|(DEFAULT_)?TIMEOUT|RETRIES|(NO_)?CACHE_DIR|KEYRING|USE_F)"
)
FAILED = "Set-up failed, as pip says above. Try again; book/pages/set_up.md has the usual reasons."


def path_in(venv, kind):
    """Return the path of a virtual environment's scripts ("scripts") or packages ("purelib")."""
    return sysconfig.get_path(kind, "venv", {"base": venv, "platbase": venv})


def venv_python(venv):
    """Return the path of a virtual environment's Python interpreter."""
    return os.path.join(path_in(venv, "scripts"), "python.exe" if os.name == "nt" else "python")


# Set up -------------------------------------------------------------------------------------------


def state(constraints):
    """Return a digest of the declared packages, and the course's folder.

    If either changes, the course has to be set up again.
    """
    digest = hashlib.sha256()
    for name in (os.path.join(ROOT, "pyproject.toml"), constraints):
        with open(name, "rb") as file:
            digest.update(file.read() + b"\0")
    return dict(declared=digest.hexdigest(), folder=os.path.realpath(ROOT))


def read_stamp():
    """Return the record of the last set-up, or {} if there is none."""
    try:
        with open(STAMP, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def write_stamp(stamp):
    """Write the record of a set-up into .venv."""
    with open(STAMP, "w", encoding="utf-8") as file:
        json.dump(stamp, file, indent=1)


def version_of(python):
    """Return the version of a Python interpreter, or None if it has no pip or doesn't run."""
    command = [python, "-c", "import sys, pip; print('%d.%d' % sys.version_info[:2])"]
    try:
        how = {"stderr": subprocess.DEVNULL, "encoding": "utf-8", "env": environment()}
        return subprocess.check_output(command, **how).strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def alone():
    """Lock course.py, so that only one set-up runs at a time, and return the open file.

    The lock is released when the file is closed or the process exits.
    """
    file = open(__file__, "rb")
    while True:
        try:
            if os.name == "nt":
                import msvcrt

                file.seek(1 << 30)  # lock a byte past the end, because locked bytes can't be read
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except (BlockingIOError, PermissionError):
            print("Another set-up is at work here. Waiting until it ends.", flush=True)
            time.sleep(5)
        except OSError:  # some network drives don't support locks
            return file


def remove(folder):
    """Remove a folder, if it exists."""
    if os.path.exists(folder):
        shutil.rmtree(folder)


def make_venv(folder):
    """Create a virtual environment that contains only pip."""
    start([sys.executable, "-m", "venv", folder])


def pip(venv, arguments):
    """Run pip, which prints its progress and its errors.

    From pip's configuration files, only the network settings are used; they are passed as
    environment variables. Other settings (`user`, `target`) would install elsewhere.
    """
    command = [venv_python(venv), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    variables = environment()
    how = {"stdout": subprocess.PIPE, "encoding": "utf-8", "env": variables}
    listed = subprocess.run(command + ["-v", "config", "list"], **how).stdout
    for _, name, value in re.findall(r"(?m)^(install|global)\.([a-z-]+)=(.+)$", listed)[::-1]:
        name = "PIP_" + name.upper().replace("-", "_")
        if not FOREIGN.match(name):
            variables.setdefault(name, ast.literal_eval(value))
    if "PIP_FIND_LINKS" not in variables:  # without an index or links, pip would find nothing
        variables.pop("PIP_NO_INDEX", None)
    start(command + arguments, FAILED, dict(variables, PIP_CONFIG_FILE=os.devnull))


def set_up(wanted, constraints, folder=None):
    """Install a command's missing extras into .venv, and return the path of .venv's Python.

    If `folder` isn't None, packages are installed from this folder, without a network. A .venv made
    by course.py is replaced if its set-up didn't finish, if its Python has another version, or if
    it was moved, because it contains its old path. Any other .venv is used if possible, and never
    removed.
    """
    python, now, stamp = venv_python(VENV), state(constraints), read_stamp()
    ours = os.path.exists(STAMP)
    extras = sorted(set(wanted).union(stamp.get("extras", [])))
    is_here = stamp.get("folder") == now["folder"] or not ours
    usable = is_here and version_of(python) == VERSION
    if usable and stamp == dict(now, extras=extras):
        return python
    if not usable and not ours and os.path.exists(VENV):
        text = "{0} was not made by course.py, and has no Python {1} with pip. "
        text += "If you don't need it, remove it (course.py clean), and try again."
        sys.exit(text.format(VENV, VERSION))
    if not os.access(ROOT, os.W_OK):
        sys.exit("{0} can't be written: copy the course to another folder.".format(ROOT))
    print("Setting up .venv, once: a minute or two, and up to 750 MB on disk.", flush=True)
    if not usable:
        remove(VENV)
        os.mkdir(VENV)
        write_stamp({})
        make_venv(VENV)
    install(extras, constraints, folder)
    write_stamp(dict(now, extras=extras))
    print("Set up.", flush=True)
    return python


def install(extras, constraints, folder):
    """Install the course and extras with pip.

    The packages aren't compiled to bytecode, which would double the time and take 200 MB.
    """
    options = ["install", "--no-compile", "--constraint", constraints]
    options += ["--no-index", "--find-links", folder] if folder else []
    named = ",".join(name for name in extras if name != MATHJAX)
    pip(VENV, options + ["--editable", ".[{0}]".format(named) if named else "."])
    if MATHJAX in extras:
        pip(VENV, options + ["--no-deps", MATHJAX])
    # search this folder after the packages, so that a numpy.py in it doesn't shadow NumPy
    packages = path_in(VENV, "purelib")
    with open(os.path.join(packages, "course.pth"), "w", encoding="utf-8") as file:
        print(os.path.relpath(ROOT, packages), file=file)


# The commands -------------------------------------------------------------------------------------


def environment():
    """Return the environment variables for child processes, without those that match FOREIGN.

    Processes use one BLAS thread each, because the tests run in two processes and training in two
    threads. They read files as UTF-8 on every system, don't import from the current folder, where a
    random.py would shadow Python's, and don't run the user's IPython startup files.
    """
    kept = {name: os.environ[name] for name in os.environ if not FOREIGN.match(name)}
    kept.update(OPENBLAS_NUM_THREADS="1", IPYTHONDIR=os.path.join(VENV, "ipython"))
    return dict(kept, PYTHONUTF8="1", PYTHONSAFEPATH="1", PYTHONNOUSERSITE="1")


def start(command, todo=None, variables=None):
    """Run a command and wait for it, even after Ctrl-C; if it fails, print `todo` and exit."""
    how = {"cwd": ROOT, "env": variables or environment()}
    process, interrupted = subprocess.Popen(command, **how), False
    try:
        while process.returncode is None:
            try:
                process.wait()
            except KeyboardInterrupt:  # the command also receives Ctrl-C and cleans up
                interrupted = True
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    if process.returncode and interrupted:
        raise KeyboardInterrupt
    if process.returncode:
        sys.exit(todo or max(process.returncode, 1))


def absolute(words):
    """Return the arguments, with relative paths made absolute."""
    plain = re.compile("-|moodle$|gift$")
    return [word if plain.match(word) else os.path.abspath(word) for word in words]


def lab(python, options):
    """Open JupyterLab in notebooks/."""
    # programs that users start in JupyterLab may import from the current folder
    variables = dict(environment(), PYTHONSAFEPATH="")
    start([python, "-P", "-m", "jupyterlab", "notebooks"] + options, variables=variables)


def test(python, options):
    """Run the notebooks, and all tests except the long ones."""
    start([python] + PYTEST + ["-m", "not soak"] + NOTEBOOKS_TOO + options)


def soak(python, options):
    """Run the long tests: killed processes, damaged files, full training, timing tests 50 times.

    With `--ci COMMIT`, run a selection that takes about 20 minutes. The commit's hash selects the
    mutants (seeded bugs), and seeds the noise on the initial weights.
    """
    if options:
        # CI runs the tests marked `ci`, and lessons with slightly changed initial weights
        start([python] + PYTEST + ["-m", "soak"] + options + ["tests"])
        nudge = ["--nudge", str(int(options[-1], 16) + 1), os.path.join("tests", "lessons")]
        return start([python] + PYTEST + ["-m", "not soak"] + nudge)
    # this includes the solutions, which tests/conftest.py marks as soak
    start([python] + PYTEST + ["-m", "soak"] + NOTEBOOKS_TOO)
    # run lessons and solutions with the rounding errors of other machines
    start([python, os.path.join("benchmarks", "machines.py")])
    # tests that depend on timing may be flaky, so repeat them on a busy machine
    start([python] + PYTEST + ["-m", "waits and not soak", "--times=50", "--busy=2", "tests"])


def lint(python, _):
    """Check the Python code with ruff and, if Node is installed, the pages' JavaScript."""
    start([python, "-m", "ruff", "check", "."])
    start([python, "-m", "ruff", "format", "--check", "."])
    npx = shutil.which("npx")
    if not npx:
        return print("The pages' scripts are not checked: that needs Node.")
    scripts = os.path.join("lstm_course", "explorers", "js")
    start([npx, "-y", "-p", "typescript@5.9.3", "tsc", "-p", scripts])
    start([npx, "-y", "@biomejs/biome@2.6.8", "lint"])


def fetch(folder, constraints):
    """Download all packages that set-up needs, so that `--from FOLDER` can install them offline."""
    os.makedirs(folder, exist_ok=True)
    print("Fetching 240 MB into {0}. That takes some minutes.".format(folder), flush=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        make_venv(scratch)
        options = ["--dest", folder, "--only-binary", ":all:", "--constraint", constraints]
        pip(scratch, ["download"] + options + [".[{0}]".format(",".join(ALL))])
    text = "Fetched to {0}. On the same kind of system, with Python {1}: course.py run --from {0}"
    print(text.format(folder, VERSION))


def clean():
    """Remove .venv and build."""
    with alone():
        remove(VENV)
    remove(os.path.join(ROOT, "build"))


# for each command, the extras that it needs, and the function or module that it starts; `run` needs
# MathJax but not Sphinx
COMMANDS = {
    "run": (["notebooks", MATHJAX], "book.build.execute run"),
    "lab": (["notebooks", "widgets", "lab"], lab),
    "test": (ALL, test),
    "book": (["book"], "book.build.website build/book"),
    "slides": (["notebooks", "book"], "book.build.slides build/slides"),
    "lite": (["notebooks", "widgets", "lab", "lite"], "book.build.lite build/lite"),
    "exercises": (["notebooks"], "lstm_course.copies"),
    "exam": (["notebooks"], "book.build.exam"),
    "questions": (["notebooks", "book"], "book.build.questions"),
    "soak": (ALL, soak),
    "pages": (["notebooks"], "book.build.execute pages"),
    "about": ([], "benchmarks.about"),
    "lint": (["test"], lint),
    "setup": (ALL, None),
    "release": (["test"], "book.build.release"),
    "class": (["notebooks"], "book.build.class_page"),
}
NAMES = list(COMMANDS) + ["fetch", "clean"]
if not os.path.exists(os.path.join(ROOT, "tests")):  # the copy for students has no tests
    NAMES = ["run", "lab", "about", "setup", "fetch", "clean"]
TAKE_PATHS = "run exam questions pages release class".split()
TAKE_NOTHING = "book slides about lint setup clean".split()


def parser():
    """Return the command-line parser."""
    lines = [line for line in (__doc__ or "").splitlines() if line.partition(" ")[0] in NAMES]
    text = "Each command first installs what it needs into .venv, once. Further arguments are\n"
    text += "passed on: run notebooks/04_bptt_rnn.ipynb, or `test -k ties`.\n\n"
    top = argparse.ArgumentParser(
        prog="course.py",
        usage="course.py COMMAND [--from FOLDER] [--constraints FILE] [ARGUMENT ...]",
        description=text + "\n".join(lines),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("command", nargs="?", choices=NAMES, metavar="COMMAND", help="as above")
    path, text = os.path.abspath, "install the packages that `fetch` downloaded, without a network"
    top.add_argument("--from", dest="folder", metavar="FOLDER", type=path, help=text)
    text = "the versions to install (constraints.txt)"
    top.add_argument("--constraints", default=CONSTRAINTS, metavar="FILE", type=path, help=text)
    return top


def main(arguments=None):
    """Parse the arguments, set up, and run the command."""
    given, others = parser().parse_known_args(arguments)
    name = given.command
    if name is None:
        return parser().print_help()
    if others and name in TAKE_NOTHING:
        parser().error("unrecognized arguments: " + " ".join(others))
    if name == "clean":
        return clean()
    if name == "fetch":
        if len(others) != 1:
            parser().error("fetch needs one folder: fetch FOLDER")
        return fetch(os.path.abspath(others[0]), given.constraints)
    extras, program = COMMANDS[name]
    with alone():
        python = set_up(extras, given.constraints, given.folder)
    if callable(program):
        program(python, others)
    elif program:
        words = absolute(others) if name in TAKE_PATHS else others
        start([python, "-m"] + program.split() + words)


if __name__ == "__main__":
    # on SIGTERM, exit normally, so that `start` also ends the program that it runs
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except OSError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        sys.exit(130)
