"""Set up the course and run it: `python course.py run`, or lab, test, book ... (`--help` has all).

Set-up installs into .venv, once, and again when pyproject.toml or constraints.txt have changed.
This file imports only the standard library, and runs on Linux, macOS and Windows. Every Python can
parse it, so that an old one can say that it is too old: don't use f-strings or other new syntax.
"""

from __future__ import print_function

import sys

OLDEST = (3, 11)
if sys.version_info < OLDEST:
    sys.exit(
        "The course needs Python 3.11 or newer, and this is {0}.{1}. Install a newer one, or name "
        "one that is there: python3.12 course.py run (or make run PYTHON=python3.12).".format(
            *sys.version_info[:2]
        )
    )

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import time

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
CONSTRAINTS = os.path.join(ROOT, "constraints.txt")
MATHJAX = "sphinx-mathjax-offline"
ALL = "notebooks baselines widgets lab data cluster safetensors book test".split()
# the extras of pyproject.toml that a command needs; `run` needs MathJax, and no Sphinx
NEEDS = {
    "setup": ALL,
    "run": ["notebooks", MATHJAX],
    "lab": ["notebooks", "widgets", "lab"],
    "test": ALL,
    "book": ["book"],
    "slides": ["notebooks", "book"],
    "exercises": ["notebooks"],
    "soak": ALL,
    "pages": ["notebooks"],
    "about": [],
    "lint": ["test"],
}
PYTEST = ["-m", "pytest", "-n", "2", "--dist", "loadscope", "--no-loadscope-reorder"]
NOTEBOOKS_TOO = ["--nbval-lax", "--nbval-current-env", "--ignore", "notebooks/exercises"]
NOTEBOOKS_TOO += ["--nbval-sanitize-with", os.path.join("tests", "lessons", "masks.cfg")]
NOTEBOOKS_TOO += ["--nbval-kernel-startup-timeout=900"]  # a busy machine takes its time

# Lessons that need a large package, which set-up leaves out: the module, and how to install it.
# Without it the lesson is not run, and its page shows the stored outputs.
WANTS = {"14_from_here_to_pytorch": ("torch", "-m pip install -c constraints.txt torch")}

FAILED = (
    "Set-up failed, and pip says above why. Try again: what is there already is not fetched again. "
    "book/pages/set_up.md, “If set-up fails”, has the usual reasons."
)
OF_ANOTHER = (
    "{0} was not made by this file, and has no Python {1} with pip. Remove it if you don't need it "
    "(course.py clean), and try again."
)


class Stop(Exception):
    """Exception that ends a command; its text is all that is printed."""


def venv_python(venv, os_name=os.name):
    """Return the path of an environment's Python."""
    if os_name == "nt":
        return os.path.join(venv, "Scripts", "python.exe")
    return os.path.join(venv, "bin", "python")


def site_packages(venv, os_name=os.name):
    """Return the path of an environment's packages, if this Python made it."""
    scheme = "nt_venv" if os_name == "nt" else "posix_venv"
    return sysconfig.get_path("purelib", scheme, {"base": venv, "platbase": venv})


# Set up -------------------------------------------------------------------------------------------


def state(constraints):
    """Describe all that a set-up depends on except the extras; the stamp in .venv stores both."""
    digest = hashlib.sha256()
    for name in (os.path.join(ROOT, "pyproject.toml"), constraints):
        with open(name, "rb") as file:
            digest.update(file.read() + b"\0")
    version = "{0}.{1}".format(*sys.version_info[:2])
    return {"declared": digest.hexdigest(), "python": version, "folder": ROOT}


def read_stamp():
    """Read the stamp of .venv: {} if its set-up was cut short, None if this file didn't make it.

    A damaged stamp is read as {}.
    """
    try:
        with open(os.path.join(VENV, "ready.json"), encoding="utf-8") as file:
            stamp = json.load(file)
        return stamp if set(stamp) == {"declared", "python", "folder", "extras"} else {}
    except (ValueError, TypeError):
        return {}
    except OSError:
        return None


def write_stamp(stamp):
    """Write the stamp of .venv; None removes it."""
    path = os.path.join(VENV, "ready.json")
    if stamp is None:
        return os.remove(path)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(stamp, file, indent=1)


def plan(stamp, now, wanted, python):
    """Return the next step ("nothing", "add", "anew" or "stop") and the extras to install.

    `python` is the version of the Python in .venv, None if that Python has no pip or doesn't run.
    An environment that this file hasn't made is never removed.
    """
    extras = sorted(set(wanted).union((stamp or {}).get("extras", [])))
    if stamp == {} or python != now["python"]:
        return "stop" if stamp is None and os.path.exists(VENV) else "anew", extras
    return "nothing" if stamp == dict(now, extras=extras) else "add", extras


def version_of(python):
    """Return the version of a Python; None if it has no pip or doesn't run."""
    command = [python, "-c", "import sys, pip; print('%d.%d' % sys.version_info[:2])"]
    try:
        said = subprocess.check_output(command, stderr=subprocess.DEVNULL, encoding="utf-8")
        return said.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def alone():
    """Lock this file, so that one set-up runs at a time; the system unlocks it when we exit."""
    file, announced = open(__file__, "rb"), False
    while True:
        try:
            if os.name == "nt":
                import msvcrt

                file.seek(1 << 30)  # nobody can read locked bytes
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except (BlockingIOError, PermissionError):
            if not announced:
                print("Another set-up is at work here. This one waits for its end.", flush=True)
            announced = True
            time.sleep(1)
        except OSError:  # some network disks have no locks
            return file


def remove(folder):
    """Remove a folder, or a link to one."""
    if os.path.islink(folder):
        os.unlink(folder)
    elif os.path.exists(folder):
        shutil.rmtree(folder)


def make_venv(folder):
    """Make an environment that has only pip."""
    start([sys.executable, "-m", "venv", folder])


def pip(venv, arguments):
    """Run pip, which prints its progress and its errors."""
    options = ["--disable-pip-version-check", "--no-input"]
    start([venv_python(venv), "-m", "pip"] + options + arguments, todo=FAILED)


def set_up(wanted, constraints, folder=None):
    """Install the extras that a command needs into .venv, if any are missing; return its Python.

    Without a network, `folder` has the packages.
    """
    python, now, stamp = venv_python(VENV), state(constraints), read_stamp()
    todo, extras = plan(stamp, now, wanted, version_of(python))
    if todo == "nothing":
        return python
    if todo == "stop":
        raise Stop(OF_ANOTHER.format(VENV, now["python"]))
    print(
        "Setting up .venv, once. `run` needs 100 MB of packages, and 380 MB on disk; `lab` 130 and "
        "460, all of the course 230 and 730. That takes a minute or two.",
        flush=True,
    )
    if todo == "anew":
        stamp = {}
        remove(VENV)
        os.mkdir(VENV)
        write_stamp(stamp)
        make_venv(VENV)
    install(extras, constraints, folder, stamp)
    write_stamp(dict(now, extras=extras))
    print("Set up.", flush=True)
    return python


def install(extras, constraints, folder, stamp):
    """Let pip install the course with extras; restore the stamp if pip fails before it writes.

    Nothing is compiled in advance: that would double the time and take 200 MB.
    """
    options = ["install", "--no-compile", "--constraint", constraints]
    if folder:
        options += ["--no-index", "--find-links", folder]
    named = ",".join(name for name in extras if name != MATHJAX)
    calls = [["--editable", ".[{0}]".format(named) if named else "."]]
    if MATHJAX in extras:
        calls.append(["--no-deps", MATHJAX])
    before = sorted(os.listdir(site_packages(VENV)))
    write_stamp({})
    try:
        for call in calls:
            pip(VENV, options + call)
    except BaseException:
        if sorted(os.listdir(site_packages(VENV))) == before:
            write_stamp(stamp)
        raise


# The commands -------------------------------------------------------------------------------------


def start(command, todo=None):
    """Start a command and wait for its end, even after Ctrl-C; stop if it fails.

    It runs with one BLAS thread per process, as the tests already use two processes, and training
    two threads. It reads files as UTF-8, on Windows, too. `todo` is printed if it fails.
    """
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", PYTHONUTF8="1")
    process, interrupted = subprocess.Popen(command, cwd=ROOT, env=environment), False
    try:
        while process.returncode is None:
            try:
                process.wait()
            except KeyboardInterrupt:  # the command gets it as well, and cleans up
                interrupted = True
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    if process.returncode and interrupted:
        raise KeyboardInterrupt
    if process.returncode and todo:
        raise Stop(todo)
    if process.returncode:
        sys.exit(process.returncode if process.returncode > 0 else 1)


def notebooks(folder="notebooks"):
    """List the numbered notebooks of a folder."""
    names = sorted(os.listdir(os.path.join(ROOT, folder)))
    return [os.path.join(folder, name) for name in names if re.match(r"\d.*\.ipynb$", name)]


def execute(python, how, named, every):
    """Run the named notebooks, or every one."""
    named = [os.path.relpath(name, ROOT) for name in named]
    start([python, "-m", "book.build.execute", how] + (named or every))


def run(python, named):
    """Run every notebook, or the named ones; write the pages to build/."""
    execute(python, "run", named, notebooks())


def lab(python, options):
    """Open JupyterLab in notebooks/."""
    start([python, "-m", "jupyterlab", "notebooks"] + options)


def test(python, options):
    """Run all tests but the soak, notebooks included."""
    which = ["-m", "not soak"] + NOTEBOOKS_TOO + ["tests", "notebooks"]
    start([python] + PYTEST + which + options)


def book(python, _):
    """Make the book from the stored notebooks, in build/book."""
    start([python, "-m", "book.build.website", "build/book"])


def slides(python, _):
    """Make the lessons' slides from the stored notebooks, in build/slides."""
    start([python, "-m", "book.build.slides", "build/slides"])


def exercises(python, options):
    """Make the students' copies of the exercises from the solutions; an exam by --variant N.

    With --again, copies that may have answers are kept next to the new ones.
    """
    start([python, "-m", "lstm_course.copies"] + options)


def soak(python, options):
    """Run the long tests: kills, damaged files, full-size training, each wait 50 times.

    --ci COMMIT runs some 20 minutes of them; the commit's first digits draw the mutants.
    """
    if options:
        # CI runs the marked tests, and the lessons that train as they would on another machine
        start([python] + PYTEST + ["-m", "soak"] + options + ["tests"])
        nudge = ["--nudge", str(int(options[-1], 16) + 1), os.path.join("tests", "lessons")]
        return start([python] + PYTEST + ["-m", "not soak"] + nudge)
    # the solutions, too, with their worked answers: tests/conftest.py marks them as soak
    start([python] + PYTEST + ["-m", "soak"] + NOTEBOOKS_TOO + ["tests", "notebooks"])
    # every lesson and solution as on other machines
    start([python, os.path.join("benchmarks", "machines.py")])
    # tests that wait may fail by chance: repeat them, each core kept busy by a loop
    start([python] + PYTEST + ["-m", "waits and not soak", "--times=50", "--busy=2", "tests"])


def pages(python, named):
    """Run the notebooks and the solutions, and store their outputs in them."""
    every = notebooks() + notebooks(os.path.join("notebooks", "solutions"))
    execute(python, "pages", named, every)


def about(python, _):
    """Describe this machine and compare five numbers with those of others, for a bug report."""
    start([python, "-m", "benchmarks.about"])


def lint(python, _):
    """Report what ruff finds and would format differently, and errors in the pages' scripts."""
    start([python, "-m", "ruff", "check", "."])
    start([python, "-m", "ruff", "format", "--check", "."])
    npx = shutil.which("npx")
    if not npx:
        print("The pages' scripts are not checked: that needs Node.")
        return
    scripts = os.path.join("lstm_course", "explorers", "js")
    start([npx, "-y", "-p", "typescript@5.9.3", "tsc", "-p", scripts])
    start([npx, "-y", "@biomejs/biome@2.6.8", "lint"])


def setup(python, _):
    """Install all that the other commands need."""


def fetch(folder, constraints):
    """Download all packages that set-up needs: fetch FOLDER; then run --from FOLDER."""
    os.makedirs(folder, exist_ok=True)
    print("Fetching 230 MB into {0}. That takes some minutes.".format(folder), flush=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        make_venv(scratch)
        options = ["--dest", folder, "--only-binary", ":all:", "--constraint", constraints]
        pip(scratch, ["download"] + options + [".[{0}]".format(",".join(ALL))])
    print(
        "All is in {0}. Where there is no network, but the same kind of system and Python {1}.{2}: "
        "python course.py run --from {0}".format(folder, *sys.version_info[:2])
    )


def clean():
    """Remove .venv and build."""
    with alone():
        remove(VENV)
    remove(os.path.join(ROOT, "build"))


COMMANDS = run, lab, test, book, slides, exercises, soak, pages, about, lint, setup, fetch, clean
TAKE_MORE = "run", "lab", "test", "exercises", "soak", "pages", "fetch"


def parser():
    """Return the parser of the command line."""
    docs = ["{0.__name__:11}{1}".format(f, f.__doc__.splitlines()[0]) for f in COMMANDS]
    top = argparse.ArgumentParser(
        prog="course.py",
        usage="course.py COMMAND [--from FOLDER] [--constraints FILE] [ARGUMENT ...]",
        description="Each command first installs what it needs into .venv, once. run, lab, test, "
        "exercises, soak\nand pages pass further arguments on: run notebooks/04_bptt_rnn.ipynb, "
        "test -k ties.\n\n" + "\n".join(docs),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    names = [function.__name__ for function in COMMANDS]
    text = "one of the commands above"
    top.add_argument("command", nargs="?", choices=names, metavar="COMMAND", help=text)
    text = "install the packages that `fetch` downloaded, without a network"
    top.add_argument("--from", dest="folder", metavar="FOLDER", type=os.path.abspath, help=text)
    text = "the versions to install (constraints.txt)"
    top.add_argument(
        "--constraints", default=CONSTRAINTS, metavar="FILE", type=os.path.abspath, help=text
    )
    return top


def main(arguments=None):
    """Run a command with its arguments."""
    given, others = parser().parse_known_args(arguments)
    if given.command is None:
        return parser().print_help()
    if others and given.command not in TAKE_MORE:
        parser().error("unrecognized arguments: " + " ".join(others))
    if given.command == "clean":
        return clean()
    if given.command == "fetch":
        if len(others) != 1:
            parser().error("fetch needs one folder: fetch FOLDER")
        return fetch(os.path.abspath(others[0]), given.constraints)
    with alone():
        python = set_up(NEEDS[given.command], given.constraints, given.folder)
    globals()[given.command](python, others)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # ends the started program, too
    try:
        main()
    except (Stop, OSError) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        sys.exit(130)
